import { join } from 'node:path'
import { encodeDestination } from '@lectern/wiki/import/markdown'
import { splitAt } from '@lectern/wiki/text'
import { readSmallFile } from './folders.ts'
import type { DokuwikiPages, PageLocation } from './page-index.ts'

/** Settings on which the ids of pages depend. */
interface IdOptions {
  /** Character between words, `_` by default. */
  separator: string
  /** Whether `/` separates namespaces, too. */
  useSlash: boolean
  /** Whether ids have no accents. */
  removeAccents: boolean
}

/** A longer text is cut before it is cleaned. An id of a page has at most 512 bytes. */
const MAX_LENGTH = 1_000

/**
 * The id that DokuWiki gives a page: lower case, `:` between namespaces, other special characters replaced.
 * @see cleanID in DokuWiki's inc/pageutils.php, with which random texts were compared
 */
export const cleanId = (text: string, { separator, useSlash, removeAccents }: IdOptions): string => {
  const lower = text
    .slice(0, MAX_LENGTH)
    .trim()
    .toLowerCase()
    .replaceAll(';', ':')
    .replaceAll('/', useSlash ? ':' : separator)
  const plain = removeAccents ? withoutAccents(lower) : lower
  return plain
    .replace(SPECIAL, separator)
    .replace(/([_.-])\1+/g, (run, char: string) => (char === separator ? char : run))
    .replace(/:+/g, ':')
    .replace(/^[:._-]+|[:._-]+$/g, '')
    .replace(/[:._-]*:[:._-]*/g, ':')
}

/** Characters that ids do not contain: controls, spaces, punctuation and symbols of the blocks that DokuWiki lists. */
const SPECIAL =
  /[\u0000-)+,/;-@[-^`{-\u00a9\u00ab-\u00b4\u00b6-\u00bf\u00d7\u00f7*\u02c6-\u02c7\u02d8-\u02dd\u2000-\u206f\u20a0-\u20cf\u2100-\u2bff\u3000-\u3003\u3008-\u3020]/gu

const WITHOUT_ACCENTS: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  đ: 'd',
  ð: 'dh',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  ŧ: 't',
  þ: 'th',
  ƒ: 'f',
  µ: 'u',
}

/** Letters that lose their accent. DokuWiki keeps others, such as those of Vietnamese. */
const ACCENTED =
  /[áàăâåäãąāæḃćĉčċçďḋđðéèĕêěëėęēḟƒğĝġģĥħíìîïĩįīıĵķĺľļłṁńňñņóòôöőõøōơṗŕřŗśŝšṡşșßťṫţțŧúùŭûůüűũųūưẃẁŵẅýỳŷÿźžżþµ]/g

const withoutAccents = (text: string): string =>
  text.replace(ACCENTED, (letter) => WITHOUT_ACCENTS[letter] ?? letter.normalize('NFD')[0]!)

/** The id that DokuWiki gives a heading. */
export const sectionId = (title: string, options: IdOptions): string => {
  const id = cleanId(title, options).replace(/[:.]/g, '')
  return id.replace(/^[0-9_-]+/, '') || `section${id.replace(/[^0-9]+/g, '')}`
}

/** The namespace of an id; empty at the root. */
export const namespaceOfId = (id: string): string => id.slice(0, Math.max(id.lastIndexOf(':'), 0))

/** The last part of an id. */
export const nameOfId = (id: string): string => id.slice(id.lastIndexOf(':') + 1)

/**
 * The absolute id of a link, not yet cleaned; a `:` at its end stays.
 * @param from id of the page with the link
 */
const absoluteId = (target: string, from: string, { useSlash }: IdOptions): string => {
  let id = (useSlash ? target.replaceAll('/', ':') : target).replaceAll(';', ':').slice(0, MAX_LENGTH)
  const namespace = namespaceOfId(from)
  if (id.startsWith('~')) id = `${from}:${id.slice(1)}`
  if (id.startsWith('.')) id = `${namespace}:${id.replace(/^((?:\.+:)*\.+)(?=[^:.])/, '$1:')}`
  if (!id.includes(':')) id = `${namespace}:${id}`
  const parts: string[] = []
  for (const part of id.split(':')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join(':') + (id.endsWith(':') ? ':' : '')
}

/** Later files override earlier ones. */
const FILES = ['interwiki.conf', 'interwiki.local.conf']

/** URLs by shortcut, in lower case, from lines such as `wp https://en.wikipedia.org/wiki/{NAME}`. */
export const readInterwiki = async (folders: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const urls = new Map<string, string>()
  for (const folder of folders) {
    for (const name of FILES) {
      for (const line of ((await readSmallFile(join(folder, name))) ?? '').split('\n')) {
        const [shortcut, url] = line
          .replace(/(?<!&)#.*$/, '')
          .trim()
          .split(/\s+/)
        if (shortcut && url) urls.set(shortcut.toLowerCase(), url.replaceAll('&amp;', '&'))
      }
    }
  }
  return urls
}

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
