import type { Command } from 'commander'
import { addSourceOptions, layoutOption, type SourceCommandOptions, toNamedSource } from './source-options.ts'

export const declareImportFolder = (importing: Command): void => {
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

interface FolderCommandOptions extends SourceCommandOptions {
  layout?: string[]
  locale?: string
  name?: string
  license?: string
}

const importFolder = async (
  folder: string,
  { layout = [], locale, name, license, ...options }: FolderCommandOptions,
): Promise<void> => {
  const [{ importOpened }, { openFolderSource }] = await Promise.all([
    import('./import-summary.ts'),
    import('../import/folder/source.ts'),
  ])
  await importOpened(toNamedSource(options), (stored) =>
    openFolderSource(folder, { layouts: layout, defaultLocale: locale, name, license, stored }),
  )
}
