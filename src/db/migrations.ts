import { readdirSync, readFileSync } from 'node:fs'
import { packagePath } from '../paths.ts'
import { once } from '../shared/memoize.ts'

export type Migration = ReturnType<typeof migrations>[number]

/** Every migration that this version ships, in order: the files of `schema/migrations`. */
export const migrations = () => {
  const folder = packagePath('schema', 'migrations')
  return readdirSync(folder)
    .filter((file) => /^\d{4}_\w+\.sql$/.test(file))
    .sort()
    .map((file) => ({
      number: Number(file.slice(0, 4)),
      name: file,
      sql: readFileSync(`${folder}/${file}`, 'utf8'),
    }))
}

export const migrationNumbers = once(() => migrations().map(({ number }) => number))

const INDEX_CHANGES =
  /^\s*drop index (?:if exists )?wiki\.(\w+)|^\s*(create (?:unique )?index (\w+) on [^;]+;)|^\s*alter index wiki\.(\w+) rename to (\w+)/gm

/** The indexes that a database has when all migrations are applied: their names, and the statements that create them. */
export const migratedIndexes = (): Map<string, string> => {
  const indexes = new Map<string, string>()
  for (const { sql } of migrations()) {
    for (const [, dropped, statement, created, renamed = '', newName = ''] of sql.matchAll(INDEX_CHANGES)) {
      const old = indexes.get(renamed)
      indexes.delete(dropped ?? renamed)
      if (created) indexes.set(created, statement!)
      if (old) indexes.set(newName, old.replace(renamed, newName))
    }
  }
  return indexes
}
