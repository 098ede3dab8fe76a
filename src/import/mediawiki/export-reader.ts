import { SaxesParser } from 'saxes'
import { ImportError } from '../../errors.ts'
import { DUMP_ELEMENT_CHARACTERS_MAX } from '../../limits.ts'
import { quote } from '../../wiki/text.ts'

/** `<siteinfo>`: what the wiki says of itself. Absent fields are empty. */
export interface DumpSite {
  type: 'site'
  /** `xml:lang` of the dump. */
  language: string
  name: string
  database: string
  /** Whether titles begin with a capital unless a namespace says otherwise. */
  namespaces: { key: number; name: string; firstLetter: boolean }[]
}

export interface DumpPage {
  type: 'page'
  title: string
  namespace: number
  isRedirect: boolean
  /** Of the file, from 1. */
  line: number
}

/** An edit of the page before it. */
export interface DumpRevision {
  type: 'revision'
  id: number
  timestamp: string
  /** Absent: hidden on the wiki. */
  contributor: string | undefined
  comment: string | undefined
  model: string
  text: string
  /** `hidden`: suppressed on the wiki; `missing`: the dump was made without it. */
  textState: 'there' | 'hidden' | 'missing'
  line: number
}

interface DumpPageEnd {
  type: 'page end'
}

export type DumpItem = DumpSite | DumpPage | DumpRevision | DumpPageEnd

/** Fields by their place under `<mediawiki>`, to which their text belongs. Others are passed over. */
const FIELDS = new Set([
  'siteinfo sitename',
  'siteinfo dbname',
  'siteinfo namespaces namespace',
  'page title',
  'page ns',
  'page revision id',
  'page revision timestamp',
  'page revision contributor username',
  'page revision contributor ip',
  'page revision comment',
  'page revision model',
  'page revision text',
])

/** A dump nests six deep. */
const DEPTH = 16
/** Namespaces of a wiki; the largest have some hundreds. */
const NAMESPACES = 10_000
/** Characters that are given to the parser at a time. */
const STEP = 1 << 18

/**
 * Reads MediaWiki's export format, versions 0.10 and 0.11, as a stream; memory holds one edit. Of an edit
 * with several slots (0.11) the main one counts. Strict: what is not well-formed XML is refused, and so is
 * every entity but XML's own five, since no others are declared to it.
 * @throws ImportError with the line
 */
export class ExportReader {
  readonly #parser = new SaxesParser({ xmlns: false, position: true })
  readonly #path: string[] = []
  #items: DumpItem[] = []
  #fields = new Map<string, string>()
  #attributes: Record<string, string> = {}
  /** Characters since the last tag: a text that is still being read lies in the parser. */
  #open = 0
  #site: DumpSite = { type: 'site', language: '', name: '', database: '', namespaces: [] }
  #page: DumpPage | undefined
  #line = 1
  #contributorHidden = false
  #commentHidden = false
  #text: Record<string, string> = {}

