import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { baseName } from '@lectern/wiki/folders'
import { escapeDestination, escapeText } from '@lectern/wiki/import/markdown'
import type { PageKey } from '@lectern/wiki/records'
import { nfc } from '@lectern/wiki/text'

export interface LinkedPage extends PageKey {
  files: FileNames
}

const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico)$/i
const FILE =
  /\.(?:pdf|mp[34]|m4a|ogg|wav|webm|mov|zip|gz|csv|tsv|txt|json|xml|docx?|xlsx?|pptx?|canvas|base)$/i

export const isImageName = (name: string): boolean => IMAGE.test(name)

export const isFileName = (name: string): boolean => IMAGE.test(name) || FILE.test(name)

/**
 * A link by name, whose page is found when somebody reads it: only then is it certain which pages guests see. (D124)
 * @param isEscaped whether its separator is escaped, because the link may be in a table
 */
export const linkByName = (name: string, text: string, isEscaped: boolean): string => {
  const label = text.replace(/[[\]|\s]+/g, ' ').trim()
  return label === '' || label === name ? `[[${name}]]` : `[[${name}${isEscaped ? '\\' : ''}|${label}]]`
}

/** A Markdown image or link of a file. A file that the repository lacks is named as written. */
export const fileLink = (
  page: LinkedPage,
  { name, text, isImage }: { name: string; text: string; isImage: boolean },
): string => {
  const path = (page.files.find(name, page) ?? name).replace(/^\/+/, '')
  return `${isImage ? '!' : ''}[${linkText(text)}](/${path.split('/').map(encodeSegment).join('/')})`
}

export const linkText = (text: string): string =>
  escapeText(text.replace(/\s+/g, ' ').trim()).replaceAll('|', '\\|')

const encodeSegment = (segment: string): string =>
  escapeDestination(segment.replace(/[%?#]/g, encodeURIComponent))

/** How many files of the same name are compared with a link that names folders. */
const SAME_NAME_MAX = 100

/**
 * Files that are no pages, such as images. A link names one by its path, or by its name in any folder, without regard to
 * case. Pages are not here: which pages guests see is certain only when they read.
 */
export class FileNames {
  readonly #byKey = new Map<string, string[]>()
  readonly #fold: (name: string) => string
  readonly digest: string

  /** @param files paths from the folder of the wiki @param fold makes names equal that mean the same file */
  constructor(files: readonly string[], fold: (name: string) => string = (name) => name) {
    this.#fold = (name) => fold(nfc(name)).toLowerCase()
    const hash = createHash('sha256')
    for (const file of files) {
      hash.update(`${file}\0`)
      for (const name of new Set([file, baseName(file)])) {
        const key = this.#fold(name)
        const same = this.#byKey.get(key) ?? []
        if (same.length < SAME_NAME_MAX) same.push(file)
        this.#byKey.set(key, same)
      }
    }
    this.digest = hash.digest('base64url')
  }

  /** The path of a file, of several the one in the fewest folders; null if there is none. @param from the page with the link */
  find(name: string, from: { path: string }): string | null {
    const path = this.#fold(rootName(name, from.path))
    const sameName = this.#byKey.get(path) ?? this.#byKey.get(baseName(path)) ?? []
    const candidates = sameName.filter((file) => `/${this.#fold(file)}`.endsWith(`/${path}`))
    const [best] = candidates.toSorted((a, b) => a.split('/').length - b.split('/').length)
    return best ?? null
  }
}

/** The name from the top folder, without a link's dot segments: `./` and `../` begin at the folder of the page. */
export const rootName = (name: string, from: string): string =>
  /^\.{0,2}\//.test(name) ? posix.resolve('/', posix.dirname(from), name).slice(1) : name
