import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { nfc } from '../../../wiki/text.ts'
import { OTHER_EXTENSIONS } from '../../markups/markup.ts'

/** A page, or another file, that a link can name. */
export interface NamedFile {
  /** Name in the repository. */
  file: string
  locale: string
  /** Path of the page; for another file, its name without the folder of the wiki. */
  path: string
}

/** How many files of the same name are compared with a link that names folders. */
const SAME_NAME_MAX = 100

/** Finds the file that a link names: by its path, or by its name in any folder, without regard to case. */
export class PageNames {
  readonly #byKey = new Map<string, NamedFile[]>()
  readonly #fold: (name: string) => string
  readonly #hash = createHash('sha256')
  /** A search compares up to 100 files, and most links are repeated. */
  readonly #results = new LRUCache<string, { file: NamedFile | null }>({ max: 5_000 })

  /** @param fold makes names equal that mean the same file */
  constructor(files: Iterable<NamedFile>, fold: (name: string) => string = (name) => name) {
    this.#fold = (name) => fold(nfc(name)).toLowerCase()
    for (const file of files) {
      const stem = withoutPageExtension(file.file)
      for (const name of new Set([file.path, stem, baseName(stem)])) this.add(name, file)
    }
  }

  /** Adds a further name of a file. Files that were added before it are found first. */
  add(name: string, file: NamedFile): void {
    const key = this.#fold(name)
    this.#hash.update(`${key}\0${file.locale}\0${file.path}\0`)
    const files = this.#byKey.get(key)
    if (files === undefined) this.#byKey.set(key, [file])
    else if (files.length < SAME_NAME_MAX) files.push(file)
  }

  /** A digest of all names and their files. Call it once, at the end. */
  digest(): string {
    return this.#hash.digest('base64url')
  }

  /**
   * @param name as a link contains it, with or without folders and extension
   * @param from the page with the link
   */
  find(name: string, from: { locale: string; path: string }): NamedFile | null {
    const path = withoutPageExtension(absolute(name, from.path))
    const key = `${from.locale}\0${path}`
    let result = this.#results.get(key)
    if (result === undefined) {
      result = { file: this.#search(path, from.locale) }
      this.#results.set(key, result)
    }
    return result.file
  }

  #search(path: string, fromLocale: string): NamedFile | null {
    const exact = this.#byKey.get(this.#fold(path)) ?? []
    const sameName = exact.length > 0 ? exact : (this.#byKey.get(this.#fold(baseName(path))) ?? [])
    const end = `/${this.#fold(path)}`
    const candidates =
      exact.length > 0 || !path.includes('/')
        ? sameName
        : sameName.filter(({ file }) => `/${this.#fold(withoutPageExtension(file))}`.endsWith(end))
    const inLocale = candidates.filter(({ locale }) => locale === fromLocale)
    const [best] = (inLocale.length > 0 ? inLocale : candidates).toSorted(
      (a, b) => a.path.split('/').length - b.path.split('/').length,
    )
    return best ?? null
  }
}

/** The name without dot segments: `./` and `../` begin at the folder of the page, and `/` at the top folder. */
const absolute = (name: string, from: string): string => {
  if (!/^\.{0,2}\//.test(name)) return name
  const segments = name.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const segment of name.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments.join('/')
}

const PAGE_EXTENSION = new RegExp(`(?<=[^/])\\.(?:md|markdown|mdx|mkdn?|${OTHER_EXTENSIONS.join('|')})$`, 'i')

const withoutPageExtension = (name: string): string => name.replace(PAGE_EXTENSION, '')

const baseName = (name: string): string => name.slice(name.lastIndexOf('/') + 1)
