import { createReadStream } from 'node:fs'
import { ImportError, UsageError } from '@lectern/wiki/errors'
import { decompressFile } from '@lectern/wiki/import/bunzip2'
import { sizeOfFile } from '@lectern/wiki/import/file-stream'
import { parseSourceLocale } from '@lectern/wiki/locales'
import type { ImportRecord, ImportSource } from '@lectern/wiki/records'
import { quote } from '@lectern/wiki/text'
import { SaxesParser } from 'saxes'
import type { MediawikiItem, PageItem, RevisionItem, SiteItem } from './items.ts'
import { RecordConverter } from './records.ts'
import { MediawikiNotes, type MediawikiOptions } from './wiki.ts'

/** Characters of one element of a MediaWiki dump. More stops the import. MediaWiki itself accepts texts of 2 MB. */
const DUMP_ELEMENT_CHARACTERS_MAX = 32 * 1024 * 1024

/** A dump as a stream of text, and how much of the file has been read. */
interface DumpFile {
  text: AsyncIterable<string>
  bytesRead(): number
  /** Size of the file; undefined for a pipe. */
  bytes: number | undefined
}

const CHUNK = 1 << 20
/** Size of a chunk of decompressed bytes. */
const DECOMPRESSED_CHUNK = 1 << 18

/**
 * Opens `dump.xml`, `.xml.gz` or `.xml.bz2`, parallel bzip2 (several streams in one file) included.
 * @throws UsageError if the file cannot be read; its text throws ImportError for bytes that are not UTF-8, or a damaged
 * compressed file
 */
export const openDump = async (file: string): Promise<DumpFile> => {
  const size = await sizeOfFile(file, '.xml, .xml.gz or .xml.bz2')
  const bytes = createReadStream(file, { highWaterMark: CHUNK })
  return {
    text: decodeUtf8(file, decompressFile(file, bytes, DECOMPRESSED_CHUNK)),
    bytesRead: () => bytes.bytesRead,
    bytes: size,
  }
}

async function* decodeUtf8(file: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw new ImportError(`${file} is not UTF-8.`)
    throw new ImportError(`Cannot read ${file} to its end: ${message}`)
  }
}

/** Paths of the elements under `<mediawiki>` whose text is read. Other elements are ignored. */
const FIELDS = new Set([
  'siteinfo sitename',
  'siteinfo dbname',
  'siteinfo namespaces namespace',
  'page title',
  'page ns',
  'page revision id',
  'page revision parentid',
  'page revision timestamp',
  'page revision contributor username',
  'page revision contributor ip',
  'page revision comment',
  'page revision model',
  'page revision text',
])

/** Real dumps have a depth of six elements. */
const MAX_DEPTH = 16
/** The largest wikis have some hundred namespaces. */
const MAX_NAMESPACES = 10_000
/** Characters per call of the parser. */
const PARSER_STEP = 1 << 18

/**
 * Reads MediaWiki's export format, versions 0.10 and 0.11, as a stream. Memory holds one revision. If a revision has
 * several slots (0.11), only the main slot is read. Refuses XML that is not well-formed, and all entities except the
 * five of XML, because a dump declares no others.
 * @throws ImportError with the line
 */
export class ExportReader {
  readonly #parser = new SaxesParser({ xmlns: false, position: true })
  readonly #path: string[] = []
  #items: MediawikiItem[] = []
  #fields = new Map<string, string>()
  #attributes: Record<string, string> = {}
  /** Characters since the last tag. The parser holds an unfinished text in memory. */
  #pendingCharacters = 0
  #site: SiteItem = { type: 'site', language: '', name: '', database: '', namespaces: [] }
  #page: PageItem | undefined
  #line = 1
  #contributorHidden = false
  #commentHidden = false
  #text: Record<string, string> = {}

