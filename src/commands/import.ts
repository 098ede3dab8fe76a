import { quote } from '@lectern/wiki/text'
import type { Command } from 'commander'
import type { SourceKind } from '../import/source-kind.ts'
import { packageVersion } from '../paths.ts'
import { memoize } from '../shared/memoize.ts'
import {
  addContentOptions,
  addSourceOptions,
  type ImportCommandOptions,
  identityOf,
  refuseWrongOptions,
  toConnectorOptions,
  toNamedSource,
} from './source-options.ts'

export const declareImport = (program: Command): void => {
  const importing = program
    .command('import')
    .description('import a wiki from NDJSON, git, a folder, MediaWiki or DokuWiki')
    .addHelpText(
      'after',
      '\nAn import is one transaction: it succeeds completely, or changes nothing. Import again to add what is new.',
    )
  const kind = (name: string, description: string, argument: string, about?: string) =>
    importing.command(name).description(description).argument(argument, about)
  const ndjson = 'import a file in the interchange format, plain or compressed with gzip'
  finish(kind('ndjson', ndjson, '<file>'), importAs('ndjson'), [
    'ndjson tea-wiki.ndjson.gz',
    'ndjson <(curl -fsS https://dumps.example/tea-wiki.ndjson.gz)',
  ])
  const repository = ['<repository>', 'a folder with a git repository, bare or not, or its URL'] as const
  const git = kind('git', 'import a git repository of Markdown files with its history', ...repository)
  finish(addContentOptions(git, 'git'), importAs('git'), [
    'git ../docs',
    'git https://wiki.example/tea.wiki.git',
    "git ../site --layout 'pages/{locale}/{path}.md' --layout 'pages/{locale}/{path}.mdx'",
    "git wiki.git --ref release --name 'Tea Wiki' --license https://creativecommons.org/licenses/by/4.0/",
  ])
  const notes = ['<folder>', 'a folder; it need not be a git repository'] as const
  const folder = kind('folder', 'import a folder of Markdown files, such as an Obsidian vault', ...notes)
  folder.addHelpText(
    'after',
    '\nImport the folder again to add what has changed: each import adds a revision to every page with a new text.',
  )
  finish(addContentOptions(folder, 'folders'), importAs('folder'), [
    'folder ~/notes',
    "folder ../export --layout 'pages/{locale}/{path}.md'",
  ])
  const wikitext = 'import a MediaWiki from its Action API or from a dump; converts wikitext to Markdown'
  const dumps = 'the URL of the wiki, or a dump (dumpBackup.php --full): .xml, .xml.gz or .xml.bz2'
  const mediawiki = kind('mediawiki', wikitext, '<location>', dumps)
    .option('--add', 'add a language to the existing wiki, and keep its name and license')
    .option('--read-all', 'read all pages again, not only what changed since the last import (URL only)')
  finish(addContentOptions(mediawiki, 'MediaWiki'), importMediawiki, [
    'mediawiki https://tea.example/wiki/Main_Page --contact ada@tea.example',
    'mediawiki en.xml.bz2 --license https://creativecommons.org/licenses/by-sa/4.0/',
    'mediawiki ru.xml.bz2 --add',
  ])
  const guests = 'import a DokuWiki: the pages that its guests may read; converts its syntax to Markdown'
  const dokuwiki = kind('dokuwiki', guests, '<folder>', 'the folder of the DokuWiki, or its folder "data"')
  finish(addContentOptions(dokuwiki, 'DokuWiki'), importAs('dokuwiki'), [
    'dokuwiki /var/www/dokuwiki',
    'dokuwiki /var/lib/dokuwiki/data --conf /etc/dokuwiki',
  ])
}

const finish = (
  command: Command,
  action: (location: string, options: ImportCommandOptions) => Promise<void>,
  examples: string[],
): void => {
  addSourceOptions(command)
    .addHelpText('after', ['\nExamples:', ...examples].join('\n  lectern import '))
    .action(action)
}

/** An action that imports a location, which must be of this kind. */
const importAs =
  (kind: SourceKind) =>
  async (location: string, options: ImportCommandOptions): Promise<void> => {
    const { importConnected } = await import('./import-summary.ts')
    const { connectorOf } = await import('../import/connectors.ts')
    const { readConfig } = await import('../config.ts')
    const { dataDir, fileBytesMax, filesAllow, filesUrl } = readConfig()
    const ofSource = toConnectorOptions(options, dataDir)
    const connector = connectorOf(kind, location, ofSource)
    connector.version = memoize(connector.version)
    await refuseWrongOptions(options, connector.version)
    const identity = identityOf(location, ofSource)
    const settings = JSON.stringify([packageVersion(), fileBytesMax, filesAllow, filesUrl, identity])
    await importConnected({ ...toNamedSource(options), settings }, connector)
  }

/** A first reading of the API can take hours. What changed meanwhile is read after it. */
const importMediawiki = async (location: string, options: ImportCommandOptions): Promise<void> => {
  const { isWebAddress } = await import('@lectern/import-mediawiki/api/discover')
  if (!isWebAddress(location)) return importAs('dump')(location, options)
  const { importWithProgress } = await import('./import-summary.ts')
  const { openMediawikiApi } = await import('@lectern/import-mediawiki/api/source')
  const { printLine } = await import('../progress.ts')
  const ofWiki = toConnectorOptions(options, '')
  await refuseWrongOptions(options)
  const from = toNamedSource(options)
  // A wiki that has only names of pages in common with the database must be read completely.
  const wiki = await openMediawikiApi(location, { ...ofWiki, readsAll: options.readAll || options.adopt })
  printLine(`Reading ${quote(wiki.url)}`)
  const version = await wiki.version()
  await importWithProgress(from, wiki.open)
  if ((await wiki.version()) === version) return
  printLine('The wiki has changed meanwhile. Reading the changes.')
  const again = options.readAll ? await openMediawikiApi(location, ofWiki) : wiki
  await importWithProgress(from, again.open)
}
