import { join } from 'node:path'
import type { MediawikiApiOptions } from '@lectern/import-mediawiki/api/source'
import { quote } from '@lectern/wiki/text'
import { type Command, Option } from 'commander'
import type { NamedSource } from '../write/imported-content.ts'
import {
  addSourceOptions,
  type ImportCommandOptions,
  layoutOption,
  type SourceCommandOptions,
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
  declareNdjson(importing)
  declareGit(importing)
  declareFolder(importing)
  declareMediawiki(importing)
  declareDokuwiki(importing)
}

const declareNdjson = (importing: Command): void => {
  const command = importing
    .command('ndjson')
    .description('import a file in the interchange format, plain or compressed with gzip')
    .argument('<file>')
  addSourceOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  lectern import ndjson tea-wiki.ndjson.gz
  lectern import ndjson <(curl -fsS https://dumps.example/tea-wiki.ndjson.gz)`,
    )
    .action(importNdjson)
}

const importNdjson = async (file: string, options: SourceCommandOptions): Promise<void> => {
  const [{ importOpened }, { ndjsonSource }] = await Promise.all([
    import('./import-summary.ts'),
    import('../import/open.ts'),
  ])
  await importOpened(toNamedSource(options), () => ndjsonSource(file))
}

const declareGit = (importing: Command): void => {
  const command = importing
    .command('git')
    .description('import a git repository of Markdown files with its history')
    .argument('<repository>', 'a folder with a git repository, bare or not, or its URL')
    .addOption(layoutOption())
    .option('--ref <ref>', 'branch, tag or commit (default: HEAD, for a URL its default branch)')
    .option('--locale <locale>', 'language of files whose layout sets none (default: as recognized, or en)')
    .option('--name <name>', 'name of the wiki (default: the name of the folder)')
    .option('--license <url>', 'URL of the license of the content')
  addSourceOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  lectern import git ../docs
  lectern import git https://wiki.example/tea.wiki.git
  lectern import git ../site --layout 'pages/{locale}/{path}.md' --layout 'pages/{locale}/{path}.mdx'
  lectern import git wiki.git --ref release --name 'Tea Wiki' --license https://creativecommons.org/licenses/by/4.0/`,
    )
    .action(importGit)
}

const importGit = async (
  repository: string,
  { layout = [], ref, locale, name, license, ...options }: ImportCommandOptions,
): Promise<void> => {
  const [{ importOpened }, { gitSource }, { progressLine }, { readConfig }] = await Promise.all([
    import('./import-summary.ts'),
    import('../import/open.ts'),
    import('../progress.ts'),
    import('../config.ts'),
  ])
  const from = toNamedSource(options)
  const progress = progressLine({ whenStopped: 'Stopped. Nothing was imported.' })
  await importOpened(from, (stored) =>
    gitSource(repository, {
      layouts: layout,
      ref,
      defaultLocale: locale,
      name,
      license,
      stored,
      sourcesFolder: join(readConfig().dataDir, 'sources'),
      onFetchProgress: (fetched) => progress.show(fetched),
      keepsMissing: from.keepMissing,
    }).finally(() => progress.end()),
  )
}

const declareFolder = (importing: Command): void => {
  const command = importing
    .command('folder')
    .description('import a folder of Markdown files, such as an Obsidian vault')
    .argument('<folder>', 'a folder; it need not be a git repository')
    .addOption(layoutOption())
    .option('--locale <locale>', 'language of files whose layout sets none (default: as recognized, or en)')
    .option('--name <name>', 'name of the wiki (default: the name of the folder)')
    .option('--license <url>', 'URL of the license of the content')
  addSourceOptions(command)
    .addHelpText(
      'after',
      `
Import the folder again to add what has changed: each import adds a revision to every page with a new text.

Examples:
  lectern import folder ~/notes
  lectern import folder ../export --layout 'pages/{locale}/{path}.md'`,
    )
    .action(importFolder)
}

const importFolder = async (
  folder: string,
  { layout = [], locale, name, license, ...options }: ImportCommandOptions,
): Promise<void> => {
  const [{ importOpened }, { folderSource }] = await Promise.all([
    import('./import-summary.ts'),
    import('../import/open.ts'),
  ])
  await importOpened(toNamedSource(options), (stored) =>
    folderSource(folder, { layouts: layout, defaultLocale: locale, name, license, stored }),
  )
}

