import { UsageError } from '@lectern/wiki/errors'
import { readConfig } from '../config.ts'
import type { Database } from '../db/database.ts'
import { onStop } from '../follow/process.ts'
import { printLine } from '../progress.ts'
import { migrateAndReindex, withIndexProgress } from '../upgrade.ts'
import {
  type AttachResult,
  attachWikijs,
  checkWikijs,
  detachWikijs,
  isAttachedByThisVersion,
} from '../wikijs/attach.ts'
import { followWikijs } from '../wikijs/follow.ts'
import { syncAll } from '../wikijs/sync.ts'
import { withOpenDatabase } from './with-database.ts'

/** `lectern attach` and `detach`: serve a wiki from the database of its own software. */

const withWikiDatabase = async (work: (owner: Database) => Promise<void>): Promise<void> => {
  const config = readConfig()
  if (config.databaseUrl === undefined)
    throw new UsageError('Set DATABASE_URL to the PostgreSQL database of Wiki.js.')
  await withOpenDatabase(config, work, async () => 'Use the login of Wiki.js itself.').catch((error) => {
    if (error.code !== '55P03') throw error
    throw new UsageError(
      "Another session, such as a backup or a long query, holds a lock on Wiki.js's tables (see pg_stat_activity). Nothing was changed. Run this again when it has ended.",
    )
  })
}

export interface AttachOptions {
  schema: string
  watch?: boolean
}

export const runAttachCommand = ({ schema, watch }: AttachOptions): Promise<void> =>
  withWikiDatabase(async (owner) => {
    await checkWikijs(owner, schema) // first, so that nothing is created in another database
    await migrateAndReindex(owner)
    if (!watch || !(await isAttachedByThisVersion(owner, schema))) {
      printLine(attachSummary(await attachWikijs(owner, schema)))
      await withIndexProgress({}, (onProgress) => syncAll(owner, onProgress))
    }
    if (!watch) return
    const following = followWikijs(owner)
    printLine('Watching Wiki.js.')
    await onStop()
    await following.stop()
  })

export const runDetachCommand = (): Promise<void> =>
  withWikiDatabase(async (owner) => {
    await detachWikijs(owner)
    printLine(
      'Detached. Everything that attach added to the database is removed. The role lectern_reader belongs to the server and stays.',
    )
  })

const attachSummary = ({ shown, pages, undecided, addresses }: AttachResult): string =>
  [
    `Guests see ${shown} of ${pages} pages.`,
    ...undecided.map(
      (pattern) => `The page rule ${pattern} cannot be evaluated: all pages that it could match are hidden.`,
    ),
    ...(addresses === undefined ? [] : [`Serve with WIKI_ADDRESSES=${addresses}`]),
  ].join('\n')
