import { FIELD_BYTES_MAX } from '../../limits.ts'
import { byteLength, nfc } from '../../wiki/text.ts'
import type { ConvertedRevision, OpenPage } from './revision.ts'

/**
 * What a page and its translations are called together, from the links to other languages in its text. Each
 * dump knows its own links only, so the name must be the same from every side: it is the English page of them,
 * or the first by code of the language.
 * @returns null where a page has no such links
 */
export const translationGroup = (
  { wikitext, title }: OpenPage,
  newest: ConvertedRevision | null,
): string | null => {
  const { locale, site } = wikitext
  const languages = newest?.converted?.languages
  if (!languages || languages.size === 0) return null
  const all = new Map(languages).set(locale, site.displayTitle(title))
  const first = all.has('en') ? 'en' : [...all.keys()].sort()[0]!
  const name = nfc(all.get(first)!.split('#')[0]!.replaceAll('_', ' ').trim())
  const group = `${first}:${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
  return byteLength(group) <= FIELD_BYTES_MAX.path ? group : null
}
