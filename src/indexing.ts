import type { Database } from './data/database.ts'
import { migrate } from './data/migrate.ts'
import { isReindexDue, reindex } from './data/reindex.ts'
import { progressLine, say } from './progress.ts'

/** Brings the database up to date, its search index too. @returns names of the migrations applied */
export const migrateAndIndex = async (owner: Database): Promise<string[]> => {
  const applied = await migrate(owner)
  if (await isReindexDue(owner)) await indexAnew(owner, {})
  return applied
}

/** Indexes what is due (or all), and says so. @returns how many pages were indexed */
export const indexAnew = async (owner: Database, { all }: { all?: boolean }): Promise<number> => {
  const progress = progressLine({
    whenStopped: 'Stopped: what is indexed stays so; `lectern reindex` goes on.',
  })
  try {
    const pages = await reindex(owner, {
      all,
      onProgress: (done, total) => progress.show({ done, total, unit: 'pages indexed' }),
    })
    progress.end()
    if (pages > 0) say(`${pages} pages indexed for search`)
    return pages
  } finally {
    progress.end()
  }
}
