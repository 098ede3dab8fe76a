import type { RunStatement } from '../db/statements.ts'
import { UsageError } from '../errors.ts'
import { formatCount, quote } from '../wiki/text.ts'
import { type NamedSource, SAMPLE_SOURCE } from './imported-content.ts'

/** Live pages that a source does not have. */
export interface AbsentPages {
  pages: number
  /** At most three. */
  first: { locale: string; path: string }[]
}

/** What an import removed, because its source no longer has it. */
export interface RemovedContent {
  /** Pages with all of their revisions; of live pages, the first three. */
  pages: number
  live: AbsentPages
  /** Revisions of pages that stay. */
  revisions: number
  /** Pages of these revisions. */
  changedPages: { pageId: string; locale: string; path: string }[]
  /** Categories that lost their name, or the page that describes them. */
  categories: { locale: string; key: string }[]
}

/** Stands for pages that came from no named source. */
const NO_SOURCE = 0

/**
 * Live pages that the import did not have.
 * @param locale null: of all languages
 * @param sourceIds the sources that they came from; null: wherever they came from
 */
const findAbsentPages = async (
  run: RunStatement,
  locale: string | null,
  sourceIds: readonly number[] | null,
): Promise<AbsentPages> => {
  const { rows } = await run('absent_pages', [locale, sourceIds])
  return { pages: rows[0]?.pages ?? 0, first: rows.map(({ locale, path }) => ({ locale, path })) }
}

/** The source of an import, as the database knows it. */
interface StoredSource {
  /** Null: the source has no name. */
  id: number | null
  /**
   * Live pages, of all languages or of one, that the import did not have: those of the source if it keeps what is
   * missing, else those of no named source. If the source has no name: all of them.
   */
  absentPages(locale: string | null): Promise<AbsentPages>
  /**
   * Removes what came from the source, and was not imported: pages, revisions of pages that were imported with all of
   * their revisions, and names of categories. (D87)
   * @param locale the language that the import covers; null: all
   * @returns null if the source has no name, or keeps what is missing
   * @throws UsageError if that is more than half of the live pages or of the revisions, and nobody confirmed it
   */
  removeAbsent(locale: string | null): Promise<RemovedContent | null>
}

/** Stores the name of a source, and removes the sample wiki if this is another source. */
export const openStoredSource = async (run: RunStatement, source?: NamedSource): Promise<StoredSource> => {
  if (!source)
    return {
      id: null,
      absentPages: (locale) => findAbsentPages(run, locale, null),
      removeAbsent: async () => null,
    }
  const { id } = (await run('source_id', [source.name])).rows[0]!
  if (source.name !== SAMPLE_SOURCE) await run('remove_source', [SAMPLE_SOURCE])
  const sourceIds = source.adopt ? [id, NO_SOURCE] : [id]
  const { rows: before } = await run('source_pages', [sourceIds])
  return {
    id,
    absentPages: (locale) => findAbsentPages(run, locale, [source.keepMissing ? id : NO_SOURCE]),
    removeAbsent: async (locale) => {
      if (source.keepMissing) return null
      const live = await findAbsentPages(run, locale, sourceIds)
      const { revisions, stale } = (await run('stale_revisions', [])).rows[0]!
      if (!source.isConfirmed) {
        const covered = before.filter((one) => locale === null || one.locale === locale)
        const total = covered.reduce((sum, { pages }) => sum + pages, 0)
        refuseMostPages(live, total, source)
        refuseMostRevisions(stale, revisions, source)
      }
      const [removed] = (await run('remove_absent_pages', [locale, sourceIds])).rows
      const changedPages = stale === 0 ? [] : (await run('remove_stale_revisions', [])).rows
      const unnamed = (await run('remove_absent_categories', [locale, sourceIds])).rows
      const categories = [...unnamed, ...removed!.categories]
      return { pages: removed!.pages, live, revisions: stale, changedPages, categories }
    },
  }
}

const HOW_TO_CONTINUE =
  'Nothing was changed. Check that the source is complete. If it is, repeat the command with --yes. ' +
  'To keep what the source no longer has, use --keep-missing. If it is another source, give it a name with --source.'

const refuseMostPages = ({ pages, first }: AbsentPages, total: number, { name }: NamedSource): void => {
  if (pages * 2 <= total || pages === 0) return
  const examples = first.map(({ locale, path }) => `${quote(path)} (${locale})`).join(', ')
  throw new UsageError(
    `The import would remove ${pages} of ${formatCount(total, 'live page')} of the source "${quote(name)}", because the source no longer has them: ${examples}${pages > first.length ? ', …' : ''}. ${HOW_TO_CONTINUE}`,
  )
}

const refuseMostRevisions = (stale: number, total: number, { name }: NamedSource): void => {
  if (stale * 2 <= total) return
  throw new UsageError(
    `The import would remove ${stale} of ${formatCount(total, 'edit')} of the pages of the source "${quote(name)}", because the source no longer has them. ${HOW_TO_CONTINUE}`,
  )
}
