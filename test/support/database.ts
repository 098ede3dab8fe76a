import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, renameSync, statfsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Database, DatabaseOptions, ServingDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { keepEngineCompiled, SHORT_LIVED, useSmallBuffers } from './engine.ts'

/** A PostgreSQL server on which the tests create their databases. Without it they use embedded ones. */
const SERVER = process.env.LECTERN_TEST_DATABASE_URL

/** `describe` for what only a server has, or what embedded databases need not repeat. */
export const describeOnServer = (title: string, tests: () => void): unknown =>
  (SERVER === undefined ? describe.skip : describe)(title, tests)

/** The environment variable by which the parallel processes of one run of mocha share a folder. */
const RUN_FOLDER = 'LECTERN_TEST_RUN_FOLDER'

/**
 * The folder of this run: embedded databases, templates of them, and the temporary files of tests. Its name is part
 * of databases' names on a server.
 */
const runFolder = (): string => {
  process.env[RUN_FOLDER] ??= mkdtempSync(join(temporaryRoot(), 'lectern-run-'))
  return process.env[RUN_FOLDER]
}

/** A file system in memory, as Linux has it. */
const MEMORY = '/dev/shm'

/**
 * Where the folder of the run is created: in memory if there is enough, and no TMPDIR says otherwise. On a disk, the
 * system needs 3 times the processor time to copy an embedded database or to write a git repository.
 */
