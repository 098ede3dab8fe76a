import { readdirSync, readFileSync } from 'node:fs'
import { packagePath } from '../paths.ts'
import { once } from '../shared/memoize.ts'

/** A file of `schema/migrations`. */
export interface Migration {
  number: number
  name: string
  sql: string
}

/** Every migration that this version ships, in order. */
export const migrations = (): Migration[] => {
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

/** Numbers of the migrations that this version ships, in order. */
export const migrationNumbers = once(() => migrations().map(({ number }) => number))

const INDEX_CHANGES =
  /^\s*drop index (?:if exists )?wiki\.(\w+)|^\s*create (?:unique )?index (\w+)|^\s*alter index wiki\.(\w+) rename to (\w+)/gm

/** Names of the indexes that a database has when all migrations are applied. */
export const migratedIndexes = (): string[] => {
  const names = new Set<string>()
  for (const { sql } of migrations()) {
    for (const [, dropped, created, renamed, newName] of sql.matchAll(INDEX_CHANGES)) {
      names.delete(dropped ?? renamed ?? '')
      const name = created ?? newName
      if (name !== undefined) names.add(name)
    }
  }
  return [...names]
}
