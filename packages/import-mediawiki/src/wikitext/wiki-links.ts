import { headingDestination, pageDestination } from '@lectern/wiki/import/markdown'
import { parseLocale } from '@lectern/wiki/locales'
import { decodeHTML } from 'entities'
import { type Conversion, MAX_DEPTH } from './conversion.ts'
import { escapeWithDollars } from './formulas.ts'
import { outermostPairs, replaceRegions } from './inline.ts'
import { fileDestination, NS, type Title } from './site.ts'

/** Converts a caption or a label. Its own links are already stripped. */
type InlineConverter = (text: string, conversion: Conversion) => string

/** Replaces a link without output. A line with nothing else is removed at the end. */
const EMPTY_LINK = '\u0003'
const EMPTY_LINK_LINES = /^[ \t]*\u0003[ \t\u0003]*(?:\n|$)/gm

/** Lower-case letters after a link belong to its label: `[[tea]]s`. Scripts without case have no such trail. */
const TRAIL = /^\p{Ll}+/u

/**
 * Strips `[[links]]` and files, and records categories and translations, which have no output. Links in a caption are
 * stripped when the caption is converted.
 */
export const extractLinks = (text: string, conversion: Conversion, inline: InlineConverter): string => {
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
    return convertLink(link, source.slice(source.length - trail), conversion, inline)
  })
    .replace(EMPTY_LINK_LINES, '')
    .replaceAll(EMPTY_LINK, '')
}

const convertLink = (
  link: string,
  trail: string,
  conversion: Conversion,
  inline: InlineConverter,
): string => {
  const content = link.slice(2, -2)
  const bar = content.indexOf('|')
  const target = bar < 0 ? content : content.slice(0, bar)
  const rest = bar < 0 ? undefined : content.slice(bar + 1)
  // A target is plain text: no new line, and nothing that was stripped.
  const render = /[\n\u0001]/.test(target)
    ? null
    : linkRenderer(decodeTitle(target), rest, conversion, inline)
  if (render !== null) return render(trail)
  // Not a link: its brackets are text, and the text between them may contain links.
  if (conversion.depth >= MAX_DEPTH) return link + trail
  conversion.depth += 1
  const inner = extractLinks(content, conversion, inline)
  conversion.depth -= 1
  return `[[${inner}]]${trail}`
}

/** Returns the text of a link. @param trail letters after it, which belong to its label */
type LinkRenderer = (trail: string) => string

