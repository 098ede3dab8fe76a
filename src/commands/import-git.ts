import { type Command, Option } from 'commander'
import type { StoredContentQueries } from '../write/records.ts'

export const declareImportGit = (importing: Command): void => {
  importing
    .command('git')
    .description('import a git repository of Markdown files with its history')
    .argument('<repository>', 'a folder with a git repository, bare or not')
    .addOption(
      new Option(
        '--layout <pattern...>',
        'paths of the pages, repeatable; {path} can contain slashes, and @en at the end sets the language',
      ).default(['{path}.md']),
    )
    .option('--ref <ref>', 'branch, tag or commit', 'HEAD')
    .option('--locale <locale>', 'language of files whose layout sets none', 'en')
    .option('--name <name>', 'name of the wiki (default: the name of the folder)')
    .option('--license <url>', 'URL of the license of the content')
    .addHelpText(
      'after',
      `
Examples:
  lectern import git ../docs
  lectern import git ../site --layout 'pages/{locale}/{path}.md' --layout 'pages/{locale}/{path}.mdx'
  lectern import git wiki.git --ref release --name 'Tea Wiki' --license https://creativecommons.org/licenses/by/4.0/`,
    )
    .action(importGit)
}

interface GitCommandOptions {
  layout: string[]
  ref: string
  locale: string
  name?: string
  license?: string
}

const importGit = async (
  repository: string,
  { layout, ref, locale, name, license }: GitCommandOptions,
): Promise<void> => {
  const [{ importWithProgress }, { openGitSource }] = await Promise.all([
    import('./import-summary.ts'),
    import('../import/git/source.ts'),
  ])
  let stored: StoredContentQueries | undefined
  // Opens the source first: a wrong path must not create a database. The source queries it later, while it is read.
  const source = await openGitSource(repository, {
    layouts: layout,
    ref,
    defaultLocale: locale,
    name,
    license,
    stored: () => stored!,
  })
  await importWithProgress(async (queries) => {
    stored = queries
    return source
  })
}
