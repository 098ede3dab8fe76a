import { UsageError } from '@lectern/wiki/errors'
import type { ImportSource } from '@lectern/wiki/records'
import { formatCount, quote } from '@lectern/wiki/text'
import { column } from '../db/bulk.ts'
import type { RunStatement } from '../db/statements.ts'
import type { StatementRows } from '../generated/statement-rows.ts'
import { type NamedSource, SAMPLE_SOURCE } from './imported-content.ts'

export interface AbsentPages {
  pages: number
  /** At most three. */
  first: { locale: string; path: string }[]
}

type NewlyShown = ReturnType<NonNullable<ImportSource['newlyShows']>>
export type Replacing = Pick<ImportSource, 'newlyHides' | 'replacesEdits'>
type ChangedPage = StatementRows['remove_stale_revisions']
type Republish = (pages: ChangedPage[]) => Promise<void>

/** What an import removed, because its source no longer has it. */
export type RemovedContent = typeof NOTHING_REMOVED

/** The first of some names. @param all how many there are */
export const listFirst = (first: readonly string[], all: number): string =>
  first.join(', ') + (all > first.length ? ', …' : '')

export const namesOfPages = ({ pages, first }: AbsentPages): string =>
  listFirst(
    first.map(({ locale, path }) => `${quote(path)} (${locale})`),
    pages,
  )

export const NO_PAGES: AbsentPages = { pages: 0, first: [] }

export const NOTHING_REMOVED = {
  /** Pages with all of their revisions. */
  pages: 0,
  /** Those of them that no guest saw. */
  hiddenPages: 0,
  /** Those of them that guests saw, and did not move to another path. */
  live: NO_PAGES,
  /** Revisions of pages that stay. */
  revisions: 0,
  /** Pages of these revisions. */
  changedPages: [] as ChangedPage[],
  /** Categories that lost their name, or the page that describes them. */
  categories: [] as { locale: string; key: string }[],
}

const countPages = (locales: readonly { pages: number }[]): number =>
  locales.reduce((sum, { pages }) => sum + pages, 0)

const absentPagesOf = (rows: { locale: string; path: string; pages: number }[]): AbsentPages => ({
  pages: rows[0]?.pages ?? 0,
  first: rows.map(({ locale, path }) => ({ locale, path })),
})

/** The source of an import, as the database knows it. */
export type StoredSource = Awaited<ReturnType<typeof openStoredSource>>

/** What of a source an import covers: one language, all (null), what the source named as changed, or only some pages. */
export type Scope = string | null | 'changes' | 'some'

/** Stores the name of a source, and removes the sample wiki if this is another source. */
export const openStoredSource = async (run: RunStatement, source?: NamedSource) => {
  const id = source ? (await run('source_id', [source.name])).rows[0]!.id : null
  const isOther = source && source.name !== SAMPLE_SOURCE
  const [sample] = isOther ? (await run('remove_source', [SAMPLE_SOURCE])).rows : []
  const pagesBefore = id === null ? [] : (await run('source_pages', [id])).rows
  return {
    /** Null: the source has no name. */
    id,
    samplePages: sample?.pages ?? 0,
    pagesBefore: countPages(pagesBefore),
    /**
     * Live pages, of all languages or of one, that the import did not have, and that stay: those of the source if it
     * keeps what is missing. If the source has no name: all of them.
     */
    absentPages: async (locale: string | null): Promise<AbsentPages> =>
      source && !source.keepMissing
        ? NO_PAGES
        : absentPagesOf((await run('absent_pages', [locale, id])).rows),
    /**
     * Removes what came from the source, and was not imported: pages, revisions of pages that were imported with all of
     * their revisions, and names of categories (D87). A source that keeps what is missing loses only what it hides.
     * @param republish publishes pages that lost revisions. Which categories are unused shows only after it
     * @throws NotConfirmed if that is more than half of the live pages or of the revisions that it does not replace, and nobody confirmed it
     */
    removeAbsent: async (scope: Scope, from: Replacing, republish: Republish): Promise<RemovedContent> => {
      if (source === undefined || id === null) return NOTHING_REMOVED
      const isKept = scope === 'some' || source.keepMissing
      const removed = isKept
        ? NOTHING_REMOVED
        : await removeAbsent(run, { source, id, pagesBefore, from }, scope, republish)
      const hides = from.newlyHides?.()
      if (hides === undefined) return removed
      const ids = await hiddenRevisions(run, id, hides)
      const { rows } = await run('remove_revisions', [ids])
      await republish(rows)
      const revisions = removed.revisions + ids.length
      return { ...removed, revisions, changedPages: [...removed.changedPages, ...rows] }
    },
    /**
     * Stores what the source was when it was read.
     * @param hasConflicts whether it left out pages of other sources; null: as before
     * @param hasGone whether pages of it are gone, so that other sources can bring pages that they left out
     */
    storeState: async (state: unknown, hasConflicts: boolean | null, hasGone: boolean): Promise<void> => {
      if (id === null) return
      const json = state === undefined ? null : JSON.stringify(state)
      await run('store_source_state', [id, json, source?.version ?? null, hasConflicts])
      if (hasGone) await run('recheck_conflicts', [id])
    },
  }
}

