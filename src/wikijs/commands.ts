import { UsageError } from '@lectern/wiki/errors'
import { type Config, readConfig } from '../config.ts'
import { isConnectionError } from '../db/connection-error.ts'
import type { Database } from '../db/database.ts'
import { openDatabase } from '../db/open-database.ts'
import { printLine, progressLine } from '../progress.ts'
import { migrateAndReindex } from '../upgrade.ts'
import {
  type AttachResult,
  attachWikijs,
  checkWikijs,
  detachWikijs,
  isAttachedByThisVersion,
} from './attach.ts'
import { followWikijs } from './follow.ts'
import { syncAll } from './sync.ts'

/** `lectern attach` and `detach`: serve a wiki from the database of its own software. */

const withWikiDatabase = async (work: (owner: Database, config: Config) => Promise<void>): Promise<void> => {
  const config = readConfig()
  if (config.databaseUrl === undefined)
    throw new UsageError('Set DATABASE_URL to the PostgreSQL database of Wiki.js.')
  const owner = await openDatabase(config, 'owner')
  try {
    await work(owner, config)
  } catch (error) {
    throw explainDatabaseError(error as Error & { code?: string })
  } finally {
    await owner.close()
  }
}

const explainDatabaseError = (error: Error & { code?: string }): Error => {
  if (isConnectionError(error))
    return new UsageError(`The connection to the database was lost: ${error.message}.`)
  if (error.code === '42501')
    return new UsageError(
      `The user of DATABASE_URL lacks a privilege (${error.message}). Use the login of Wiki.js itself.`,
    )
  if (error.code === '55P03')
    return new UsageError(
      "Another session, such as a backup or a long query, holds a lock on Wiki.js's tables (see pg_stat_activity). Nothing was changed. Run this again when it has ended.",
    )
  return error
}

export interface AttachOptions {
  schema: string
  /** Whether to keep running and follow Wiki.js until a signal. */
  watch?: boolean
}

export const attachWikijsCommand = async ({ schema, watch }: AttachOptions): Promise<void> => {
  await withWikiDatabase(async (owner) => {
    await checkWikijs(owner, schema) // first, so that nothing is created in another database
    await migrateAndReindex(owner)
    if (!watch || !(await isAttachedByThisVersion(owner, schema))) {
      printLine(attachSummary(await attachWikijs(owner, schema)))
      await indexAll(owner)
    }
    if (watch) await watchUntilSignal(owner)
  })
}

export const detachWikijsCommand = async (): Promise<void> => {
  await withWikiDatabase(async (owner) => {
    await detachWikijs(owner)
    printLine(
      'Detached. Everything that attach added to the database is removed. The role lectern_reader belongs to the server and stays.',
    )
  })
}

const attachSummary = ({ shown, pages, undecided, addresses }: AttachResult): string =>
  [
    `Guests see ${shown} of ${pages} pages.`,
    ...undecided.map(
      (pattern) => `The page rule ${pattern} cannot be evaluated: all pages that it could match are hidden.`,
    ),
    ...(addresses === undefined ? [] : [`Serve with WIKI_ADDRESSES=${addresses}`]),
  ].join('\n')

const indexAll = async (owner: Database): Promise<void> => {
  const progress = progressLine()
  try {
    const pages = await syncAll(owner, (done) => progress.show({ done, unit: 'pages indexed' }))
    progress.end()
    printLine(`${pages} ${pages === 1 ? 'page' : 'pages'} indexed for search`)
  } finally {
    progress.end()
  }
}

const watchUntilSignal = async (owner: Database): Promise<void> => {
  const following = followWikijs(owner)
  printLine('Watching Wiki.js.')
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  await following.stop()
}
