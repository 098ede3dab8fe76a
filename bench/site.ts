import { LOCALES } from './world/words.ts'

/** Addresses that every server is given, so that the links in their answers are the same. */
export const BASE_URL = 'https://api.wiki.example/api/v1'
export const LICENSE = 'https://license.example/by-sa/4.0/'
export const wikiAddress = (locale: string): string => `https://${locale}.wiki.example`

/** The environment of every server. */
export const siteEnvironment = (databaseUrl: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  BASE_URL,
  LICENSE_URL: LICENSE,
  WIKI_ADDRESSES: LOCALES.map(({ locale }) => `${locale}=${wikiAddress(locale)}`).join(','),
})
