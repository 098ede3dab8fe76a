/** What a file is, by its content: its media type, and the size of a picture. Pictures are never decoded. */
import { imageSize } from 'image-size'
// @ts-expect-error: it has no types.
import mime from 'mime-types'

/** Bytes at the beginning of a file that `describeFile` reads. Photos have up to some 100 KiB before their size. */
export const FILE_HEAD_BYTES = 256 * 1024

export interface FileDescription {
  mediaType: string
  /** Pixels as shown, from the header of a picture; null if it is no picture, or does not tell. */
  width: number | null
  height: number | null
}

/**
 * Describes a file by its content; its name tells only kinds of text and of office documents apart. HTML and scripts are plain text.
 * @param head the first `FILE_HEAD_BYTES`, or the whole file if it is shorter
 */
export const describeFile = (head: Buffer, path: string): FileDescription => {
  const byName: string = mime.lookup(/\.[a-z0-9]{1,10}$/i.exec(path)?.[0] ?? '') || ''
  const start = head.subarray(0, FILE_HEAD_BYTES)
  const latin1 = start.toString('latin1', 0, 512)
  const [, type, namedTypes] = SIGNATURES.find(([signature]) => signature.test(latin1)) ?? []
  if (type !== undefined) {
    const mediaType = namedTypes?.test(byName) ? byName : type
    return { mediaType, ...(mediaType.startsWith('image/') ? pictureSize(start) : NO_SIZE) }
  }
  const text = textOf(start)
  if (text === null) return { mediaType: 'application/octet-stream', ...NO_SIZE }
  const svg = SVG.exec(text.slice(0, SVG_CHARACTERS))
  if (svg === null) return { mediaType: TEXT_TYPES.test(byName) ? byName : 'text/plain', ...NO_SIZE }
  const attributes = (svg[1] ?? '').replace(/[\s,]+/g, ' ').replace(/ ?= ?/g, '=')
  return { mediaType: 'image/svg+xml', ...pictureSize(Buffer.from(`<svg${attributes}>`)) }
}

const NO_SIZE = { width: null, height: null }

/** How files begin, in Latin-1; their type; and the types that only their names tell apart. */
const SIGNATURES: readonly [start: RegExp, type: string, namedTypes?: RegExp][] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF.{4}WEBP/s, 'image/webp'],
  [/^RIFF.{4}WAVE/s, 'audio/wav'],
  [/^RIFF.{4}AVI /s, 'video/x-msvideo'],
  [/^.{4}ftypavi[fs]/s, 'image/avif'],
  [/^.{4}ftyp(?:hei|mif1)/s, 'image/heic'],
  [/^.{4}ftypqt {2}/s, 'video/quicktime'],
  [/^.{4}ftypM4A/s, 'audio/mp4'],
  [/^.{4}ftyp/s, 'video/mp4', /^audio\/mp4$/],
  [/^BM.{4}\0{4}/s, 'image/bmp'],
  [/^\0\0\x01\0/, 'image/x-icon'],
  [/^(?:II\*\0|MM\0\*)/, 'image/tiff'],
  [/^\x1a\x45\xdf\xa3.{0,56}webm/s, 'video/webm'],
  [/^\x1a\x45\xdf\xa3/, 'video/x-matroska'],
  [/^OggS.*\x80theora/s, 'video/ogg'],
  [/^OggS/, 'audio/ogg', /^video\/ogg$/],
  [/^ID3/, 'audio/mpeg'],
  [/^\xff[\xe2\xe3\xea\xeb\xf2\xf3\xfa\xfb]/, 'application/octet-stream', /^audio\/mpeg$/],
  [/^fLaC/, 'audio/flac'],
  [/^%PDF-/, 'application/pdf'],
  [/^PK\x03\x04/, 'application/zip', /openxmlformats|opendocument|epub/],
  [/^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/, 'application/x-ole-storage', /msword$|ms-(?:excel|powerpoint)$/],
  [/^\x1f\x8b/, 'application/gzip'],
  [/^BZh/, 'application/x-bzip2'],
  [/^\xfd7zXZ\0/, 'application/x-xz'],
  [/^7z\xbc\xaf\x27\x1c/, 'application/x-7z-compressed'],
  [/^Rar!\x1a\x07/, 'application/vnd.rar'],
  [/^.{257}ustar/s, 'application/x-tar'],
]

const TEXT_TYPES = /^(?:text\/(?:csv|tab-separated-values|calendar|vtt)|application\/(?:json|geo\+json|rtf))$/

export const MEDIA_TYPES: readonly string[] = [
  ...[...SIGNATURES.map(([, type]) => type), 'text/plain', 'image/svg+xml'],
  ...Object.values<string>(mime.types).filter(
    (type) => TEXT_TYPES.test(type) || SIGNATURES.some(([, , namedTypes]) => namedTypes?.test(type)),
  ),
]

/** The text that the bytes are in UTF-8; null if they are none. A character may be cut at the end. */
const textOf = (start: Buffer): string | null => {
  if (start.length === 0 || /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(start.toString('latin1'))) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true })
  } catch {
    return null
  }
}

const SVG_CHARACTERS = 8 * 1024
/** An XML declaration, comments and a document type, and then the tag `<svg>`. */
const SVG =
  /^\s*(?:<\?[^>]*\?>\s*|<!--(?:(?!-->)[\s\S])*-->\s*|<!DOCTYPE\s[^[>]*(?:\[[^\]]*\]\s*)?>\s*)*<svg(\s[^>]*)?>/

const pictureSize = (start: Buffer): { width: number | null; height: number | null } => {
  try {
    // A part of a buffer is copied, because the library reads beyond its end.
    const isWhole = start.byteLength === start.buffer.byteLength
    const { width, height, orientation = 1 } = imageSize(isWhole ? start : new Uint8Array(start))
    if (![width, height].every((length) => length >= 0.5 && length < PIXELS_MAX + 0.5)) return NO_SIZE
    // A photo with orientation 5 to 8 is shown turned by 90 degrees.
    const [across, down] = orientation >= 5 ? [height, width] : [width, height]
    return { width: Math.round(across), height: Math.round(down) }
  } catch {
    return NO_SIZE // cut, damaged, or of a kind that it does not know
  }
}

const PIXELS_MAX = 1_000_000
