import { hash } from 'node:crypto'
import { posix } from 'node:path'
import { baseName } from '@lectern/wiki/folders'
import { escapeDestination, escapeText } from '@lectern/wiki/import/markdown'
import type { Replacement, RewriteMark } from '@lectern/wiki/import/rewrite'
import { matchAt } from '@lectern/wiki/inline-html'
import type { PageKey } from '@lectern/wiki/records'
import { decodeSegment, FILE_NAME } from '@lectern/wiki/references'
import { addToList, nfc } from '@lectern/wiki/text'
import { isCanvas } from '../../markups/markup.ts'

/** The repository whose wiki it is, without its owner, which can change, and the languages and paths of its pages. */
export type OwnWiki = { repository: string; pages: ReturnType<typeof makeFileNames> }
type LinkedPage = PageKey & {
  files: OwnWiki['pages']
  ownWiki: OwnWiki | null
  prefix: string
  /** The note to which a name leads that several notes have. */
  noteOf: (name: string) => PageKey | null
  /** Whether they are notes of Dendron, whose links have the name last, `[[text|a.note]]`. */
  isDendron: boolean
}

/** Sounds and films, which a renderer shows where a text embeds them by name. */
const MEDIA = /\.(?:mp[34]|m4[av]|og[agv]|opus|wav|flac|webm|mov)$/i
const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico)$/i

/**
 * A link by name, whose page is found when somebody reads it: only then is it certain which pages guests see. (D124)
 * @param isEscaped whether its separator is escaped, because the link may be in a table
 */
export const linkByName = (name: string, text: string, isEscaped: boolean): string => {
  const label = text.replace(/[[\]|\s]+/g, ' ').trim()
  return label === '' || label === name ? `[[${name}]]` : `[[${name}${isEscaped ? '\\' : ''}|${label}]]`
}

/** A Markdown image or link of a file. A file that the repository lacks is named as written. */
const fileLink = (page: LinkedPage, name: string, text: string, isImage: boolean, hash = ''): string =>
  `${isImage ? '!' : ''}[${linkText(text)}](${rootedLink(filePath(page, name))}${escapeDestination(hash)})`

const filePath = (page: LinkedPage, name: string): string =>
  (page.files.find(name, page) ?? name).replace(/^\/+/, '')

const rootedLink = (path: string): string =>
  `/${escapeDestination(path.replace(/[%?#]/g, encodeURIComponent))}`

const linkText = (text: string): string => escapeText(text.replace(/\s+/g, ' ').trim()).replaceAll('|', '\\|')

/** How many files of the same name are compared with a link. */
export const SAME_NAME_MAX = 100

/**
 * Files that are no pages. A link names one by its path, or its name in any folder, in any case. Who reads decides which pages exist.
 * @param files paths from the folder of the wiki @param isGollum whether a name has `-` for a space
 */
export const makeFileNames = (files: readonly string[], isGollum: boolean) => {
  const byKey = new Map<string, string[]>()
  const keyOf = (name: string) => (isGollum ? foldGollumName(nfc(name)) : nfc(name)).toLowerCase()
  for (const file of files) {
    for (const name of new Set([file, baseName(file)])) {
      const key = keyOf(name)
      if ((byKey.get(key)?.length ?? 0) < SAME_NAME_MAX) addToList(byKey, key, file)
    }
  }
  return {
    digest: hash('sha256', files.join('\0'), 'base64url'),
    /** The path of a file, of several the one in the fewest folders; null if there is none. @param from the page with the link */
    find: (name: string, from = { path: '' }): string | null => {
      const path = keyOf(rootName(name, from.path))
      const sameName = byKey.get(path) ?? byKey.get(baseName(path)) ?? []
      const candidates = sameName.filter((file) => `/${keyOf(file)}`.endsWith(`/${path}`))
      const [best] = candidates.toSorted((a, b) => a.split('/').length - b.split('/').length)
      return best ?? null
    },
  }
}

/** The name from the top folder, without a link's dot segments: `./` and `../` begin at the folder of the page. */
const rootName = (name: string, from: string): string =>
  /^\.{0,2}\//.test(name) ? posix.resolve('/', posix.dirname(from), name).slice(1) : name

