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
  const [{ readConfig }, { openDatabase }, { isAttachedByAnother }, { migrateAndReindex }, { printLine }] =
    await Promise.all([
      import('../config.ts'),
      import('../db/open-database.ts'),
      import('../wikijs/diagnostics.ts'),
      import('../upgrade.ts'),
      import('../progress.ts'),
    ])
  const database = await openDatabase(readConfig(), 'owner')
  try {
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
