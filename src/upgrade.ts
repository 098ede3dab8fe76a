import type { Database } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { printLine, progressLine } from './progress.ts'
import { isReindexDue, reindex } from './search/index/reindex.ts'

/** Brings the database up to date, its search index too. @returns names of the migrations applied */
export const migrateAndReindex = async (owner: Database): Promise<string[]> => {
  const applied = await migrate(owner)
  if (await isReindexDue(owner)) await reindexWithProgress(owner, {})
  return applied
}

/** Indexes what is due (or all), and says so. @returns how many pages were indexed */
export const reindexWithProgress = async (owner: Database, { all }: { all?: boolean }): Promise<number> => {
  const progress = progressLine({
    whenStopped: 'Stopped: what is indexed stays so; `lectern reindex` goes on.',
  })
  try {
    const pages = await reindex(owner, {
      all,
      onProgress: (done, total) => progress.show({ done, total, unit: 'pages indexed' }),
    })
    progress.end()
    if (pages > 0) printLine(`${pages} pages indexed for search`)
    return pages
  } finally {
    progress.end()
  }
}
