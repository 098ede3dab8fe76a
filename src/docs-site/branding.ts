import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { UsageError } from '../errors.ts'
import { EncodedResponse } from '../rest/send.ts'
import { accentStyles } from './accent.ts'
import { ASSETS_PATH } from './paths.ts'

/** How the operator's site looks and is called. */
export interface Branding {
  /** What the site calls the wiki. Absent: its own name. */
  name?: string
  /** Path on the listener, and pixels: the browser reserves the room. */
  logo?: { path: string; width: number; height: number }
  /** Path of the style sheet with the accent color. */
  stylesPath?: string
  /** The files by their path on the listener. */
  files: ReadonlyMap<string, EncodedResponse>
}

interface BrandingSettings {
  siteName?: string
  /** Absolute path of a file. */
  siteLogo?: string
  /** Such as `#1b6149`. */
  siteAccentColor?: string
}

const LOGO_TYPES: Readonly<Record<string, string>> = { '.svg': 'image/svg+xml', '.png': 'image/png' }
const LOGO_BYTES_MAX = 256 * 1024
/** Height of the logo in the header, pixels, and the largest width. */
const LOGO_HEIGHT = 32
const LOGO_WIDTH_MAX = 160

/** @throws UsageError when the logo cannot be served; it names the variable */
export const readBranding = async (settings: BrandingSettings): Promise<Branding> => {
  const files = new Map<string, EncodedResponse>()
  const add = (name: string, type: string, body: Buffer): string => {
    const hash = createHash('sha256').update(name).update(body).digest('hex').slice(0, 16)
    const path = `${ASSETS_PATH}${hash}/${name}`
    files.set(path, assetResponse(type, body, hash))
    return path
  }
  const { siteName: name, siteLogo, siteAccentColor } = settings
  const logo = siteLogo === undefined ? undefined : await readLogo(siteLogo)
  return {
    name,
    logo: logo && {
      ...logo.size,
      path: add(`logo${logo.extension}`, LOGO_TYPES[logo.extension]!, logo.body),
    },
    stylesPath:
      siteAccentColor === undefined
        ? undefined
        : add('accent.css', 'text/css; charset=utf-8', Buffer.from(accentStyles(siteAccentColor))),
    files,
  }
}

const assetResponse = (type: string, body: Buffer, hash: string): EncodedResponse =>
  new EncodedResponse({
    status: 200,
    headers: {
      'Content-Type': type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      // A visitor can open the logo itself. Then a script in an SVG must not run.
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      ETag: `"${hash}"`,
    },
    body,
  })

const readLogo = async (path: string) => {
  const extension = extname(path).toLowerCase()
  if (!(extension in LOGO_TYPES)) throw new UsageError(`SITE_LOGO must be a file .svg or .png: ${path}`)
  const body = await readFile(path).catch((error: Error) => {
    throw new UsageError(`SITE_LOGO cannot be read: ${error.message}`)
  })
  if (body.length > LOGO_BYTES_MAX)
    throw new UsageError(`SITE_LOGO must have at most ${LOGO_BYTES_MAX / 1024} KiB: ${path}`)
  const ratio = extension === '.png' ? pngRatio(body) : svgRatio(body.toString('utf8'))
  if (!(ratio > 0)) throw new UsageError(`SITE_LOGO has no width and height, or is no image: ${path}`)
  const width = Math.min(LOGO_WIDTH_MAX, Math.round(LOGO_HEIGHT * ratio))
  return { extension, body, size: { width, height: Math.min(LOGO_HEIGHT, Math.round(width / ratio)) } }
}

/** Width by height. NaN if it is no PNG. */
const pngRatio = (body: Buffer): number =>
  body.length >= 24 && body.toString('latin1', 12, 16) === 'IHDR'
    ? body.readUInt32BE(16) / body.readUInt32BE(20)
    : Number.NaN

/** From the `viewBox`, or else from `width` and `height`. NaN without these. */
const svgRatio = (text: string): number => {
  const [tag = ''] = /<svg\b[^>]*>/i.exec(text) ?? []
  const box = /\bviewBox\s*=\s*["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(tag)
  if (box) return Number(box[1]) / Number(box[2])
  const sizeOf = (name: string) =>
    Number(new RegExp(`\\b${name}\\s*=\\s*["']([\\d.]+)(?:px)?["']`).exec(tag)?.[1])
  return sizeOf('width') / sizeOf('height')
}
