import { type FormerPath, pageKey } from '@lectern/wiki/records'
import type { Layout } from '../files/layouts.ts'
import type { HeadPage } from './history.ts'
import { type FileContent, type FileRevision, isLater, type LastRevision } from './history-state.ts'
import type { GitNotes, NamedPage } from './page-index.ts'

/** The text of a page at the ref. */
interface HeadText {
  file: string
  /** It is also the blob of the last revision. */
  blob: string
}

/** A page and its revisions, oldest first: by time, then id. */
export interface GitPage {
  locale: string
  path: string
  /** Whether pages of its path in other languages are its translations. */
  hasTranslations: boolean
  /** Null: the page was deleted. */
  head: HeadText | null
  /** All of its revisions; or those that are new, if `isPartial`. */
  revisions: FileRevision[]
  isPartial: boolean
  last: LastRevision
  /** Paths that the page had before it was renamed. Each is the former path of one page alone. Absent if `isPartial`. */
  formerPaths?: FormerPath[]
}

/** Describes the pages of a history for the import. */
export class PageList {
  readonly #named: readonly NamedPage[]
  readonly #layouts: readonly Layout[]
  readonly #notes: GitNotes
  readonly #histories: ReadonlyMap<number, HeadPage>
  readonly #movedTo: ReadonlyMap<number, { page: number }>

  /** @param named all pages, by their index */
  constructor(
    histories: ReadonlyMap<number, HeadPage>,
    named: readonly NamedPage[],
    { layouts, notes }: { layouts: readonly Layout[]; notes: GitNotes },
  ) {
    this.#histories = histories
    this.#named = named
    this.#layouts = layouts
    this.#notes = notes
    this.#movedTo = lastMoves(histories)
  }

  /** Pages with all of their revisions, sorted by locale and path. @param indexes default: all */
  complete(indexes: Iterable<number> = this.#histories.keys()): GitPage[] {
    return this.#described(indexes, (history, index) => {
      const revisions = revisionsOf(history)
      return {
        revisions,
        last: revisions.at(-1)!,
        isPartial: false,
        formerPaths: this.#formerPaths(history, index),
      }
    })
  }

  /** Pages with their new revisions. @param last the last revision of each page, by its index */
  partial(last: ReadonlyMap<number, LastRevision>): GitPage[] {
    return this.#described(last.keys(), (history, index) => ({
      revisions: revisionsOf(history),
      last: last.get(index)!,
      isPartial: true,
    }))
  }

  #described(
    indexes: Iterable<number>,
    more: (
      history: HeadPage,
      index: number,
    ) => Pick<GitPage, 'revisions' | 'last' | 'isPartial' | 'formerPaths'>,
  ): GitPage[] {
    const pages: GitPage[] = []
    for (const index of indexes) {
      const history = this.#histories.get(index)
      if (history === undefined) continue
      const page = this.#named[index]!
      this.#addNotes(page, history)
      const head = history.files[0] ?? null
      pages.push({
        locale: page.locale,
        path: page.path,
        hasTranslations: head !== null && this.#layouts[head.file.layout]!.setsLocale,
        head: headText(head),
        ...more(history, index),
      })
    }
    return pages.sort((a, b) => (pageKey(a) < pageKey(b) ? -1 : 1))
  }

  #addNotes({ files }: NamedPage, { files: current, lineages }: HeadPage): void {
    const names = new Set([
      ...current.map(({ file }) => file.name),
      ...files.map(({ name }) => name),
      ...lineages.flatMap(({ moves }) => moves.map(({ file }) => file)),
    ])
    if (names.size > 1)
      this.#notes.add(current.length > 1 ? 'double page' : 'moved page', [...names].join(', '))
  }

  #formerPaths({ lineages }: HeadPage, index: number): FormerPath[] {
    const former = new Set(lineages.flatMap(({ moves }) => moves.map(({ from }) => from.index)))
    former.delete(index)
    return [...former]
      .filter((from) => this.#movedTo.get(from)?.page === index)
      .map((from) => {
        const { locale, path, files } = this.#named[from]!
        const names = new Set(files.map(({ name }) => name))
        const there = lineages.flatMap(({ revisions }) => revisions.filter(({ file }) => names.has(file)))
        return { locale, path, revisions: there.map(({ id }) => id) }
      })
  }
}

const headText = (first: FileContent | null): HeadText | null =>
  first === null ? null : { file: first.file.name, blob: first.blob }

const revisionsOf = ({ lineages }: HeadPage): FileRevision[] =>
  lineages.flatMap(({ revisions }) => revisions).sort((a, b) => (isLater(a, b) ? 1 : -1))

/** Where the pages are now that have had the path of a page, by its index: of several, the one that left it last. */
const lastMoves = (
  histories: ReadonlyMap<number, HeadPage>,
): Map<number, { page: number; order: string }> => {
  const last = new Map<number, { page: number; order: string }>()
  for (const [page, { lineages }] of histories)
    for (const { from, order } of lineages.flatMap(({ moves }) => moves))
      if ((last.get(from.index)?.order ?? '') < order) last.set(from.index, { page, order })
  return last
}
