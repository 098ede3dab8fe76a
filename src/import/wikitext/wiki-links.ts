import { decodeHTML } from 'entities'
import { parseLocale } from '../../wiki/locales.ts'
import { type Conversion, DEPTH } from './conversion.ts'
import { escapeText } from './markdown.ts'
import { outermostPairs, replaceRegions } from './pairs.ts'
import { fileAddress, headingAddress, NS, pageAddress, type Title } from './site.ts'

/** Converts a caption or a label, whose own links stand aside already. */
type Inline = (text: string, conversion: Conversion) => string

/** Stands where a link was taken out that shows nothing, until its line is looked at. */
const NOTHING = '\u0003'
const LINES_OF_NOTHING = /^[ \t]*\u0003[ \t\u0003]*(?:\n|$)/gm

/** Letters that run on after a link belong to its label: `[[tea]]s`. Scripts without case do not do so. */
const TRAIL = /^\p{Ll}+/u

/**
 * Sets `[[links]]` and files aside, and notes categories and translations, which show nothing in the text.
 * A link in a caption is found when the caption is read.
 */
export const extractLinks = (text: string, conversion: Conversion, inline: Inline): string => {
  const regions = outermostPairs(text, '[', ']', false)
  if (regions.length === 0) return text
  const withTrails = regions.map(({ start, end }, i) => {
    const rest = text.slice(end, Math.min(end + 40, regions[i + 1]?.start ?? text.length))
    return { start, end: end + (TRAIL.exec(rest)?.[0].length ?? 0) }
  })
  const ends = new Map(withTrails.map(({ start, end }, i) => [start, end - regions[i]!.end]))
  let index = 0
  return replaceRegions(text, withTrails, (source) => {
    const trail = ends.get(regions[index++]!.start)!
    const link = source.slice(0, source.length - trail)
    return linkOf(link, source.slice(source.length - trail), conversion, inline)
  })
    .replace(LINES_OF_NOTHING, '')
    .replaceAll(NOTHING, '')
}

const linkOf = (link: string, trail: string, conversion: Conversion, inline: Inline): string => {
  const content = link.slice(2, -2)
  const bar = content.indexOf('|')
  const target = bar < 0 ? content : content.slice(0, bar)
  const rest = bar < 0 ? undefined : content.slice(bar + 1)
  const found = target.includes('\n') ? null : linkTo(decodeTitle(target), rest, conversion, inline)
  if (found !== null) return found(trail)
  // No link: its brackets are text, and what is in them is looked at anew.
  if (conversion.depth >= DEPTH) return link + trail
  conversion.depth += 1
  const inner = extractLinks(content, conversion, inline)
  conversion.depth -= 1
  return `[[${inner}]]${trail}`
}

type Made = (trail: string) => string

