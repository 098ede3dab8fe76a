/* What is near something that the wiki does not have: in browsers, and in the service that writes a view without scripts. */

import { languageName } from './language.js'
import { hintsOf } from './names.js'

const PAGES_MAX = 3
/** Shorter beginnings of a word are those of too many others. */
const LETTERS_MIN = 4

/** The title of a page; its path, if there is no such page. */
export const titleOf = async (path, locale, get) => {
  const { items } = await get('/pages', { prefix: path, locale, limit: '1' })
  return items[0]?.path === path ? items[0].title : path
}

/**
 * What the reader offers instead, each as a link to another view: `language` is that of its text; `isMeant`: somebody may have
 * meant this page.
 */
export class Near {
  #wiki

  /** @param {{ get: (path: string, query: object) => Promise<object>, say: (text: string, value?: string) => string, locale: string, locales: { locale: string, name: string }[] }} wiki `get` requests a path of the API */
  constructor(wiki) {
    this.#wiki = wiki
  }

  /** Instead of a page, a category or an edit. @param {string} message of the API */
  async missing({ view, path, key }, message) {
    // The folders of a path seldom stand in the text.
    const words = (path ?? key ?? '')
      .replace(/^.*\/(?=.)/, '')
      .replace(/[-_/:]+/g, ' ')
      .trim()
    const { get, locale } = this.#wiki
    const { meant, elsewhere } = hintsOf(view === 'page' ? message : '')
    const title = meant && (await titleOf(meant, locale, get).catch(() => meant))
    const pages = meant ? [{ path: meant, locale, title }] : await this.#pagesLike([words])
    return [
      ...elsewhere.map((one) => this.pageIn({ path, locale: one, title: path })),
      ...pages.map(meantPage),
      ...(words ? [this.#search(words)] : []),
      this.all(),
    ]
  }

  /**
   * Instead of results: pages whose titles are like a word or begin as the longest one, the words without quotation marks and
   * `-`, other languages.
   */
  async results({ q, all }) {
    const plain = q.replace(/["\s]+|(?<!\S)-\S*/g, ' ').trim()
    const words = (plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).sort((a, b) => b.length - a.length)
    const [longest = ''] = words
    const beginnings = [2 / 3, 1 / 2].map((share) => longest.slice(0, Math.ceil(longest.length * share)))
    const like = [...words.slice(0, 2), ...beginnings.filter(({ length }) => length >= LETTERS_MIN)]
    const text = this.#wiki.say('Search in all languages')
    return [
      ...(await this.#pagesLike(like)).map(meantPage),
      ...(plain && plain !== q.trim() ? [this.#search(plain)] : []),
      ...(all || this.#wiki.locales.length < 2 ? [] : [{ target: { view: 'search', q, all: 'true' }, text }]),
      this.all(),
    ]
  }

  all() {
    return { target: { view: 'pages' }, text: this.#wiki.say('All pages') }
  }

  /** The same page in another language. */
  pageIn({ path, locale, title }) {
    const text = `${languageName(this.#wiki, locale)}: ${title}`
    return { target: { view: 'page', path, locale }, text, language: locale }
  }

  #search(q) {
    return { target: { view: 'search', q }, text: this.#wiki.say('Search all texts for “{0}”', q) }
  }

  /** Pages with a title like the first of some texts that has any. */
  async #pagesLike([q, ...others]) {
    if (!q) return []
    const { get, locale } = this.#wiki
    const { items } = await get('/suggest', { q, locale, limit: '8' }).catch(() => ({ items: [] }))
    return items.length > 0 ? items.slice(0, PAGES_MAX) : this.#pagesLike(others)
  }
}

/** What the wiki does not have, by view. */
export const MISSING = {
  category: 'There is no such category',
  difference: 'There is no such edit',
  edit: 'There is no such edit',
}

const meantPage = ({ path, locale, title }) => ({
  target: { view: 'page', path, locale },
  text: title,
  language: locale,
  isMeant: true,
})
