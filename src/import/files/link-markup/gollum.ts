import { escapeDestination } from '../../markdown/markdown.ts'
import { fileLink, isFileName, isImageName, type LinkedPage, linkText, pageLink } from './links.ts'
import type { Replacement, RewriteMark } from './rewrite.ts'

/** Makes names equal that mean the same page of Gollum: a file name has `-` for a space. */
export const foldGollumName = (name: string): string => name.replace(/[ -]+/g, '-')

const LINK = /\[\[([^[\]\n]{1,600})\]\]/y
/** An ordinary link to the front page, whose file has another name than its page. */
const HOME_LINK = /\]\((?:\.?\/)?Home(?:\.md)?(?=[)#])/y
const URL_OR_MAIL = /^(?:https?|ftp|mailto):/i

/** Rewrites `[[Page]]`, `[[text|Page]]`, `[[image.png|alt=text]]` and `[[_TOC_]]` at `[`, and links to Home at `]`. */
export const gollumLinks =
  (page: LinkedPage): RewriteMark =>
  (paragraph, at): Replacement | null => {
    if (paragraph[at] === ']') {
      HOME_LINK.lastIndex = at
      if (!HOME_LINK.test(paragraph)) return null
      const home = page.names.find('Home', page)
      return home === null ? null : { text: `](/${page.locale}/${home.path}`, end: HOME_LINK.lastIndex }
    }
    LINK.lastIndex = at
    const inner = LINK.exec(paragraph)?.[1]
    return inner === undefined ? null : { text: convert(inner, page), end: LINK.lastIndex }
  }

const convert = (inner: string, page: LinkedPage): string => {
  const [first = '', ...rest] = inner.split('|').map((part) => part.trim())
  if (/^_TOC_/.test(first)) return ''
  const options = rest.filter((part) => /^[a-z]+=|^(?:frame|float)$/.test(part))
  const isImage = isImageName(first)
  if (isImage || options.length > 0) {
    const alt = options.find((option) => option.startsWith('alt='))?.slice(4) ?? ''
    if (!isFileName(first)) return pageOf(first, first, page)
    return URL_OR_MAIL.test(first)
      ? `![${linkText(alt)}](${escapeDestination(first)})`
      : fileLink(page, { name: first, text: alt, isImage })
  }
  const target = rest[0] || first
  if (URL_OR_MAIL.test(target)) return `[${linkText(first)}](${escapeDestination(target)})`
  return isFileName(target) && page.names.find(target, page)
    ? fileLink(page, { name: target, text: first, isImage: false })
    : pageOf(target, first, page)
}

const pageOf = (target: string, text: string, page: LinkedPage): string => {
  const hash = target.indexOf('#')
  const name = hash === -1 ? target : target.slice(0, hash)
  const fragment = hash === -1 ? '' : target.slice(hash + 1)
  if (name === '') return `[${linkText(text)}](#${escapeDestination(fragment)})`
  const path = name.replace(/^\/+/, '').replace(/ +/g, '-').replace(/\.md$/i, '')
  return pageLink(page, { name, fragment, text, path })
}
