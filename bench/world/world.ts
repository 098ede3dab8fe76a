import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { packagePath } from '../../src/paths.ts'
import { storeHtml } from '../../src/stored-html.ts'
import { type FillOptions, fillWorld, runSql } from './fill.ts'
import { fillPeerSearch } from './peer-search.ts'
import { makePlan, type Plan } from './plan.ts'
import { onServer } from './server.ts'

export interface WorldOptions extends FillOptions {
  /** URL of any database on the PostgreSQL server. Each world gets its own database there. */
  server: string
  pages: number
  seed: number
  /** Whether the hand-written servers have their search. Absent: if Lectern has. */
  peerSearch?: boolean
}

/** A generated data set in a database. */
export interface World {
  databaseUrl: string
  plan: Plan
}

/** Increase it when the same seed gives different data, so that stored worlds are generated again. */
const WORLD_VERSION = 3

/**
 * A database with the world of a seed and a size, in the state that an import would leave. An existing database with
 * the same fingerprint is used again; one with another fingerprint is dropped.
 */
export const makeBenchWorld = async (options: WorldOptions): Promise<World> => {
  const { server, pages, seed, say, peerSearch = options.search } = options
  const name = `lectern_bench_${pages}`
  const databaseUrl = Object.assign(new URL(server), { pathname: `/${name}` }).href
  const plan = makePlan(seed, pages)
  const fingerprint = `form ${WORLD_VERSION}, seed ${seed}, search ${options.search} ${peerSearch}, schema ${hashMigrations()}`
  if ((await readFingerprint(databaseUrl)) === fingerprint) return { databaseUrl, plan }
  say(`Generating a data set of ${pages} pages in the database ${name}`)
  await onServer(server, `drop database if exists ${name} with (force)`)
  await onServer(server, `create database ${name}`)
  const database = await openDatabase({ databaseUrl, dataDir: '' }, 'owner')
  try {
    await migrate(database)
    await fillWorld(database, plan, options)
    await runSql(database, 'create schema bench')
    if (options.search) await storeHtml(database)
    if (peerSearch) await fillPeerSearch(database)
    await runSql(database, 'create table bench.world as select $1::text as fingerprint', [fingerprint])
  } finally {
    await database.close()
  }
  return { databaseUrl, plan }
}

const hashMigrations = (): string => {
  const folder = packagePath('schema', 'migrations')
  const hash = createHash('sha1')
  for (const file of readdirSync(folder).sort()) hash.update(readFileSync(`${folder}/${file}`))
  return hash.digest('hex').slice(0, 12)
}

/** @returns undefined if the database does not exist or has no complete world */
const readFingerprint = async (databaseUrl: string): Promise<string | undefined> => {
  const client = new pg.Client(databaseUrl)
  try {
    await client.connect()
    return (await client.query<{ fingerprint: string }>('select fingerprint from bench.world')).rows[0]
      ?.fingerprint
  } catch (error) {
    const { code = '' } = error as { code?: string }
    if (['3D000', '42P01', '3F000'].includes(code)) return undefined
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}
