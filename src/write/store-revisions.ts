import { randomUUID } from 'node:crypto'
import { RevisionIdTaken } from '@lectern/wiki/import/page-batch'
import type { CompletePage, CompleteRevision } from '@lectern/wiki/records'
import { binaryBytesArray, binaryTextArray, column, columns } from '../db/bulk.ts'
import type { RunStatement } from '../db/statements.ts'
import type { StatementRows } from '../generated/statement-rows.ts'

type RevisionOfPage = CompleteRevision & { pageId: string; isVisible: boolean }
type ExistingRevision = StatementRows['stored_revisions']
/** What is stored of a text: all of it, or what differs from a shared one. Lengths are in bytes. */
interface StoredText {
  markdown: string
  /** Of the whole text. */
  size: number
  baseId?: string
  /** Of the shared text's beginning and end. */
  start?: number
  end?: number
}
type CheckMoves = (moved: ExistingRevision[]) => Promise<ReadonlySet<string>>

/**
 * Stores the revisions of pages: adds new ones, updates stored ones that changed, and moves those that are stored as
 * another page's to the page of their record. (D87)
 * @param pageIds ids of the pages, in the same order
 * @param sharing the same for all pages of an import
 * @param checkMoves which of the revisions that would move this import has had before
 * @throws RevisionIdTaken for such a revision: this import has had it with another page
 */
export const storeRevisions = async (
  run: RunStatement,
  pages: readonly CompletePage[],
  pageIds: readonly string[],
  sharing: TextSharing,
  checkMoves: CheckMoves,
) => {
  const revisions = pages.flatMap((page, i) =>
    page.revisions.map((revision) => ({
      ...revision,
      pageId: pageIds[i]!,
      isVisible: page.state === 'live' && revision.status === 'accepted',
    })),
  )
  const { rows } = await run('stored_revisions', [column(revisions, 'id')])
  const stored = new Map(rows.map((row) => [row.id, row]))
  const formerOf = (some: readonly { id: string }[]) => some.map(({ id }) => stored.get(id)!)
  const moved = await moveRevisions(run, revisions, stored, checkMoves)
  const changed = await run('update_revisions', parametersOf(revisions.filter(({ id }) => stored.has(id))))
  const newRevisions = revisions.filter(({ id }) => !stored.has(id))
  const added = await addRevisions(run, newRevisions, sharing)
  const visible = [...formerOf([...moved, ...changed.rows]), ...added.rows].filter((row) => row.visible)
  return {
    changedPages: new Set(column([...moved, ...changed.rows, ...added.rows], 'pageId')),
    /** Those of them, and of `formerPages`, that guests see changed: a revision was or is visible. */
    visiblyChangedPages: new Set(column(visible, 'pageId')),
    formerPages: [...new Map(formerOf(moved).map((page) => [page.pageId, page])).values()],
    newRevisions: added.rowCount ?? 0,
    changedRevisions: changed.rowCount ?? 0,
    movedRevisions: moved.length,
    /** One of those that moved, with its former page. */
    firstMoved: formerOf(moved)[0],
  }
}

const addRevisions = async (
  run: RunStatement,
  revisions: readonly RevisionOfPage[],
  sharing: TextSharing,
) => {
  const { texts, added } = await sharing.share(revisions)
  if (added.length > 0) {
    const ids = columns(added, ['id', 'revisionId'])
    await run('add_shared_texts', [...ids, binaryBytesArray(added.map(({ text }) => Buffer.from(text)))])
  }
  return run('add_revisions', [
    ...parametersOf(revisions, column(texts, 'markdown')),
    column(revisions, 'pageId'),
    ...columns(texts, ['size', 'baseId', 'start', 'end']),
  ])
}

const moveRevisions = async (
  run: RunStatement,
  revisions: readonly RevisionOfPage[],
  stored: ReadonlyMap<string, ExistingRevision>,
  checkMoves: CheckMoves,
): Promise<RevisionOfPage[]> => {
  const moved = revisions.filter(({ id, pageId }) => (stored.get(id)?.pageId ?? pageId) !== pageId)
  if (moved.length === 0) return []
  const imported = await checkMoves(moved.map(({ id }) => stored.get(id)!))
  const twice = moved.find(({ id }) => imported.has(id))
  if (twice !== undefined) throw new RevisionIdTaken(twice.id, stored.get(twice.id)!)
  await run('move_revisions', columns(moved, ['id', 'pageId']))
  return moved
}

