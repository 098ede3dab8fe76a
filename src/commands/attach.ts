import type { Command } from 'commander'
import type { AttachOptions } from './run-attach.ts'

export const declareAttach = (program: Command): void => {
  program
    .command('attach')
    .description('serve a running wiki from its own database; adds only a search index')
    .command('wikijs')
    .description('serve the Wiki.js 2.5 whose PostgreSQL database is in DATABASE_URL')
    .option('--schema <name>', 'schema of the tables of Wiki.js', 'public')
    .option(
      '--watch',
      'keep running, and update the search index and the pages that are published or hidden by date',
    )
    .addHelpText(
      'after',
      `
docs/wikijs.md explains what guests see and what this command adds to the database.
"lectern detach wikijs" removes everything that it added.

Examples:
  lectern attach wikijs
  lectern attach wikijs --watch`,
    )
    .action(async (options: AttachOptions) => {
      await (await import('./run-attach.ts')).runAttachCommand(options)
    })
}

export const declareDetach = (program: Command): void => {
  program
    .command('detach')
    .description('remove everything that attach added')
    .command('wikijs')
    .description('remove it from the database of a Wiki.js; the tables of Wiki.js stay unchanged')
    .addHelpText('after', '\nExample:\n  lectern detach wikijs')
    .action(async () => {
      await (await import('./run-attach.ts')).runDetachCommand()
    })
}