const linkRenderer = (
  target: string,
  rest: string | undefined,
  conversion: Conversion,
  inline: InlineConverter,
): LinkRenderer | null => {
  const { site, locale } = conversion.page
  if (/^\s*(?:[a-z]{3,6}:)?\/\//i.test(target)) return null
  const hasLeadingColon = target.trimStart().startsWith(':')
  const text = target.trim().replace(/^:/, '').trim()
  if (!hasLeadingColon) {
    const language = languageOf(text, conversion)
    if (language !== null) {
      if (!conversion.languages.has(language[0])) conversion.languages.set(...language)
      return (trail) => EMPTY_LINK + trail
    }
  }
  const title = site.title(subpage(text, conversion.page.path))
  if (title === null) return null
  if (!hasLeadingColon && title.namespace === NS.category) return recordCategory(title, rest, conversion)
  if (!hasLeadingColon && title.namespace === NS.file) {
    return (trail) => convertFile(title, rest, conversion, inline) + trail
  }
  const path = title.name === '' ? '' : site.path(title)
  if (path === null) return null
  const destination =
    path === '' ? headingDestination(title.fragment) : pageDestination(locale, path, title.fragment)
  const label =
    rest === undefined || rest.trim() === ''
      ? escapeWithDollars(text)
      : convertLabel(rest, conversion, inline)
  const plain = rest === undefined ? text : conversion.unstrip(rest, 'plain')
  return (trail) =>
    conversion.strip({
      source: `[[${target}${rest === undefined ? '' : `|${rest}`}]]${trail}`,
      inline: site.linkByName(title, plain + trail) ?? `[${label}${trail}](${destination})`,
      plain: plain + trail,
    })
}

/** A label is a text of its own. */
const convertLabel = (text: string, conversion: Conversion, inline: InlineConverter): string => {
  if (conversion.depth >= MAX_DEPTH) return escapeWithDollars(conversion.unstrip(text, 'plain'))
  conversion.depth += 1
  const label = inline(text.replace(/\s+/g, ' ').trim(), conversion)
  conversion.depth -= 1
  return label
}

const recordCategory = (
  { name }: Title,
  rest: string | undefined,
  conversion: Conversion,
): LinkRenderer | null => {
  if (name === '') return null
  const sortKey =
    rest === undefined ? undefined : conversion.unstrip(rest, 'plain').replace(/\s+/g, ' ').trim()
  conversion.categories.set(name, { name, sortKey: sortKey || undefined })
  return (trail) => EMPTY_LINK + trail
}

/** Layout options in the link of a file, in English and some other languages. */
const LAYOUT_OPTION =
  /^(?:thumb|thumbnail|frame|framed|frameless|border|left|right|center|centre|none|upright(?:=.*)?|baseline|sub|super|top|text-top|middle|bottom|text-bottom|(?:\d*x)?\d+ ?(?:px|пкс|像素)|(?:link|alt|lang|page|class|start|end|thumbtime)=.*|мини|слева|справа|центр|миниатюра|mini|miniatur|links|rechts|zentriert|vignette|gauche|droite|centré|miniaturadeimagen|izquierda|derecha|サムネイル|左|右|中央|缩略图|縮圖)$/is
const MEDIA_EXTENSION = /\.(?:og[agvx]|opus|wav|flac|mp3|mid|webm|mpg|mpeg|pdf|djvu|stl|zip)$/i

const convertFile = (
  title: Title,
  rest: string | undefined,
  conversion: Conversion,
  inline: InlineConverter,
): string => {
  const parts = (rest ?? '').split('|').map((part) => part.trim())
  const source = `[[${conversion.page.site.nameOf(NS.file)}:${title.name}${rest === undefined ? '' : `|${rest}`}]]`
  // Links in a caption contain bars, so the caption can have several parts: it starts after the layout options.
  const first = parts.findIndex((part) => part !== '' && !LAYOUT_OPTION.test(part))
  const captionParts = first < 0 ? [] : parts.slice(first).filter((part) => !LAYOUT_OPTION.test(part))
  const caption = convertCaption(captionParts.join('|'), conversion, inline)
  const destination = fileDestination(title.name)
  const name = escapeWithDollars(title.name)
  const plain = caption.plain
  if (MEDIA_EXTENSION.test(title.name)) {
    return conversion.strip({ source, inline: `[${caption.markdown || name}](${destination})`, plain })
  }
  const alt = parts.find((part) => /^alt=/i.test(part))?.slice(4) ?? plain
  const image = `![${escapeWithDollars(alt.replace(/\s+/g, ' ').trim()) || name}](${destination})`
  const isFramed = parts.some((part) => /^(?:thumb|frame|мини|mini|vignette|サムネイル|缩略图)/i.test(part))
  if (!isFramed || caption.markdown === '') return conversion.strip({ source, inline: image, plain })
  const block = `${image}<br>\n${caption.markdown}`
  return conversion.strip({ source, inline: `${image} ${caption.markdown}`, block, plain })
}

/** Converts a caption to Markdown and to plain text. */
const convertCaption = (
  text: string,
  conversion: Conversion,
  inline: InlineConverter,
): { markdown: string; plain: string } => {
  if (conversion.depth >= MAX_DEPTH)
    return { markdown: escapeWithDollars(conversion.unstrip(text, 'plain')), plain: '' }
  conversion.depth += 1
  const caption = extractLinks(text.replace(/\s+/g, ' '), conversion, inline)
  const markdown = inline(caption, conversion)
  conversion.depth -= 1
  return { markdown, plain: conversion.unstrip(caption, 'plain').replace(/'{2,}|<[^<>]{0,300}>/g, '') }
}

/** `ru:Сэнтя`: a locale and a title. Three letters are a language only if ICU has a name for it. */
const languageOf = (text: string, { page }: Conversion): [string, string] | null => {
  const match = /^([a-z]{2,3}(?:-[a-z0-9]{2,8})*)\s*:\s*(.+)$/i.exec(text)
  const locale = match ? parseLocale(match[1]!) : null
  if (locale === null || OTHER_PREFIXES.has(locale) || page.site.namespaceNamed(match![1]!) !== undefined)
    return null
  return isLanguage(locale) ? [locale, match![2]!] : null
}

/** Prefixes of other projects and of identifiers that are also codes of languages. */
const OTHER_PREFIXES = new Set([
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

const LANGUAGE_NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
const languages = new Map<string, boolean>()

const isLanguage = (locale: string): boolean => {
  const [language] = locale.split('-') as [string]
  const isKnown = languages.get(language) ?? LANGUAGE_NAMES.of(language) !== undefined
  languages.set(language, isKnown)
  return isKnown
}

/** `/Sub` is a subpage of the page, `../Other` a page beside it. */
const subpage = (text: string, path: string): string => {
  if (text.startsWith('/')) return `${path}/${text.slice(1).replace(/\/$/, '')}`
  if (!text.startsWith('../')) return text
  const up = /^(?:\.\.\/)+/.exec(text)![0].length / 3
  const segments = path.split('/').slice(0, -up)
  return [...segments, text.slice(up * 3)].filter((part) => part !== '').join('/')
}

/** Decodes entities and percent-escapes in the target of a link, like MediaWiki. */
const decodeTitle = (text: string): string => {
  const decoded = decodeHTML(text)
  try {
    return /%[0-9a-f]{2}/i.test(decoded) ? decodeURIComponent(decoded) : decoded
  } catch {
    return decoded
  }
}
