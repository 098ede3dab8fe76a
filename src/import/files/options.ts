import { UsageError } from '../../errors.ts'
import { parseSourceLocale } from '../../wiki/locales.ts'
import { quote } from '../../wiki/text.ts'
import type { WikiRecord } from '../../write/records.ts'
import { makeWikiRecord } from '../wiki-record.ts'

/** What a user can set for a source of files. */
export interface FileSourceOptions {
  /** Layouts of pages; the first match counts: `pages/{locale}/{path}.md`, `{path}.md@en`. Empty: recognized. */
  layouts: string[]
  /** Language of files whose layout sets none. Default: as recognized, or en. */
  defaultLocale?: string
  /** Name of the wiki. Default: the name of the folder. */
  name?: string
  /** URL of the license, http or https. */
  license?: string
}

/** @throws UsageError if the language is not a locale code */
export const chosenLocaleOf = ({ defaultLocale }: FileSourceOptions): string | undefined => {
  if (defaultLocale === undefined) return undefined
  const locale = parseSourceLocale(defaultLocale)
  if (locale !== null) return locale
  throw new UsageError(`${quote(defaultLocale)} is not a locale code. Use a code such as en or pt-br.`)
}

/**
 * @param filesOfLayout for each layout, how many files match it
 * @param samples some names of Markdown files, for the message
 * @param place for the message: `The repository`
 * @throws UsageError if a layout that the user has set matches no file
 */
export const refuseUnusedLayouts = (
  texts: readonly string[],
  { filesOfLayout, samples }: { filesOfLayout: number[]; samples: string[] },
  place: string,
): void => {
  const unused = texts.find((_, index) => filesOfLayout[index] === 0)
  if (unused === undefined) return
  const examples = samples.length > 0 ? ` ${place} has files such as ${samples.map(quote).join(', ')}` : ''
  throw new UsageError(
    `The layout ${quote(unused)} matches no file${texts.length > 1 ? ' that no layout before it matches' : ''}.${examples}`,
  )
}

/**
 * The wiki record. Its languages are those with pages that guests see, so it is known only after all pages are read.
 * @param livePages number of live pages by language
 * @throws UsageError if an option is invalid
 */
export const wikiRecordOf = (
  livePages: ReadonlyMap<string, number>,
  defaultLocale: string,
  { name, license }: { name: string; license: string | undefined },
): WikiRecord => {
  const locales = livePages.size === 0 ? [defaultLocale] : [...livePages.keys()].sort()
  const largest = [...locales].sort((a, b) => (livePages.get(b) ?? 0) - (livePages.get(a) ?? 0))[0]
  const defaultIn = [defaultLocale, 'en'].find((locale) => locales.includes(locale)) ?? largest!
  return makeWikiRecord({ name, defaultLocale: defaultIn, license, locales })
}
