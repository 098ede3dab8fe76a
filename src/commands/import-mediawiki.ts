import { type Command, Option } from 'commander'

export const declareImportMediawiki = (importing: Command): void => {
  importing
    .command('mediawiki')
    .description('from a dump of a MediaWiki (dumpBackup.php --full), its wikitext as Markdown')
    .argument('<file>', '.xml, .xml.gz or .xml.bz2')
    .addOption(
      new Option(
        '--namespace <name...>',
        'take these too, besides main, template, module and category; names or numbers',
      ).default([], 'none'),
    )
    .option('--no-redirects', 'leave redirects out; without it they are pages that link to their target')
    .option('--locale <locale>', 'language of the wiki; what the dump says without it')
    .option('--name <name>', 'name of the wiki; what the dump says without it')
    .option('--license <url>', 'address of the license of the content')
    .option('--add', 'one more language of the wiki that is there, whose name and license stay')
    .addHelpText(
      'after',
      `
Examples:
  lectern import mediawiki en.xml.bz2 --license https://creativecommons.org/licenses/by-sa/4.0/
  lectern import mediawiki ru.xml.bz2 --add`,
    )
    .action(importMediawiki)
}

interface MediawikiCommandOptions {
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
  const source = await openMediawikiSource(file, { ...options, namespaces: namespace })
  await importWithProgress(async () => source)
}
