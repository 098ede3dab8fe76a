import type { Command } from 'commander'

export const declareReindex = (program: Command): void => {
  program
    .command('reindex')
    .description('update the search index after an upgrade or a change of languages')
    .option('--all', 'index every page again')
    .addHelpText(
      'after',
      `
The service keeps running meanwhile. If you stop the command, the pages that it has indexed stay indexed.

Examples:
  lectern reindex
  lectern reindex --all`,
    )
    .action(reindex)
}

const reindex = async ({ all }: { all?: boolean }): Promise<void> => {
  const [{ withOwner }, { reindexWithProgress }, { printLine }] = await Promise.all([
    import('./with-database.ts'),
    import('../upgrade.ts'),
    import('../progress.ts'),
  ])
  await withOwner(async (database) => {
    if ((await reindexWithProgress(database, { all })) === 0) printLine('The search index is up to date.')
  })
}
