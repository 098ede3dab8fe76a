import type { Timestamp } from '@lectern/wiki/time'
import type { HiddenContents } from '../files/document.ts'
import { type FilePage, type PageContent, type PageFile, sortedFiles } from '../files/page-index.ts'
import type { IncludedFiles } from './includable-blobs.ts'
import type { Commit } from './log.ts'

/**
 * A persistent array: a tree of nodes with 32 slots, six levels deep. A change returns a new array that shares all nodes
 * with the old one, except the path to the change. Comparing two versions skips the nodes that they share.
 */
type PersistentArray<T> = readonly (PersistentArray<T> | T | undefined)[]

const SLOTS = 32
/** Level of the root; entries are at level 0. There are 2^30 of them. */
const TOP: number = 5

const slotAt = (index: number, level: number): number => (index >>> (level * 5)) & (SLOTS - 1)

const entryAt = <T>(node: PersistentArray<T>, index: number, level = TOP): T | undefined => {
  const child = node[slotAt(index, level)]
  if (child === undefined || level === 0) return child as T | undefined
  return entryAt(child as typeof node, index, level - 1)
}

const withEntry = <T>(node: PersistentArray<T>, index: number, value: T, level = TOP): PersistentArray<T> => {
  const slot = slotAt(index, level)
  const child = (node[slot] ?? []) as PersistentArray<T>
  const copy = [...node]
  copy[slot] = level === 0 ? value : withEntry(child, index, value, level - 1)
  return copy
}

/** The entries of the second version that differ from the first, in order, each with that of the first, if it has one. */
export function* differences<T>(
  first: PersistentArray<T>,
  second: PersistentArray<T>,
  level = TOP,
): Generator<[two: T, one: T | undefined]> {
  for (const [slot, two] of second.entries()) {
    const one = first[slot]
    if (two === undefined || one === two) continue
    if (level === 0) yield [two as T, one as T | undefined]
    else yield* differences((one ?? []) as typeof first, two as typeof second, level - 1)
  }
}

export interface LastRevision {
  id: string
  /** The commit date, but not earlier than the revision that it replaces. */
  createdAt: Timestamp
  /** Identifies its text: the blob, or a digest of it and what it includes. */
  version: string
}

export interface FileRevision extends LastRevision {
  commit: Commit
  file: string
  blob: string
}

export type FileContent = PageContent & { included?: IncludedFiles }

export const versionOf = ({ blob, included }: FileContent): string => included?.version ?? blob

interface PageMove {
  from: FilePage
  file: string
  commit: string
  /** Time and id of the commit's revision. A move with a later one is a later move. */
  order: string
}

/** The revisions of a page, wherever it moves: they stay together. All states share the lists of one lineage. */
export interface Lineage {
  page: FilePage
  revisions: FileRevision[]
  moves: PageMove[]
  /** How often the page has moved up to this commit. */
  moved: number
  /** Its last revision up to this commit, by time, then id. That of a page with files has the text of the first one. */
  newest: LastRevision | undefined
}

export interface PageState {
  page: FilePage
  /** The files of the page in this tree. The first one is used. Empty: the page was deleted. */
  files: readonly FileContent[]
  /** Several if two branches have the page. */
  lineages: readonly Lineage[]
}

export type HistoryState = PersistentArray<PageState>

export class WorkingState {
  readonly #touched = new Set<FilePage>()
  #pages: HistoryState

  constructor(pages: HistoryState = []) {
    this.#pages = pages
  }

  get result(): HistoryState {
    return this.#pages
  }

