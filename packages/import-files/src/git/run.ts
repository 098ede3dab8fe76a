import { TEXT_BYTES_MAX } from '@lectern/wiki/limits'
import { type ImportRecord, pageKey } from '@lectern/wiki/records'
import type { StoredContentQueries } from '@lectern/wiki/stored-content'
import type { FileSourceOptions } from '../files/layouts.ts'
import type { TextMarkup } from '../files/link-markup/markup.ts'
import { makeGitNotes } from '../files/notes.ts'
import { dueIn } from '../files/page-files.ts'
import { filesInTree } from '../files/page-index.ts'
import type { NavigationTitles } from '../files/recognition/navigation.ts'
import type { Recognition } from '../files/recognition/recognize.ts'
import { CategoryNames, readContent } from '../files/revision-content.ts'
import type { ReadingContext } from './history.ts'
import { type GitPage, readPages } from './pages.ts'
import { knownRevisionsOf, type Reading, readAll, readChanges } from './reading.ts'
import { type GitState, makeGitState, parseGitState } from './state.ts'

interface GitContent extends ReadingContext {
  markup: TextMarkup
  shown: Recognition['shown']
  digests: Pick<GitState, 'content' | 'texts' | 'titles'>
  /** The titles of the navigation at another commit; null if the commit does not exist any more. */
  titlesAt(commit: string): Promise<NavigationTitles | null>
}

export interface RunOptions extends Pick<FileSourceOptions, 'stored'> {
  /** Whether stored revisions that are not in the history stay; notes then name their pages. */
  keepsMissing?: boolean
  /** Whether the texts of stored revisions may have become others. */
  readsAgain?: boolean
}

/** Revisions of a batch of pages, at least. Each batch takes one query of stored revisions. */
const BATCH_REVISIONS = 1000

/** One reading of a repository: all of it, or what changed since the state that is stored. */
export class GitRun {
  readonly notes = makeGitNotes()
  /** The number of live pages by language. Known at the end. */
  livePages = new Map<string, number>()
  hasAll = true
  #content: GitContent
  readonly #options: RunOptions
  readonly #categories = new CategoryNames()
  #reading: Reading | null = null
  #done = 0

  constructor(content: GitContent, options: RunOptions) {
    this.#content = content
    this.#options = options
  }

