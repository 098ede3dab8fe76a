import { writeFileSync } from 'node:fs'
import type pg from 'pg'
import { allStatements } from '../src/db/statements.ts'
import { packagePath } from '../src/paths.ts'
import { mochaGlobalSetup, mochaGlobalTeardown, testDatabase } from '../test/support/database.ts'

/**
 * Writes `src/generated/statement-rows.ts`, the types of the rows of `schema/sql`; `npm run generate` runs it before it
 * compiles. PostgreSQL describes each statement,
 * without running it; the line `-- null:` of a statement names the columns that can be null, which PostgreSQL does not
 * say. (D8)
 */

/** The TypeScript type of the values of a PostgreSQL type, by its number. */
const TYPES: Record<number, string> = {
  16: 'boolean',
  17: 'Buffer', // bytea
  19: 'string', // name
  20: 'string', // int8: page ids and counts beyond int4, as text
  21: 'number', // int2
  23: 'number', // int4
  25: 'string', // text
  114: 'Json',
  700: 'number', // float4
  701: 'number', // float8
  1007: 'number[]', // int4[]
  1009: 'string[]', // text[]
  1184: 'Timestamp',
  2278: 'string', // void
  2950: 'string', // uuid
  3802: 'Json', // jsonb
}

/** Columns of texts that are one of a few. */
const UNIONS: Record<string, string> = {
  ns: 'Namespace',
  state: "'live' | 'draft' | 'deleted'",
  status: "'accepted' | 'pending' | 'rejected' | 'draft'",
}

const HEAD = `import type { Namespace } from '@lectern/wiki/locales'
import type { Timestamp } from '@lectern/wiki/time'

/** A JSON column. Its shape is declared where it is read. */
export type Json = any

/** The rows of the statements of \`schema/sql\` that return any. \`npm run generate\` writes this file. */
export interface StatementRows {
`

interface MessageSender {
  parse(statement: { name: string; text: string; types: number[] }): void
  describe(prepared: { type: 'S'; name: string }): void
  sync(): void
}

type Fields = { name: string; dataTypeID: number }[]

/** Asks PostgreSQL to parse and describe a statement without running it. */
class Description implements pg.Submittable {
  readonly #text: string
  readonly fields: Promise<Fields>
  #fields: Fields = []
  #resolve!: (fields: Fields) => void
  #reject!: (error: Error) => void

  constructor(text: string) {
    this.#text = text
    this.fields = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  submit(connection: unknown): void {
    const sender = connection as MessageSender
    sender.parse({ name: '', text: this.#text, types: [] })
    sender.describe({ type: 'S', name: '' })
    sender.sync()
  }

  handleRowDescription({ fields }: { fields: Fields }): void {
    this.#fields = fields
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#fields)
  }

  handleError(error: Error): void {
    this.#reject(error)
  }
}

/** @throws Error for a column of an unknown type, and for a column of `-- null:` that the statement has not */
const rowOf = (name: string, text: string, fields: Fields): string => {
  const nullable = /^-- null: (.+)$/m.exec(text)?.[1]?.split(', ') ?? []
  const missing = nullable.find((column) => !fields.some((field) => field.name === column))
  if (missing !== undefined) throw new Error(`schema/sql: ${name} has no column ${missing}`)
  // A function that returns a table can be called twice, for its effect.
  const distinct = fields.filter((field, i) => fields.findIndex((one) => one.name === field.name) === i)
  const columns = distinct.map(({ name: column, dataTypeID }) => {
    const type = TYPES[dataTypeID]
    if (type === undefined)
      throw new Error(`schema/sql: ${name}.${column} has the unknown type ${dataTypeID}`)
    const known = type === 'string' ? (UNIONS[column] ?? type) : type
    return `    ${column}: ${known}${nullable.includes(column) ? ' | null' : ''}\n`
  })
  return `  ${name}: {\n${columns.join('')}  }\n`
}

const statementRows = async (): Promise<string> => {
  const client = await (await testDatabase()).owner.connect()
  const rows: string[] = []
  try {
    const tables = allStatements().filter(({ name }) => name.startsWith('begin_imported_'))
    await client.query('begin')
    for (const { text } of tables) await client.query(text)
    for (const { name, text } of allStatements()) {
      const description = new Description(text)
      client.query(description)
      const fields = await description.fields
      if (fields.length > 0) rows.push(rowOf(name, text, fields))
    }
  } finally {
    await client.query('rollback').finally(() => client.release())
  }
  return `${HEAD}${rows.join('')}}\n`
}

await mochaGlobalSetup()
writeFileSync(packagePath('src', 'generated', 'statement-rows.ts'), await statementRows())
await mochaGlobalTeardown()
