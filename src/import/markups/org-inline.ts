import { headingDestination, pageDestination } from '../markdown/destinations.ts'
import { codeSpan, escapeDestination, escapeText } from '../markdown/markdown.ts'
import type { MarkupPage } from './markup.ts'

/** Lengths are bounded, so that the search for an end takes linear time. */
const LINK = /\[\[([^[\]\n]{1,600})\](?:\[([^[\]]{1,600})\])?\]/
const FOOTNOTE = /\[fn:([^\s:[\]]{1,100})\]/
const URL = /https?:\/\/[^\s<>[\]()"]{1,2000}/
const EMPHASIS =
  /(?<=^|[\s\-({'"])(?<mark>[*/_+=~])(?=\S)([^\0]{0,400}?[^\s])\k<mark>(?=$|[\s\-.,:;!?'")}[\]])/
const MARKS = new RegExp([LINK, FOOTNOTE, URL, EMPHASIS].map(({ source }) => source).join('|'), 'g')

/** Emphasis in emphasis, at most. */
const MAX_DEPTH = 4

/** Converts the markup within a paragraph of Org. */
export const orgInline = (text: string, page: MarkupPage, depth = 0): string => {
  const parts: string[] = []
  let from = 0
  for (const match of text.matchAll(MARKS)) {
    const [whole, target, label, footnote, mark, content = ''] = match
    parts.push(escapeText(text.slice(from, match.index)))
    from = match.index + whole.length
    if (target !== undefined) parts.push(linkOf(target, label, page, depth))
    else if (footnote !== undefined) parts.push(`\\[${escapeText(footnote)}\\]`)
    else if (mark === undefined)
      parts.push(`<${whole.replace(/[.,:;!?']+$/, '')}>${/[.,:;!?']*$/.exec(whole)![0]}`)
    else if (mark === '=' || mark === '~') parts.push(codeSpan(content))
    else
      parts.push(
        emphasize(mark, depth < MAX_DEPTH ? orgInline(content, page, depth + 1) : escapeText(content)),
      )
  }
  return [...parts, escapeText(text.slice(from))].join('')
}

const emphasize = (mark: string, content: string): string => {
  if (mark === '*') return `**${content}**`
  if (mark === '/') return `*${content}*`
  return mark === '+' ? `~~${content}~~` : `<u>${content}</u>`
}

const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif)$/i

const linkOf = (target: string, label: string | undefined, page: MarkupPage, depth: number): string => {
  const text = () =>
    depth < MAX_DEPTH && label !== undefined ? orgInline(label, page, MAX_DEPTH) : escapeText(label ?? target)
  if (/^(?:https?|ftp|mailto):/i.test(target)) {
    if (label === undefined && IMAGE.test(target)) return `![](${escapeDestination(target)})`
    return `[${text()}](${escapeDestination(target)})`
  }
  const isFile = /^(?:file:|attachment:|\.{0,2}\/)/.test(target)
  const name = target.replace(/^(?:file|attachment):/, '')
  if (isFile && !/\.org(?:::|$)/i.test(name)) {
    const path = escapeDestination(name.replace(/::.*$/, ''))
    return label === undefined && IMAGE.test(name) ? `![](${path})` : `[${text()}](${path})`
  }
  if (/^[*#]/.test(target)) {
    const heading = target.slice(1)
    return `[${label === undefined ? escapeText(heading) : text()}](${headingDestination(heading)})`
  }
  return `[${text()}](${pageOf(name, isFile, page)})`
}

/** The destination of a link to a page, or, without pages, to a heading. */
const pageOf = (target: string, isFile: boolean, { locale, find }: MarkupPage): string => {
  const [, name = '', heading = ''] = /^(.*?)(?:(?:::[*#]?|#)(.*))?$/s.exec(target)!
  const stem = name.replace(/\.org$/i, '')
  const found = find?.(stem)
  if (found) return pageDestination(locale, found, heading)
  if (isFile) return escapeDestination(stem.replace(/^~?\//, '/'))
  return find ? pageDestination(locale, stem.replaceAll(' ', '-'), heading) : headingDestination(target)
}
