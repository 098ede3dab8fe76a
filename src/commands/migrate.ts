import type { Command } from 'commander'

export const declareMigrate = (program: Command): void => {
  program
    .command('migrate')
    .description('create the schema in the database of DATABASE_URL, or update it')
    .addHelpText(
      'after',
      `
The user of DATABASE_URL must own the database and have the right CREATEROLE. Without CREATEROLE, an administrator
must first run: create role lectern_reader nologin; grant lectern_reader to <user>

Example:
  DATABASE_URL=postgresql://lectern:secret@db.example/lectern lectern migrate`,
    )
    .action(migrate)
}

const migrate = async (): Promise<void> => {
  const { readConfig } = await import('../config.ts')
  const { checkDatabaseExists, openDatabase } = await import('../db/open-database.ts')
  const { listedNames } = await import('../db/diagnostics.ts')
  const { missingRightsText } = await import('../db/session.ts')
  const { statement } = await import('../db/statements.ts')
  const { isAttachedByAnother } = await import('../wikijs/attach.ts')
  const { migrateAndReindex } = await import('../upgrade.ts')
  const { printLine } = await import('../progress.ts')
  const config = readConfig()
  checkDatabaseExists(config)
  const database = await openDatabase(config, 'owner')
  try {
    // Before the first migration, there may be no such role.
    const rights = await listedNames(database, statement('check_missing_rights')).catch(() => [])
    if (rights.length > 0) printLine(missingRightsText(rights, '. Lectern grants this again.'))
    const applied = await migrateAndReindex(database)
    for (const name of applied) printLine(`applied ${name}`)
    if (await isAttachedByAnother(database))
      printLine(
        'Another version of Lectern attached the Wiki.js in this database. Run `lectern attach wikijs` now.',
      )
    else if (applied.length === 0) printLine('The database is up to date.')
  } finally {
    await database.close()
  }
}

export const declareReindex = (program: Command): void => {
  program
    .command('reindex')
    .description('update the search index, and the stored HTML, after an upgrade or a change of languages')
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
  const { withOwner } = await import('./with-database.ts')
  const { reindexWithProgress, storeHtmlWithProgress } = await import('../upgrade.ts')
  const { printLine } = await import('../progress.ts')
  await withOwner(async (database) => {
    if ((await reindexWithProgress(database, { all })) === 0) printLine('The search index is up to date.')
    await storeHtmlWithProgress(database)
  })
}
