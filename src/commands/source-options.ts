import { hash } from 'node:crypto'
import { join, resolve } from 'node:path'
import { UsageError } from '@lectern/wiki/errors'
import { parseSourceLocale } from '@lectern/wiki/locales'
import { quote, redactPasswords } from '@lectern/wiki/text'
import type { Command } from 'commander'
import { problemsText } from '../config/messages.ts'
import type { ConnectorOptions } from '../import/connectors.ts'
import type { NamedSource } from '../write/imported-content.ts'

/** Options of sources that have the same name on the command line. */
const SAME_NAMES = [
  ...(['exclude', 'explicitPublish', 'prefix', 'docsVersion', 'ref', 'history', 'messages'] as const),
  ...(['locale', 'name', 'license', 'add', 'contact', 'files'] as const),
]

/** Options of commands that import. Each kind of source uses those that it knows. */
export interface ImportCommandOptions extends Pick<ConnectorOptions, (typeof SAME_NAMES)[number]> {
  source: string
  keepMissing?: boolean
  adopt?: boolean
  yes?: boolean
  layout?: string[]
  namespace?: string[]
  redirects?: boolean
  readAll?: boolean
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
    .option('--yes', 'remove even most of the pages or edits, and publish what an option left out')

/** @throws UsageError if the name is not a word */
export const toNamedSource = ({ source, keepMissing, adopt, yes }: ImportCommandOptions): NamedSource => {
  if (!SOURCE_NAME.test(source))
    throw new UsageError(
      `--source must be at most 50 letters, digits, dots, hyphens and underscores, such as docs, but is "${quote(source)}".`,
    )
  return { name: source, keepMissing, adopt, isConfirmed: yes }
}

/** Options of sources. The description begins with the kind of source, if only one knows it. */
const CONTENT_OPTIONS = {
  '--layout <pattern...>':
    'git and folders: paths of the pages, repeatable; {path} can contain slashes, and @en at the end sets the language; or obsidian (obsidian:FOLDER), for a vault; or markdown, for plain Markdown (default: recognized from the files)',
  '--exclude <pattern...>':
    'git and folders: files that are no pages, repeatable; * also stands for slashes: Private/**, **/*.draft.md',
  '--explicit-publish': 'git and folders: publish only texts with publish: true in their front matter',
  '--prefix <folder>': 'git and folders: folder below which the pages are in the wiki, such as wiki',
  '--docs-version <version>':
    'git and folders: version of Docusaurus, such as 2.0 or next (default: that which the site shows first)',
  '--ref <ref>': 'git: branch, tag or commit (default: HEAD, for a URL its default branch)',
  '--history <which>':
    'git and folders: all edits; none: the last one of each page, in git also those that follow; since=2024-01-31 (git): those since then, and the last one before (default: all)',
  '--no-messages': 'git: leave the messages of commits out: no edit tells its summary',
  '--locale <locale>': 'language of the wiki, or of files whose layout sets none (default: as recognized)',
  '--name <name>': 'name of the wiki (default: that of the source)',
  '--license <url>': 'URL of the license of the content (default: that of the source, or of its last import)',
  '--namespace <name...>':
    'MediaWiki: import these namespaces, too (names or numbers); main, template, module and category are always imported',
  '--no-redirects': 'MediaWiki: skip redirects; by default, they become pages that link to their target',
  '--contact <contact>': 'MediaWiki: your e-mail address or web page, for its operators (URL only)',
  '--files': 'MediaWiki: copy the files that pages show or link (URL only), which otherwise stay there',
  '--conf <folder>': 'DokuWiki: folder of its configuration (default: "conf" beside the data)',
  '--public': 'DokuWiki: if there is no configuration, guests may read all pages',
}

const KIND = /^(git|git and folders|MediaWiki|DokuWiki): /

/** Adds the options of all sources. @param kind adds those of one kind; absent: those of all kinds */
export const addContentOptions = (command: Command, kind?: 'git' | 'folders' | 'MediaWiki' | 'DokuWiki') => {
  for (const [flag, text] of Object.entries(CONTENT_OPTIONS)) {
    const [, kinds = kind] = KIND.exec(text) ?? []
    if (kind === undefined) command.option(flag, text)
    else if (kinds?.includes(kind)) command.option(flag, text.replace(KIND, ''))
  }
  return command
}

/** What the options of a command mean for its source. Those that belong to the database stay out. */
export const toConnectorOptions = (options: ImportCommandOptions, dataDir: string): ConnectorOptions => ({
  layouts: options.layout ?? [],
  namespaces: options.namespace ?? [],
  redirects: options.redirects ?? true,
  isPublic: options.public,
  configuration: options.conf,
  ...Object.fromEntries(SAME_NAMES.map((name) => [name, options[name]])),
  keepsMissing: options.keepMissing,
  sourcesFolder: join(dataDir, 'sources'),
})

/** Exit status 2. */
export class WrongOptions extends UsageError {}

/**
 * Tells all wrong options at once, before a database is opened.
 * @param version of the source, which tells whether it has `--ref`
 * @throws WrongOptions; UsageError, if only the source is not as expected
 */
export const refuseWrongOptions = async (options: ImportCommandOptions, version?: () => Promise<string>) => {
  const { locale, license, history, layout = [], ref } = options
  const { chosenKind, historyOf, parseLayout, parsePrefix } = await import(
    '@lectern/import-files/files/layouts'
  )
  const refuse = (option: string, expected: string, value: string): never => {
    throw new UsageError(`--${option} must be ${expected}, but is "${quote(value)}".`)
  }
  const checks = [
    () => locale === undefined || parseSourceLocale(locale) || refuse('locale', LOCALE, locale),
    () => license === undefined || /^https?:\/\/./i.test(license) || refuse('license', WEB_URL, license),
    () => historyOf(history),
    () => parsePrefix(options.prefix),
    () => toNamedSource(options),
    ...(chosenKind(layout) ? [] : layout.map((text) => () => parseLayout(text, 'en'))),
    ...(ref !== undefined && version ? [version] : []),
  ]
  const results = await Promise.allSettled(checks.map(async (check) => check()))
  const problems = results.flatMap((one) => (one.status === 'rejected' ? [one.reason.message] : []))
  const isWrong = results.some(({ status }, i) => status === 'rejected' && checks[i] !== version)
  if (problems.length > 0) throw new (isWrong ? WrongOptions : UsageError)(problemsText(problems))
}

const LOCALE = 'a language such as en or pt-br'
const WEB_URL = 'an http or https URL'

/** A URL, or `git@host:path`. Anything else is a path. */
const URL_LIKE = /^[a-z][\w+.-]+:|^[\w.+-]+@[\w.-]+:/i

/** Differs for another location, and for other options of the same source. It ends with the location, without passwords. */
export const identityOf = (location: string, options: ConnectorOptions): string => {
  const place = URL_LIKE.test(location) ? location : resolve(location)
  return `${hash('sha256', JSON.stringify([place, options])).slice(0, 12)} ${redactPasswords(place)}`
}
