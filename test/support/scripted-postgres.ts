import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { migrationNumbers } from '../../src/db/migrations.ts'
import { protocolMessage } from './wire-protocol.ts'

type Row = Record<string, unknown>

/** The row of a statement, or the SQLSTATE of its error. A statement that is prepared has no values. */
type Script = (sql: string, values?: string[]) => Row | string

/** A server that speaks PostgreSQL's protocol, and says what a test wants. @param send sends the reply to a Sync */
export const startScriptedServer = async (
  script: Script,
  send: (socket: Socket, reply: Buffer) => void = (socket, reply) => void socket.write(reply),
) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    const session = makeSession(script)
    let input = Buffer.alloc(0)
    let head = 0 // the first message of a client has no type
    socket.on('data', (chunk) => {
      input = Buffer.concat([input, chunk])
      while (input.length >= head + 4 && input.length >= head + input.readInt32BE(head)) {
        const end = head + input.readInt32BE(head)
        const reply =
          head === 0 ? STARTED : session(String.fromCharCode(input[0]!), input.subarray(head + 4, end))
        if (reply) send(socket, reply)
        input = input.subarray(end)
        head = 1
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `postgresql://x@127.0.0.1:${(server.address() as AddressInfo).port}/wiki`,
    close: (): void => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** What a server of a set up database says to the statements of each connection and of heartbeats; `row` to others. */
export const scriptOfWiki =
  (instance: string, isInRecovery: boolean, row: Row): Script =>
  (sql, values) => {
    const schema = String(migrationNumbers().at(-1))
    if (sql.includes('missingRights'))
      return { position: 1, received: 1, isInRecovery, instance, data: '1/wiki', schema, missingRights: [] }
    if (!sql.includes('session_user') || !values) return row
    const settings = { TimeZone: 'UTC', DateStyle: 'ISO', search_path: 'pg_catalog', statement_timeout: '1' }
    const ofReader = {
      default_transaction_read_only: 'on',
      jit: 'off',
      plan_cache_mode: 'force_generic_plan',
    }
    const session = { login: 'x', role: 'lectern_reader', database: 'wiki', seesHidden: false, isSetUp: true }
    return { ...session, schema, isInRecovery, clientPort: 1, settings: { ...settings, ...ofReader } }
  }

const OIDS: Record<string, number> = { boolean: 16, number: 701, object: 114, string: 25 }

const text = (value: string) => Buffer.from(`${value}\0`)
const int16 = (value: number) => Buffer.of(value >> 8, value)
const int32 = (value: number) => Buffer.of(value >> 24, value >> 16, value >> 8, value)
const READY = protocolMessage('Z', Buffer.from('I'))
const STARTED = Buffer.concat([protocolMessage('R', int32(0)), READY])

const rowMessages = (row: Row): Buffer[] => {
  const fields = Object.entries(row).map(([name, value]) =>
    Buffer.concat([
      text(name),
      int32(0),
      int16(0),
      int32(OIDS[typeof value]!),
      int16(-1),
      int32(-1),
      int16(0),
    ]),
  )
  const cells = Object.values(row).map((value) => {
    const cell = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
    return Buffer.concat([int32(cell.length), cell])
  })
  return [
    protocolMessage('T', Buffer.concat([int16(fields.length), ...fields])),
    protocolMessage('D', Buffer.concat([int16(cells.length), ...cells])),
    protocolMessage('C', text('SELECT 1')),
  ]
}

/** @returns the reply to a message, once there is one */
const makeSession = (script: Script) => {
  const prepared = new Map<string, string>()
  let reply: Buffer[] = []
  let isFailing = false
  let bound = { sql: '', values: [''] }
  const say = (result: Row | string, messages = rowMessages): void => {
    isFailing = typeof result === 'string'
    if (typeof result === 'object') reply.push(...messages(result))
    else reply.push(protocolMessage('E', Buffer.concat(['SERROR', `C${result}`, 'Mx', ''].map(text))))
  }
  return (type: string, body: Buffer): Buffer | undefined => {
    const [first = '', second = ''] = body.toString().split('\0')
    if (type === 'Q') say(script(first))
    else if (type === 'P' && !isFailing) {
      say(script(second), () => [protocolMessage('1')])
      if (!isFailing) prepared.set(first, second)
    } else if (type === 'B' && !isFailing) {
      const sql = prepared.get(second)
      bound = { sql: sql ?? '', values: valuesOf(body.subarray(first.length + second.length + 2)) }
      say(sql === undefined ? '26000' : {}, () => [protocolMessage('2')])
    } else if (type === 'E' && !isFailing) say(script(bound.sql, bound.values))
    if (type !== 'S' && type !== 'Q') return undefined
    const all = Buffer.concat([...reply, READY])
    reply = []
    isFailing = false
    return all
  }
}

/** Of a Bind, after its names: formats, then values. */
const valuesOf = (body: Buffer): string[] => {
  let at = 4 + 2 * body.readInt16BE(0)
  return Array.from({ length: body.readInt16BE(at - 2) }, () => {
    const length = body.readInt32BE(at)
    at += 4 + length
    return body.toString('utf8', at - length, at)
  })
}