export const temporaryRoot = (): string => {
  if (process.env.TMPDIR !== undefined || !existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= 4 * 1024 ** 3 ? MEMORY : tmpdir()
}

/** The migrated database that the tests of a process share, empty at first. */
export interface TestDatabase {
  place: DatabaseOptions
  owner: Database
  reader: ServingDatabase
}

let shared: Promise<TestDatabase> | undefined

/** The shared database of this process, created on first use. */
export const testDatabase = (): Promise<TestDatabase> => {
  shared ??= createShared()
  return shared
}

/** The rows of a statement in the shared database, as its owner. Several statements give none. */
export const rowsOf = async <Row extends pg.QueryResultRow>(
  text: string,
  values?: unknown[],
): Promise<Row[]> => {
  const client = await (await testDatabase()).owner.connect()
  const { rows } = await client.query<Row>(text, values).finally(() => client.release())
  return rows
}

const createShared = async (): Promise<TestDatabase> => {
  const { place } = await copyTemplate(MIGRATED)
  stopKeeper = await startKeeper(place)
  return {
    place,
    owner: await openDatabase(place, 'owner'),
    reader: await openDatabase(place, 'reader'),
  }
}

let stopKeeper = async (): Promise<void> => {}

/** Starts a process that has an embedded database open. @returns ends it, as the end of this process does */
const startKeeper = async (
  { databaseUrl, dataDir }: DatabaseOptions,
  nodeOptions: readonly string[] = [],
): Promise<() => Promise<void>> => {
  if (databaseUrl !== undefined) return async () => {}
  const program = fileURLToPath(new URL('./database-keeper.js', import.meta.url))
  const { stdin, stdout } = spawn(process.execPath, [...nodeOptions, program, dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(stdout, 'data')
  return async () => {
    const ended = once(stdout, 'close')
    stdin.end()
    await ended
  }
}

/** A database for tests that need one of their own. */
export interface TemporaryDatabase {
  place: DatabaseOptions
  remove(): Promise<void>
}

/** Creates an empty database. `remove` it. */
export const newPlace = (): Promise<TemporaryDatabase> => (SERVER ? createOnServer(SERVER) : createFolder())

const createFolder = async (): Promise<TemporaryDatabase> => {
  await keepEngineCompiled()
  const dataDir = await mkdtemp(join(runFolder(), 'database-'))
  return { place: { dataDir }, remove: () => rm(dataDir, { recursive: true, force: true }) }
}

const runOnServer = async (server: string, sql: string): Promise<pg.QueryResult> => {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  return client.query(sql).finally(() => client.end())
}

/** Start of the names of this run's databases on a server. */
const namePrefix = (): string => `${basename(runFolder()).toLowerCase().replaceAll('-', '_')}_`

let databaseCount = 0

const createOnServer = async (server: string, template?: string): Promise<TemporaryDatabase> => {
  const name = `${namePrefix()}${process.pid}_${databaseCount++}`
  // Copies files, which takes half the processor time of logging them.
  const of = template === undefined ? '' : ` template ${template} strategy file_copy`
  await runOnServer(server, `create database ${name}${of}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    place: { databaseUrl: url.href, dataDir: '' },
    remove: async () => {
      await runOnServer(server, `drop database ${name} with (force)`)
    },
  }
}

/** What a database holds that several tests need a copy of. */
export interface DatabaseTemplate {
  /** Lower-case letters and underscores, one for each template. */
  name: string
  fill(owner: Database): Promise<void>
}

export const MIGRATED: DatabaseTemplate = {
  name: 'migrated',
  fill: async (owner) => {
    await migrate(owner)
  },
}

/** Templates that this process has made or found: a folder, or a database of the server. */
const templates = new Map<string, Promise<string>>()

/**
 * Creates a database with the content of a template, which is filled once in a run. A copy takes 0.2 s of
 * processor time, where creating and migrating an embedded database takes 1 s. `remove` it.
 */
export const copyTemplate = async (template: DatabaseTemplate): Promise<TemporaryDatabase> => {
  const { name } = template
  if (!templates.has(name)) templates.set(name, createTemplate(template))
  const source = await templates.get(name)!
  if (SERVER) return createOnServer(SERVER, source)
  const copy = await createFolder()
  cpSync(source, join(copy.place.dataDir, 'postgres'), { recursive: true })
  return copy
}

/** Fills a database, and gives it the name of the template; of two processes that do so, the first one counts. */
const createTemplate = async ({ name, fill }: DatabaseTemplate): Promise<string> => {
  const folder = join(runFolder(), name)
  if (!SERVER && existsSync(folder)) return folder
  const { place } = await newPlace()
  const stop = await startKeeper(place, SHORT_LIVED)
  const owner = await openDatabase(place, 'owner')
  await fill(owner).finally(() => owner.close())
  await stop()
  if (SERVER) {
    const target = `${namePrefix()}${name}`
    const own = new URL(place.databaseUrl!).pathname.slice(1)
    // PostgreSQL has two errors for a name that is taken: the second one if both rename at the same time.
    await runOnServer(SERVER, `alter database ${own} rename to ${target}`).catch(ignore('42P04', '23505'))
    return target
  }
  useSmallBuffers(join(place.dataDir, 'postgres'))
  try {
    renameSync(join(place.dataDir, 'postgres'), folder)
  } catch (error) {
    ignore('ENOTEMPTY', 'EEXIST')(error)
  }
  return folder
}

/** Ignores an error with one of these codes. */
const ignore =
  (...codes: string[]) =>
  (error: unknown): void => {
    if (!codes.includes((error as { code?: string }).code ?? '')) throw error
  }

/** Runs before all tests, in the process that starts them: see .mocharc.json. */
export const mochaGlobalSetup = (): void => {
  process.env.TMPDIR = runFolder()
}

/** Runs after all tests, in the same process. Parallel processes have ended by then, with their connections. */
export const mochaGlobalTeardown = async (): Promise<void> => {
  if (shared) {
    const { owner, reader } = await shared
    await reader.close()
    await owner.close()
    await stopKeeper()
  }
  if (SERVER) await dropDatabases(SERVER)
  await rm(runFolder(), { recursive: true, force: true, maxRetries: 10 })
}

const dropDatabases = async (server: string): Promise<void> => {
  const { rows } = await runOnServer(
    server,
    `select datname as name from pg_database where starts_with(datname, '${namePrefix()}')`,
  )
  for (const { name } of rows) await runOnServer(server, `drop database ${name} with (force)`)
}
