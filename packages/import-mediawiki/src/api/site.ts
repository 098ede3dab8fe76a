import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { UsageError } from '@lectern/wiki/errors'
import { quote } from '@lectern/wiki/text'
import { z } from 'zod'
import type { SiteItem } from '../items.ts'
import type { MediawikiOptions } from '../wiki.ts'
import type { MediawikiApi } from './client.ts'
import { parseUrl } from './http.ts'

/** The version of this package, which is Lectern's. */
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** Raise it when the same revision becomes another record than before: then the next import reads everything. */
const CONVERSION = 1

const state = z.object({
  format: z.literal(1),
  api: z.string(),
  /** Digest of what decides how pages are read. */
  fit: z.string(),
  /** When the last reading began, by the clock of the wiki: milliseconds since 1970. */
  readAt: z.number(),
  /** Log events that the last reading knew. */
  logIds: z.array(z.int()),
  /** Where the comparison of older revisions goes on. Null: at the newest ones. */
  check: z
    .object({
      next: z.record(z.string(), z.union([z.string(), z.number()])),
      after: z.object({ timestamp: z.string(), id: z.int() }).nullable(),
    })
    .nullable(),
})

/** What the next import needs to know of the last one. */
export type ApiState = z.output<typeof state>

/** Digest of what decides how pages are read: if it changes, all pages are read again. */
export const fitOf = (
  { item }: SiteMoment,
  { namespaces, redirects, locale, name }: MediawikiOptions,
): string => {
  const { license, ...site } = item
  return digestOf(CONVERSION, site, [...namespaces].sort(), redirects, locale ?? null, name ?? null)
}

/** @returns null if there is no state, or it is of another wiki, or of other options */
export const parseState = (stored: unknown, api: string, fit: string): ApiState | null => {
  const { data } = state.safeParse(stored)
  return data !== undefined && data.api === api && data.fit === fit ? data : null
}

/**
 * Names Lectern and whoever runs it, as the operators of wikis ask of programs.
 * @throws UsageError if the contact cannot be part of a header
 */
export const userAgentOf = (contact = 'no contact given'): string => {
  if (!/^[\x20-\x7e]{1,200}$/.test(contact))
    throw new UsageError(
      `${quote(contact)} is not a contact. Use your e-mail address or web page, with at most 200 ASCII characters.`,
    )
  return `Lectern/${version} (${contact}; import of a wiki)`
}

const siteResponse = z.object({
  curtimestamp: z.string().optional(),
  query: z.object({
    general: z.object({
      sitename: z.string(),
      wikiid: z.string(),
      lang: z.string(),
      time: z.string(),
      generator: z.string(),
    }),
    rightsinfo: z.object({ url: z.string().default('') }).optional(),
    namespaces: z.record(
      z.string(),
      z.object({ id: z.int(), name: z.string(), case: z.string().default('first-letter') }),
    ),
    pages: z
      .array(z.object({ pagelanguage: z.string().optional(), pagelanguagehtmlcode: z.string().optional() }))
      .default([]),
  }),
})

/** MediaWiki 1.27 (2016) is the first version with a list of all revisions. */
const LEAST_MINOR_VERSION = 27

/** The metadata of a wiki, and its clock. */
export interface SiteMoment {
  item: SiteItem
  /** Milliseconds since 1970. */
  now: number
}

/**
 * Reads what a dump says in `<siteinfo>`, with one request.
 * @param attempts how often to try it
 * @throws UsageError if it is too old
 */
export const readSite = async (api: MediawikiApi, attempts?: number): Promise<SiteMoment> => {
  const parameters = {
    meta: 'siteinfo',
    siprop: 'general|namespaces|rightsinfo',
    // Any page tells how HTML writes the language of the wiki, as dumps do: `nb` for `no`.
    prop: 'info',
    titles: 'A',
    curtimestamp: 1,
  }
  const { data } = await api.query(siteResponse, parameters, attempts)
  const { general, rightsinfo, namespaces, pages } = data.query
  const [, major, minor] = /^MediaWiki (\d+)\.(\d+)/.exec(general.generator) ?? []
  if (major === undefined || (Number(major) === 1 && Number(minor) < LEAST_MINOR_VERSION))
    throw new UsageError(
      `The wiki runs ${quote(general.generator)}. Its API needs MediaWiki 1.${LEAST_MINOR_VERSION} or newer. Import a dump of it instead.`,
    )
  const page = pages[0]
  const htmlCode = page?.pagelanguage === general.lang ? page.pagelanguagehtmlcode : undefined
  const license = rightsinfo?.url ? parseUrl(rightsinfo.url, api.url)?.href : undefined
  return {
    now: Date.parse(data.curtimestamp ?? general.time),
    item: {
      type: 'site',
      language: htmlCode ?? general.lang,
      name: general.sitename,
      // The API adds the prefix of the tables, which the dump does not: `wiki-mw_`.
      database: general.wikiid.replace(/-[A-Za-z0-9_]*_$/, ''),
      ...(license === undefined ? {} : { license }),
      namespaces: Object.values(namespaces).map(({ id, name, case: letters }) => ({
        key: id,
        name,
        firstLetter: letters !== 'case-sensitive',
      })),
    },
  }
}

/** A digest of values that decide how a page is read. */
export const digestOf = (...values: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 32)
