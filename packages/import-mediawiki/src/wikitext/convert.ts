import { codeBlock, pageDestination } from '@lectern/wiki/import/markdown'
import { convertBlocks } from './blocks.ts'
import {
  type CategoryOfText,
  Conversion,
  MAX_DEPTH,
  removeMarkers,
  type Unconverted,
  type WikitextPage,
} from './conversion.ts'
import { escapeWithDollars, withFormulas } from './formulas.ts'
import { convertInline } from './inline.ts'
import { extractRawTags, extractTemplates, referencesBlock } from './raw-tags.ts'
import { extractLinks } from './wiki-links.ts'

/** Length of a wikitext that is converted to Markdown, characters. A longer text stays wikitext. */
const WIKITEXT_CHARACTERS_MAX = 4 * 1024 * 1024

export interface Converted {
  markdown: string
  categories: CategoryOfText[]
  defaultSort: string | undefined
  /** The title of `{{DISPLAYTITLE}}`. */
  displayTitle: string | undefined
  /** Titles in other languages, by locale. */
  languages: ReadonlyMap<string, string>
  isRedirect: boolean
  /** Number of constructs that were not converted. */
  unconverted: ReadonlyMap<Unconverted, number>
}

/** `#REDIRECT [[Target]]`, with the keyword of any language. */
const REDIRECT = /^\s*#([^\s#:*[\]]{3,40})\s*:?\s*\[\[\s*:?([^[\]|\n]{1,500})(?:\|[^[\]\n]{0,500})?\]\]/

/**
 * Converts the wikitext of MediaWiki to Markdown, in linear time and memory, because anybody may have written it (D46).
 * Constructs without an equivalent in Markdown stay wikitext, as code, and are counted.
 * @param isRedirect whether the wiki marks the page as a redirect; then any keyword after `#` counts
 */
export const convertWikitext = (text: string, page: WikitextPage, isRedirect = false): Converted => {
  const conversion = new Conversion(page)
  const clean = removeMarkers(text)
  if (clean.length > WIKITEXT_CHARACTERS_MAX) {
    conversion.count('too long')
    return result(conversion, codeBlock(clean, 'wikitext'), false)
  }
  const redirect = REDIRECT.exec(clean)
  const target =
    redirect && (isRedirect || REDIRECT_KEYWORDS.has(redirect[1]!.toLowerCase()))
      ? page.site.title(redirect[2]!)
      : null
  const path = target === null ? null : page.site.path(target)
  if (target !== null && path !== null) {
    const label = escapeWithDollars(
      page.site.displayTitle(target) + (target.fragment === '' ? '' : ` § ${target.fragment}`),
    )
    nested.blocks(clean.slice(redirect![0].length), conversion)
    return result(conversion, `→ [${label}](${pageDestination(page.locale, path, target.fragment)})`, true)
  }
  const body = nested.blocks(clean, conversion)
  const references = referencesBlock(conversion)
  return result(conversion, references === '' ? body : `${body}\n\n${references}`, false)
}

/** Keywords of redirects in the languages with the most wikis. */
const REDIRECT_KEYWORDS = new Set([
  ...['redirect', 'перенаправление', 'перенапр', 'перенаправлення', 'weiterleitung', 'redirection'],
  ...['redirección', 'redireccion', 'rinvia', 'rinvio', 'redirecionamento', 'doorverwijzing', 'patrz'],
  ...['przekieruj', 'omdirigering', 'ohjaus', 'přesměruj', 'presmeruj', 'átirányítás', 'yönlendir'],
  ...['転送', 'リダイレクト', '重定向', '重新導向', '넘겨주기', 'تحويل', 'הפניה', 'đổi', 'alih'],
])

const result = (conversion: Conversion, marked: string, isRedirect: boolean): Converted => ({
  markdown: marked === '' ? '' : `${withFormulas(marked, () => conversion.count('formula'))}\n`,
  categories: [...conversion.categories.values()],
  defaultSort: conversion.defaultSort,
  displayTitle:
    conversion.displayTitle === undefined ? undefined : conversion.unstrip(conversion.displayTitle, 'plain'),
  languages: conversion.languages,
  isRedirect,
  unconverted: conversion.unconverted,
})

/** Strips everything except the markup within a line, the innermost constructs first. */
const stripConstructs = (text: string, conversion: Conversion): string => {
  const withoutRaw = extractRawTags(text, conversion, nested)
  return extractLinks(htmlAsWikitext(extractTemplates(withoutRaw, conversion)), conversion, convertInline)
}

const nest = <Result>(conversion: Conversion, work: () => Result): Result => {
  conversion.depth += 1
  try {
    return work()
  } finally {
    conversion.depth -= 1
  }
}

const nested = {
  inline: (text: string, conversion: Conversion): string =>
    nest(conversion, () =>
      conversion.depth > MAX_DEPTH
        ? escapeWithDollars(text)
        : convertInline(stripConstructs(text, conversion), conversion),
    ),
  blocks: (text: string, conversion: Conversion): string =>
    nest(conversion, () =>
      conversion.depth > MAX_DEPTH
        ? codeBlock(text, 'wikitext')
        : convertBlocks(stripConstructs(text, conversion), conversion),
    ),
}

/** Converts tables, lists and headings in HTML to wikitext. */
const htmlAsWikitext = (text: string): string =>
  text.replace(
    /<(\/?)(table|tr|td|th|caption|li|ul|ol|dl|dd|dt|hr|p|div|center|section|h[1-6])((?:\s[^<>|]{0,500})?)\/?>/gi,
    (_, slash: string, name: string, attributes: string) => {
      const tag = name.toLowerCase()
      const isEnd = slash !== ''
      if (/^h[1-6]$/.test(tag))
        return isEnd ? `${'='.repeat(Number(tag[1]))}\n` : `\n${'='.repeat(Number(tag[1]))}`
      const [start, end] = HTML_AS_WIKITEXT[tag]!
      return isEnd ? end : start.replace('%', attributes.includes('span') ? `${attributes} |` : '')
    },
  )

/** Wikitext of the start tag and the end tag. The attributes of a cell that spans rows or columns replace `%`. */
const HTML_AS_WIKITEXT: Record<string, [string, string]> = {
  table: ['\n{|\n', '\n|}\n'],
  tr: ['\n|-\n', '\n'],
  td: ['\n|%', '\n'],
  th: ['\n!%', '\n'],
  caption: ['\n|+', '\n'],
  li: ['\n* ', ''],
  ul: ['\n', '\n'],
  ol: ['\n', '\n'],
  dl: ['\n', '\n'],
  dt: ['\n; ', '\n'],
  dd: ['\n: ', '\n'],
  hr: ['\n----\n', ''],
  p: ['\n\n', '\n\n'],
  div: ['\n\n', '\n\n'],
  center: ['\n\n', '\n\n'],
  section: ['', ''],
}