  constructor() {
    const parser = this.#parser
    parser.on('error', (error) => this.#fail(error.message.replace(/^\d+:\d+: /, '')))
    parser.on('doctype', () => this.#fail('a dump has no DOCTYPE'))
    parser.on('opentag', ({ name, attributes }) => this.#opened(name, attributes as Record<string, string>))
    parser.on('closetag', ({ name }) => this.#closed(name))
    parser.on('text', (text) => this.#texted(text))
    parser.on('cdata', (text) => this.#texted(text))
  }

  /** @returns what the chunk completed */
  *read(chunk: string): Generator<DumpItem> {
    for (let at = 0; at < chunk.length; at += STEP) {
      const step = chunk.slice(at, at + STEP)
      this.#open += step.length
      this.#parser.write(step)
      if (this.#open > DUMP_ELEMENT_CHARACTERS_MAX + STEP) this.#tooLong()
      yield* this.#taken()
    }
  }

  /** To be called at the end of the file. */
  end(): DumpItem[] {
    this.#parser.close()
    return this.#taken()
  }

  #taken(): DumpItem[] {
    const items = this.#items
    this.#items = []
    return items
  }

  #opened(name: string, attributes: Record<string, string>): void {
    this.#open = 0
    if (this.#path.length === 0) this.#checkRoot(name, attributes)
    if (this.#path.push(name) > DEPTH) this.#fail('elements are nested too deep for a dump')
    const place = this.#place()
    if (place === 'page') {
      this.#fields.clear()
      this.#page = undefined
      this.#line = this.#parser.line
    } else if (place === 'page revision') {
      this.#startPage()
      this.#fields.clear()
      this.#contributorHidden = false
      this.#commentHidden = false
      this.#text = { missing: '' }
      this.#line = this.#parser.line
    } else if (place === 'page redirect') this.#fields.set(place, '')
    else if (place === 'page revision text') this.#text = attributes
    else if (place === 'page revision contributor') this.#contributorHidden = 'deleted' in attributes
    else if (place === 'page revision comment') this.#commentHidden = 'deleted' in attributes
    this.#attributes = attributes
  }

  #checkRoot(name: string, attributes: Record<string, string>): void {
    if (name !== 'mediawiki') {
      this.#fail(`a MediaWiki dump begins with <mediawiki>, this file with <${quote(name)}>`)
    }
    const version = attributes.version ?? ''
    if (version !== '0.10' && version !== '0.11') {
      this.#fail(`the dump's version is ${quote(JSON.stringify(version))}; 0.10 and 0.11 can be read`)
    }
    this.#site.language = attributes['xml:lang'] ?? ''
  }

  #texted(text: string): void {
    this.#open = 0
    const place = this.#place()
    if (!FIELDS.has(place)) return
    const so = (this.#fields.get(place) ?? '') + text
    if (so.length > DUMP_ELEMENT_CHARACTERS_MAX) this.#tooLong()
    this.#fields.set(place, so)
  }

  #closed(name: string): void {
    this.#open = 0
    const place = this.#place()
    if (place === 'siteinfo namespaces namespace') this.#addNamespace()
    else if (place === 'siteinfo') this.#items.push(this.#finishedSite())
    else if (place === 'page revision') this.#items.push(this.#revision())
    else if (place === 'page') {
      this.#startPage()
      this.#items.push({ type: 'page end' })
    }
    if (this.#path.at(-1) === name) this.#path.pop()
  }

  #place(): string {
    return this.#path.slice(1).join(' ')
  }

  #addNamespace(): void {
    const place = 'siteinfo namespaces namespace'
    const { key, case: letters } = this.#attributes
    const name = this.#fields.get(place) ?? ''
    this.#fields.delete(place)
    if (this.#site.namespaces.length >= NAMESPACES) this.#fail(`more than ${NAMESPACES} namespaces`)
    this.#site.namespaces.push({ key: Number(key), name, firstLetter: letters !== 'case-sensitive' })
  }

  #finishedSite(): DumpSite {
    this.#site.name = this.#fields.get('siteinfo sitename') ?? ''
    this.#site.database = this.#fields.get('siteinfo dbname') ?? ''
    return this.#site
  }

  /** A page is known when its first edit begins, or when it ends. */
  #startPage(): void {
    if (this.#page) return
    const title = this.#fields.get('page title')
    const namespace = this.#fields.get('page ns')
    if (!title) this.#fail('<page> has no <title>', this.#line)
    if (!/^-?\d{1,9}$/.test(namespace ?? '')) this.#fail('<page> has no <ns> that is a number', this.#line)
    this.#page = {
      type: 'page',
      title: title!,
      namespace: Number(namespace),
      isRedirect: this.#fields.has('page redirect'),
      line: this.#line,
    }
    this.#items.push(this.#page)
  }

  #revision(): DumpRevision {
    const field = (name: string) => this.#fields.get(`page revision ${name}`)
    const id = Number(field('id'))
    if (!Number.isSafeInteger(id) || id < 1) this.#fail('<revision> has no <id> that is a number', this.#line)
    const text = field('text') ?? ''
    const isCut = text === '' && Number(this.#text.bytes ?? 0) > 0
    return {
      type: 'revision',
      id,
      timestamp: field('timestamp') ?? '',
      contributor: this.#contributorHidden
        ? undefined
        : (field('contributor username') ?? field('contributor ip') ?? ''),
      comment: this.#commentHidden ? undefined : (field('comment') ?? ''),
      model: field('model') ?? 'wikitext',
      text,
      textState: 'deleted' in this.#text ? 'hidden' : isCut || 'missing' in this.#text ? 'missing' : 'there',
      line: this.#line,
    }
  }

  #tooLong(): never {
    this.#fail(`a text of more than ${DUMP_ELEMENT_CHARACTERS_MAX} characters`)
  }

  #fail(what: string, line = this.#parser.line): never {
    const hint =
      this.#site.language === '' && this.#path.length === 0 ? ' (is this a dump of a MediaWiki?)' : ''
    throw new ImportError(`Line ${line}: ${what}${hint}`)
  }
}
