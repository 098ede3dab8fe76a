import { appendFileSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { SAMPLE_FILE } from '../../../src/serving/serving.ts'
import { succeed } from '../../support/cli.ts'
import { startLectern } from './lectern.ts'
import type { Host } from './network.ts'
import {
  freePort,
  giveTo,
  ready,
  run,
  type ServerCommand,
  type ServerProcess,
  startServerProcess,
} from './server-process.ts'
import type { SmallDisk } from './small-disk.ts'

/** A PostgreSQL server of a test's own, on a port that it keeps when it is started again. */
export interface Postgres {
  readonly port: number
  readonly address: string
  /** URL of its database `postgres`, as its superuser. */
  readonly url: string
  /** Rows of a statement, as superuser, on a connection of its own. */
  query(sql: string): Promise<Record<string, unknown>[]>
  /** How often a statement was run by name since it was started; with the setting log_statement=all. */
  runs(statement: string): number
  /** `fast` ends connections and says so; `immediate` is a crash. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
  /** Whether it runs; a server whose disk is full may have ended. */
  isRunning(): boolean
  /** Makes a replica a primary. */
  promote(): Promise<void>
  freeze(): void
  thaw(): void
  /** Stops it and removes its files. */
  remove(): Promise<void>
}

/** Where a server keeps its data, and where it runs, if not as other processes of the test. */
interface Place {
  disk?: SmallDisk | undefined
  host?: Host
}

/** Who runs servers that refuse to be root. */
export const USER = 'postgres'

/** The folder with the programs of the newest PostgreSQL of this machine, as Debian lays them out, if there is one. */
export const programFolder = (): string | undefined => {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  return versions
    .map((version) => join(root, version, 'bin'))
    .find((path) => existsSync(join(path, 'initdb')))
}

/** A program of the newest PostgreSQL of this machine, else that of the PATH. */
const program = (name: string): string => join(programFolder() ?? '', name)

/** The environment variable by which the parallel processes of a run find the folder of templates. */
const TEMPLATES = 'LECTERN_FAULTS_TEMPLATES'

/** Data directories that several servers begin with, filled once in a run. @returns removes them */
export const shareTemplates = (): (() => void) => {
  const folder = newFolder()
  process.env[TEMPLATES] = folder.path
  return folder.remove
}

/** Puts a data directory into a folder: a copy of the template, which `fill` creates when it is not there yet. */
const copyTemplate = async (
  folder: string,
  name: string,
  fill: (folder: ReturnType<typeof newFolder>) => void | Promise<void>,
): Promise<void> => {
  const template = join(process.env[TEMPLATES]!, name)
  if (!existsSync(template)) {
    const filled = newFolder()
    await fill(filled)
    try {
      renameSync(join(filled.path, 'data'), template)
    } catch (error) {
      if (!existsSync(template)) throw error // another process was first
    }
    filled.remove()
  }
  run({ command: 'cp', args: ['-a', template, join(folder, 'data')] })
}

const initialise = ({ path }: { path: string }, disk?: SmallDisk): void => {
  // Copies are smaller with small segments of the write-ahead log.
  const options = `-A trust -U ${USER} --locale=C.UTF-8 -E UTF8 -N ${disk ? '' : '--wal-segsize=1'}`
  const args = ['-D', join(path, 'data'), ...options.trim().split(' ')]
  run(asUser(program('initdb'), args, { disk }))
}

const fillWithSample = async (url: string): Promise<void> => {
  await succeed([['migrate'], ['import', 'ndjson', SAMPLE_FILE]], { DATABASE_URL: url })
}

/** A new, empty server. */
export const startPostgres = async (settings: Record<string, string> = {}): Promise<Postgres> => {
  const folder = newFolder()
  await copyTemplate(folder.path, 'empty', initialise)
  return startIn(folder, settings)
}

/** A server's command line; where a namespace leads to its disk, as somebody who is not root there either. */
const asUser = (command: string, args: string[], { disk, host }: Place): ServerCommand => {
  if (host) {
    const become = ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups']
    return { command, args, through: [...host.through, ...become] }
  }
  if (disk === undefined || disk.through.length === 0) return { command, args, user: USER }
  const become = ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--']
  return { command, args, through: [...disk.through, ...become] }
}

/** A new server that holds the sample wiki. */
export const startWiki = async (
  settings: Record<string, string> = {},
  place: Place = {},
): Promise<Postgres> => {
  const { disk, host } = place
  if (disk) {
    initialise(disk, disk)
    const postgres = await startIn({ ...disk, remove: () => {} }, settings, place)
    await fillWithSample(postgres.url)
    return postgres
  }
  const folder = newFolder()
  await copyTemplate(folder.path, 'wiki', async (template) => {
    await copyTemplate(template.path, 'empty', initialise)
    const postgres = await startIn({ ...template, remove: () => {} }, {})
    await fillWithSample(postgres.url)
    await postgres.stop()
  })
  if (host)
    for (const database of ['all', 'replication'])
      appendFileSync(join(folder.path, 'data', 'pg_hba.conf'), `host ${database} all samenet trust\n`)
  return startIn(folder, settings, place)
}

/** Puts an embedded database into a folder, with the sample wiki as a first start makes it. @returns its DATA_DIR */
export const copyEmbeddedWiki = async (folder: string): Promise<string> => {
  await copyTemplate(folder, 'embedded', async ({ path }) => {
    const lectern = await startLectern({ DATA_DIR: join(path, 'data') })
    await lectern.stop()
  })
  return join(folder, 'data')
}

/** A streaming replica of a server, as its operator would make one. */
export const startReplica = async (
  primary: Postgres,
  settings: Record<string, string> = {},
  place: Pick<Place, 'host'> = {},
): Promise<Postgres> => {
  const folder = newFolder()
  const from = ['-h', primary.address, '-p', String(primary.port), '-U', USER]
  run({
    command: program('pg_basebackup'),
    args: [...from, '-D', join(folder.path, 'data'), '-R', '-X', 'stream', '-c', 'fast', '-N'],
    user: USER,
  })
  // How soon it looks for a primary that was away; 5 s where nothing else is said.
  return startIn(folder, { wal_retrieve_retry_interval: '200ms', ...settings }, place)
}

/** A folder that the servers' user may write. */
export const newFolder = (): { path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'lectern-faults-'))
  giveTo(USER, path)
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

const startIn = async (
  folder: ReturnType<typeof newFolder>,
  settings: Record<string, string>,
  place: Place = {},
): Promise<Postgres> => {
  const port = await freePort()
  const address = place.host?.address ?? '127.0.0.1'
  const url = `postgresql://${USER}@${address}:${port}/postgres`
  const options = {
    listen_addresses: address,
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
    server = startServerProcess(asUser(program('postgres'), args, place))
    await ready(server, () => query('select 1'))
  }
  const stop = (mode: 'fast' | 'immediate' = 'fast') => {
    server.thaw()
    return server.stop(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
  }
  await start()
  return {
    port,
    address,
    url,
    query,
    runs: (statement) => server.printed().split(` execute ${statement}: `).length - 1,
    stop,
    start,
    isRunning: () => server.isRunning(),
    promote: async () => {
      await query('select pg_promote(true, 30)')
    },
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    remove: async () => {
      await stop('immediate').catch(() => {})
      folder.remove()
    },
  }
}
