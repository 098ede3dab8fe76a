import { FIELD_BYTES_MAX } from '../../limits.ts'
import { byteLength, nfc } from '../../wiki/text.ts'
import type { ConvertedRevision, OpenPage } from './revision.ts'

/**
 * The translation group of a page, from the links to other languages in its text. Each dump contains only its own
 * links, so all pages of a group must derive the same name: the title of the English page, or of the page whose
 * language code is first.
 * @returns null if the page has no such links
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
