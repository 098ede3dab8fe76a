import { formatCount } from '@lectern/wiki/text'
import type { Database } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { type ProgressOptions, printLine, withProgress } from './progress.ts'
import { isReindexDue } from './search/configurations.ts'

/** Updates the database and its search index. @returns names of the migrations applied */
export const migrateAndReindex = async (owner: Database): Promise<string[]> => {
  const applied = await migrate(owner)
  if (await isReindexDue(owner)) await reindexWithProgress(owner, {})
  return applied
}

/** Stores the HTML of pages that have none, and shows the progress. Without it, the wiki is complete: it never throws. */
export const storeHtmlWithProgress = async (owner: Database): Promise<void> => {
  const { storeHtml } = await import('./stored-html.ts')
  const otherwise = 'HTML is rendered on demand until `lectern reindex` stores it.'
  try {
    const left = await withProgress({ whenStopped: `Stopped. ${otherwise}` }, (show) =>
      storeHtml(owner, { onProgress: (done, total) => show({ done, total, unit: 'pages rendered' }) }),
    )
    if (left > 0) printLine(`${formatCount(left, 'page')} could not be rendered in time. ${otherwise}`)
  } catch (error) {
    printLine(`The HTML of pages could not be stored: ${(error as Error).message} ${otherwise}`)
  }
}

/** Indexes the pages that are due (or all), and prints progress and result. @returns how many pages were indexed */
export const reindexWithProgress = (owner: Database, { all }: { all?: boolean }): Promise<number> =>
  withIndexProgress(
    { whenStopped: 'Stopped. `lectern reindex` continues with the remaining pages.' },
    async (onProgress) => (await import('./search/index/reindex.ts')).reindex(owner, { all, onProgress }),
  )

/** Shows the progress of indexing, and prints its result. @param work returns how many pages were indexed */
export const withIndexProgress = async (
  options: ProgressOptions,
  work: (onProgress: (done: number, total?: number) => void) => Promise<number>,
): Promise<number> => {
  const pages = await withProgress(options, (show) =>
    work((done, total) => show({ done, total, unit: 'pages indexed' })),
  )
  if (pages > 0) printLine(`${formatCount(pages, 'page')} indexed for search`)
  return pages
}
