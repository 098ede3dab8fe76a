import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { SAMPLE_FILE } from '../../../src/serving.ts'
import { lectern } from '../../support/cli.ts'
import { freePort, identity, ready, run, type ServerProcess, startServer } from './server-process.ts'

/** A PostgreSQL server of a test's own, on a port that it keeps when it is started again. */
export interface Postgres {
  readonly port: number
  /** Address of its database `postgres`, as its superuser. */
  readonly url: string
  /** Rows of a statement, as superuser, on a connection of its own. */
  query(sql: string): Promise<Record<string, unknown>[]>
  /** How often a statement was run by name since it was started; with the setting log_statement=all. */
  runs(statement: string): number
  /** `fast` ends connections and says so; `immediate` is a crash. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
  freeze(): void
  thaw(): void
  /** Stops it and removes its files. */
  remove(): Promise<void>
}

/** Who runs servers that refuse to be root. */
export const USER = 'postgres'

/** A program of the newest PostgreSQL of this machine, as Debian lays them out, else that of the PATH. */
const program = (name: string): string => {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  const found = versions.map((version) => join(root, version, 'bin', name)).find((path) => existsSync(path))
  return found ?? name
}

/** A new, empty server. */
export const startPostgres = async (settings: Record<string, string> = {}): Promise<Postgres> => {
  const folder = newFolder()
  run({
    command: program('initdb'),
    args: [
      '-D',
      join(folder.path, 'data'),
      '-A',
      'trust',
      '-U',
      USER,
      '--locale=C.UTF-8',
      '-E',
      'UTF8',
      '-N',
    ],
    user: USER,
  })
  return startIn(folder, settings)
}

/** A new server that holds the sample wiki. */
export const startWiki = async (settings: Record<string, string> = {}): Promise<Postgres> => {
  const postgres = await startPostgres(settings)
  for (const args of [['migrate'], ['import', 'ndjson', SAMPLE_FILE]]) {
    const { status, stderr } = await lectern(args, { DATABASE_URL: postgres.url })
    if (status !== 0) throw new Error(`lectern ${args.join(' ')}: ${stderr}`)
  }
  return postgres
}

/** A streaming replica of a server, as its operator would make one. */
export const startReplica = async (
  primary: Postgres,
  settings: Record<string, string> = {},
): Promise<Postgres> => {
  const folder = newFolder()
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', USER]
  run({
    command: program('pg_basebackup'),
    args: [...from, '-D', join(folder.path, 'data'), '-R', '-X', 'stream', '-c', 'fast', '-N'],
    user: USER,
  })
  // How soon it looks for a primary that was away; 5 s where nothing else is said.
  return startIn(folder, { wal_retrieve_retry_interval: '200ms', ...settings })
}

/** A folder that the servers' user may write. */
export const newFolder = (): { path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'lectern-faults-'))
  const { uid, gid } = identity(USER)
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

const startIn = async (
  folder: ReturnType<typeof newFolder>,
  settings: Record<string, string>,
): Promise<Postgres> => {
  const port = await freePort()
  const url = `postgresql://${USER}@127.0.0.1:${port}/postgres`
  const options = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    max_connections: '60',
    shared_buffers: '32MB',
    ...settings,
  }
  const args = ['-D', join(folder.path, 'data'), '-p', String(port)]
  for (const [name, value] of Object.entries(options)) args.push('-c', `${name}=${value}`)
  let server: ServerProcess

  const query = async (sql: string) => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
    client.on('error', () => {})
    await client.connect()
    return (await client.query(sql).finally(() => client.end())).rows
  }
  const start = async () => {
    server = startServer({ command: program('postgres'), args, user: USER })
    await ready(server, () => query('select 1'))
  }
  const stop = (mode: 'fast' | 'immediate' = 'fast') => {
    server.thaw()
    return server.stop(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
  }
  await start()
  return {
    port,
    url,
    query,
    runs: (statement) => server.printed().split(` execute ${statement}: `).length - 1,
    stop,
    start,
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    remove: async () => {
      await stop('immediate').catch(() => {})
      folder.remove()
    },
  }
}
