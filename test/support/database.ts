import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Database, DatabaseOptions, ServingDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open-database.ts'

/**
 * The database that the tests share: a new one on the server of LECTERN_TEST_DATABASE_URL, else an embedded
 * one in a temporary folder. Made on first use, removed after the last test.
 */
export interface TestDatabase {
  place: DatabaseOptions
  owner: Database
  reader: ServingDatabase
}

let made: Promise<TestDatabase & { remove(): Promise<void> }> | undefined

export const testDatabase = (): Promise<TestDatabase> => {
  made ??= makeDatabase()
  return made
}

const makeDatabase = async () => {
  const server = process.env.LECTERN_TEST_DATABASE_URL
  const { place, remove } = server ? await onServer(server) : await inFolder()
  const owner = await openDatabase(place, 'owner')
  await migrate(owner)
  const reader = await openDatabase(place, 'reader')
  return {
    place,
    owner,
    reader,
    remove: async () => {
      await reader.close()
      await owner.close()
      await remove()
    },
  }
}

/** A new, empty place for a database, for a test that needs one of its own. `remove` it. */
export const newPlace = (): Promise<{ place: DatabaseOptions; remove(): Promise<void> }> => {
  const server = process.env.LECTERN_TEST_DATABASE_URL
  return server ? onServer(server) : inFolder()
}

const inFolder = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'lectern-test-'))
  return { place: { dataDir }, remove: () => rm(dataDir, { recursive: true, force: true }) }
}

let databases = 0

const onServer = async (server: string) => {
  const name = `lectern_test_${process.pid}_${databases++}`
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  await run(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    place: { databaseUrl: url.href, dataDir: '' },
    remove: () => run(`drop database ${name} with (force)`),
  }
}

/** Root hooks: see .mocharc.json. */
export const mochaHooks = {
  async afterAll() {
    await (await made)?.remove()
  },
}
