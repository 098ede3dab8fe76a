import { type Command, Option } from 'commander'
import type { MediawikiApiOptions } from '../import/mediawiki/api/source.ts'
import { quote } from '../wiki/text.ts'
import type { NamedSource } from '../write/imported-content.ts'
import { addSourceOptions, type SourceCommandOptions, toNamedSource } from './source-options.ts'

export const declareImportMediawiki = (importing: Command): void => {
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

interface MediawikiCommandOptions extends SourceCommandOptions {
  namespace: string[]
  redirects: boolean
  locale?: string
  name?: string
  license?: string
  add?: boolean
  contact?: string
  readAll?: boolean
}

const importMediawiki = async (
  location: string,
  { namespace, ...options }: MediawikiCommandOptions,
): Promise<void> => {
  const [{ importOpened }, { openMediawikiSource }, { isWebAddress }] = await Promise.all([
    import('./import-summary.ts'),
    import('../import/mediawiki/source.ts'),
    import('../import/mediawiki/api/discover.ts'),
  ])
  const from = toNamedSource(options)
  const mediawikiOptions = { ...options, namespaces: namespace }
  if (isWebAddress(location)) return importFromApi(location, from, mediawikiOptions)
  await importOpened(from, () => openMediawikiSource(location, mediawikiOptions))
}

/** A first reading can take hours. What changed meanwhile is read after it. */
const importFromApi = async (
  location: string,
  from: NamedSource,
  options: MediawikiApiOptions & Pick<MediawikiCommandOptions, 'adopt' | 'readAll'>,
): Promise<void> => {
  const [{ importWithProgress }, { openMediawikiApi }, { printLine }] = await Promise.all([
    import('./import-summary.ts'),
    import('../import/mediawiki/api/source.ts'),
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
