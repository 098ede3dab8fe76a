import { type FormerPath, type PageKey, pageKey } from '@lectern/wiki/records'
import type { Timestamp } from '@lectern/wiki/time'
import type { ReadingContext } from './history.ts'
import {
  type FileRevision,
  isLater,
  type LastRevision,
  type PageFile,
  type PageState,
  versionOf,
} from './history-state.ts'
import type { GitNotes, NamedPage } from './page-index.ts'

export interface GitPage extends PageKey {
  hasTranslations: boolean
  /** The text at the ref: its file, and its blob, which is that of the last revision, too. Null: it was deleted. */
  head: { file: string; blob: string; version: string } | null
  /** All of its revisions that are imported; or those that are new, if `isPartial`. */
  revisions: FileRevision[]
  isPartial: boolean
  last: LastRevision
  /** Paths that the page had before it was renamed. Each is the former path of one page alone. Absent if `isPartial`. */
  formerPaths?: FormerPath[]
}

export type Histories = ReadonlyMap<number, PageState>

/** Pages with their revisions, by locale and path. @param last of each page, by index, if the histories have only new ones */
export const gitPagesOf = (
  { layouts, index: names, notes, from }: ReadingContext,
  histories: Histories,
  indexes: Iterable<number>,
  last?: ReadonlyMap<number, LastRevision>,
): GitPage[] => {
  const named = names.pages()
  const movedTo = lastMoves(histories)
  const pages: GitPage[] = []
  for (const index of indexes) {
    const history = histories.get(index)
    if (history === undefined) continue
    const { locale, path, files } = named[index]!
    addPageNotes(files, history, notes)
    const head = history.files[0] ?? null
    const revisions = revisionsOf(history, from)
    pages.push({
      locale,
      path,
      hasTranslations: head !== null && layouts[head.file.layout]!.setsLocale,
      head: head && { file: head.file.name, blob: head.blob, version: versionOf(head) },
      revisions,
      isPartial: last !== undefined,
      last: last?.get(index) ?? revisions.at(-1)!,
      formerPaths:
        last === undefined ? formerPathsOf({ ...history, revisions, index }, named, movedTo) : undefined,
    })
  }
  return pages.sort((a, b) => (pageKey(a) < pageKey(b) ? -1 : 1))
}

const addPageNotes = (files: PageFile[], { files: current, lineages }: PageState, notes: GitNotes): void => {
  const names = new Set([
    ...current.map(({ file }) => file.name),
    ...files.map(({ name }) => name),
    ...lineages.flatMap(({ moves }) => moves.map(({ file }) => file)),
  ])
  if (names.size > 1) notes.add(current.length > 1 ? 'double page' : 'moved page', [...names].join(', '))
}

const formerPathsOf = (
  { lineages, revisions, index }: PageState & { revisions: FileRevision[]; index: number },
  named: readonly NamedPage[],
  movedTo: ReadonlyMap<number, { page: number }>,
): FormerPath[] => {
  const former = new Set(lineages.flatMap(({ moves }) => moves.map(({ from }) => from.index)))
  former.delete(index)
  return [...former]
    .filter((from) => movedTo.get(from)?.page === index)
    .map((from) => {
      const { locale, path, files } = named[from]!
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

/** Where the pages are now that have had the path of a page, by its index: of several, the one that left it last. */
const lastMoves = (histories: Histories): Map<number, { page: number; order: string }> => {
  const last = new Map<number, { page: number; order: string }>()
  for (const [page, { lineages }] of histories)
    for (const { from, order } of lineages.flatMap(({ moves }) => moves))
      if ((last.get(from.index)?.order ?? '') < order) last.set(from.index, { page, order })
  return last
}
