import { encodeDestination } from '@lectern/wiki/import/markdown'
import { FIELD_BYTES_MAX } from '@lectern/wiki/limits'
import { byteLength, isPlainText, nfc, splitAt } from '@lectern/wiki/text'

/** A namespace of a MediaWiki, from its dump. */
interface SiteNamespace {
  key: number
  name: string
  /** Whether its titles start with a capital letter. */
  firstLetter: boolean
}

/** MediaWiki's numbers of the namespaces that Lectern treats specially. */
export const NS = { main: 0, file: 6, template: 10, category: 14, module: 828 } as const

/** English names of namespaces, which every MediaWiki accepts. */
const CANONICAL_NAMES: Record<string, number> = {
  media: -2,
  special: -1,
  talk: 1,
  user: 2,
  'user talk': 3,
  project: 4,
  'project talk': 5,
  file: NS.file,
  image: NS.file,
  'file talk': 7,
  mediawiki: 8,
  'mediawiki talk': 9,
  template: NS.template,
  'template talk': 11,
  help: 12,
  'help talk': 13,
  category: NS.category,
  'category talk': 15,
  module: NS.module,
  'module talk': 829,
}

/** Prefixes of the namespaces that Lectern has, too. Pages of other namespaces are in `main`, with their own prefix. */
const PREFIXES: Record<number, string> = {
  [NS.template]: 'template:',
  [NS.module]: 'module:',
  [NS.category]: 'category:',
}

/** A parsed title, normalized like MediaWiki does: spaces instead of underscores, and a capital first letter. */
export interface Title {
  namespace: number
  /** Title without its namespace. */
  name: string
  /** Text after `#`, as written; empty if absent. */
  fragment: string
}

/** Parses the titles of one wiki, by the namespaces of its dump. */
export class MediawikiSite {
  readonly #byName = new Map<string, number>()
  readonly #byKey = new Map<number, SiteNamespace>()

  constructor(namespaces: readonly SiteNamespace[]) {
    for (const [name, key] of Object.entries(CANONICAL_NAMES)) this.#byName.set(name, key)
    for (const one of namespaces) {
      this.#byKey.set(one.key, one)
      if (one.key !== NS.main) this.#byName.set(foldName(one.name), one.key)
    }
  }

  /** @returns undefined if no namespace has this name */
  namespaceNamed(name: string): number | undefined {
    return this.#byName.get(foldName(name))
  }

  /** The name of a namespace in titles, or its number if the dump does not name it. */
  nameOf(namespace: number): string {
    return this.#byKey.get(namespace)?.name ?? String(namespace)
  }

  /** @param text the target of a link, without a leading colon. @returns null if the title is invalid */
  title(text: string): Title | null {
    const [target, fragment] = splitAt(text, '#')
    const whole = normalizeSpaces(target)
    const [prefix, rest] = splitAt(whole, ':')
    const found = whole.includes(':') ? this.namespaceNamed(prefix) : undefined
    const namespace = found ?? NS.main
    const name = found === undefined ? whole : rest.trim()
    if ((name === '' && fragment === '') || /[<>[\]{}|\u0001\u0002]/.test(name) || !isPlainText(name))
      return null
    return { namespace, name: this.#capitalize(namespace, name), fragment: fragment.trim() }
  }

  /** Parses the title of a page in a dump, which also contains the number of its namespace. */
  pageTitle(text: string, namespace: number): Title {
    const whole = normalizeSpaces(text)
    const name = namespace === NS.main ? whole : splitAt(whole, ':')[1].trim()
    return { namespace, name: name === '' ? whole : name, fragment: '' }
  }

  /** The path of a page; null if the path would be invalid. */
  path({ namespace, name }: Title): string | null {
    const own = namespace === NS.main ? '' : `${this.nameOf(namespace).replaceAll(' ', '_')}:`
    const path = `${PREFIXES[namespace] ?? own}${name.replaceAll(' ', '_')}`
    return isPlainText(path) && byteLength(path) <= FIELD_BYTES_MAX.path ? path : null
  }

  /** A link to a page by its name, with a plain text; null if links lead to paths. */
  linkByName(_title: Title, _text: string): string | null {
    return null
  }

  /** The title of the page with this path, as the wiki understands it. */
  titleOfPath(path: string): string {
    for (const [key, prefix] of Object.entries(PREFIXES)) {
      const one = this.#byKey.get(Number(key))
      if (one !== undefined && path.startsWith(prefix)) return `${one.name}:${path.slice(prefix.length)}`
    }
    return path
  }

  /** Whether the wiki has this namespace. */
  has(namespace: number): boolean {
    return this.#byKey.has(namespace)
  }

  /** The title that readers see. For a category, it is the name without the namespace. */
  displayTitle({ namespace, name }: Title): string {
    return namespace === NS.main || namespace === NS.category ? name : `${this.nameOf(namespace)}:${name}`
  }

  #capitalize(namespace: number, name: string): string {
    if (this.#byKey.get(namespace)?.firstLetter === false) return name
    const first = String.fromCodePoint(name.codePointAt(0) ?? 32)
    const upper = first.toUpperCase()
    // Like MediaWiki: one letter stays one letter (ß does not become SS).
    return [...upper].length === 1 && name !== '' ? upper + name.slice(first.length) : name
  }
}

/** Link destination of a file. MediaWiki redirects it to the URL of the file. */
export const fileDestination = (name: string): string =>
  `/Special:Redirect/file/${encodeDestination(name.replaceAll(' ', '_'))}`

const foldName = (name: string): string => normalizeSpaces(name).toLowerCase()

const normalizeSpaces = (text: string): string =>
  nfc(text)
    .replace(/[\u200e\u200f\u202a-\u202e]/g, '')
    .replace(/[_ \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g, ' ')
    .trim()
