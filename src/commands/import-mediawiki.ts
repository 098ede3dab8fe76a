import { type Command, Option } from 'commander'
import { addSourceOptions, type SourceCommandOptions, toNamedSource } from './source-options.ts'

export const declareImportMediawiki = (importing: Command): void => {
  const command = importing
    .command('mediawiki')
    .description('import a MediaWiki dump (dumpBackup.php --full); converts wikitext to Markdown')
    .argument('<file>', '.xml, .xml.gz or .xml.bz2')
    .addOption(
      new Option(
        '--namespace <name...>',
        'import these namespaces, too (names or numbers); main, template, module and category are always imported',
      ).default([], 'none'),
    )
    .option('--no-redirects', 'skip redirects; by default, they become pages that link to their target')
    .option('--locale <locale>', 'language of the wiki (default: the language in the dump)')
    .option('--name <name>', 'name of the wiki (default: the name in the dump)')
    .option('--license <url>', 'URL of the license of the content')
    .option('--add', 'add a language to the existing wiki, and keep its name and license')
  addSourceOptions(command)
    .addHelpText(
      'after',
      `
Examples:
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
}

const importMediawiki = async (
  file: string,
  { namespace, ...options }: MediawikiCommandOptions,
): Promise<void> => {
  const [{ importWithProgress }, { openMediawikiSource }] = await Promise.all([
    import('./import-summary.ts'),
    import('../import/mediawiki/source.ts'),
  ])
  const from = toNamedSource(options)
  const source = await openMediawikiSource(file, { ...options, namespaces: namespace })
  await importWithProgress(from, async () => source)
}
