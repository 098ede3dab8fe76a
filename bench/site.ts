import { LOCALES } from './world/words.ts'

/** URLs that all servers share, so that the links in their responses are the same. */
export const BASE_URL = 'https://api.wiki.example/api/v1'
export const LICENSE_URL = 'https://license.example/by-sa/4.0/'
export const wikiAddress = (locale: string): string => `https://${locale}.wiki.example`

/** The environment variables of every server. */
export const siteEnvironment = (databaseUrl: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  BASE_URL,
  LICENSE_URL,
  WIKI_ADDRESSES: LOCALES.map(({ locale }) => `${locale}=${wikiAddress(locale)}`).join(','),
})
