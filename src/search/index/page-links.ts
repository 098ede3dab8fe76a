import { makeWikiAddresses, type PageRef, pageAt } from '../../wiki/links.ts'
import { linkTarget } from '../../wiki/references.ts'
import { searchKey } from '../folding.ts'

/** What a page calls another one. */
interface LinkedPage extends PageRef {
  /** The link's text, as titles are compared. */
  key: string
}

/** Links in brackets; those by a label of their own are few. */
const LINK = /(?<!!)\[([^[\]\n]{2,120})\]\(\s{0,9}<?([^)\s>]{1,600})/g
/** What begins with a scheme, a host or an anchor names no page of the wiki, or this one. */
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i

/** Targets are wanted as pages, not as addresses: whose they would be does not matter. */
const ADDRESSES = makeWikiAddresses({ byLocale: {}, fallback: 'https://wiki.invalid' })

/**
 * The other pages of the wiki that a text links to, by names that their paths do not have already, each once.
 * @param locales every language of the wiki
 */
export const linkedPages = (
  markdown: string,
  { locale, path }: PageRef,
  locales: ReadonlySet<string>,
): LinkedPage[] => {
  const found = new Map<string, LinkedPage>()
  for (const [, text, reference] of markdown.matchAll(LINK)) {
    if (ELSEWHERE.test(reference!)) continue
    const key = searchKey(text!.replace(MARKS, ''))
    if (key === '') continue
    const href = linkTarget(reference!, { addresses: ADDRESSES, locale, path, locales })?.href
    const target = href === undefined ? null : pageAt(ADDRESSES, new URL(href), locales)
    if (!target || target.path === '' || (target.path === path && target.locale === locale)) continue
    if (key === searchKey(target.path) || Buffer.byteLength(target.path) > 512) continue
    found.set(`${key} ${target.locale} ${target.path}`, { ...target, key })
  }
  return [...found.values()]
}

const MARKS = /[*_`~]+/g