/** A link or bare URL of the wiki of a repository of GitHub or GitLab: what is before the URL, repository, page or file, fragment. */
export const WIKI_LINK =
  /(\](?:\([ \t]*|:[ \t]+)<?|(?<!\S)(?=https?:)(?![^[\]\n]{0,300}\]))(?:(?:https?:\/\/github\.com)?\/[\w.-]{1,100}|https?:\/\/[\w.:-]{1,100}(?:\/[\w.-]{1,100}){1,8}(?=\/[\w.-]{1,100}\/-\/))\/([\w.-]{1,100})\/(?:wiki|-\/wikis)(?:\/((?:\([^\s()<>]{0,300}\)|[^\s()<>?#]){0,800}))?(#[^\s()<>]{0,800})?(?=[\s)>]|$)/gi
const WIKI_LINK_AT = new RegExp(WIKI_LINK, 'iy')

/** A link of the wiki to itself, at `]` or `h`, if it leads to a page or file. */
const ownLinkAt = (paragraph: string, at: number, { locale, files, ownWiki, prefix }: LinkedPage) => {
  const [url = '', start, named, written = '', hash = ''] = matchAt(WIKI_LINK_AT, paragraph, at) ?? []
  if (ownWiki === null || named?.toLowerCase() !== ownWiki.repository) return null
  const name = decodeSegment(written).replace(/^(?:home)?$/i, prefix || 'index')
  const found = ownWiki.pages.find(`${locale}/${name}`) ?? ownWiki.pages.find(name) ?? files.find(name)
  if (found === null) return null
  const to = rootedLink(found) + hash
  return { text: start ? start + to : `[${linkText(url)}](${to})`, end: WIKI_LINK_AT.lastIndex }
}

/** A link by name; of Gollum, it begins at its bracket. */
const LINK = /(!?)\[\[([^[\]\n]{1,600})\]\]/y
/** Makes names equal that mean the same file of Gollum: a file name has `-` for a space. */
const foldGollumName = (name: string): string => name.replace(/[ -]+/g, '-')

/** An ordinary link to the front page, whose file has another name than its page. */
const HOME_LINK = /\]\((?:\.?\/)?Home(?:\.md)?(?=[)#])/iy
const URL_OR_MAIL = /^(?:https?|ftp|mailto):/i

/** Rewrites what Gollum writes between brackets at `[`, and links to Home or URLs of the wiki. Links to pages stay links by name. */
export const gollumLinks =
  (page: LinkedPage): RewriteMark =>
  (paragraph, at): Replacement | null => {
    const home = matchAt(HOME_LINK, paragraph, at)
    if (home) return { text: `](/${page.locale}/${page.prefix || 'index'}`, end: HOME_LINK.lastIndex }
    const inner = matchAt(LINK, paragraph, at)?.[2]
    if (inner === undefined) return ownLinkAt(paragraph, at, page)
    const text = gollumLink(inner, page)
    return text === null ? null : { text, end: LINK.lastIndex }
  }

const gollumLink = (inner: string, page: LinkedPage): string | null => {
  const [first = '', ...rest] = inner.split(/\\?\|/).map((part) => part.trim())
  if (/^_TOC_/.test(first)) return ''
  const options = rest.filter((part) => /^[a-z]+=|^(?:frame|float)$/.test(part))
  const isImage = IMAGE.test(first)
  if (isImage || options.length > 0) {
    const alt = options.find((option) => option.startsWith('alt='))?.slice(4) ?? ''
    if (!FILE_NAME.test(first)) return pageLink(first, first, inner, page)
    return URL_OR_MAIL.test(first)
      ? `![${linkText(alt)}](${escapeDestination(first)})`
      : fileLink(page, first, alt, isImage)
  }
  const target = rest[0] || first
  if (URL_OR_MAIL.test(target)) return `[${linkText(first)}](${escapeDestination(target)})`
  return FILE_NAME.test(target) && page.files.find(target, page)
    ? fileLink(page, target, first, false)
    : pageLink(target, first, inner, page)
}

const pageLink = (target: string, text: string, inner: string, page: LinkedPage): string | null => {
  if (target.startsWith('#')) return `[${linkText(text)}](#${escapeDestination(target.slice(1))})`
  const { prefix } = page
  const rooted = rootName(target, page.path)
  const name = prefix === '' || rooted.startsWith(`${prefix}/`) ? rooted : `${prefix}/${rooted}`
  return name === inner ? null : linkByName(name, text, prefix !== '' || inner.includes('\\|'))
}

/** Letters, digits, `_`, `-` and `/`, and not only digits. */
const TAG = /#(?!\d+(?![\p{L}\p{M}\p{N}_/-]))([\p{L}\p{M}\p{N}_/\-\p{Extended_Pictographic}]{1,255})/uy

/** A page with a video or message, which Obsidian shows as if it were a picture. Before its URL is a text, a size, both or nothing. */
const SHOWN_PAGE =
  /!\[(?:\d{1,5}(?:x\d{1,5})?|([^[\]\n|]{0,300})(?:\|[\dx]{1,9})?)\]\((https?:\/\/(?:www\.|m\.)?(youtube\.com|youtu\.be|vimeo\.com|twitter\.com|x\.com)\/[^\s()<>]{1,500})\)/iy
const nameOfShown = (host: string): string =>
  /^(?:twitter|x)\./i.test(host) ? 'Post on X' : `Video on ${/^y/i.test(host) ? 'YouTube' : 'Vimeo'}`

/** Rewrites `![[image.png]]` and links with dot segments. Reports `#tag`. Other links stay. */
export const obsidianLinks =
  (page: LinkedPage, onTag: (tag: string) => void): RewriteMark =>
  (paragraph, at): Replacement | null => {
    if (paragraph[at] === '#') {
      const tag = at === 0 || /[\s>]/.test(paragraph[at - 1]!) ? matchAt(TAG, paragraph, at)?.[1] : undefined
      if (tag !== undefined && !/<[a-z][^<>]*$/i.test(paragraph.slice(Math.max(0, at - 500), at))) onTag(tag)
      return null
    }
    const [, label, url, host = ''] = matchAt(SHOWN_PAGE, paragraph, at) ?? []
    if (url) return { text: `[${label || nameOfShown(host)}](${url})`, end: SHOWN_PAGE.lastIndex }
    const [, mark, inner] = matchAt(LINK, paragraph, at) ?? []
    const text = inner === undefined ? null : obsidianLink(inner, mark === '!', page)
    return text === null ? null : { text, end: LINK.lastIndex }
  }

const obsidianLink = (inner: string, isEmbed: boolean, page: LinkedPage): string | null => {
  // In a table, the separator is escaped.
  const parts = inner.split(/\\?\|/)
  const [named = '', ...rest] = (page.isDendron ? parts.toReversed() : parts).map((part) => part.trim())
  const target = named.replace(/^dendron:\/\/[^/]*\//, '')
  const [written = ''] = target.split('#', 1)
  // A drawing of Excalidraw is no page. Its plugin can write a picture beside it.
  const drawing = isEmbed ? /^(.+\.excalidraw)(?:\.md)?$/i.exec(written)?.[1] : undefined
  const picture = drawing && [`${drawing}.svg`, `${drawing}.png`].find((file) => page.files.find(file, page))
  if (drawing && !picture) return linkText(drawing)
  const name = picture || written
  if (isEmbed && MEDIA.test(name))
    return `!${linkByName(filePath(page, name), rest.join(' '), inner.includes('\\|'))}`
  if (isEmbed && /\.base$/i.test(name))
    return `!${linkByName(filePath(page, name) + target.slice(written.length), rest.join(' ') || baseName(target), inner.includes('\\|'))}`
  const canvas = isCanvas(name) && !page.files.find(name, page) ? name.slice(0, -'.canvas'.length) : ''
  if (canvas) return `${isEmbed ? '!' : ''}${linkByName(canvas, rest.join(' '), inner.includes('\\|'))}`
  if (FILE_NAME.test(name)) {
    const isImage = isEmbed && IMAGE.test(name)
    // `|300` and `|300x200` are sizes, which stay.
    const size = isImage && /^\d+(?:x\d+)?$/.test(rest.at(-1) ?? '') ? `|${rest.pop()}` : ''
    // A file name says nothing about a picture. Texts, summaries and search would have it.
    const ownText = isEmbed ? baseName(name) : target.replaceAll('#', ' > ')
    const shown = rest.join(' ') || (isImage ? '' : ownText)
    return fileLink(page, name, shown + size, isImage, isImage ? '' : target.slice(written.length))
  }
  const note = page.noteOf(written.replace(/\.md$/i, ''))
  const rooted = note ? note.path + target.slice(written.length) : rootName(target, page.path)
  if (rooted === parts[0] && !(page.isDendron && rest.length > 0)) return null
  const shown = rooted === target || (note && isEmbed) ? '' : target.replaceAll('#', ' > ')
  const isEscaped = inner.includes('\\|') || (note !== null && rest.length === 0)
  return (isEmbed ? '!' : '') + linkByName(rooted, rest.join(' ') || shown, isEscaped)
}
