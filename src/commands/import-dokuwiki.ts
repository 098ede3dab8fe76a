import type { Command } from 'commander'
import { addSourceOptions, type SourceCommandOptions, toNamedSource } from './source-options.ts'

export const declareImportDokuwiki = (importing: Command): void => {
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

interface DokuwikiCommandOptions extends SourceCommandOptions {
  conf?: string
  public?: boolean
  locale?: string
  name?: string
  license?: string
}

const importDokuwiki = async (
  folder: string,
  { conf, public: isPublic, ...options }: DokuwikiCommandOptions,
): Promise<void> => {
  const [{ importOpened }, { openDokuwikiSource }] = await Promise.all([
    import('./import-summary.ts'),
    import('../import/dokuwiki/source.ts'),
  ])
  const { locale, name, license } = options
  await importOpened(toNamedSource(options), (stored) =>
    openDokuwikiSource(folder, { configuration: conf, isPublic, locale, name, license, stored }),
  )
}
