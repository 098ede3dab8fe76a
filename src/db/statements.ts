import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import { packagePath } from '../paths.ts'
import type { StatementRows } from './statement-rows.ts'

/** A named, static SQL statement: `name` is also what PostgreSQL prepares it as. */
export interface Statement<Row = unknown> {
  readonly name: string
  readonly text: string
  /** Milliseconds that it may run by the server's clock, where that is less than any statement may. */
  readonly timeoutMs?: number
  /** What it returns, for the compiler alone: no statement has a value here. */
  readonly row?: Row
}

/** What a statement of `schema/sql` returns, by its name; `never` where it returns no rows. */
type RowOf<Name extends string> = Name extends keyof StatementRows ? StatementRows[Name] : never

/**
 * Every statement of `schema/sql/*.sql`, by the name in its `-- name:` line.
 * @throws Error when two statements have one name
 */
const readStatements = (): Map<string, Statement> => {
  const folder = packagePath('schema', 'sql')
  const statements = new Map<string, Statement>()
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.sql'))) {
    const parts = readFileSync(`${folder}/${file}`, 'utf8').split(/^-- name: (\w+)$/m)
    for (let i = 1; i < parts.length; i += 2) {
      const name = parts[i]!
      if (statements.has(name)) throw new Error(`schema/sql: two statements have the name ${name}`)
      statements.set(name, { name, text: parts[i + 1]!.trim() })
    }
  }
  return statements
}

const statements = readStatements()

/** @throws Error when no file of `schema/sql` has the name: modules look their statements up when they are loaded */
export const statement = <Name extends string>(name: Name): Statement<RowOf<Name>> => {
  const found = statements.get(name)
  if (!found) throw new Error(`schema/sql: no statement has the name ${name}`)
  return found as Statement<RowOf<Name>>
}

/** All of them, for tests. */
export const allStatements = (): Statement[] => [...statements.values()]

/** Runs statements by name on one connection, within its transaction. */
export type RunStatement = <Name extends string>(
  name: Name,
  values: unknown[],
) => Promise<pg.QueryResult<RowOf<Name>>>

export const statementRunner =
  (client: pg.ClientBase): RunStatement =>
  (name, values) =>
    client.query({ ...statement(name), values })