const linkTo = (
  target: string,
  rest: string | undefined,
  conversion: Conversion,
  inline: Inline,
): Made | null => {
  const { site, locale } = conversion.page
  if (/^\s*(?:[a-z]{3,6}:)?\/\//i.test(target)) return null
  const isShown = target.trimStart().startsWith(':')
  const text = target.trim().replace(/^:/, '').trim()
  if (!isShown) {
    const language = languageOf(text, conversion)
    if (language !== null) {
      if (!conversion.languages.has(language[0])) conversion.languages.set(...language)
      return (trail) => NOTHING + trail
    }
  }
  const title = site.title(subpage(text, conversion.page.path))
  if (title === null) return null
  if (!isShown && title.namespace === NS.category) return categoryNote(title, rest, conversion)
  if (!isShown && title.namespace === NS.file) {
    return (trail) => fileOf(title, rest, conversion, inline) + trail
  }
  const path = title.name === '' ? '' : site.path(title)
  if (path === null) return null
  const address = path === '' ? headingAddress(title.fragment) : pageAddress(locale, path, title.fragment)
  const shown =
    rest === undefined || rest.trim() === '' ? escapeText(text) : labelOf(rest, conversion, inline)
  return (trail) =>
    conversion.set({
      source: `[[${target}${rest === undefined ? '' : `|${rest}`}]]${trail}`,
      inline: `[${shown}${trail}](${address})`,
      plain: `${rest === undefined ? text : conversion.filled(rest, 'plain')}${trail}`,
    })
}

/** A label is a text of its own within the line. */
const labelOf = (text: string, conversion: Conversion, inline: Inline): string => {
  if (conversion.depth >= DEPTH) return escapeText(conversion.filled(text, 'plain'))
  conversion.depth += 1
  const label = inline(text.replace(/\s+/g, ' ').trim(), conversion)
  conversion.depth -= 1
  return label
}

const categoryNote = ({ name }: Title, rest: string | undefined, conversion: Conversion): Made | null => {
  if (name === '') return null
  const sortKey =
    rest === undefined ? undefined : conversion.filled(rest, 'plain').replace(/\s+/g, ' ').trim()
  conversion.categories.set(name, { name, sortKey: sortKey || undefined })
  return (trail) => NOTHING + trail
}

/** Words of a file's link that say how it is laid out, in English; in other languages they look like these. */
const LAYOUT =
  /^(?:thumb|thumbnail|frame|framed|frameless|border|left|right|center|centre|none|upright(?:=.*)?|baseline|sub|super|top|text-top|middle|bottom|text-bottom|(?:\d*x)?\d+ ?(?:px|пкс|像素)|(?:link|alt|lang|page|class|start|end|thumbtime)=.*|мини|слева|справа|центр|миниатюра|mini|miniatur|links|rechts|zentriert|vignette|gauche|droite|centré|miniaturadeimagen|izquierda|derecha|サムネイル|左|右|中央|缩略图|縮圖)$/is
const MEDIA = /\.(?:og[agvx]|opus|wav|flac|mp3|mid|webm|mpg|mpeg|pdf|djvu|stl|zip)$/i

const fileOf = (title: Title, rest: string | undefined, conversion: Conversion, inline: Inline): string => {
  const parts = (rest ?? '').split('|').map((part) => part.trim())
  const source = `[[${conversion.page.site.nameOf(NS.file)}:${title.name}${rest === undefined ? '' : `|${rest}`}]]`
  // A caption's own links have bars, so it may be in several parts: from the first that is no layout on.
  const first = parts.findIndex((part) => part !== '' && !LAYOUT.test(part))
  const written = first < 0 ? '' : parts.slice(first).filter((part) => !LAYOUT.test(part))
  const caption = captionOf(written === '' ? '' : written.join('|'), conversion, inline)
  const address = fileAddress(title.name)
  const name = escapeText(title.name)
  const plain = caption.plain
  if (MEDIA.test(title.name)) {
    return conversion.set({ source, inline: `[${caption.shown || name}](${address})`, plain })
  }
  const alt = parts.find((part) => /^alt=/i.test(part))?.slice(4) ?? plain
  const image = `![${escapeText(alt.replace(/\s+/g, ' ').trim()) || name}](${address})`
  const isFramed = parts.some((part) => /^(?:thumb|frame|мини|mini|vignette|サムネイル|缩略图)/i.test(part))
  if (!isFramed || caption.shown === '') return conversion.set({ source, inline: image, plain })
  const block = `${image}<br>\n${caption.shown}`
  return conversion.set({ source, inline: `${image} ${caption.shown}`, block, plain })
}

/** A caption as Markdown, and as text alone. */
const captionOf = (
  text: string,
  conversion: Conversion,
  inline: Inline,
): { shown: string; plain: string } => {
  if (conversion.depth >= DEPTH) return { shown: escapeText(conversion.filled(text, 'plain')), plain: '' }
  conversion.depth += 1
  const caption = extractLinks(text.replace(/\s+/g, ' '), conversion, inline)
  const shown = inline(caption, conversion)
  conversion.depth -= 1
  return { shown, plain: conversion.filled(caption, 'plain').replace(/'{2,}|<[^<>]{0,300}>/g, '') }
}

/** `ru:Сэнтя`: a locale and a title. Three letters are a language only where its name is known. */
const languageOf = (text: string, { page }: Conversion): [string, string] | null => {
  const match = /^([a-z]{2,3}(?:-[a-z0-9]{2,8})*)\s*:\s*(.+)$/i.exec(text)
  const locale = match ? parseLocale(match[1]!) : null
  if (locale === null || NO_LANGUAGES.has(locale) || page.site.namespaceNamed(match![1]!) !== undefined)
    return null
  return isLanguage(locale) ? [locale, match![2]!] : null
}

/** Prefixes of other projects and of identifiers that are codes of languages too. */
const NO_LANGUAGES = new Set([
  'mw',
  'doi',
  'hdl',
  'rfc',
  'arc',
  'oed',
  'wmf',
  'bug',
  'git',
  'rev',
  'svn',
  'tmp',
])

const NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
const languages = new Map<string, boolean>()

const isLanguage = (locale: string): boolean => {
  const [language] = locale.split('-') as [string]
  const is = languages.get(language) ?? NAMES.of(language) !== undefined
  languages.set(language, is)
  return is
}

/** `/Sub` is below the page, `../Other` beside it. */
const subpage = (text: string, path: string): string => {
  if (text.startsWith('/')) return `${path}/${text.slice(1).replace(/\/$/, '')}`
  if (!text.startsWith('../')) return text
  const up = /^(?:\.\.\/)+/.exec(text)![0].length / 3
  const segments = path.split('/').slice(0, -up)
  return [...segments, text.slice(up * 3)].filter((part) => part !== '').join('/')
}

/** As MediaWiki reads a link's target: entities and percent-escapes mean their characters. */
const decodeTitle = (text: string): string => {
  const decoded = decodeHTML(text)
  try {
    return /%[0-9a-f]{2}/i.test(decoded) ? decodeURIComponent(decoded) : decoded
  } catch {
    return decoded
  }
}
