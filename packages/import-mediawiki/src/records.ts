import { ImportError } from '@lectern/wiki/errors'
import { FIELD_BYTES_MAX, TEXT_BYTES_MAX, TRANSFER_BATCH } from '@lectern/wiki/limits'
import {
  type CategoryRecord,
  type ImportedPage,
  type ImportRecord,
  makeRevisionBatch,
  type PageRecord,
  type RevisionRecord,
} from '@lectern/wiki/records'
import { byteLength, nfc } from '@lectern/wiki/text'
import { LRUCache } from 'lru-cache'
import type { MediawikiItem, PageEndItem, PageItem, RevisionItem, SiteItem } from './items.ts'
import { type ConvertedRevision, mediawikiRevisionId, type OpenPage, readRevision } from './revision.ts'
import {
  addressOf,
  type ImportedMediawiki,
  type MediawikiNotes,
  type MediawikiOptions,
  openWiki,
  recordOfMediawiki,
} from './wiki.ts'
import { NS } from './wikitext/site.ts'

/**
 * The translation group of a page, from the links to other languages in its text. Each dump contains only its own
 * links, so all pages of a group must derive the same name: the title of the English page, or of the page whose
 * language code is first.
 * @returns null if the page has no such links
 */
const translationGroup = ({ wikitext, title }: OpenPage, newest: ConvertedRevision | null): string | null => {
  const { locale, site } = wikitext
  const languages = newest?.converted?.languages
  if (!languages || languages.size === 0) return null
  const all = new Map(languages).set(locale, site.displayTitle(title))
  const first = all.has('en') ? 'en' : [...all.keys()].sort()[0]!
  const name = nfc(all.get(first)!.split('#')[0]!.replaceAll('_', ' ').trim())
  const group = `${first}:${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
  return byteLength(group) <= FIELD_BYTES_MAX.path ? group : null
}

/** Which revisions of a page a dump has: a dump of current pages has only the newest one. */
class PageHistory {
  readonly #read = new Set<number>()
  /** Parents that were named, but not read so far. */
  readonly #missingParents = new Set<number>()

  /** @param parent id of the revision before it; undefined for the first one */
  add(id: number, parent: number | undefined): void {
    this.#read.add(id)
    this.#missingParents.delete(id)
    if (parent !== undefined && !this.#read.has(parent)) this.#missingParents.add(parent)
  }

  /** Whether no revision names a parent that the dump does not have. */
  get isComplete(): boolean {
    return this.#read.size > 0 && this.#missingParents.size === 0
  }
}

/** Revisions of one record. A page with more becomes several records. */
const RECORD_REVISIONS = 500
/** Remembered categories whose names were already yielded. Yielding a name again costs little and changes nothing. */
const REMEMBERED_CATEGORIES = 100_000

/** Converts the items of a dump, or of the Action API, to records. */
export class RecordConverter {
  readonly #options: MediawikiOptions
  readonly #notes: MediawikiNotes
  readonly #namedCategories = new LRUCache<string, true>({ max: REMEMBERED_CATEGORIES })
  #wiki: ImportedMediawiki | undefined
  #page: OpenPage | null = null
  readonly #revisions = makeRevisionBatch({ revisions: RECORD_REVISIONS, bytes: TRANSFER_BATCH.bytes })
  #history = new PageHistory()
  #formerPaths: ImportedPage['formerPaths']
  /** Ids of revisions whose text is not in the source. */
  #unread: string[] = []
  #newest: ConvertedRevision | null = null
  /** The newest revision that was left out because of its length, without its text. */
  #tooLong: RevisionRecord | undefined
  #texts = { read: 0, missing: 0 }

  constructor(options: MediawikiOptions, notes: MediawikiNotes) {
    this.#options = options
    this.#notes = notes
  }

  get locale(): string {
    return this.#wiki!.locale
  }

  *convert(item: MediawikiItem): Generator<ImportRecord> {
    if (item.type === 'site') yield* this.#startWiki(item)
    else if (item.type === 'page') this.#page = this.#startPage(item)
    else if (this.#page === null) return
    else if (item.type === 'revision') yield* this.#addRevision(this.#page, item)
    else yield* this.#endPage(this.#page, item)
  }

  /** @throws ImportError if the dump is incomplete or contains no texts */
  end(): void {
    if (this.#wiki === undefined) throw new ImportError('The dump ends before <siteinfo>.')
    if (this.#texts.read === 0 && this.#texts.missing > 0) {
      throw new ImportError(
        'The dump contains no texts. Create it with dumpBackup.php --full, not with --stub.',
      )
    }
  }

  *#startWiki(item: SiteItem): Generator<ImportRecord> {
    this.#wiki = openWiki(item, this.#options)
    if (!this.#options.add) yield recordOfMediawiki(this.#wiki)
  }

  /** @returns null if the page is left out */
  #startPage({ title: fullTitle, namespace, isRedirect, formerPaths, location }: PageItem): OpenPage | null {
    if (this.#wiki === undefined) throw new ImportError(`${location}: a <page> must not precede <siteinfo>`)
    const { site, name, database, namespaces } = this.#wiki
    if (!namespaces.has(namespace)) {
      this.#notes.add('left out', fullTitle)
      return null
    }
    const address = addressOf(this.#wiki, { title: fullTitle, namespace })
    if (address === null) {
      this.#notes.add('unfit title', fullTitle)
      return null
    }
    if (isRedirect) this.#notes.add(this.#options.redirects ? 'redirect' : 'redirect left out', fullTitle)
    if (isRedirect && !this.#options.redirects) return null
    this.#history = new PageHistory()
    this.#newest = null
    this.#tooLong = undefined
    // The log of a MediaWiki is public.
    this.#formerPaths = formerPaths?.map((path) => ({ ...address, path, revisions: 'any' }))
    const title = site.pageTitle(fullTitle, namespace)
    const wikitext = { site, siteName: name, name: title.name, fullName: fullTitle, ...address }
    return { title, wikitext, displayTitle: site.displayTitle(title), isRedirect, database }
  }

  *#addRevision(page: OpenPage, revision: RevisionItem): Generator<ImportRecord> {
    // Markdown is never shorter than its wikitext, so a text that is too long is not converted.
    const isLong = byteLength(revision.text) > TEXT_BYTES_MAX
    this.#history.add(revision.id, revision.parentId)
    const read = readRevision(page, isLong ? { ...revision, text: '' } : revision, this.#notes)
    if (read === null) {
      this.#texts.missing += 1
      const { locale, path } = page.wikitext
      this.#unread.push(mediawikiRevisionId(page.database, locale, path, revision.id))
      return
    }
    this.#texts.read += 1
    if (isLong || isTooLong(read.record)) {
      this.#notes.add('too long', `${page.displayTitle}, edit ${revision.id}`)
      if (isNewer(read.record, this.#tooLong)) this.#tooLong = { ...read.record, markdown: '' }
      return
    }
    if (read.record.status === 'accepted' && isNewer(read.record, this.#newest?.record)) this.#newest = read
    const full = this.#revisions.add(read.record)
    if (full) yield this.#record(page, 'live', full)
  }

  *#endPage(page: OpenPage, { hasAllRevisions }: PageEndItem): Generator<ImportRecord> {
    const newest = this.#newest
    this.#notes.addUnconverted(newest?.converted?.unconverted ?? new Map(), page.displayTitle)
    // If the newest text is too long, the page is hidden. It does not show an older text instead. (D70)
    const isHidden = this.#tooLong !== undefined && isNewer(this.#tooLong, newest?.record)
    if (isHidden) this.#notes.add('too long now', page.displayTitle)
    else yield* this.#categories(page, newest)
    yield {
      ...this.#record(page, isHidden ? 'draft' : 'live'),
      hasAllRevisions: hasAllRevisions ?? this.#history.isComplete,
      ...(this.#formerPaths ? { formerPaths: this.#formerPaths } : {}),
    }
  }

  /** Names of the categories of the newest text, and of the category that this page describes. */
  *#categories(page: OpenPage, newest: ConvertedRevision | null): Generator<CategoryRecord> {
    if (newest === null) return
    const names = new Map(newest.categories)
    if (page.title.namespace === NS.category)
      names.set(page.title.name.replaceAll(' ', '_'), newest.record.title)
    const { locale } = page.wikitext
    for (const [key, name] of names) {
      if (this.#namedCategories.has(key) || Buffer.byteLength(key) > FIELD_BYTES_MAX.key) continue
      this.#namedCategories.set(key, true)
      yield { type: 'category', locale, key, name }
    }
  }

  #record(page: OpenPage, state: PageRecord['state'], revisions = this.#revisions.take()): ImportedPage {
    const unreadRevisions = this.#unread
    this.#unread = []
    const group = translationGroup(page, this.#newest)
    return {
      type: 'page',
      locale: page.wikitext.locale,
      path: page.wikitext.path,
      state,
      ...(group === null ? {} : { translation_group: group }),
      revisions,
      ...(unreadRevisions.length > 0 ? { unreadRevisions } : {}),
    }
  }
}

const isTooLong = ({ markdown }: RevisionRecord): boolean => byteLength(markdown) > TEXT_BYTES_MAX

/** Lectern orders revisions by time, then id. */
const isNewer = (one: RevisionRecord, other: RevisionRecord | undefined): boolean =>
  other === undefined || `${one.created_at} ${one.id}` > `${other.created_at} ${other.id}`