const declareMediawiki = (importing: Command): void => {
  const command = importing
    .command('mediawiki')
    .description('import a MediaWiki from its Action API or from a dump; converts wikitext to Markdown')
    .argument(
      '<location>',
      'the URL of the wiki, or a dump (dumpBackup.php --full): .xml, .xml.gz or .xml.bz2',
    )
    .addOption(
      new Option(
        '--namespace <name...>',
        'import these namespaces, too (names or numbers); main, template, module and category are always imported',
      ).default([], 'none'),
    )
    .option('--no-redirects', 'skip redirects; by default, they become pages that link to their target')
    .option('--locale <locale>', 'language of the wiki (default: the language that the wiki names)')
    .option('--name <name>', 'name of the wiki (default: the name that the wiki names)')
    .option('--license <url>', 'URL of the license of the content (default: the one that the API names)')
    .option('--add', 'add a language to the existing wiki, and keep its name and license')
    .option(
      '--contact <contact>',
      'your e-mail address or web page, for the operators of the wiki (URL only)',
    )
    .option('--read-all', 'read all pages again, not only what changed since the last import (URL only)')
  addSourceOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  lectern import mediawiki https://tea.example/wiki/Main_Page --contact ada@tea.example
  lectern import mediawiki en.xml.bz2 --license https://creativecommons.org/licenses/by-sa/4.0/
  lectern import mediawiki ru.xml.bz2 --add`,
    )
    .action(importMediawiki)
}

interface MediawikiCommandOptions extends ImportCommandOptions {
  namespace: string[]
  redirects: boolean
  add?: boolean
  readAll?: boolean
}

const importMediawiki = async (
  location: string,
  { namespace, ...options }: MediawikiCommandOptions,
): Promise<void> => {
  const [{ importOpened }, { dumpSource }, { isWebAddress }] = await Promise.all([
    import('./import-summary.ts'),
    import('../import/open.ts'),
    import('@lectern/import-mediawiki/api/discover'),
  ])
  const from = toNamedSource(options)
  const mediawikiOptions = { ...options, namespaces: namespace }
  if (isWebAddress(location)) return importFromApi(location, from, mediawikiOptions)
  await importOpened(from, () => dumpSource(location, mediawikiOptions))
}

/** A first reading can take hours. What changed meanwhile is read after it. */
const importFromApi = async (
  location: string,
  from: NamedSource,
  options: MediawikiApiOptions & Pick<MediawikiCommandOptions, 'adopt' | 'readAll'>,
): Promise<void> => {
  const [{ importWithProgress }, { openMediawikiApi }, { printLine }] = await Promise.all([
    import('./import-summary.ts'),
    import('@lectern/import-mediawiki/api/source'),
    import('../progress.ts'),
  ])
  // A wiki that has only names of pages in common with the database must be read completely.
  const wiki = await openMediawikiApi(location, { ...options, readsAll: options.readAll || options.adopt })
  printLine(`Reading ${quote(wiki.url)}`)
  const version = await wiki.version()
  await importWithProgress(from, wiki.open)
  if ((await wiki.version()) === version) return
  printLine('The wiki has changed meanwhile. Reading the changes.')
  const again = options.readAll ? await openMediawikiApi(location, options) : wiki
  await importWithProgress(from, again.open)
}

const declareDokuwiki = (importing: Command): void => {
  const command = importing
    .command('dokuwiki')
    .description('import a DokuWiki: the pages that its guests may read; converts its syntax to Markdown')
    .argument('<folder>', 'the folder of the DokuWiki, or its folder "data"')
    .option('--conf <folder>', 'folder of its configuration (default: "conf" beside the data)')
    .option('--public', 'if there is no configuration: guests may read all pages')
    .option('--locale <locale>', 'language of the wiki (default: the language in the configuration)')
    .option('--name <name>', 'name of the wiki (default: the title in the configuration)')
    .option(
      '--license <url>',
      'URL of the license of the content (default: the license in the configuration)',
    )
  addSourceOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  lectern import dokuwiki /var/www/dokuwiki
  lectern import dokuwiki /var/lib/dokuwiki/data --conf /etc/dokuwiki`,
    )
    .action(importDokuwiki)
}

const importDokuwiki = async (
  folder: string,
  { conf, public: isPublic, ...options }: ImportCommandOptions,
): Promise<void> => {
  const [{ importOpened }, { dokuwikiSource }] = await Promise.all([
    import('./import-summary.ts'),
    import('../import/open.ts'),
  ])
  const { locale, name, license } = options
  await importOpened(toNamedSource(options), (stored) =>
    dokuwikiSource(folder, { configuration: conf, isPublic, locale, name, license, stored }),
  )
}
