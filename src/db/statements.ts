import { readdirSync, readFileSync } from 'node:fs'
import { packagePath } from '../paths.ts'

/** A named, static SQL statement: `name` is also what PostgreSQL prepares it as. */
export interface Statement {
  readonly name: string
  readonly text: string
  /** Milliseconds that it may run by the server's clock, where that is less than any statement may. */
  readonly timeoutMs?: number
}

/**
 * Every statement of `schema/sql/*.sql`, by the name in its `-- name:` line.
 * @throws Error when a name stands twice
 */
const readStatements = (): Map<string, Statement> => {
  const folder = packagePath('schema', 'sql')
  const statements = new Map<string, Statement>()
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.sql'))) {
    const parts = readFileSync(`${folder}/${file}`, 'utf8').split(/^-- name: (\w+)$/m)
    for (let i = 1; i < parts.length; i += 2) {
      const name = parts[i]!
      if (statements.has(name)) throw new Error(`schema/sql: the name ${name} stands twice`)
      statements.set(name, { name, text: parts[i + 1]!.trim() })
    }
  }
  return statements
}

const statements = readStatements()

/** @throws Error when no file of `schema/sql` has the name: found at start, since loaders ask when loaded */
export const statement = (name: string): Statement => {
  const found = statements.get(name)
  if (!found) throw new Error(`schema/sql: no statement is named ${name}`)
  return found
}

/** All of them, for tests that look at their plans. */
export const allStatements = (): Statement[] => [...statements.values()]
