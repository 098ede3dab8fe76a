import { type Command, Option } from 'commander'
import type { StoredContentQueries } from '../write/records.ts'

export const declareImportGit = (importing: Command): void => {
  importing
    .command('git')
    .description('from a git repository of Markdown, with its history')
    .argument('<repository>', 'a folder: a clone, bare or not')
    .addOption(
      new Option(
        '--layout <pattern...>',
        'where pages are; repeatable; {path} may hold slashes, @en fixes the language',
      ).default(['{path}.md']),
    )
    .option('--ref <ref>', 'branch, tag or commit', 'HEAD')
    .option('--locale <locale>', 'language of files whose layout names none', 'en')
    .option('--name <name>', 'name of the wiki; the folder name without it')
    .option('--license <url>', 'address of the license of the content')
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
  // The source first, so that a mistyped one makes no database; what is stored is asked while it is read.
  const source = await openGitSource(repository, {
    layouts: layout,
    ref,
    defaultLocale: locale,
    name,
    license,
    stored: () => stored!,
  })
  await importWithProgress(async (storedSoFar) => {
    stored = storedSoFar
    return source
  })
}
