import { join } from 'node:path'
import { type Command, Option } from 'commander'
import type { ConnectorOptions } from '../follow/connectors/connector.ts'
import type { NamedSource } from '../write/imported-content.ts'
import type { SourceCommandOptions } from './source-options.ts'

/** Options of commands that recognize what kind of source they get. */
interface ContentCommandOptions {
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

export interface FollowCommandOptions extends SourceCommandOptions, ContentCommandOptions {
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
  }: ContentCommandOptions,
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