  page(page: FilePage): PageState {
    return entryAt(this.#pages, page.index) ?? { page, files: [], lineages: [] }
  }

  /** The pages whose files, lineages or revisions may have changed. */
  touched(): PageState[] {
    return Array.from(this.#touched, (page) => this.page(page))
  }

  /** Call `sortFiles` after all files are set. @param blob null: the file is not in the tree */
  setFile(file: PageFile, blob: string | null, included?: IncludedFiles): void {
    const state = this.page(file.page)
    const rest = state.files.filter((one) => one.file !== file)
    this.#setPage({ ...state, files: blob === null ? rest : [...rest, { file, blob, included }] })
  }

  /** Puts the file first that a page shows. @param hidden knows the contents of touched pages with several files */
  sortFiles(hidden: HiddenContents): void {
    for (const state of this.touched())
      if (state.files.length > 1) this.#setPage({ ...state, files: sortedFiles(state.files, hidden) })
  }

  /**
   * Adds what another parent of a merge knows. Call it after the files are set. Where two branches have moved a page
   * differently, the path counts that the tree still has, then the one with more moves, then that of the first parent.
   */
  mergeParents(others: readonly HistoryState[]): void {
    const places = new Map<Lineage['revisions'], Lineage[]>()
    for (const other of others) {
      const known = lineagesOf(differences(other, this.#pages))
      for (const [revisions, two] of lineagesOf(differences(this.#pages, other))) {
        const one = known.get(revisions)
        const isMoved = one !== undefined && one.page !== two.page
        if (isMoved) places.set(revisions, [...(places.get(revisions) ?? [one]), two])
        else if (one && !isLater(two.newest, one.newest)) continue
        const newest = one && isLater(one.newest, two.newest) ? one.newest : two.newest
        const moved = isMoved ? one.moved : Math.max(one?.moved ?? 0, two.moved)
        this.#setLineage({ ...(one ?? two), newest, moved })
      }
    }
    for (const [revisions, candidates] of places) {
      const exists = ({ page }: Lineage) => Number(this.page(page).files.length > 0)
      const [best] = candidates.toSorted((a, b) => exists(b) - exists(a) || b.moved - a.moved)
      const { lineages } = this.page(candidates[0]!.page)
      this.#place(lineages.find((one) => one.revisions === revisions)!, best!.page, best!.moved)
    }
  }

  /** Moves the lineages of pages to other pages, all at once: pages can swap their paths. */
  movePages(moves: readonly { to: FilePage; move: PageMove }[]): void {
    const moving = moves.map((one) => ({ ...one, lineages: this.page(one.move.from).lineages }))
    for (const { to, move, lineages } of moving)
      for (const lineage of lineages) {
        this.#place(lineage, to, lineage.moved + 1)
        lineage.moves.push(move)
      }
  }

  /** Begins the lineage of a page that has none. @param newest its last revision, if it has one that was not read */
  beginLineage(page: FilePage, newest?: LastRevision): void {
    this.#setLineage({ page, revisions: [], moves: [], moved: 0, newest })
  }

  newestOf(page: FilePage): LastRevision | undefined {
    return this.#newestLineage(page)?.newest
  }

  addRevision(page: FilePage, revision: FileRevision): void {
    const lineage = this.#newestLineage(page)!
    lineage.revisions.push(revision)
    this.#setLineage({ ...lineage, newest: revision })
  }

  #newestLineage(page: FilePage): Lineage | undefined {
    return this.page(page).lineages.reduce<Lineage | undefined>(
      (last, one) => (last === undefined || isLater(one.newest, last.newest) ? one : last),
      undefined,
    )
  }

  #place(lineage: Lineage, page: FilePage, moved: number): void {
    const before = this.page(lineage.page)
    const lineages = before.lineages.filter(({ revisions }) => revisions !== lineage.revisions)
    this.#setPage({ ...before, lineages })
    this.#setLineage({ ...lineage, page, moved })
  }

  #setLineage(lineage: Lineage): void {
    const before = this.page(lineage.page)
    const at = before.lineages.findIndex(({ revisions }) => revisions === lineage.revisions)
    const lineages = at < 0 ? [...before.lineages, lineage] : before.lineages.with(at, lineage)
    this.#setPage({ ...before, lineages })
  }

  #setPage(state: PageState): void {
    this.#touched.add(state.page)
    this.#pages = withEntry(this.#pages, state.page.index, state)
  }
}

const lineagesOf = (changed: Iterable<[PageState, unknown]>): Map<Lineage['revisions'], Lineage> =>
  new Map(
    Array.from(changed, ([{ lineages }]) => lineages).flatMap((all) =>
      all.map((one) => [one.revisions, one]),
    ),
  )

/** Compares by time, then id. Both are ASCII, so comparing strings is comparing bytes. */
export const isLater = (one: LastRevision | undefined, other: LastRevision | undefined): boolean => {
  if (one === undefined || other === undefined) return one !== undefined
  if (one.createdAt !== other.createdAt) return one.createdAt > other.createdAt
  return one.id > other.id
}

/** The pages that differ between the states of a commit and of one of its descendants. */
export const changedPages = (before: HistoryState, after: HistoryState): FilePage[] =>
  Array.from(differences(before, after), ([{ page }]) => page)
