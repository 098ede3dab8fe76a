import type { Command } from 'commander'

export const declareAttach = (program: Command): void => {
  program
    .command('attach')
    .description('serve a running wiki as it is edited, copying nothing but the search index')
    .command('wikijs')
    .description('the Wiki.js 2.5 whose PostgreSQL database DATABASE_URL names')
    .option('--schema <name>', "where Wiki.js's tables are", 'public')
    .option('--watch', 'stay, and keep the search index and what opens or closes by date up to date')
    .addHelpText(
      'after',
      `
docs/wikijs.md says what guests see and what is added to the database; "lectern detach wikijs" takes it away.

Examples:
  lectern attach wikijs
  lectern attach wikijs --watch`,
    )
    .action(async (options: { schema: string; watch?: boolean }) => {
      await (await import('../wikijs/commands.ts')).attachWikijsCommand(options)
    })
}

export const declareDetach = (program: Command): void => {
  program
    .command('detach')
    .description('take away what attach added')
    .command('wikijs')
    .description('from the database of a Wiki.js, whose own tables are then as they were')
    .addHelpText('after', '\nExample:\n  lectern detach wikijs')
    .action(async () => {
      await (await import('../wikijs/commands.ts')).detachWikijsCommand()
    })
}
