import { FIELD_BYTES_MAX } from '@lectern/wiki/limits'
import type { PageKey } from '@lectern/wiki/records'
import { linkedPage } from '@lectern/wiki/references'
import { byteLength, isPlainText, nfc } from '@lectern/wiki/text'
import type { StatementRows } from '../../generated/statement-rows.ts'
import { searchKey } from '../folding.ts'

export interface WrittenLink {
  url: string
  /** Null if it is not known. */
  text: string | null
  /** The name in a link by name (`[[Page]]`), which has no URL. */
  name?: string | undefined
}

/** A link to another page. A page that links to another one with several texts has several links to it. */
export interface PageLink extends PageKey {
  /** The text of the link as a title key; empty if a search for this text need not find the page. */
  key: string
  /** Whether it stands for all links from the page to this other page. */
  isFirst: boolean
  /** Whether the page is a redirect to the other page. */
  isRedirect: boolean
  /**
   * The name of a link by name as written, and as a title key; else null. The database finds the page; until then, the path is
   * the name.
   */
  name: string | null
  nameKey: string | null
}

/** A page to which a page links, and the texts of these links as title keys. */
type LinkTarget = { page: PageKey; pathKey: string | null; name: string | null; keys: Set<string> }

/** Characters of a URL: a path has 512 bytes, which may all be percent-encoded. */
const URL_CHARACTERS = 2_000

/** Most links of many wikis lead to other sites. This check takes a tenth of the time of resolving them. */
export const mayBePage = (url: string): boolean =>
  url.length <= URL_CHARACTERS && !/^(?:https?:|#)/i.test(url)

const TEXT_CHARACTERS = { least: 2, most: 120 } as const

/** The text of a redirect, as imports of MediaWiki and DokuWiki write it: a link, and an arrow before or in it. (D103) */
const REDIRECT = /^\s*(?:→ \[|\[→ )[^\n]*\)\s*$/

/**
 * The links of a page to other pages of the wiki. A query that equals the text of a link finds its target, which may not
 * contain the words. A text that equals the path of the target need not be stored for that. (D34, D103)
 * @param links of its text
 * @param locales every language of the wiki
 */
export const pageLinks = (
  markdown: string,
  links: readonly WrittenLink[],
  page: PageKey,
  locales: ReadonlySet<string>,
): PageLink[] => {
  const context = { locale: page.locale, path: page.path, locales }
  const targets = new Map<string, LinkTarget>()
  for (const { url, text, name = null } of links) {
    const linked = name === null ? linkedPage(url, context) : { locale: page.locale, path: nfc(name) }
    if (linked === null || !isPlainText(linked.path) || byteLength(linked.path) > FIELD_BYTES_MAX.path)
      continue
    const id = `${linked.locale} ${linked.path} ${name ?? ''}`
    const target = targets.get(id) ?? { page: linked, pathKey: null, name, keys: new Set() }
    targets.set(id, target)
    const key = text === null ? '' : textKey(text)
    if (key === '' || target.keys.has(key)) continue
    target.pathKey ??= searchKey(linked.path)
    if (key !== target.pathKey) target.keys.add(key)
  }
  const isRedirect =
    targets.size === 1 && REDIRECT.test(markdown) && markdown.indexOf('](') === markdown.lastIndexOf('](')
  return [...targets.values()].flatMap(({ page: { locale, path }, keys, name }) =>
    (keys.size === 0 ? [''] : [...keys]).map((key, i) => ({
      locale,
      path,
      key,
      isFirst: i === 0,
      isRedirect,
      name: name === null ? null : nfc(name),
      nameKey: name === null ? null : searchKey(name),
    })),
  )
}

/** Ends of a path, at most: a path of 512 bytes can have 256 segments. */
const ENDS_MAX = 20

const endsOf = (path: string): string[] => {
  const segments = path.split('/').slice(-ENDS_MAX - 1)
  return segments.map((_, i) => segments.slice(i).join('/'))
}

/**
 * The names of a page besides its path and title: the ends of its path, which Gollum and Obsidian accept as names, aliases,
 * and the same of its former paths: as title keys. (D124)
 */
export const pageNames = ({ id, path, aliases, formerPaths }: StatementRows['pages_to_index']) => {
  const ends = new Set(endsOf(path).slice(1).map(searchKey))
  const others: string[] = [...(aliases ?? []), ...formerPaths.flatMap(endsOf)]
  const keys = new Set([...ends, ...others.map(searchKey)])
  keys.delete('')
  return Array.from(keys, (key) => ({ id, key, isAlias: !ends.has(key) }))
}

const textKey = (text: string): string => {
  const plain = text.trim()
  return plain.length < TEXT_CHARACTERS.least || plain.length > TEXT_CHARACTERS.most ? '' : searchKey(plain)
}
