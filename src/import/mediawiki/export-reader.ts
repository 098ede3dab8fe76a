import { SaxesParser } from 'saxes'
import { ImportError } from '../../errors.ts'
import { DUMP_ELEMENT_CHARACTERS_MAX } from '../../limits.ts'
import { quote } from '../../wiki/text.ts'
import type { MediawikiItem, PageItem, RevisionItem, SiteItem } from './items.ts'

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
