import { TEXT_BYTES_MAX, TRANSFER_BATCH } from '@lectern/wiki/limits'
import { type FormerPath, makeRevisionBatch, pageKey, type RevisionRecord } from '@lectern/wiki/records'
import type { Timestamp } from '@lectern/wiki/time'
import type { TextMarkup } from '../files/link-markup/markup.ts'
import type { GitNotes } from '../files/notes.ts'
import type { FilePage } from '../files/page-index.ts'
import {
  addDocumentNotes,
  filePageRecord,
  readContent,
  revisionContent,
  shownPageRecord,
} from '../files/revision-content.ts'
import type { ReadingContext } from './history.ts'
import { type FileRevision, isLater, type LastRevision, type PageState, versionOf } from './history-state.ts'

export type GitPage = ReturnType<typeof gitPagesOf>[number]

export type Histories = ReadonlyMap<FilePage, PageState>

/** Pages with their revisions, by locale and path. @param lastOf the last one of a page, if the histories have only new ones */
export const gitPagesOf = (
  { layouts, index, notes, from }: ReadingContext,
  histories: Histories,
  pages: Iterable<FilePage>,
  lastOf?: (page: FilePage) => LastRevision,
) => {
  const declared = index.declaredPaths()
  const movedTo = new Map([...lastMoves(histories)].filter(([from]) => !declared.has(pageKey(from))))
  const moved = [...movedTo].filter(([, { page }]) => (histories.get(page)?.files.length ?? 0) > 0)
  const left = new Set(moved.map(([from]) => pageKey(from)))
  const aliases = (page: FilePage) => index.aliasPaths(page).filter((path) => !left.has(pageKey(path)))
  const gitPages = [...pages].flatMap((page) => {
    const history = histories.get(page)
    if (history === undefined) return []
    noteFiles(history, notes)
    const head = history.files[0] ?? null
    const revisions = revisionsOf(history, from)
    const isPartial = lastOf !== undefined
    const gitPage = {
      locale: page.locale,
      path: page.path,
      hasTranslations: head !== null && layouts[head.file.layout]!.setsLocale,
      /** The text at the ref: its file, and its blob, which is that of the last revision, too. Null: it was deleted. */
      head: head && { file: head.file.name, blob: head.blob, version: versionOf(head) },
      /** All of its revisions that are imported; or those that are new, if `isPartial`. */
      revisions,
      isPartial,
      last: lastOf?.(page) ?? revisions.at(-1)!,
      /** Paths that the page had before it was renamed, and those of its aliases. Each is the former path of one page alone. Absent if `isPartial`. */
      formerPaths: isPartial
        ? undefined
        : [...formerPathsOf({ ...history, revisions }, movedTo), ...aliases(page)],
    }
    return [gitPage]
  })
  return gitPages.sort((a, b) => (pageKey(a) < pageKey(b) ? -1 : 1))
}

const noteFiles = ({ page, files, lineages }: PageState, notes: GitNotes): void => {
  const shown = files.map(({ file }) => file.name)
  const moved = lineages.flatMap(({ moves }) => moves.map(({ file }) => file))
  const former = new Set([...moved, ...page.files.map(({ name }) => name)])
  for (const name of shown) former.delete(name)
  if (shown.length > 1) notes.add('double page', [...shown, ...former].join(', '))
  else if (shown.length + former.size > 1) notes.add('moved page', [...former, ...shown].join(' → '))
}

const formerPathsOf = (
  { page, lineages, revisions }: PageState & { revisions: FileRevision[] },
  movedTo: ReturnType<typeof lastMoves>,
): FormerPath[] => {
  const former = new Set(lineages.flatMap(({ moves }) => moves.map(({ from }) => from)))
  former.delete(page)
  return [...former]
    .filter((from) => movedTo.get(from)?.page === page)
    .map(({ locale, path, files }) => {
      const names = new Set(files.map(({ name }) => name))
      const there = revisions.filter(({ file }) => names.has(file))
      return { locale, path, revisions: there.map(({ id }) => id) }
    })
}

