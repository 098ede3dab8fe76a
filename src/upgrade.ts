import type { Database } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { printLine, progressLine } from './progress.ts'
import { isReindexDue, reindex } from './search/index/reindex.ts'

/** Updates the database and its search index. @returns names of the migrations applied */
export const migrateAndReindex = async (owner: Database): Promise<string[]> => {
  const applied = await migrate(owner)
  if (await isReindexDue(owner)) await reindexWithProgress(owner, {})
  return applied
}

/** Indexes the pages that are due (or all), and prints progress and result. @returns how many pages were indexed */
export const reindexWithProgress = async (owner: Database, { all }: { all?: boolean }): Promise<number> => {
  const progress = progressLine({
    whenStopped: 'Stopped. `lectern reindex` continues with the remaining pages.',
  })
  try {
    const pages = await reindex(owner, {
      all,
      onProgress: (done, total) => progress.show({ done, total, unit: 'pages indexed' }),
    })
    progress.end()
    if (pages > 0) printLine(`${pages} ${pages === 1 ? 'page' : 'pages'} indexed for search`)
    return pages
  } finally {
    progress.end()
  }
}
