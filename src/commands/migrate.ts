import type { Command } from 'commander'

export const declareMigrate = (program: Command): void => {
  program
    .command('migrate')
    .description('set up the database of DATABASE_URL, or bring it up to date')
    .addHelpText(
      'after',
      `
It takes a user who owns the database and may make roles (or an administrator made lectern_reader before).

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
        'Another version of Lectern attached the Wiki.js that is here: run `lectern attach wikijs` now.',
      )
    else if (applied.length === 0) printLine('The database is up to date.')
  } finally {
    await database.close()
  }
}
