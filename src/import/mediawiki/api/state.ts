import { z } from 'zod'
import { UsageError } from '../../../errors.ts'
import { packageVersion } from '../../../paths.ts'
import { quote } from '../../../wiki/text.ts'
import type { MediawikiOptions } from '../wiki.ts'
import { digestOf, type SiteMoment } from './site.ts'

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
  return `Lectern/${packageVersion()} (${contact}; import of a wiki)`
}
