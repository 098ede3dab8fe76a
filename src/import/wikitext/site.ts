import { FIELD_BYTES_MAX } from '../../limits.ts'
import { encodeSegment } from '../../wiki/links.ts'
import { byteLength, isPlainText, nfc } from '../../wiki/text.ts'

/** A namespace of a MediaWiki, as its dump names it. */
interface SiteNamespace {
  key: number
  name: string
  /** Whether its titles begin with a capital. */
  firstLetter: boolean
}

/** MediaWiki's numbers of the namespaces that mean something here. */
export const NS = { main: 0, file: 6, template: 10, category: 14, module: 828 } as const

/** English names that every MediaWiki understands, whatever its language. */
const CANONICAL: Record<string, number> = {
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

/** Namespaces of a MediaWiki that are Lectern's; others are in `main` with their own prefix. */
const PREFIXES: Record<number, string> = {
  [NS.template]: 'template:',
  [NS.module]: 'module:',
  [NS.category]: 'category:',
}

/** A title taken apart, as MediaWiki reads one: spaces for underscores, first letter raised. */
export interface Title {
  namespace: number
  /** Without its namespace. */
  name: string
  /** After `#`, as written; empty without. */
  fragment: string
}

/** The wiki that a dump is of: what its titles mean. */
export class MediawikiSite {
  readonly #byName = new Map<string, number>()
  readonly #byKey = new Map<number, SiteNamespace>()

  constructor(namespaces: readonly SiteNamespace[]) {
    for (const [name, key] of Object.entries(CANONICAL)) this.#byName.set(name, key)
    for (const one of namespaces) {
      this.#byKey.set(one.key, one)
      if (one.key !== NS.main) this.#byName.set(folded(one.name), one.key)
    }
  }

  /** undefined: no namespace is called so */
  namespaceNamed(name: string): number | undefined {
    return this.#byName.get(folded(name))
  }

  /** As its pages' titles begin with it; its number where the dump does not name it. */
  nameOf(namespace: number): string {
    return this.#byKey.get(namespace)?.name ?? String(namespace)
  }

  /** @param text as it stands in a link, without a colon before it; null: no title can be written so */
  title(text: string): Title | null {
    const [written, fragment] = splitAt(text, '#')
    const whole = tidied(written)
    const [prefix, rest] = splitAt(whole, ':')
    const found = whole.includes(':') ? this.namespaceNamed(prefix) : undefined
    const namespace = found ?? NS.main
    const name = found === undefined ? whole : rest.trim()
    if ((name === '' && fragment === '') || /[<>[\]{}|\u0001\u0002]/.test(name) || !isPlainText(name))
      return null
    return { namespace, name: this.#raised(namespace, name), fragment: fragment.trim() }
  }

  /** A page's title in a dump, whose namespace is told beside it. */
  pageTitle(text: string, namespace: number): Title {
    const whole = tidied(text)
    const name = namespace === NS.main ? whole : splitAt(whole, ':')[1].trim()
    return { namespace, name: name === '' ? whole : name, fragment: '' }
  }

  /** A page's path; null where it would not fit one. */
  path({ namespace, name }: Title): string | null {
    const own = namespace === NS.main ? '' : `${this.nameOf(namespace).replaceAll(' ', '_')}:`
    const path = `${PREFIXES[namespace] ?? own}${name.replaceAll(' ', '_')}`
    return isPlainText(path) && byteLength(path) <= FIELD_BYTES_MAX.path ? path : null
  }

  /** What readers see as the title. A category goes by its name alone. */
  displayTitle({ namespace, name }: Title): string {
    return namespace === NS.main || namespace === NS.category ? name : `${this.nameOf(namespace)}:${name}`
  }

  #raised(namespace: number, name: string): string {
    if (this.#byKey.get(namespace)?.firstLetter === false) return name
    const first = String.fromCodePoint(name.codePointAt(0) ?? 32)
    const upper = first.toUpperCase()
    // As MediaWiki does: one letter stays one (ß is not raised to SS).
    return [...upper].length === 1 && name !== '' ? upper + name.slice(first.length) : name
  }
}

/** Address of a page in Markdown: from the wiki's root with the language, so that it means one page alone. */
export const pageAddress = (locale: string, path: string, fragment: string): string => {
  const address = `/${locale}/${path.split('/').map(encodedSegment).join('/')}`
  return fragment === '' ? address : `${address}#${encodedSegment(headingId(fragment))}`
}

/** Address of a heading on the same page. */
export const headingAddress = (fragment: string): string => `#${encodedSegment(headingId(fragment))}`

/** Address of a file: MediaWiki leads from it to where the file lies. */
export const fileAddress = (name: string): string =>
  `/Special:Redirect/file/${encodedSegment(name.replaceAll(' ', '_'))}`

/** The id that a heading gets when its Markdown is rendered. @see GitHub's slugs, which marked's plugin makes */
const headingId = (text: string): string =>
  text
    .replaceAll('_', ' ')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')

/** Also what ends an address in Markdown. */
const encodedSegment = (segment: string): string =>
  encodeSegment(segment).replace(/[()]/g, (char) => (char === '(' ? '%28' : '%29'))

const folded = (name: string): string => tidied(name).toLowerCase()

const tidied = (text: string): string =>
  nfc(text)
    .replace(/[\u200e\u200f\u202a-\u202e]/g, '')
    .replace(/[_ \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g, ' ')
    .trim()

const splitAt = (text: string, mark: string): [string, string] => {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