/** Ids of revisions of a source that the import did not have, and that it hides. */
const hiddenRevisions = async (
  run: RunStatement,
  sourceId: number,
  hides: (markdown: string, isReplaced: boolean) => boolean,
) => {
  const ids = column((await run('unread_revisions', [sourceId])).rows, 'id')
  const found: string[] = []
  for (let from = 0; from < ids.length; from += TEXTS_MAX) {
    const { rows } = await run('unread_texts', [ids.slice(from, from + TEXTS_MAX)])
    for (const { id, markdown, isReplaced } of rows) if (hides(markdown, isReplaced)) found.push(id)
  }
  return found
}

const TEXTS_MAX = 100

interface SourceBefore {
  source: NamedSource
  id: number
  /** Its live pages before the import, by language. */
  pagesBefore: readonly { locale: string; pages: number }[]
  from: Replacing
}

const removeAbsent = async (
  run: RunStatement,
  { source, id, pagesBefore, from }: SourceBefore,
  scope: Scope,
  republish: Republish,
): Promise<RemovedContent> => {
  const hasAll = scope !== 'changes'
  if (hasAll) await run('record_all_absent_pages', [scope, id])
  await run('keep_imported_pages', [])
  const live = absentPagesOf((await run('removable_pages', [])).rows)
  const { revisions, stale } = (await run('stale_revisions', [])).rows[0]!
  if (!source.isConfirmed) {
    const covered = pagesBefore.filter(({ locale }) => !hasAll || scope === null || locale === scope)
    refuseMost(live.pages, countPages(covered), 'live page', source, `: ${namesOfPages(live)}`)
    // The whole source is counted only if most of what changed is stale.
    if (stale * 2 > revisions && !from.replacesEdits?.()) {
      const all = hasAll ? revisions : (await run('count_revisions', [id])).rows[0]!.revisions
      refuseMost(stale, all, 'edit', source)
    }
  }
  const [removed] = (await run('remove_absent_pages', [])).rows
  const changedPages = stale === 0 ? [] : (await run('remove_stale_revisions', [])).rows
  await republish(changedPages)
  const { rows: unnamed } = hasAll
    ? await run('remove_absent_categories', [scope, id])
    : await run('remove_unused_categories', [id])
  const categories = [...unnamed, ...removed!.categories]
  const { pages, livePages } = removed!
  return { pages, hiddenPages: pages - livePages, live, revisions: stale, changedPages, categories }
}

export class NotConfirmed extends UsageError {
  override name = 'NotConfirmed'
}

const HOW_TO_KEEP =
  'To keep what the source no longer has, use --keep-missing. If it is another wiki, choose a new database (for the embedded one, a new `DATA_DIR`), or add it to this one with a name: --source.'

const REPEAT = 'repeat the command with --yes'

/** @throws NotConfirmed if texts become public that the last import left out by options, or that an option may have meant, and nobody confirmed it */
export const refuseShown = (source: NamedSource, { texts, options, unused }: NewlyShown): void => {
  const { isConfirmed, confirmation = REPEAT } = source
  if (isConfirmed) return
  if (unused.length > 0)
    throw new NotConfirmed(
      `Nothing matches ${unused.join(' ')}, so that what it should leave out would be public. Nothing was imported. Letters must have the same case as in the names of files. If there is nothing to leave out yet, ${confirmation}.`,
    )
  if (texts === 0) return
  throw new NotConfirmed(
    `The import would publish ${formatCount(texts, 'text')} that the last one left out by ${options.join(' ')}. Nothing was changed. Set this again; or, if guests may read these texts and their edits, ${confirmation}.`,
  )
}

/** @param unit of the numbers, one @param names of what is removed */
const refuseMost = (removed: number, total: number, unit: string, source: NamedSource, names = '') => {
  if (removed * 2 <= total || removed === 0) return
  const { name, confirmation = REPEAT } = source
  throw new NotConfirmed(
    `The import would remove ${removed} of ${formatCount(total, unit)} of the source "${quote(name)}", because the source no longer has them${names}. Nothing was changed. Check that the source is complete. If it is, ${confirmation}. ${HOW_TO_KEEP}`,
  )
}