const revisionsOf = ({ lineages }: PageState, from: Timestamp | null): FileRevision[] => {
  const all = lineages.flatMap(({ revisions }) => revisions).sort((a, b) => (isLater(a, b) ? 1 : -1))
  const first = from === null ? 0 : all.findLastIndex(({ createdAt }) => createdAt <= from)
  return all.slice(Math.max(0, first))
}

/** Where the pages are now that have had the path of a page: of several, the one that left it last. */
const lastMoves = (histories: Histories) => {
  const last = new Map<FilePage, { page: FilePage; order: string }>()
  for (const [page, { lineages }] of histories)
    for (const { from, order } of lineages.flatMap(({ moves }) => moves))
      if ((last.get(from)?.order ?? '') < order) last.set(from, { page, order })
  return last
}

/**
 * Converts pages to records, oldest revision first. `done`: revisions up to here, also known ones. `shownTags`: in the last record
 * of a page that guests see, whose last revision is that of the text at the ref. (D72) @param known ids of revisions to leave out
 */
export async function* readPages(
  { repository, includable, head: ref, markup, notes, hasMessages }: ReadingContext & { markup: TextMarkup },
  pages: GitPage[],
  known: Set<string>,
) {
  const freshOf = ({ revisions }: GitPage) =>
    revisions.map((one, i) => ({ ...one, next: revisions[i + 1] })).filter(({ id }) => !known.has(id))
  const tasks = pages.map((page) => ({ page, fresh: freshOf(page) }))
  const blobs = tasks.flatMap(({ page, fresh }) => blobsOf(page, fresh))
  const texts = repository.objects.readAll(blobs, TEXT_BYTES_MAX)
  const readNext = async (page: GitPage, file: string, commit: string, version: string, end?: number) =>
    readContent((await texts.next()).value![1], file, page, markup, includable.at(commit, version), end)
  let done = 0
  try {
    for (const { page, fresh } of tasks) {
      done += page.revisions.length
      const head = page.head === null ? null : await readNext(page, page.head.file, ref, page.head.version)
      const shown = head
        ? shownPageRecord({ ...page, file: page.head!.file }, head, markup, notes)
        : filePageRecord({ ...page, file: null }, 'deleted')
      const hasAllRevisions = !repository.isShallow && !page.isPartial
      const batch = makeRevisionBatch(TRANSFER_BATCH)
      const recordOf = (revisions: RevisionRecord[]) => ({ ...shown, revisions, hasAllRevisions })
      for (const [index, { id, createdAt, file, commit, version, next }] of fresh.entries()) {
        const isHead = head !== null && version === page.head?.version
        const end = next && Date.parse(next.createdAt)
        const document = isHead ? head : await readNext(page, file, commit.hash, version, end)
        addDocumentNotes(document, `${file} at ${commit.hash.slice(0, 10)}`, notes)
        if (document.isTooLong) continue
        const comment = hasMessages ? commit.comment : ''
        const content = revisionContent(document, file, page, markup)
        const full = batch.add({ id, created_at: createdAt, author: commit.author, comment, ...content })
        if (full) yield { page, record: recordOf(full), done: done - fresh.length + index, shownTags: null }
      }
      const unreadRevisions = page.revisions.map(({ id }) => id).filter((id) => known.has(id))
      const record = { ...recordOf(batch.take()), unreadRevisions, formerPaths: page.formerPaths }
      yield { page, record, done, shownTags: shown.state === 'live' ? head!.tags : null }
    }
    await texts.next()
  } finally {
    await texts.return(undefined)
  }
}

/** The blobs to read for a page, in this order. The text at the ref is nearly always the text of a revision. */
const blobsOf = ({ head }: GitPage, fresh: FileRevision[]): { content: string }[] => [
  ...(head ? [{ content: head.blob }] : []),
  ...fresh.filter(({ version }) => version !== head?.version).map(({ blob }) => ({ content: blob })),
]
