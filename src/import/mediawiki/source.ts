import { LRUCache } from 'lru-cache'
import { ImportError, UsageError } from '../../errors.ts'
import { FIELD_BYTES_MAX, TEXT_BYTES_MAX, TRANSFER_BATCH } from '../../limits.ts'
import { ownName, parseSourceLocale } from '../../wiki/locales.ts'
import { byteLength, quote } from '../../wiki/text.ts'
import {
  type CategoryRecord,
  type ImportRecord,
  type ImportSource,
  type PageRecord,
  type RevisionRecord,
  type WikiRecord,
  wikiRecord,
} from '../../write/records.ts'
import { revisionBytes } from '../../write/revision-bytes.ts'
import { toSingleLine } from '../single-line.ts'
import { MediawikiSite, NS } from '../wikitext/site.ts'
import {
  type DumpItem,
  type DumpPage,
  type DumpRevision,
  type DumpSite,
  ExportReader,
} from './export-reader.ts'
import { openDump } from './file.ts'
import { MediawikiNotes } from './notes.ts'
import { type ConvertedRevision, type OpenPage, readRevision } from './revision.ts'
import { translationGroup } from './translations.ts'

export interface MediawikiOptions {
  /** Besides main, template, module and category: names as the wiki has them, or numbers. */
  namespaces: string[]
  /** Whether redirects become pages that link to their target. */
  redirects: boolean
  /** Language of the wiki; default: what the dump says. */
  locale?: string
  /** Default: what the dump says. */
  name?: string
  /** Address of the license, http or https. */
  license?: string
  /** The wiki that is there keeps its name, license and first language: one more language joins it. */
  add?: boolean
}

/** Edits of a record: a page with many becomes several. */
const REVISIONS = 500
/** Categories whose names were given already: giving one again costs little and changes nothing. */
const NAMED_CATEGORIES = 100_000

/**
 * A dump of a MediaWiki, `.xml`, `.xml.gz` or `.xml.bz2`, of versions 0.10 and 0.11, with all edits or the
 * current ones. Read as a stream.
 * @throws UsageError when the file cannot be opened or an option is wrong; ImportError, with the line, from
 * the records
 */
export const openMediawikiSource = async (file: string, options: MediawikiOptions): Promise<ImportSource> => {
  const locale = options.locale === undefined ? undefined : parseSourceLocale(options.locale)
  if (locale === null)
    throw new UsageError(`${quote(options.locale!)} is no locale code; one is en or pt-br.`)
  const dump = await openDump(file)
  const notes = new MediawikiNotes()
  let line = 1
  let covered: 'wiki' | { locale: string } | 'some' = 'some'
  const read = async function* (): AsyncGenerator<ImportRecord> {
    const reader = new ExportReader()
    const reading = new Reading({ ...options, locale }, notes)
    const taken = function* (items: Iterable<DumpItem>) {
      for (const item of items) {
        if (item.type === 'page' || item.type === 'revision') line = item.line
        yield* reading.take(item)
      }
    }
    for await (const chunk of dump.text) yield* taken(reader.read(chunk))
    yield* taken(reader.end())
    reading.end()
    covered = options.add ? { locale: reading.locale } : 'wiki'
  }
  return {
    records: read(),
    lineOf: () => `Line ${line}`,
    progress: () => ({ done: dump.bytesRead(), total: dump.bytes, unit: 'bytes' }),
    notes: () => notes.lines(),
    covers: () => covered,
  }
}

/** What a dump has said so far, and what it makes of it. */
class Reading {
  readonly #options: MediawikiOptions
  readonly #notes: MediawikiNotes
  readonly #named = new LRUCache<string, true>({ max: NAMED_CATEGORIES })
  #wiki:
    | { site: MediawikiSite; name: string; locale: string; database: string; taken: Set<number> }
    | undefined
  #page: OpenPage | null = null
  #revisions: RevisionRecord[] = []
  #bytes = 0
  #newest: ConvertedRevision | null = null
  /** The newest edit that was left out, without its text. */
  #tooLong: RevisionRecord | undefined
  #counted = { read: 0, missing: 0 }

  constructor(options: MediawikiOptions, notes: MediawikiNotes) {
    this.#options = options
    this.#notes = notes
  }

  get locale(): string {
    return this.#wiki!.locale
  }

