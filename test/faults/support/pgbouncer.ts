import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { newFolder, type Postgres, USER } from './postgres.ts'
import { freePort, ready, startServerProcess } from './server-process.ts'

/** Where Debian has it, which is not on everybody's PATH. */
const DEBIAN = '/usr/sbin/pgbouncer'

export interface Pgbouncer {
  /** Address of the database `postgres` through it. */
  url(user: string): string
  stop(): Promise<void>
}

/**
 * A pooler before a server, in transaction mode: a client has another connection in each transaction.
 * @param users who may log in, without a password
 */
export const startPgbouncer = async (
  postgres: Postgres,
  users: readonly string[],
  settings: Record<string, string> = {},
): Promise<Pgbouncer> => {
  const folder = newFolder()
  const port = await freePort()
  const options = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: join(folder.path, 'users'),
    pool_mode: 'transaction',
    default_pool_size: '3',
    ...settings,
  }
  const lines = Object.entries(options).map(([name, value]) => `${name} = ${value}`)
  const database = `postgres = host=127.0.0.1 port=${postgres.port} dbname=postgres`
  writeFileSync(join(folder.path, 'ini'), ['[databases]', database, '[pgbouncer]', ...lines, ''].join('\n'))
  writeFileSync(join(folder.path, 'users'), users.map((user) => `"${user}" ""\n`).join(''))
  const command = existsSync(DEBIAN) ? DEBIAN : 'pgbouncer'
  const server = startServerProcess({ command, args: [join(folder.path, 'ini')], user: USER })
  const url = (user: string) => `postgresql://${user}@127.0.0.1:${port}/postgres`
  await ready(server, async () => {
    const client = new pg.Client({ connectionString: url(users[0]!), connectionTimeoutMillis: 2000 })
    client.on('error', () => {})
    await client.connect()
    await client.query('select 1').finally(() => client.end())
  })
  return {
    url,
    stop: async () => {
      await server.stop()
      folder.remove()
    },
  }
}