/** Revisions as parameters of a statement: one array per column. */
const parametersOf = (
  revisions: readonly CompleteRevision[],
  texts: readonly string[] = column(revisions, 'markdown'),
): unknown[] => [
  ...columns(revisions, ['id', 'created_at', 'author', 'comment', 'status', 'title']),
  revisions.map((revision) => JSON.stringify(revision.categories)),
  binaryTextArray(texts),
]

/** A text of which other revisions of the page can be stored as what differs: that of a visible revision. */
interface SharedText {
  /** Null: nothing shares it yet. */
  id: string | null
  text: string
  /** Code units of what differs so far. */
  spent: number
}

/** Code units of a text from which it is shared. Nearly all that sharing saves is in longer texts. */
const SHARED_LENGTH = 16 * 1024

/** Decides which texts are shared, revision by revision. It has the last shared text in memory. */
type TextSharing = ReturnType<typeof makeTextSharing>

/** @param formerText the last one of a page before the import */
export const makeTextSharing = (formerText: (pageId: string) => Promise<SharedText | undefined>) => {
  let pageOfLast: string | undefined
  let last: SharedText | undefined
  return {
    /** @param revisions new ones, those of a page in order @returns what to store of each, and the shared texts to add */
    share: async (revisions: readonly RevisionOfPage[]) => {
      const added: { id: string; revisionId: string; text: string }[] = []
      const texts: StoredText[] = []
      for (const [i, { id: revisionId, pageId, markdown, isVisible }] of revisions.entries()) {
        const size = Buffer.byteLength(markdown)
        const isLong = markdown.length >= SHARED_LENGTH
        if (isLong && pageOfLast !== pageId) last = await formerText(pageId)
        if (isLong) pageOfLast = pageId
        const next = revisions[i + 1]?.pageId === pageId ? revisions[i + 1]!.markdown : ''
        let stored = isLong ? partOf(last, markdown, size) : { markdown, size }
        if (!stored && isVisible && (areAlike(markdown, next) || areAlike(last?.text ?? '', markdown))) {
          const id = randomUUID()
          added.push({ id, revisionId, text: markdown })
          last = { id, text: markdown, spent: 0 }
          stored = { markdown: '', size, baseId: id, start: size, end: 0 }
        }
        texts.push(stored ?? { markdown, size })
      }
      return { texts, added }
    },
  }
}

/** A text as what differs from a shared one; null if another shared text would now cost less. @param size in bytes */
const partOf = (base: SharedText | undefined, text: string, size: number): StoredText | null => {
  if (!base?.id) return null
  const edges = equalEdges(base.text, text)
  const markdown = text.slice(edges.start, text.length - edges.end)
  if (base.spent + markdown.length > text.length) return null
  base.spent += markdown.length
  const start = Buffer.byteLength(text.slice(0, edges.start))
  return { markdown, size, baseId: base.id, start, end: size - start - Buffer.byteLength(markdown) }
}

const areAlike = (a: string, b: string): boolean => {
  const { start, end } = equalEdges(a, b)
  return b !== '' && (start + end) * 2 >= b.length
}

/** The longest step by step for which two texts are equal. @param isEqual whether they are between two places */
const equalLength = (max: number, isEqual: (from: number, to: number) => boolean): number => {
  let at = 0
  for (const step of [65_536, 1024, 32, 1]) while (at + step <= max && isEqual(at, at + step)) at += step
  return at
}

/** How much of two texts is equal at their beginnings and ends, code units. No pair of surrogates is divided. */
const equalEdges = (a: string, b: string): { start: number; end: number } => {
  const max = Math.min(a.length, b.length)
  let start = equalLength(max, (from, to) => a.slice(from, to) === b.slice(from, to))
  if (/[\ud800-\udbff]/.test(a.charAt(start - 1))) start -= 1
  const ofEnd = (text: string, from: number, to: number) => text.slice(text.length - to, text.length - from)
  let end = equalLength(max - start, (from, to) => ofEnd(a, from, to) === ofEnd(b, from, to))
  if (end > 0 && /[\udc00-\udfff]/.test(a.charAt(a.length - end))) end -= 1
  return { start, end }
}