  progress(): { done: number; total?: number; unit: string } {
    const total = this.#reading?.pages.reduce((sum, { revisions }) => sum + revisions.length, 0)
    return { done: this.#done, total, unit: 'edits' }
  }

  /** The state for the next import; undefined if that must read everything. */
  state(): GitState | undefined {
    if (this.#reading === null || !this.#hasState) return undefined
    const { generation, hasFormerPaths, included } = this.#reading
    const { head, from, digests } = this.#content
    const locales = Object.fromEntries(this.livePages)
    return makeGitState({ head, from, generation, ...digests, locales, hasFormerPaths, included })
  }

  async *records(): AsyncGenerator<ImportRecord> {
    const stored = this.#options.stored?.()
    const before = this.#hasState && stored ? await this.#stateBefore(stored) : null
    if (before?.from && this.#content.beginsWithImport)
      this.#content = { ...this.#content, from: before.from }
    const { digests, from, shown, index } = this.#content
    const retitled = before && (await this.#retitledSince(before))
    const due = dueIn(await stored?.sourceState())
    const dueFiles = shown.dueSince(due).flatMap((file) => index.filesOf(file))
    const stale = new Set([...(retitled ?? []), ...dueFiles.map(({ page }) => pageKey(page))])
    const isRewritten =
      this.#options.readsAgain || (before !== null && (retitled === null || before.texts !== digests.texts))
    const isComparable =
      before !== null && !isRewritten && before.content === digests.content && before.from === from
    this.#reading = await this.#read(isComparable ? before : null, stale, stored)
    const { pages, changes } = this.#reading
    this.hasAll = changes === null
    if (before !== null && changes !== null) {
      // What was true before, without the pages that may have changed.
      this.livePages = new Map(Object.entries(before.locales))
      for (const { locale, isLive } of changes.stored) if (isLive) this.#countLive(locale, -1)
    }
    for (const { locale, path } of changes?.gone ?? []) yield { type: 'absent', locale, path }
    yield* this.#pageRecords(pages, stale, isRewritten ? undefined : stored)
    if (changes !== null && stored) await this.#addOtherCategories(changes, stored)
    yield* this.#categories.records()
  }

  /** A shallow clone does not show what belongs together, and pages that are kept follow from no history. */
  get #hasState(): boolean {
    return !this.#content.repository.isShallow && !this.#options.keepsMissing
  }

  /** The state of the last import; null if the pages are no longer those, because another source has taken some. */
  async #stateBefore(stored: StoredContentQueries): Promise<GitState | null> {
    const before = parseGitState(await stored.sourceState())
    if (before === null) return null
    const live = await stored.livePages()
    const isSame =
      live.length === Object.keys(before.locales).length &&
      live.every(({ locale, pages }) => before.locales[locale] === pages)
    return isSame ? before : null
  }

  /** The keys of the pages that the navigation names otherwise than before; null if that is not known. */
  async #retitledSince(before: GitState): Promise<Set<string> | null> {
    const { digests, markup } = this.#content
    if (before.titles === digests.titles) return new Set()
    const titles = await this.#content.titlesAt(before.head)
    if (titles === null) return null
    const keys = [...titles.keys(), ...markup.titles.keys()]
    return new Set(keys.filter((key) => titles.get(key) !== markup.titles.get(key)))
  }

  /** @param stale keys of pages to read again without a change of their files */
  async #read(before: GitState | null, stale: Set<string>, stored?: StoredContentQueries) {
    const context = { ...this.#content, notes: this.notes }
    if (before === null || stored === undefined) return readAll(context)
    if (before.head !== context.head || stale.size > 0) return readChanges(context, before, stored, stale)
    return { ...before, pages: [], changes: { touched: [], gone: [], stored: [] } }
  }

  async *#pageRecords(pages: GitPage[], stale: Set<string>, stored?: StoredContentQueries) {
    for (const batch of batchesOf(pages)) {
      const before = this.#done
      const known = await knownRevisionsOf(batch, stored, this.#options.keepsMissing ? this.notes : null)
      for (const page of batch)
        if (stale.has(pageKey(page))) for (const { id } of page.revisions) known.delete(id)
      const chunks = readPages({ ...this.#content, notes: this.notes }, batch, known)
      for await (const { page, record, done, shownTags } of chunks) {
        if (shownTags !== null) {
          this.#categories.add(page.locale, page.last, shownTags)
          this.#countLive(page.locale, 1)
        }
        this.#done = before + done
        yield record
      }
    }
  }

  #countLive(locale: string, change: number): void {
    const count = (this.livePages.get(locale) ?? 0) + change
    if (count > 0) this.livePages.set(locale, count)
    else this.livePages.delete(locale)
  }

  /** Adds the names that other pages give to the categories of changed pages: that of the page that changed last counts. */
  async #addOtherCategories(
    { touched, stored: states }: NonNullable<Reading['changes']>,
    stored: StoredContentQueries,
  ): Promise<void> {
    const before = states.flatMap(({ locale, categories }) => categories.map((key) => ({ locale, key })))
    const all = [...before, ...this.#categories.records()]
    const keys = new Map(all.map((one) => [`${one.locale} ${one.key}`, one]))
    if (keys.size === 0) return
    const members = await stored.newestMembers([...keys.values()], touched)
    const { tree, markup } = this.#content
    const wanted = new Set(members.map(pageKey))
    const files = await filesInTree(this.#content, (page) => wanted.has(pageKey(page)))
    const current = new Map([...files].map(([page, [first]]) => [pageKey(page), first!]))
    const found = members.flatMap((member) => {
      const first = current.get(pageKey(member))
      return first === undefined ? [] : [{ member, file: first.file.name, content: first.blob }]
    })
    for await (const [{ member, file }, bytes] of tree.readContents(found, TEXT_BYTES_MAX)) {
      const { tags } = await readContent(bytes, file, member, markup)
      const ofMember = tags.filter(({ key }) => key === member.key)
      this.#categories.add(member.locale, { id: member.revisionId, createdAt: member.createdAt }, ofMember)
    }
  }
}

function* batchesOf(pages: GitPage[]): Generator<GitPage[]> {
  let [start, revisions] = [0, 0]
  for (const [i, page] of pages.entries()) {
    revisions += page.revisions.length
    if (revisions < BATCH_REVISIONS && i < pages.length - 1) continue
    yield pages.slice(start, i + 1)
    start = i + 1
    revisions = 0
  }
}
