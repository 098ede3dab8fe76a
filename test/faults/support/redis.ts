import { connect } from 'node:net'
import type { Host } from './network.ts'
import { freePort, ready, type ServerProcess, startServerProcess } from './server-process.ts'

/** A Redis server of a test's own, which keeps nothing and stays on its port when it is started again. */
export interface RedisServer {
  readonly url: string
  readonly port: number
  /**
   * Sends one command as it is typed in redis-cli, and returns the first line of its reply.
   * @param password to log in with before
   */
  command(line: string, password?: string): Promise<string>
  /** Sends a command and waits for no reply, such as a script that does not end. */
  send(line: string): void
  stop(): Promise<void>
  start(): Promise<void>
  freeze(): void
  thaw(): void
}

/** @param host where it runs */
export const startRedis = async (host?: Host): Promise<RedisServer> => {
  const port = await freePort()
  const address = host?.address ?? '127.0.0.1'
  let server: ServerProcess
  const command = (line: string, password?: string) =>
    new Promise<string>((resolve, reject) => {
      const lines = password === undefined ? [line] : [`AUTH ${password}`, line]
      const socket = connect(port, address, () => socket.write(lines.map((one) => `${one}\r\n`).join('')))
      socket.setTimeout(120_000, () => socket.destroy(new Error(`no reply to ${line}`)))
      socket.once('error', reject)
      let replies = ''
      socket.on('data', (reply) => {
        replies += reply.toString()
        const got = replies.split('\r\n')
        if (got.length <= lines.length) return
        socket.destroy()
        resolve(got[lines.length - 1]!)
      })
    })
  const send = (line: string) => {
    const socket = connect(port, address, () => socket.write(`${line}\r\n`))
    socket.on('error', () => {})
    socket.unref()
  }
  const start = async () => {
    const args = ['--port', String(port), '--bind', address, '--protected-mode', 'no']
    args.push('--save', '', '--appendonly', 'no')
    server = startServerProcess({ command: 'redis-server', args, through: host?.through })
    await ready(server, () => command('PING'))
  }
  await start()
  return {
    url: `redis://${address}:${port}`,
    port,
    command,
    send,
    start,
    stop: () => server.stop('SIGKILL'),
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
  }
}
