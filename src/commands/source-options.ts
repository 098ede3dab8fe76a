import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import { UsageError } from '@lectern/wiki/errors'
import { parseSourceLocale } from '@lectern/wiki/locales'
import { quote } from '@lectern/wiki/text'
import type { Command } from 'commander'
import { problemsText, redactPasswords } from '../config/messages.ts'
import type { ConnectorOptions } from '../import/connectors.ts'
import type { NamedSource } from '../write/imported-content.ts'

/** Options of commands that import. Each kind of source uses those that it knows. */
export interface ImportCommandOptions {
  source: string
  keepMissing?: boolean
  adopt?: boolean
  yes?: boolean
  layout?: string[]
  ref?: string
  history?: string
  locale?: string
  name?: string
  license?: string
  namespace?: string[]
  redirects?: boolean
  add?: boolean
  readAll?: boolean
  contact?: string
  files?: boolean
  conf?: string
  public?: boolean
  /** Between two checks, milliseconds. Absent: as fits the source. */
  every?: number
}

const SOURCE_NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,49}$/u

/** Adds the options that say what an import does with content that its source no longer has. */
export const addSourceOptions = (command: Command): Command =>
  command
    .option('--source <name>', 'name of this source in the database, if the database has several', 'main')
    .option('--keep-missing', 'keep pages and edits that the source no longer has')
    .option('--adopt', 'take over pages that another source has')
    .option(
      '--yes',
      'remove what the source no longer has, even if it is more than half of the pages or edits',
    )

/** @throws UsageError if the name is not a word */
export const toNamedSource = ({ source, keepMissing, adopt, yes }: ImportCommandOptions): NamedSource => {
  if (!SOURCE_NAME.test(source))
    throw new UsageError(
      `--source must be at most 50 letters, digits, dots, hyphens and underscores, such as docs, but is "${quote(source)}".`,
    )
  return { name: source, keepMissing, adopt, isConfirmed: yes }
}

/** Adds the options of all kinds of sources. Each kind uses those that it knows. */
export const addContentOptions = (command: Command): Command =>
  command
    .option(
      '--layout <pattern...>',
      'git and folders: paths of the pages, repeatable (default: recognized from the files)',
    )
    .option('--ref <ref>', 'git: branch, tag or commit (default: HEAD, for a URL its default branch)')
    .option('--history <which>', 'git: which edits (see lectern import git --help)')
    .option('--locale <locale>', 'language of the wiki, or of pages without one')
    .option('--name <name>', 'name of the wiki')
    .option('--license <url>', 'URL of the license of the content')
    .option('--namespace <name...>', 'MediaWiki: import these namespaces, too')
    .option('--no-redirects', 'MediaWiki: skip redirects')
    .option('--contact <contact>', 'MediaWiki: your e-mail address or web page, for its operators')
    .option('--files', 'MediaWiki: copy its files')
    .option('--conf <folder>', 'DokuWiki: folder of its configuration (default: "conf" beside the data)')
    .option('--public', 'DokuWiki: if there is no configuration, guests may read all pages')

/** What the options of a command mean for its source. Those that belong to the database stay out. */
export const toConnectorOptions = (options: ImportCommandOptions, dataDir: string): ConnectorOptions => {
  const { layout = [], namespace = [], redirects = true, conf, public: isPublic } = options
  const { ref, history, locale, name, license, add, contact, files, keepMissing } = options
  return {
    layouts: layout,
    namespaces: namespace,
    redirects,
    ...{ ref, history, locale, name, license, add, contact, files },
    configuration: conf,
    isPublic,
    keepsMissing: keepMissing,
    sourcesFolder: join(dataDir, 'sources'),
  }
}

/**
 * Checks options before a database is opened. A wrong one, or one of `others`, is told with all others that are wrong.
 * @param others further checks, which throw a UsageError
 * @throws UsageError with all problems
 */
export const refuseWrongOptions = async (
  { locale, license, history, layouts = [], ref }: Partial<ConnectorOptions>,
  others: readonly (() => unknown)[],
  version?: () => Promise<string>,
): Promise<void> => {
  const { historyOf } = await import('@lectern/import-files/git/source')
  const { isVaultChosen, parseLayout } = await import('@lectern/import-files/files/layouts')
  const problems: string[] = []
  const attempt = async (check: () => unknown) => {
    try {
      await check()
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      problems.push(error.message)
    }
  }
  if (locale !== undefined && parseSourceLocale(locale) === null)
    problems.push(`--locale must be a language such as en or pt-br, but is "${quote(locale)}".`)
  if (license !== undefined && !/^https?:\/\/[^/]/i.test(license))
    problems.push(`--license must be an http or https URL, but is "${quote(license)}".`)
  for (const check of [() => historyOf(history), ...others]) await attempt(check)
  if (!isVaultChosen(layouts)) for (const layout of layouts) await attempt(() => parseLayout(layout, 'en'))
  if (version && (ref !== undefined || problems.length > 0)) await attempt(version)
  if (problems.length > 0) throw new UsageError(problemsText(problems))
}

/** A URL, or `git@host:path`. Anything else is a path. */
const URL_LIKE = /^[a-z][\w+.-]+:|^[\w.+-]+@[\w.-]+:/i

/** Differs for another location, and for other options of the same source. It ends with the location, without passwords. */
export const identityOf = (location: string, options: ConnectorOptions): string => {
  const place = URL_LIKE.test(location) ? location : resolve(location)
  const digest = createHash('sha256').update(JSON.stringify([place, options]))
  return `${digest.digest('hex').slice(0, 12)} ${redactPasswords(place)}`
}
