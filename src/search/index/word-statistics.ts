import type { RunStatement } from '../../db/statements.ts'
import { COUNTED_WORD_BYTES, SEARCH_HOT_SET } from '../../limits.ts'

/**
 * Call it after indexing or removing pages: counts in how many pages each word occurs, if a tenth of all pages was
 * indexed since, or if a page is gone. (D112)
 * @param indexed how many pages were indexed
 */
export const updateWordStatistics = async (run: RunStatement, indexed: number): Promise<void> => {
  if (indexed > 0) await run('add_indexed_pages', [indexed])
  if (await isWordCountDue(run)) await run('count_search_words', [COUNTED_WORD_BYTES])
}

/** Whether `updateWordStatistics` would count. */
export const isWordCountDue = async (run: RunStatement): Promise<boolean> =>
  (await run('is_word_count_due', [SEARCH_HOT_SET.from])).rows[0]!.isDue