  constructor() {
    const parser = this.#parser
    parser.on('error', (error) => this.#fail(error.message.replace(/^\d+:\d+: /, '')))
    parser.on('doctype', () => this.#fail('a dump must not have a DOCTYPE'))
    parser.on('opentag', ({ name, attributes }) =>
      this.#onOpenTag(name, attributes as Record<string, string>),
    )
    parser.on('closetag', ({ name }) => this.#onCloseTag(name))
    parser.on('text', (text) => this.#onText(text))
    parser.on('cdata', (text) => this.#onText(text))
  }

  /** @returns the items that the chunk completes */
  *read(chunk: string): Generator<MediawikiItem> {
    for (let start = 0; start < chunk.length; start += PARSER_STEP) {
      const step = chunk.slice(start, start + PARSER_STEP)
      this.#pendingCharacters += step.length
      this.#parser.write(step)
      if (this.#pendingCharacters > DUMP_ELEMENT_CHARACTERS_MAX + PARSER_STEP) this.#tooLong()
      yield* this.#takeItems()
    }
  }

  /** Call it at the end of the file. */
  end(): MediawikiItem[] {
    this.#parser.close()
    return this.#takeItems()
  }

  #takeItems(): MediawikiItem[] {
    const items = this.#items
    this.#items = []
    return items
  }

  #onOpenTag(name: string, attributes: Record<string, string>): void {
    this.#pendingCharacters = 0
    if (this.#path.length === 0) this.#checkRoot(name, attributes)
    if (this.#path.push(name) > MAX_DEPTH) this.#fail('elements are nested too deeply for a dump')
    const path = this.#elementPath()
    if (path === 'page') {
      this.#fields.clear()
      this.#page = undefined
      this.#line = this.#parser.line
    } else if (path === 'page revision') {
      this.#startPage()
      this.#fields.clear()
      this.#contributorHidden = false
      this.#commentHidden = false
      this.#text = { missing: '' }
      this.#line = this.#parser.line
    } else if (path === 'page redirect') this.#fields.set(path, '')
    else if (path === 'page revision text') this.#text = attributes
    else if (path === 'page revision contributor') this.#contributorHidden = 'deleted' in attributes
    else if (path === 'page revision comment') this.#commentHidden = 'deleted' in attributes
    this.#attributes = attributes
  }

  #checkRoot(name: string, attributes: Record<string, string>): void {
    if (name !== 'mediawiki') {
      this.#fail(`a MediaWiki dump starts with <mediawiki>, but this file starts with <${quote(name)}>`)
    }
    const version = attributes.version ?? ''
    if (version !== '0.10' && version !== '0.11') {
      this.#fail(`the version of the dump is ${quote(JSON.stringify(version))}; supported are 0.10 and 0.11`)
    }
    this.#site.language = attributes['xml:lang'] ?? ''
  }

  #onText(text: string): void {
    this.#pendingCharacters = 0
    const path = this.#elementPath()
    if (!FIELDS.has(path)) return
    const value = (this.#fields.get(path) ?? '') + text
    if (value.length > DUMP_ELEMENT_CHARACTERS_MAX) this.#tooLong()
    this.#fields.set(path, value)
  }

  #onCloseTag(name: string): void {
    this.#pendingCharacters = 0
    const path = this.#elementPath()
    if (path === 'siteinfo namespaces namespace') this.#addNamespace()
    else if (path === 'siteinfo') this.#items.push(this.#finishedSite())
    else if (path === 'page revision') this.#items.push(this.#revision())
    else if (path === 'page') {
      this.#startPage()
      this.#items.push({ type: 'page end' })
    }
    if (this.#path.at(-1) === name) this.#path.pop()
  }

  #elementPath(): string {
    return this.#path.slice(1).join(' ')
  }

  #addNamespace(): void {
    const path = 'siteinfo namespaces namespace'
    const { key, case: letters } = this.#attributes
    const name = this.#fields.get(path) ?? ''
    this.#fields.delete(path)
    if (this.#site.namespaces.length >= MAX_NAMESPACES) this.#fail(`more than ${MAX_NAMESPACES} namespaces`)
    this.#site.namespaces.push({ key: Number(key), name, firstLetter: letters !== 'case-sensitive' })
  }

  #finishedSite(): SiteItem {
    this.#site.name = this.#fields.get('siteinfo sitename') ?? ''
    this.#site.database = this.#fields.get('siteinfo dbname') ?? ''
    return this.#site
  }

  /** The fields of a page are complete when its first revision begins, or when the page ends. */
  #startPage(): void {
    if (this.#page) return
    const title = this.#fields.get('page title')
    const namespace = this.#fields.get('page ns')
    if (!title) this.#fail('<page> has no <title>', this.#line)
    if (!/^-?\d{1,9}$/.test(namespace ?? '')) this.#fail('the <ns> of a <page> must be a number', this.#line)
    this.#page = {
      type: 'page',
      title: title!,
      namespace: Number(namespace),
      isRedirect: this.#fields.has('page redirect'),
      location: `Line ${this.#line}`,
    }
    this.#items.push(this.#page)
  }

  #revision(): RevisionItem {
    const field = (name: string) => this.#fields.get(`page revision ${name}`)
    const id = Number(field('id'))
    if (!Number.isSafeInteger(id) || id < 1)
      this.#fail('the <id> of a <revision> must be a positive integer', this.#line)
    const text = field('text') ?? ''
    const parentId = Number(field('parentid') ?? 0)
    const isOmitted = text === '' && Number(this.#text.bytes ?? 0) > 0
    return {
      type: 'revision',
      id,
      parentId: parentId > 0 ? parentId : undefined,
      timestamp: field('timestamp') ?? '',
      contributor: this.#contributorHidden
        ? undefined
        : (field('contributor username') ?? field('contributor ip') ?? ''),
      comment: this.#commentHidden ? undefined : (field('comment') ?? ''),
      model: field('model') ?? 'wikitext',
      text,
      textState:
        'deleted' in this.#text ? 'hidden' : isOmitted || 'missing' in this.#text ? 'missing' : 'present',
      location: `Line ${this.#line}`,
    }
  }

  #tooLong(): never {
    this.#fail(`an element has more than ${DUMP_ELEMENT_CHARACTERS_MAX} characters`)
  }

  #fail(what: string, line = this.#parser.line): never {
    const hint =
      this.#site.language === '' && this.#path.length === 0 ? ' (is this file a MediaWiki dump?)' : ''
    throw new ImportError(`Line ${line}: ${what}${hint}`)
  }
}

