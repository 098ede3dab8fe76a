import { makeWikiAddresses, type PageRef, pageAt } from '../../wiki/links.ts'
import { linkTarget } from '../../wiki/references.ts'
import { searchKey } from '../folding.ts'

/** A page that another page links to. */
interface LinkedPage extends PageRef {
  /** The text of the link as a title key. */
  key: string
}

/** Inline links. Links by reference are not read, because they are few. */
const LINK = /(?<!!)\[([^[\]\n]{2,120})\]\(\s{0,9}<?([^)\s>]{1,600})/g
/** References with a scheme, a host or only an anchor do not lead to another page of the wiki. */
const NOT_A_PAGE = /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i

/** Any address will do, because targets are needed as pages and not as URLs. */
const ADDRESSES = makeWikiAddresses({ byLocale: {}, fallback: 'https://wiki.invalid' })

/**
 * The other pages of the wiki that a text links to, each text of a link once. Texts that equal the path of the page are
 * left out. A query that equals the text of a link finds its target, which may not contain the words. (D36)
 * @param locales every language of the wiki
 */
export const linkedPages = (
  markdown: string,
  { locale, path }: PageRef,
  locales: ReadonlySet<string>,
): LinkedPage[] => {
  const found = new Map<string, LinkedPage>()
  for (const [, text, reference] of markdown.matchAll(LINK)) {
    if (NOT_A_PAGE.test(reference!)) continue
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
