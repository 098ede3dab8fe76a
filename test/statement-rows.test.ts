import { expect } from 'chai'
import type pg from 'pg'
import ts from 'typescript'
import { typeParsers } from '../src/db/session.ts'
import { allStatements } from '../src/db/statements.ts'
import { packagePath } from '../src/paths.ts'
import { testDatabase } from './support/database.ts'

/** The columns of a row: TypeScript types by name. */
type Columns = Record<string, string>

/** The TypeScript type of the values of a PostgreSQL type, by its number. The shape of JSON is not compared. */
const TYPES: Record<number, string> = {
  16: 'boolean',
  19: 'string', // name
  20: 'string', // int8
  21: 'number', // int2
  23: 'number', // int4
  25: 'string', // text
  114: 'any', // json
  700: 'number', // float4
  701: 'number', // float8
  1007: 'number[]', // int4[]
  1009: 'string[]', // text[]
  1184: 'string', // timestamptz
  2278: 'string', // void
  2950: 'string', // uuid
  3802: 'any', // jsonb
}

interface MessageSender {
  parse(statement: { name: string; text: string; types: number[] }): void
  describe(prepared: { type: 'S'; name: string }): void
  sync(): void
}

/** Asks PostgreSQL to parse and describe a statement without running it. */
class Description implements pg.Submittable {
  readonly #text: string
  readonly columns: Promise<Columns>
  #columns: Columns = {}
  #resolve!: (columns: Columns) => void
  #reject!: (error: Error) => void

  constructor(text: string) {
    this.#text = text
    this.columns = new Promise((resolve, reject) => {
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

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    for (const { name, dataTypeID } of fields) this.#columns[name] = TYPES[dataTypeID] ?? `type ${dataTypeID}`
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#columns)
  }

  handleError(error: Error): void {
    this.#reject(error)
  }
}

/** The rows of all statements that return any, as PostgreSQL describes them. */
const describedRows = async (): Promise<Record<string, Columns>> => {
  const client = await (await testDatabase()).owner.connect()
  const rows: Record<string, Columns> = {}
  try {
    const tables = allStatements().filter(({ name }) => name.startsWith('begin_imported_'))
    for (const { text } of tables) await client.query(text.replace('on commit drop', ''))
    for (const { name, text } of allStatements()) {
      const description = new Description(text)
      client.query(description)
      const columns = await description.columns
      if (Object.keys(columns).length > 0) rows[name] = columns
    }
  } finally {
    await client
      .query(
        'drop table if exists pg_temp.imported_page, pg_temp.imported_revision, pg_temp.imported_category, pg_temp.imported_absent_page, pg_temp.imported_member_count',
      )
      .finally(() => client.release())
  }
  return rows
}

/** The rows of `StatementRows`, read by the compiler; null and undefined left out of their types. */
const declaredRows = (): Record<string, Columns> => {
  const path = packagePath('src', 'db', 'statement-rows.ts')
  const program = ts.createProgram([path], { strict: true, noEmit: true, allowImportingTsExtensions: true })
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(path)!
  const declaration = source.statements.find(
    (node): node is ts.InterfaceDeclaration =>
      ts.isInterfaceDeclaration(node) && node.name.text === 'StatementRows',
  )!
  const widened = (type: ts.Type): string => {
    const base = checker.getBaseTypeOfLiteralType(checker.getNonNullableType(type))
    return base.isUnion() && base.types.every((part) => part.isStringLiteral())
      ? 'string'
      : checker.typeToString(base)
  }
  const rows: Record<string, Columns> = {}
  for (const statement of checker.getTypeAtLocation(declaration).getProperties()) {
    const row = checker.getTypeOfSymbol(statement)
    rows[statement.name] = Object.fromEntries(
      row.getProperties().map((column) => [column.name, widened(checker.getTypeOfSymbol(column))]),
    )
  }
  return rows
}

describe('rows of statements', () => {
  it('are declared for every statement that returns rows, with the names and types of its columns', async () => {
    const [described, declared] = [await describedRows(), declaredRows()]
    expect(Object.keys(described).length).to.be.above(50)
    expect(Object.keys(declared).sort()).to.deep.equal(Object.keys(described).sort())
    for (const [name, columns] of Object.entries(described))
      expect(declared[name], name).to.deep.equal(columns)
  })
})

describe('arrays of int4', () => {
  const int4Array: number = 1007
  const parse = typeParsers.getTypeParser(int4Array, 'text') as (text: string) => unknown
  it('are read as PostgreSQL prints them: empty, negative, with nulls, of several dimensions', () => {
    expect(parse('{}')).to.deep.equal([])
    expect(parse('{0}')).to.deep.equal([0])
    expect(parse('{0,12,2147483647}')).to.deep.equal([0, 12, 2147483647])
    expect(parse('{-1,NULL,2}')).to.deep.equal([-1, null, 2])
    expect(parse('{{1,2},{3,4}}')).to.deep.equal([
      [1, 2],
      [3, 4],
    ])
    expect(parse('[0:1]={5,6}')).to.deep.equal([5, 6])
  })
})
