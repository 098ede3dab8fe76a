import { connect } from 'node:net'
import { freePort, ready, type ServerProcess, startServer } from './server-process.ts'

/** A Redis server of a test's own, which keeps nothing and stays on its port when it is started again. */
export interface RedisServer {
  readonly url: string
  /** Sends one command as it is typed in redis-cli, and returns the first line of its reply. */
  command(line: string): Promise<string>
  stop(): Promise<void>
  start(): Promise<void>
  freeze(): void
  thaw(): void
}

export const startRedis = async (): Promise<RedisServer> => {
  const port = await freePort()
  let server: ServerProcess
  const command = (line: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(`${line}\r\n`))
      socket.setTimeout(2_000, () => socket.destroy(new Error(`no reply to ${line}`)))
      socket.once('error', reject)
      socket.once('data', (reply) => {
        socket.destroy()
        resolve(reply.toString().split('\r\n')[0]!)
      })
    })
  const start = async () => {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
    server = startServer({ command: 'redis-server', args })
    await ready(server, () => command('PING'))
  }
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    command,
    start,
    stop: () => server.stop('SIGKILL'),
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
  }
}
