/* What the service writes around the first view of a page. The reader then shows the same, with what opens folders. */

import { Folders, inGroups, listedOf } from './folders.js'
import { inLanguage } from './language.js'
import { entryTitle } from './names.js'

/** Requests for the entries of a folder, and of all folders: in a large wiki, the reader reads more. */
const REQUESTS_MAX = { perFolder: 2, inAll: 16 }
/** Requests that a folder needs at most: for its beginning, and for what comes after an entry. */
const REQUESTS_NEEDED = 2 * REQUESTS_MAX.perFolder
/** Folders that the tree opens. */
const DEPTH_MAX = 12

/** Text as HTML, safe in elements and in quoted attributes. */
export const escaped = (text) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** For what cannot be read, and is then left out. @throws what comes from an overload: a response that lacks it would be kept */
export const unlessOverloaded = (error) => {
  if (error.status >= 429) throw error
}

/** The tree, the folders above a path, and what is in it, as HTML. */
export class Navigation {
  #place
  #say
  #urlOf
  #folders

  /**
   * @param {{ locale: string, path: string }} place
   * @param {{ get: (path: string, query: object) => Promise<object>, say: (text: string) => string,
   *   urlOf: (target: object) => string }} options `get` requests a path of the API; `urlOf` has the view `page` and the language of
   *   the place where a target names no other
   */
  constructor(place, { get, say, urlOf }) {
    this.#place = place
    this.#say = say
    this.#urlOf = urlOf
    this.#folders = new Folders(get, say, REQUESTS_MAX)
  }

  /** Tree and path. What cannot be read is empty: the reader shows it later. */
  async parts() {
    // One after the other, so that what is left out for want of requests is always the same.
    const tree = await this.#tree().catch(() => '')
    const trail = await this.#trail().catch(() => '')
    return { tree, trail }
  }

  /** What is in the path, or without a path in the wiki. Undefined: nothing, or it cannot be read. */
  async folder() {
    return this.#folder().catch(unlessOverloaded)
  }

  /** The path of the first page. Undefined: the wiki has no order, or it cannot be read. */
  async firstPath() {
    const first = await this.#folders.readFirst(this.#place).catch(unlessOverloaded)
    return first?.path
  }

  /** @returns {Promise<{ title: string, article: string } | undefined>} */
  async #folder() {
    const { path } = this.#place
    const folder = path === '' ? (await this.#folders.readRoot(this.#place)).folder : `${path}/`
    const part = await this.#folders.readFolder(folder, this.#place)
    const listed = part.isWhole ? part.entries : listedOf(part).listed
    if (listed.length === 0) return undefined
    const summaries = await this.#folders.readSummaries(listed, this.#place)
    const rows = listed.map((entry) => {
      const text = summaries.get(entry.path)
      const about = text ? `<p>${escaped(text)}</p>` : ''
      return `<li>${this.#link(entry.path, entryTitle(entry))}${about}</li>`
    })
    const url = this.#urlOf({ view: 'pages', prefix: folder || undefined })
    const all = part.isWhole ? '' : `<p><a href="${escaped(url)}">${escaped(this.#say('All pages'))}</a></p>`
    const article = `<ul class="${summaries.size > 0 ? 'cards' : 'rows columns'}">${rows.join('')}</ul>${all}`
    const above = await this.#folders.readAbove(folder, this.#place)
    return { title: above.at(-1)?.title ?? path, article }
  }

  #link(path, title, attributes = '') {
    const current = path === this.#place.path ? ' aria-current="page"' : ''
    return `<a href="${escaped(this.#urlOf({ path }))}"${attributes}${current}>${escaped(title)}</a>`
  }

  async #trail() {
    const above = await this.#folders.readAbove(this.#place.path, this.#place)
    return above.map(({ folder, title }) => `<li>${this.#link(folder.slice(0, -1), title)}</li>`).join('')
  }

  async #tree() {
    const { folder, page } = await this.#folders.readRoot(this.#place)
    return this.#list(folder, page)
  }

  /** @param {object} [main] the page that comes first */
  async #list(folder, main, names = [main?.title]) {
    const { locale, path } = this.#place
    const [next, ...below] = path.startsWith(folder) ? path.slice(folder.length).split('/') : []
    const around = next && folder + next !== main?.path ? folder + next : undefined
    const reserve = below.length * REQUESTS_NEEDED
    const part = await this.#folders.readFolder(folder, this.#place, around, reserve)
    const { listed } = listedOf(part, around, main)
    if (listed.length === 0) return ''
    const rows = await this.#rows(inGroups(listed, names))
    return `<ul lang="${locale}" dir="${inLanguage(locale).dir}">${rows}</ul>`
  }

  /** Groups, and their entries. A group within another is open if the path is in it. */
  async #rows(parts, isInside = false) {
    const rows = parts.map(async ({ group, entries, parts: inner }) => {
      if (!group) return (await Promise.all(entries.map((entry) => this.#row(entry)))).join('')
      const list = `<ul>${await this.#rows(inner, true)}</ul>`
      if (!isInside) return `<li><span>${escaped(group)}</span>${list}</li>`
      const open = entries.some(({ path }) => `${this.#place.path}/`.startsWith(`${path}/`)) ? ' open' : ''
      return `<li><details${open}><summary class="fold">${escaped(group)}</summary>${list}</details></li>`
    })
    return (await Promise.all(rows)).join('')
  }

  /** A folder is open if the path is in it, and its entries could be read. */
  async #row(entry) {
    const { path, page, isFolder } = entry
    const title = entryTitle(entry)
    if (!isFolder) return `<li>${this.#link(path, title)}</li>`
    const isAbove = `${this.#place.path}/`.startsWith(`${path}/`) && path.split('/').length <= DEPTH_MAX
    const list = isAbove ? await this.#list(`${path}/`, undefined, [title, entry.groupPath?.at(-1)]) : ''
    const fold = ` class="fold${list === '' ? '' : ' open'}"`
    const name = page ? `${this.#link(path, title)}<span${fold}></span>` : this.#link(path, title, fold)
    return `<li class="branch">${name}${list}</li>`
  }
}
