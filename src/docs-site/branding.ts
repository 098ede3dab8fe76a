import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { ConfigError, UsageError } from '@lectern/wiki/errors'
import { EncodedResponse } from '../rest/transport/send.ts'
import { ASSETS_PATH } from './paths.ts'

export interface Branding {
  /** What the site calls the wiki. Absent: its own name. */
  name?: string
  /** Path on the listener, and pixels: the browser reserves the room. */
  logo?: { path: string; width: number; height: number }
  /** The style sheet with the accent color; empty without one. */
  styles: string
  /** The operator's own style sheet, after all others; empty without one. */
  ownStyles: string
  /** The files by their path on the listener. */
  files: ReadonlyMap<string, EncodedResponse>
}

/** `siteLogo` and `siteStyles` are absolute paths, `siteAccentColor` is such as `#1b6149`. */
type BrandingSettings = Partial<Record<'siteName' | 'siteLogo' | 'siteAccentColor' | 'siteStyles', string>>

const LOGO_TYPES: Readonly<Record<string, string>> = { '.svg': 'image/svg+xml', '.png': 'image/png' }
const LOGO_BYTES_MAX = 256 * 1024
/** Each page contains them. */
const STYLES_BYTES_MAX = 32 * 1024
/** Height of the logo in the header, pixels, and the largest width. */
const LOGO_HEIGHT = 32
const LOGO_WIDTH_MAX = 160

/** @throws ConfigError if a file cannot be served, UsageError if it cannot be read; both name the variable */
export const readBranding = async (settings: BrandingSettings): Promise<Branding> => {
  const { siteName: name, siteLogo, siteAccentColor, siteStyles } = settings
  const styles = siteAccentColor === undefined ? '' : accentStyles(siteAccentColor)
  const ownStyles = siteStyles === undefined ? '' : await readStyles(siteStyles)
  if (siteLogo === undefined) return { name, styles, ownStyles, files: new Map() }
  const { extension, body, size } = await readLogo(siteLogo)
  const file = `logo${extension}`
  const hash = createHash('sha256').update(file).update(body).digest('hex').slice(0, 16)
  const path = `${ASSETS_PATH}${hash}/${file}`
  // A visitor can open the logo itself. Then a script in an SVG must not run.
  const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
  const headers = { 'Content-Security-Policy': policy }
  const response = assetResponse(LOGO_TYPES[extension]!, body, hash, headers)
  return { name, logo: { ...size, path }, styles, ownStyles, files: new Map([[path, response]]) }
}

/** A file that caches may store for a year, because its URL changes with its content. */
export const assetResponse = (
  type: string,
  body: Buffer,
  version: string,
  headers: Readonly<Record<string, string>> = {},
): EncodedResponse =>
  new EncodedResponse({
    status: 200,
    headers: {
      'Content-Type': type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      ...headers,
      ETag: `"${version}"`,
    },
    body,
  })

const readFor = (variable: string, path: string): Promise<Buffer> =>
  readFile(path).catch((error: Error) => {
    throw new UsageError(`${variable} cannot be read: ${error.message}`)
  })

const readStyles = async (path: string): Promise<string> => {
  const body = await readFor('SITE_STYLES', path)
  // As a browser reads them, whose policy has their hash.
  const text = body.toString('utf8').replaceAll(/\r\n?/g, '\n')
  if (body.length > STYLES_BYTES_MAX || /<\/style|\0/i.test(text))
    throw new ConfigError(
      `SITE_STYLES must be CSS of at most ${STYLES_BYTES_MAX / 1024} KiB, without </style>: ${path}`,
    )
  return text
}

const readLogo = async (path: string) => {
  const extension = extname(path).toLowerCase()
  if (!(extension in LOGO_TYPES)) throw new ConfigError(`SITE_LOGO must be a file .svg or .png: ${path}`)
  const body = await readFor('SITE_LOGO', path)
  if (body.length > LOGO_BYTES_MAX)
    throw new ConfigError(`SITE_LOGO must have at most ${LOGO_BYTES_MAX / 1024} KiB: ${path}`)
  const ratio = extension === '.png' ? pngRatio(body) : svgRatio(body.toString('utf8'))
  if (!(ratio > 0)) throw new ConfigError(`SITE_LOGO has no width and height, or is no image: ${path}`)
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

/** Red, green and blue, each from 0 to 255. */
type Color = readonly [number, number, number]

/** `--paper` and `--raised` of `site.css`: text in the accent color stands on both. */
const LIGHT: readonly Color[] = [parseHex('#fcfbf8'), parseHex('#f3f1ea')]
const DARK: readonly Color[] = [parseHex('#161a18'), parseHex('#1f2522')]

const BLACK: Color = [0, 0, 0]
const WHITE: Color = [255, 255, 255]

/** The contrast of text that WCAG 2.2 requires (1.4.3, level AA). */
const CONTRAST_MIN = 4.5

/**
 * The style sheet for an accent color: the color itself if it can be read on the backgrounds of the site, or else the
 * nearest darker one in light mode, and the nearest lighter one in dark mode. (D52)
 * @param accent such as `#1b6149`
 */
export const accentStyles = (accent: string): string => {
  const colors = [readable(parseHex(accent), LIGHT, BLACK), readable(parseHex(accent), DARK, WHITE)]
  const inks = colors.map((color) => (contrast(color, WHITE) >= contrast(color, BLACK) ? WHITE : BLACK))
  const pair = (both: readonly Color[]): string => `light-dark(${both.map(toHex).join(', ')})`
  return `:root { --accent: ${pair(colors)}; --accent-ink: ${pair(inks)}; }\n`
}

const readable = (color: Color, backgrounds: readonly Color[], towards: Color): Color => {
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = color.map((value, i) =>
      Math.round(value + (towards[i]! - value) * share),
    ) as unknown as Color
    if (backgrounds.every((background) => contrast(mixed, background) >= CONTRAST_MIN)) return mixed
  }
  return towards
}

/** The contrast ratio of two colors: 1 to 21. @see WCAG 2.2, "contrast ratio" */
export const contrast = (a: Color, b: Color): number => {
  const [darker, lighter] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

const luminance = (color: Color): number => {
  const [red, green, blue] = color.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** @param hex `#` and six hexadecimal digits */
export function parseHex(hex: string): Color {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Color
}

const toHex = (color: Color) => `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`
