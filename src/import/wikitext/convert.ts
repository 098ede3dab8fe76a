import { WIKITEXT_CHARACTERS_MAX } from '../../limits.ts'
import { convertBlocks } from './blocks.ts'
import {
  type CategoryOfText,
  Conversion,
  DEPTH,
  type Unconverted,
  type WikitextPage,
  withoutMarkers,
} from './conversion.ts'
import { convertInline } from './inline.ts'
import { codeBlock, escapeText } from './markdown.ts'
import { extractRawTags, shownReferences } from './raw-tags.ts'
import { pageAddress } from './site.ts'
import { extractTemplates } from './templates.ts'
import { extractLinks } from './wiki-links.ts'

export interface Converted {
  markdown: string
  categories: CategoryOfText[]
  defaultSort: string | undefined
  /** As `{{DISPLAYTITLE}}` has it. */
  displayTitle: string | undefined
  /** Titles in other languages, by locale. */
  languages: ReadonlyMap<string, string>
  isRedirect: boolean
  /** What is left as wikitext: how often. */
  unconverted: ReadonlyMap<Unconverted, number>
}

/** `#REDIRECT [[Target]]`, in any language's word. */
const REDIRECT = /^\s*#([^\s#:*[\]]{3,40})\s*:?\s*\[\[\s*:?([^[\]|\n]{1,500})(?:\|[^[\]\n]{0,500})?\]\]/

/**
 * A text of MediaWiki as Markdown. Takes time and memory in proportion to the text, whatever it holds; what
 * Markdown has nothing for stays as it is written, as code, and is counted.
 * @param isRedirect the wiki says so, which makes any word after `#` that of a redirect
 */
export const convertWikitext = (text: string, page: WikitextPage, isRedirect = false): Converted => {
  const conversion = new Conversion(page)
  const clean = withoutMarkers(text)
  if (clean.length > WIKITEXT_CHARACTERS_MAX) {
    conversion.count('too long')
    return result(conversion, codeBlock(clean, 'wikitext'), false)
  }
  const redirect = REDIRECT.exec(clean)
  const target =
    redirect && (isRedirect || WORDS.has(redirect[1]!.toLowerCase())) ? page.site.title(redirect[2]!) : null
  const path = target === null ? null : page.site.path(target)
  if (target !== null && path !== null) {
    const label = escapeText(
      page.site.displayTitle(target) + (target.fragment === '' ? '' : ` § ${target.fragment}`),
    )
    nested.blocks(clean.slice(redirect![0].length), conversion)
    return result(conversion, `→ [${label}](${pageAddress(page.locale, path, target.fragment)})`, true)
  }
  const body = nested.blocks(clean, conversion)
  const notes = shownReferences(conversion)
  return result(conversion, notes === '' ? body : `${body}\n\n${notes}`, false)
}

/** Words of redirects in the languages with the most wikis; others count where the dump itself says so. */
const WORDS = new Set([
  ...['redirect', 'перенаправление', 'перенапр', 'перенаправлення', 'weiterleitung', 'redirection'],
  ...['redirección', 'redireccion', 'rinvia', 'rinvio', 'redirecionamento', 'doorverwijzing', 'patrz'],
  ...['przekieruj', 'omdirigering', 'ohjaus', 'přesměruj', 'presmeruj', 'átirányítás', 'yönlendir'],
  ...['転送', 'リダイレクト', '重定向', '重新導向', '넘겨주기', 'تحويل', 'הפניה', 'đổi', 'alih'],
])

const result = (conversion: Conversion, markdown: string, isRedirect: boolean): Converted => ({
  markdown: markdown === '' ? '' : `${markdown}\n`,
  categories: [...conversion.categories.values()],
  defaultSort: conversion.defaultSort,
  displayTitle:
    conversion.displayTitle === undefined ? undefined : conversion.filled(conversion.displayTitle, 'plain'),
  languages: conversion.languages,
  isRedirect,
  unconverted: conversion.unconverted,
})

/** Sets everything aside that is more than a line's marks, the innermost first. */
const prepared = (text: string, conversion: Conversion): string => {
  const withoutRaw = extractRawTags(text, conversion, nested)
  return extractLinks(htmlAsWikitext(extractTemplates(withoutRaw, conversion)), conversion, convertInline)
}

const within = <Result>(conversion: Conversion, work: () => Result): Result => {
  conversion.depth += 1
  try {
    return work()
  } finally {
    conversion.depth -= 1
  }
}

const nested = {
  inline: (text: string, conversion: Conversion): string =>
    within(conversion, () =>
      conversion.depth > DEPTH ? escapeText(text) : convertInline(prepared(text, conversion), conversion),
    ),
  blocks: (text: string, conversion: Conversion): string =>
    within(conversion, () =>
      conversion.depth > DEPTH
        ? codeBlock(text, 'wikitext')
        : convertBlocks(prepared(text, conversion), conversion),
    ),
}

/** Tables, lists and headings that are written in HTML, as wikitext writes them. */
const htmlAsWikitext = (text: string): string =>
  text.replace(
    /<(\/?)(table|tr|td|th|caption|li|ul|ol|dl|dd|dt|hr|p|div|center|section|h[1-6])((?:\s[^<>|]{0,500})?)\/?>/gi,
    (_, slash: string, name: string, attributes: string) => {
      const tag = name.toLowerCase()
      const isEnd = slash !== ''
      if (/^h[1-6]$/.test(tag))
        return isEnd ? `${'='.repeat(Number(tag[1]))}\n` : `\n${'='.repeat(Number(tag[1]))}`
      const [start, end] = HTML[tag]!
      return isEnd ? end : start.replace('%', attributes.includes('span') ? `${attributes} |` : '')
    },
  )

/** Start and end; `%` is the place of attributes that say how far a cell reaches. */
const HTML: Record<string, [string, string]> = {
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
