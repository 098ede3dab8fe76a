import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import { SHORT_LIVED } from './engine.ts'

/**
 * The program of the process. It reads lines: one that starts it, then one SQL statement per line. It writes
 * lines of JSON: one when it has loaded, one that says whether it owns the database, then the first value of
 * each result.
 */
const PROGRAM = `
import { createInterface } from 'node:readline'
import pg from 'pg'
const [module, dataDir] = process.argv.slice(1)
const { openEmbeddedDatabase } = await import(module)
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
console.log('{}')
await lines.next()
const database = await openEmbeddedDatabase(dataDir)
const client = new pg.Client({ host: database.host, port: database.port, user: 'postgres', database: 'postgres' })
client.on('error', () => {})
await client.connect()
console.log(JSON.stringify({ value: database.isOwner }))
for await (const sql of lines) {
  const { rows } = await client.query(sql)
  console.log(JSON.stringify({ value: rows?.[0] && Object.values(rows[0])[0] }))
}
await client.end()
await database.close()
`

export interface EmbeddedProcess {
  process: ChildProcess
  /** Resolves when the process has loaded its modules. */
  loaded: Promise<unknown>
  /** Opens the database. @returns whether the process owns it */
  open(): Promise<unknown>
  /** Runs a statement after those before it. @returns the first column of the first row */
  run(sql: string): Promise<unknown>
  /** Lets the process close the database and end. */
  close(): Promise<void>
}

/** Starts another process that opens the embedded database of a data directory. */
export const startEmbeddedProcess = (dataDir: string): EmbeddedProcess => {
  const module = new URL(import.meta.resolve('@lectern/embedded/embedded')).href
  const args = [...SHORT_LIVED, '--input-type=module', '-e', PROGRAM, module, dataDir]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const readReply = async (): Promise<unknown> => {
    const { value, done } = await lines.next()
    if (done) throw new Error('the process has ended')
    return JSON.parse(value).value
  }
  let lastReply = readReply()
  const send = (line: string): Promise<unknown> => {
    child.stdin.write(`${line}\n`)
    lastReply = lastReply.then(readReply)
    return lastReply
  }
  return {
    process: child,
    loaded: lastReply,
    open: () => send('open'),
    run: send,
    async close() {
      child.stdin.end()
      expect((await exited)[0]).to.equal(0)
    },
  }
}