/**
 * Reads a MediaWiki dump as a stream: `.xml`, `.xml.gz` or `.xml.bz2`, version 0.10 or 0.11, with all revisions or only
 * the current ones. (D46)
 * @throws UsageError if the file cannot be opened or an option is invalid; its records throw ImportError with the line
 */
export const openMediawikiSource = async (file: string, options: MediawikiOptions): Promise<ImportSource> => {
  const locale = options.locale === undefined ? undefined : parseSourceLocale(options.locale)
  if (locale === null)
    throw new UsageError(`${quote(options.locale!)} is not a locale code. Use a code such as en or pt-br.`)
  const dump = await openDump(file)
  const notes = new MediawikiNotes()
  let location = 'Line 1'
  let covered: 'wiki' | { locale: string } | 'some' = 'some'
  const read = async function* (): AsyncGenerator<ImportRecord> {
    const reader = new ExportReader()
    const converter = new RecordConverter({ ...options, locale }, notes)
    const convert = function* (items: Iterable<MediawikiItem>) {
      for (const item of items) {
        if (item.type === 'page' || item.type === 'revision') location = item.location
        yield* converter.convert(item)
      }
    }
    for await (const chunk of dump.text) yield* convert(reader.read(chunk))
    yield* convert(reader.end())
    converter.end()
    covered = options.add ? { locale: converter.locale } : 'wiki'
  }
  return {
    records: read(),
    lineOf: () => location,
    progress: () => ({ done: dump.bytesRead(), total: dump.bytes, unit: 'bytes' }),
    notes: () => notes.lines(),
    covers: () => covered,
  }
}
