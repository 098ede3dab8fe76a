import { escapeDestination } from '@lectern/wiki/import/markdown'
import type { Replacement, RewriteMark } from '@lectern/wiki/import/rewrite'
import { matchAt } from '@lectern/wiki/inline-html'
import {
  fileLink,
  isFileName,
  isImageName,
  type LinkedPage,
  linkByName,
  linkText,
  rootName,
} from './links.ts'

/** Makes names equal that mean the same file of Gollum: a file name has `-` for a space. */
export const foldGollumName = (name: string): string => name.replace(/[ -]+/g, '-')

const LINK = /\[\[([^[\]\n]{1,600})\]\]/y
/** An ordinary link to the front page, whose file has another name than its page. */
const HOME_LINK = /\]\((?:\.?\/)?Home(?:\.md)?(?=[)#])/y
const URL_OR_MAIL = /^(?:https?|ftp|mailto):/i

/** Rewrites what Gollum writes between brackets at `[`, and links to Home at `]`. Links to pages stay links by name. */
export const gollumLinks =
  (page: LinkedPage): RewriteMark =>
  (paragraph, at): Replacement | null => {
    const home = matchAt(HOME_LINK, paragraph, at)
    if (home) return { text: `](/${page.locale}/index`, end: HOME_LINK.lastIndex }
    const inner = matchAt(LINK, paragraph, at)?.[1]
    const text = inner === undefined ? null : convert(inner, page)
    return text === null ? null : { text, end: LINK.lastIndex }
  }

const convert = (inner: string, page: LinkedPage): string | null => {
  const [first = '', ...rest] = inner.split(/\\?\|/).map((part) => part.trim())
  if (/^_TOC_/.test(first)) return ''
  const options = rest.filter((part) => /^[a-z]+=|^(?:frame|float)$/.test(part))
  const isImage = isImageName(first)
  if (isImage || options.length > 0) {
    const alt = options.find((option) => option.startsWith('alt='))?.slice(4) ?? ''
    if (!isFileName(first)) return pageOf(first, first, inner, page)
    return URL_OR_MAIL.test(first)
      ? `![${linkText(alt)}](${escapeDestination(first)})`
      : fileLink(page, { name: first, text: alt, isImage })
  }
  const target = rest[0] || first
  if (URL_OR_MAIL.test(target)) return `[${linkText(first)}](${escapeDestination(target)})`
  return isFileName(target) && page.files.find(target, page)
    ? fileLink(page, { name: target, text: first, isImage: false })
    : pageOf(target, first, inner, page)
}

const pageOf = (target: string, text: string, inner: string, page: LinkedPage): string | null => {
  if (target.startsWith('#')) return `[${linkText(text)}](#${escapeDestination(target.slice(1))})`
  const name = rootName(target, page.path)
  return name === inner ? null : linkByName(name, text, inner.includes('\\|'))
}
