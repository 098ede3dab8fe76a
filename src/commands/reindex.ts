import type { Command } from 'commander'

export const declareReindex = (program: Command): void => {
  program
    .command('reindex')
    .description('index pages for search anew where that is due: after an upgrade, or when languages changed')
    .option('--all', 'every page')
    .addHelpText(
      'after',
      `
The service goes on meanwhile, and what is done stays done when this is stopped.

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
