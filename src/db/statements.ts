import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import type { StatementRows } from '../generated/statement-rows.ts'
import { packagePath } from '../paths.ts'

/** A named, static SQL statement. Prepared statements in PostgreSQL have the same name. */
export interface Statement<Row = unknown> {
  readonly name: string
  readonly text: string
  /** The type of its rows, only for the compiler: it never has a value. (D8) */
  readonly row?: Row
}

/** The type of the rows of a statement of `schema/sql`; `never` if it returns no rows. */
type RowOf<Name extends string> = Name extends keyof StatementRows ? StatementRows[Name] : never

/** Reads `schema/sql/*.sql`: `-- name:` begins a statement (D8). @throws Error when two have one name */
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

export const allStatements = (): Statement[] => [...statements.values()]

/** Runs statements by name on one connection, within its transaction. Statements that are sent meanwhile wait. */
export type RunStatement = <Name extends string>(
  name: Name,
  values: unknown[],
) => Promise<pg.QueryResult<RowOf<Name>>>

/** The value of a query that returns one row with one column. */
export const readValue = async <Value>(client: pg.ClientBase, text: string, values: unknown[] = []) => {
  const { rows } = await client.query<[Value]>({ text, values, rowMode: 'array' })
  return rows[0]![0]
}

export const statementRunner = (client: pg.ClientBase): RunStatement => {
  let last: Promise<unknown> = Promise.resolve()
  return (name, values) => {
    const result = last.then(() => client.query({ ...statement(name), values }))
    last = result.catch(() => {})
    return result
  }
}