  *take(item: DumpItem): Generator<ImportRecord> {
    if (item.type === 'site') yield* this.#startWiki(item)
    else if (item.type === 'page') this.#page = this.#startPage(item)
    else if (this.#page === null) return
    else if (item.type === 'revision') yield* this.#addRevision(this.#page, item)
    else yield* this.#endPage(this.#page)
  }

  /** @throws ImportError where the dump as a whole cannot have been meant */
  end(): void {
    if (this.#wiki === undefined) throw new ImportError('The dump ends before its <siteinfo>.')
    if (this.#counted.read === 0 && this.#counted.missing > 0) {
      throw new ImportError('The dump holds no texts: dumpBackup.php makes such a one with --stub.')
    }
  }

  *#startWiki({ name, language, database, namespaces }: DumpSite): Generator<ImportRecord> {
    const locale = this.#options.locale ?? parseSourceLocale(language)
    if (locale === null) {
      throw new UsageError(
        `The dump names no language (${quote(JSON.stringify(language))}): say it by --locale.`,
      )
    }
    const site = new MediawikiSite(namespaces)
    const taken = new Set<number>(Object.values(NS).filter((key) => key !== NS.file))
    for (const wanted of this.#options.namespaces) {
      const key = /^\d+$/.test(wanted) ? Number(wanted) : site.namespaceNamed(wanted)
      if (key === undefined) {
        const known = namespaces.map((one) => one.name).filter((one) => one !== '')
        throw new UsageError(`The wiki has no namespace ${quote(wanted)}. It has ${quote(known.join(', '))}`)
      }
      taken.add(key)
    }
    this.#wiki = { site, name: this.#options.name ?? name, locale, database, taken }
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

  /** null: the page is left out. */
  #startPage({ title: written, namespace, isRedirect, line }: DumpPage): OpenPage | null {
    if (this.#wiki === undefined) throw new ImportError(`Line ${line}: a <page> before <siteinfo>`)
    const { site, name, locale, database, taken } = this.#wiki
    if (!taken.has(namespace)) {
      this.#notes.add('left out', written)
      return null
    }
    const title = site.pageTitle(written, namespace)
    const path = site.path(title)
    if (path === null || path === '') {
      this.#notes.add('unfit title', written)
      return null
    }
    if (isRedirect) this.#notes.add(this.#options.redirects ? 'redirect' : 'redirect left out', written)
    if (isRedirect && !this.#options.redirects) return null
    this.#newest = null
    this.#tooLong = undefined
    const wikitext = { site, siteName: name, locale, name: title.name, fullName: written, path }
    return { title, wikitext, shownTitle: site.displayTitle(title), isRedirect, database }
  }

  *#addRevision(page: OpenPage, revision: DumpRevision): Generator<ImportRecord> {
    // Nothing that long becomes shorter as Markdown, so that it is not even converted.
    const isLong = byteLength(revision.text) > TEXT_BYTES_MAX
    const read = readRevision(page, isLong ? { ...revision, text: '' } : revision, this.#notes)
    if (read === null) {
      this.#counted.missing += 1
      return
    }
    this.#counted.read += 1
    if (isLong || isTooLong(read.record)) {
      this.#notes.add('too long', `${page.shownTitle}, edit ${revision.id}`)
      if (isNewer(read.record, this.#tooLong)) this.#tooLong = { ...read.record, markdown: '' }
      return
    }
    if (read.record.status === 'accepted' && isNewer(read.record, this.#newest?.record)) this.#newest = read
    const bytes = revisionBytes(read.record)
    const isFull = this.#revisions.length >= REVISIONS || this.#bytes + bytes > TRANSFER_BATCH.bytes
    if (this.#revisions.length > 0 && isFull) yield this.#record(page, 'live')
    this.#revisions.push(read.record)
    this.#bytes += bytes
  }

  *#endPage(page: OpenPage): Generator<ImportRecord> {
    const newest = this.#newest
    this.#notes.addUnconverted(newest?.converted?.unconverted ?? new Map(), page.shownTitle)
    // A text that cannot be stored is not stood for by an older one: the page is not shown. (D70)
    const isHidden = this.#tooLong !== undefined && isNewer(this.#tooLong, newest?.record)
    if (isHidden) this.#notes.add('too long now', page.shownTitle)
    else yield* this.#categories(page, newest)
    yield this.#record(page, isHidden ? 'draft' : 'live')
  }

  /** What the categories of the shown text are called, and the page's own where it describes one. */
  *#categories(page: OpenPage, newest: ConvertedRevision | null): Generator<CategoryRecord> {
    if (newest === null) return
    const found = new Map(newest.categories)
    if (page.title.namespace === NS.category)
      found.set(page.title.name.replaceAll(' ', '_'), newest.record.title)
    const { locale } = page.wikitext
    for (const [key, name] of found) {
      if (this.#named.has(key) || Buffer.byteLength(key) > FIELD_BYTES_MAX.key) continue
      this.#named.set(key, true)
      yield { type: 'category', locale, key, name }
    }
  }

  #record(page: OpenPage, state: PageRecord['state']): PageRecord {
    const revisions = this.#revisions
    this.#revisions = []
    this.#bytes = 0
    const group = translationGroup(page, this.#newest)
    return {
      type: 'page',
      locale: page.wikitext.locale,
      path: page.wikitext.path,
      state,
      ...(group === null ? {} : { translation_group: group }),
      revisions,
    }
  }
}

const isTooLong = ({ markdown }: RevisionRecord): boolean => byteLength(markdown) > TEXT_BYTES_MAX

/** In the wiki's order of edits: by time, then id. */
const isNewer = (one: RevisionRecord, other: RevisionRecord | undefined): boolean =>
  other === undefined || `${one.created_at} ${one.id}` > `${other.created_at} ${other.id}`
