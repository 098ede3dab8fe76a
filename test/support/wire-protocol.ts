import { connect } from 'node:net'
import { join } from 'node:path'
import type pg from 'pg'
import type { Endpoint } from './embedded.ts'

/** A message of PostgreSQL's protocol: its type, its length, its body. */
export const protocolMessage = (type: string, body = Buffer.alloc(0)): Buffer => {
  const head = Buffer.from(`${type}\0\0\0\0`)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** A simple query. */
export const simpleQuery = (sql: string): Buffer => protocolMessage('Q', Buffer.from(`${sql}\0`))
/** A request to prepare a statement. */
export const parseRequest = (name: string, sql: string): Buffer =>
  protocolMessage('P', Buffer.from(`${name}\0${sql}\0\0\0`))

/** Bind, Execute and Sync for the unnamed statement and portal. */
export const BIND = protocolMessage('B', Buffer.alloc(8))
export const EXECUTE = protocolMessage('E', Buffer.alloc(5))
export const SYNC = protocolMessage('S')

/** A client that can send what no library would. */
export interface ProtocolClient {
  /**
   * Sends messages.
   * @returns the reply as latin1, once it holds as many ReadyForQuery as the messages ask for, or the
   *   connection has ended
   */
  send(...messages: Buffer[]): Promise<string>
  close(): void
}

/** Connects to an embedded database and completes the start-up. */
export const openProtocolClient = async (
  { host, port }: Endpoint,
  user = 'postgres',
): Promise<ProtocolClient> => {
  const socket = connect(join(host, `.s.PGSQL.${port}`))
  let reply = ''
  let check: () => void = () => {}
  socket.on('data', (bytes) => {
    reply += bytes.toString('latin1')
    check()
  })
  socket.on('close', () => check())
  const readUntilReady = (count: number): Promise<string> =>
    new Promise((resolve) => {
      check = () => {
        if ((reply.match(/Z\0\0\0\x05[ITE]/g)?.length ?? 0) < count && !socket.closed) return
        resolve(reply)
        reply = ''
        check = () => {}
      }
      check()
    })
  const parameters = Buffer.from(`\0\x03\0\0user\0${user}\0\0`, 'latin1')
  const length = Buffer.alloc(4)
  length.writeInt32BE(parameters.length + 4)
  socket.write(Buffer.concat([length, parameters]))
  await readUntilReady(1)
  return {
    send(...messages) {
      socket.write(Buffer.concat(messages))
      const count = messages.filter((bytes) => 'QS'.includes(String.fromCharCode(bytes[0]!))).length
      return readUntilReady(count || 1)
    },
    close: () => socket.destroy(),
  }
}

/** Runs COPY FROM STDIN with this data. */
export const copyFromStdin = (client: pg.Client, sql: string, data: string): Promise<void> =>
  new Promise((resolve, reject) => {
    client.query({
      submit: (connection: pg.Connection) => connection.query(sql),
      handleCopyInResponse(connection: { sendCopyFromChunk(data: Buffer): void; endCopyFrom(): void }) {
        connection.sendCopyFromChunk(Buffer.from(data))
        connection.endCopyFrom()
      },
      handleCommandComplete() {},
      handleError: reject,
      handleReadyForQuery: () => resolve(),
    } as unknown as pg.Submittable)
  })
