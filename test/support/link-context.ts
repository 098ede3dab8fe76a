import { makeWikiAddresses } from '@lectern/wiki/links'
import type { LinkContext } from '@lectern/wiki/references'

/** A page in a folder of a wiki, in English, which has an address of its own, and Russian. */
export const LINK_CONTEXT: LinkContext = {
  addresses: makeWikiAddresses({
    byLocale: { en: 'https://en.wiki.example' },
    fallback: 'https://wiki.example',
  }),
  locale: 'en',
  path: 'guide/tea',
  locales: new Set(['en', 'ru']),
}
