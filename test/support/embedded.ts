import { chmodSync, cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { snapshotPath } from '@lectern/embedded/snapshot'
import { expect } from 'chai'
import pg from 'pg'
import { keepEngineCompiled, useSmallBuffers } from './engine.ts'
import { withTemporaryFolder } from './temporary-folder.ts'
import { until } from './until.ts'

/** Where an embedded database accepts connections. */
export interface Endpoint {
  host: string
  port: number
}

/** The role that serves guests. */
export const READER = 'lectern_reader'

/** Opens a connection, as the owner unless another user is given. */
export const openClient = async (
  { host, port }: Endpoint,
  user = 'postgres',
  config: pg.ClientConfig = {},
): Promise<pg.Client> => {
  const client = new pg.Client({ host, port, user, database: 'postgres', ...config })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Opens a connection for as long as `use` runs. */
export const withClient = async <Result>(
  endpoint: Endpoint,
  user: string,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> => {
  const client = await openClient(endpoint, user)
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** First column of the first row. */
export const queryValue = async (client: pg.Client, sql: string, values?: unknown[]): Promise<unknown> =>
  Object.values((await client.query(sql, values)).rows[0])[0]

/** The error that a promise rejects with. Fails when it resolves. */
export const rejectionOf = (
  promise: Promise<unknown>,
): Promise<Error & { code?: string; severity?: string }> =>
  promise.then(
    () => expect.fail('nothing was refused'),
    (error) => error,
  )

/** Repeats an attempt until it succeeds: for the time in which another process takes over. */
export const untilSuccess = async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
  let result: Result
  await until('an attempt succeeds', async () => {
    result = await attempt()
    return true
  })
  return result!
}

/** Data directories for the tests of a `describe`. */
export interface DataDirectories {
  /** Path of a directory by its name, whether it exists or not. */
  path(name: string): string
  /** Makes a data directory that holds an empty database, and returns its path. */
  create(name: string): string
}

/** Makes a temporary folder for data directories before the tests of a `describe`, and removes it after them. */
export const withDataDirectories = (): DataDirectories => {
  before(keepEngineCompiled)
  const { path } = withTemporaryFolder()
  const create = (name: string) => {
    const cluster = join(path(name), 'postgres')
    mkdirSync(path(name), { recursive: true })
    cpSync(snapshotPath(), cluster, { recursive: true })
    chmodSync(cluster, 0o700)
    useSmallBuffers(cluster)
    return path(name)
  }
  return { path, create }
}
