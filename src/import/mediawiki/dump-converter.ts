import { LRUCache } from 'lru-cache'
import { ImportError, UsageError } from '../../errors.ts'
import { FIELD_BYTES_MAX, TEXT_BYTES_MAX, TRANSFER_BATCH } from '../../limits.ts'
import { ownName, parseSourceLocale } from '../../wiki/locales.ts'
import { byteLength, quote } from '../../wiki/text.ts'
import {
  type CategoryRecord,
  type ImportedPage,
  type ImportRecord,
  type PageRecord,
  type RevisionRecord,
  type WikiRecord,
  wikiRecord,
} from '../../write/records.ts'
import { RevisionBatch, revisionBytes } from '../../write/revision-bytes.ts'
import { toSingleLine } from '../single-line.ts'
import { MediawikiSite, NS } from '../wikitext/site.ts'
import type { DumpItem, DumpPage, DumpRevision, DumpSite } from './dump-items.ts'
import type { MediawikiNotes } from './notes.ts'
import { PageHistory } from './page-history.ts'
import { type ConvertedRevision, type OpenPage, readRevision } from './revision.ts'
import { mediawikiRevisionId } from './revision-id.ts'
import { translationGroup } from './translations.ts'

export interface MediawikiOptions {
  /** Names or numbers of further namespaces, besides main, template, module and category. */
  namespaces: string[]
  /** Whether redirects become pages that link to their target. */
  redirects: boolean
  /** Language of the wiki. Default: the language in the dump. */
  locale?: string
  /** Default: the name in the dump. */
  name?: string
  /** URL of the license, http or https. */
  license?: string
  /** Adds a language to the existing wiki, which keeps its name, license and default language. */
  add?: boolean
}

/** Revisions of one record. A page with more becomes several records. */
const RECORD_REVISIONS = 500
/** Remembered categories whose names were already yielded. Yielding a name again costs little and changes nothing. */
const REMEMBERED_CATEGORIES = 100_000

/** Converts the items of a dump to records. */
export class DumpConverter {
  readonly #options: MediawikiOptions
  readonly #notes: MediawikiNotes
  readonly #namedCategories = new LRUCache<string, true>({ max: REMEMBERED_CATEGORIES })
  #wiki:
    | { site: MediawikiSite; name: string; locale: string; database: string; includedNamespaces: Set<number> }
    | undefined
  #page: OpenPage | null = null
  readonly #revisions = new RevisionBatch({ revisions: RECORD_REVISIONS, bytes: TRANSFER_BATCH.bytes })
  #history = new PageHistory()
  /** Ids of revisions whose text is not in the dump. */
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

  *convert(item: DumpItem): Generator<ImportRecord> {
    if (item.type === 'site') yield* this.#startWiki(item)
    else if (item.type === 'page') this.#page = this.#startPage(item)
    else if (this.#page === null) return
    else if (item.type === 'revision') yield* this.#addRevision(this.#page, item)
    else yield* this.#endPage(this.#page)
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

  *#startWiki({ name, language, database, namespaces }: DumpSite): Generator<ImportRecord> {
    const locale = this.#options.locale ?? parseSourceLocale(language)
    if (locale === null) {
      throw new UsageError(
        `The dump has no valid language (${quote(JSON.stringify(language))}). Set it with --locale.`,
      )
    }
    const site = new MediawikiSite(namespaces)
    const includedNamespaces = new Set<number>(Object.values(NS).filter((key) => key !== NS.file))
    for (const name of this.#options.namespaces) {
      const key = /^\d+$/.test(name) ? Number(name) : site.namespaceNamed(name)
      if (key === undefined) {
        const known = namespaces.map((one) => one.name).filter((one) => one !== '')
        throw new UsageError(
          `The wiki has no namespace ${quote(name)}. Its namespaces are ${quote(known.join(', '))}`,
        )
      }
      includedNamespaces.add(key)
    }
    this.#wiki = { site, name: this.#options.name ?? name, locale, database, includedNamespaces }
    if (!this.#options.add) yield this.#wikiRecord(locale)
  }

  #wikiRecord(locale: string): WikiRecord {
    const parsed = wikiRecord.safeParse({
      type: 'wiki',
      name: toSingleLine(this.#wiki!.name, FIELD_BYTES_MAX.title) || 'MediaWiki',
      default_locale: locale,
      license: this.#options.license,
      locales: [{ locale, name: ownName(locale) }],
    })
    if (parsed.success) return parsed.data
    const issue = parsed.error.issues[0]!
    throw new UsageError(`${issue.path.join('.')}: ${issue.message}`)
  }

  /** @returns null if the page is left out */
  #startPage({ title: fullTitle, namespace, isRedirect, line }: DumpPage): OpenPage | null {
    if (this.#wiki === undefined) throw new ImportError(`Line ${line}: a <page> must not precede <siteinfo>`)
    const { site, name, locale, database, includedNamespaces } = this.#wiki
    if (!includedNamespaces.has(namespace)) {
      this.#notes.add('left out', fullTitle)
      return null
    }
    const title = site.pageTitle(fullTitle, namespace)
    const path = site.path(title)
    if (path === null || path === '') {
      this.#notes.add('unfit title', fullTitle)
      return null
    }
    if (isRedirect) this.#notes.add(this.#options.redirects ? 'redirect' : 'redirect left out', fullTitle)
    if (isRedirect && !this.#options.redirects) return null
    this.#history = new PageHistory()
    this.#newest = null
    this.#tooLong = undefined
    const wikitext = { site, siteName: name, locale, name: title.name, fullName: fullTitle, path }
    return { title, wikitext, displayTitle: site.displayTitle(title), isRedirect, database }
  }

  *#addRevision(page: OpenPage, revision: DumpRevision): Generator<ImportRecord> {
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
    const bytes = revisionBytes(read.record)
    if (this.#revisions.isFullFor(bytes)) yield this.#record(page, 'live')
    this.#revisions.add(read.record, bytes)
  }

  *#endPage(page: OpenPage): Generator<ImportRecord> {
    const newest = this.#newest
    this.#notes.addUnconverted(newest?.converted?.unconverted ?? new Map(), page.displayTitle)
    // If the newest text is too long, the page is hidden. It does not show an older text instead. (D70)
    const isHidden = this.#tooLong !== undefined && isNewer(this.#tooLong, newest?.record)
    if (isHidden) this.#notes.add('too long now', page.displayTitle)
    else yield* this.#categories(page, newest)
    yield { ...this.#record(page, isHidden ? 'draft' : 'live'), hasAllRevisions: this.#history.isComplete }
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

  #record(page: OpenPage, state: PageRecord['state']): ImportedPage {
    const unreadRevisions = this.#unread
    this.#unread = []
    const group = translationGroup(page, this.#newest)
    return {
      type: 'page',
      locale: page.wikitext.locale,
      path: page.wikitext.path,
      state,
      ...(group === null ? {} : { translation_group: group }),
      revisions: this.#revisions.take(),
      ...(unreadRevisions.length > 0 ? { unreadRevisions } : {}),
    }
  }
}

const isTooLong = ({ markdown }: RevisionRecord): boolean => byteLength(markdown) > TEXT_BYTES_MAX

/** Lectern orders revisions by time, then id. */
const isNewer = (one: RevisionRecord, other: RevisionRecord | undefined): boolean =>
  other === undefined || `${one.created_at} ${one.id}` > `${other.created_at} ${other.id}`
