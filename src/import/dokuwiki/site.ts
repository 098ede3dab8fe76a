import { encodeDestination } from '../markdown/destinations.ts'
import { absoluteId, cleanId, type IdOptions, nameOfId, namespaceOfId, sectionId } from './page-ids.ts'
import type { DokuwikiPages, PageLocation } from './page-index.ts'

export interface SiteOptions extends IdOptions {
  /** Name of the start page of each namespace. */
  start: string
  /** Whether words like `CamelCase` are links. */
  camelCase: boolean
  /** How URLs of media look: 0 with a query, 1 rewritten by the web server, 2 rewritten by DokuWiki. */
  rewriting: 0 | 1 | 2
}

/** Where the links of a DokuWiki lead. */
export class DokuwikiSite {
  readonly options: SiteOptions
  readonly #pages: DokuwikiPages
  readonly #interwiki: ReadonlyMap<string, string>

  /** @param interwiki URLs by shortcut, in lower case */
  constructor(options: SiteOptions, pages: DokuwikiPages, interwiki: ReadonlyMap<string, string>) {
    this.options = options
    this.#pages = pages
    this.#interwiki = interwiki
  }

  /**
   * The page that a link leads to. A namespace leads to its start page, or to a page with its name in or beside it.
   * @param from id of the page with the link
   */
  resolve(target: string, from: string): { id: string } & PageLocation {
    const id = target.trim() === '' ? from : this.#idOf(absoluteId(target.trim(), from, this.options))
    return { id, ...this.#pages.locationOf(id) }
  }

  #idOf(absolute: string): string {
    const clean = (id: string) => cleanId(id, this.options)
    if (!absolute.endsWith(':')) return clean(absolute) || this.options.start
    const namespace = clean(absolute)
    const candidates = [
      `${namespace}:${this.options.start}`,
      `${namespace}:${nameOfId(namespace)}`,
      namespace,
    ]
    return candidates.map(clean).find((id) => this.#pages.has(id)) ?? clean(candidates[0]!)
  }

  /** The text of a link without a label: the last part of its target, or its section. */
  labelOf(link: string): string {
    const [target] = splitAt(link, '?')
    const hash = target.indexOf('#')
    if (hash >= 0 && hash < target.length - 1) return target.slice(hash + 1)
    const name = (hash < 0 ? target : target.slice(0, hash)).replaceAll(';', ':')
    const path = this.options.useSlash ? name.replaceAll('/', ':') : name
    const last = nameOfId(path)
    if (last !== '' && last !== this.options.start) return last
    return nameOfId(namespaceOfId(path)) || this.options.start
  }

  sectionId(title: string): string {
    return sectionId(title, this.options)
  }

  /** The URL of `[[shortcut>reference]]`, or `:` and an id; null if the wiki does not define the shortcut. */
  interwiki(shortcut: string, reference: string): string | null {
    const url = this.#interwiki.get(shortcut.toLowerCase())
    if (url === undefined) return null
    const [name, fragment] = splitAt(reference, '#')
    const encoded = encodeURIComponent(name.toWellFormed())
    const filled = /\{(?:URL|NAME)\}/.test(url)
      ? url
          .replaceAll('{URL}', () => encoded)
          .replaceAll('{NAME}', () => (url.startsWith(':') ? name : nameInUrl(name)))
      : `${url}${url.startsWith(':') ? name : encoded}`
    return fragment === '' ? filled : `${filled}#${encodeURIComponent(fragment.toWellFormed())}`
  }

  /** Link destination of a media file, which DokuWiki serves. @param from id of the page with the link */
  mediaDestination(source: string, from: string): string {
    const [name] = splitAt(source, '#')
    const id = encodeDestination(cleanId(absoluteId(name, from, this.options), this.options))
    if (this.options.rewriting === 1) return `/_media/${id}`
    return this.options.rewriting === 2 ? `/lib/exe/fetch.php/${id}` : `/lib/exe/fetch.php?media=${id}`
  }
}

/** Encodes what a URL cannot contain. Slashes and colons stay. */
const nameInUrl = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(/%(?:2F|3A|3B|40|2C|3D|3F|26)/g, decodeURIComponent)

const splitAt = (text: string, mark: string): [string, string] => {
  const index = text.indexOf(mark)
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)]
}
