import { join } from 'node:path'
import type { Command } from 'commander'
import { addSourceOptions, layoutOption, type SourceCommandOptions, toNamedSource } from './source-options.ts'

export const declareImportGit = (importing: Command): void => {
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

interface GitCommandOptions extends SourceCommandOptions {
  layout?: string[]
  ref?: string
  locale?: string
  name?: string
  license?: string
}

const importGit = async (
  repository: string,
  { layout = [], ref, locale, name, license, ...options }: GitCommandOptions,
): Promise<void> => {
  const [{ importOpened }, { openGitSource }, { progressLine }, { readConfig }] = await Promise.all([
    import('./import-summary.ts'),
    import('../import/git/source.ts'),
    import('../progress.ts'),
    import('../config.ts'),
  ])
  const from = toNamedSource(options)
  const progress = progressLine({ whenStopped: 'Stopped. Nothing was imported.' })
  await importOpened(from, (stored) =>
    openGitSource(repository, {
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
