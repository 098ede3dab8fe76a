import { join } from 'node:path'
import { UsageError } from '@lectern/wiki/errors'
import { quote } from '@lectern/wiki/text'
import { type Command, Option } from 'commander'
import type { ConnectorOptions } from '../follow/connectors/connector.ts'
import type { NamedSource } from '../write/imported-content.ts'

export interface SourceCommandOptions {
  source: string
  keepMissing?: boolean
  adopt?: boolean
  yes?: boolean
}

const SOURCE_NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,49}$/u

/** Adds the options that say what an import does with content that its source no longer has. */
export const addSourceOptions = (command: Command): Command =>
  command
    .option('--source <name>', 'name of this source in the database, if the database has several', 'main')
    .option('--keep-missing', 'keep pages and edits that the source no longer has')
    .option('--adopt', 'take over pages that another source has')
    .option('--yes', 'remove them even if they are more than half')

/** The option of sources of files: a git repository, or a folder. */
export const layoutOption = (): Option =>
  new Option(
    '--layout <pattern...>',
    'paths of the pages, repeatable; {path} can contain slashes, and @en at the end sets the language (default: recognized from the files)',
  )

/** @throws UsageError if the name is not a word */
export const toNamedSource = ({ source, keepMissing, adopt, yes }: SourceCommandOptions): NamedSource => {
  if (!SOURCE_NAME.test(source))
    throw new UsageError(
      `${quote(source)} is not a name of a source. Use at most 50 letters, digits, dots, hyphens and underscores, such as docs.`,
    )
  return { name: source, keepMissing, adopt, isConfirmed: yes }
}

/** Options of commands that import. Each kind of source uses those that it knows. */
export interface ImportCommandOptions extends SourceCommandOptions {
  layout?: string[]
  ref?: string
  locale?: string
  name?: string
  license?: string
  namespace?: string[]
  redirects?: boolean
  contact?: string
  conf?: string
  public?: boolean
}

export interface FollowCommandOptions extends ImportCommandOptions {
  /** Milliseconds. Absent: as fits the source. */
  every?: number
}

/** Adds the options of all kinds of sources. Each kind uses those that it knows. */
export const addContentOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--layout <pattern...>',
        'git and folders: paths of the pages, repeatable (default: recognized from the files)',
      ),
    )
    .option('--ref <ref>', 'git: branch, tag or commit (default: HEAD, for a URL its default branch)')
    .option('--locale <locale>', 'language of the wiki, or of pages without one')
    .option('--name <name>', 'name of the wiki')
    .option('--license <url>', 'URL of the license of the content')
    .addOption(new Option('--namespace <name...>', 'MediaWiki: import these namespaces, too'))
    .option('--no-redirects', 'MediaWiki: skip redirects')
    .option('--contact <contact>', 'MediaWiki: your e-mail address or web page, for its operators')
    .option('--conf <folder>', 'DokuWiki: folder of its configuration (default: "conf" beside the data)')
    .option('--public', 'DokuWiki: if there is no configuration, guests may read all pages')

export const toConnectorOptions = (
  {
    layout = [],
    namespace = [],
    redirects = true,
    ref,
    locale,
    name,
    license,
    contact,
    conf,
    public: isPublic,
  }: ImportCommandOptions,
  { keepMissing }: NamedSource,
  dataDir: string,
): ConnectorOptions => ({
  layouts: layout,
  namespaces: namespace,
  redirects,
  ref,
  locale,
  name,
  license,
  contact,
  configuration: conf,
  isPublic,
  keepsMissing: keepMissing,
  sourcesFolder: join(dataDir, 'sources'),
})
