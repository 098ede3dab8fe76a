/* The first view of a URL, as the service writes it: a page as the reader then shows it, and any view without scripts. */

import { withBreaks } from '../code/lines.js'
import { searchOf } from './folders.js'
import { contentsHtml, withoutHeading } from './headings.js'
import { isMixed } from './language.js'
import { hintsOf, isSameName, mainPaths } from './names.js'
import { escaped, Navigation, unlessOverloaded } from './navigation.js'
import { makeTargets } from './targets.js'
import { noText, WrittenViews } from './written-views.js'

/** Reads what a view shows with the requests of the reader, which then finds their responses in the cache. */
class FirstView {
  #site
  #locale
  #get
  #urlOf
  #written

  constructor(site, locale) {
    const { read } = site
    this.#site = site
    this.#locale = locale
    this.#urlOf = makeTargets(site).urlOf
    this.#get = async (path, query) => {
      const { status, text } = await read(path + searchOf(query))
      const body = JSON.parse(text)
      if (status !== 200) throw Object.assign(new Error(body.error.message), { status })
      return body
    }
    this.#written = new WrittenViews(locale, { ...site, get: this.#get, urlOf: this.#urlOf })
  }

  async read(target, next) {
    const { view, path, prefix, q = '' } = target
    const shown = await (view === 'home'
      ? this.#home()
      : view === 'page'
        ? this.#page(path)
        : view === 'elsewhere'
          ? this.#written.elsewhere(target)
          : this.#written.write(target, next))
    if (shown.movedTo) return shown
    const { content } = shown
    if (content && !content.article.trim()) content.article = noText(this.#site.say)
    const tree = shown.tree ?? (await this.#navigationOf(view === 'page' ? path : '').parts()).tree
    const [categories, name] = await Promise.all([
      this.#get('/categories', { locale: this.#locale, limit: '1' }).catch(() => {}),
      this.#name(),
    ])
    const menu = this.#written.languages(this.#site.locales, shown.languages ?? [])
    const hasCategories = categories?.items.length !== 0
    return { locale: this.#locale, view: prefix ? '' : view, q, name, menu, hasCategories, ...shown, tree }
  }

  /** The name of the wiki in this language: the title of its main page, if the main page of the default language has the name. */
  async #name() {
    const { defaultLocale, name, say } = this.#site
    if (this.#locale === defaultLocale) return name
    const query = { locale: defaultLocale, path: mainPaths(defaultLocale, say), include: 'translations' }
    const pages = await this.#get('/pages', query).catch(unlessOverloaded)
    const main = pages?.items.find(({ title }) => title === name)
    return main?.translations.find(({ locale }) => locale === this.#locale)?.title ?? name
  }

  #navigationOf(path) {
    const locale = this.#locale
    const urlOf = (target) => this.#urlOf({ view: 'page', locale, ...target })
    return new Navigation({ locale, path }, { get: this.#get, say: this.#site.say, urlOf })
  }

  /** A page, or the URL to which it moved, or that of the page whose path differs in case; of a folder without a page, what is in it. */
  async #page(path) {
    const { read, base, say } = this.#site
    const query = { locale: this.#locale, format: 'html', include: 'summary,links' }
    const { status, text, link } = await read(`/pages/${encodeURIComponent(path)}${searchOf(query)}`)
    const [, moved] = /<([^>]*)>; rel="successor-version"/.exec(link) ?? []
    const newPage = moved && (await read(moved.slice(base.length)))
    if (newPage?.status === 200) {
      const { path, locale } = JSON.parse(newPage.text)
      return { movedTo: this.#urlOf({ view: 'page', path, locale }) }
    }
    const navigation = this.#navigationOf(path)
    const folder = status === 200 ? undefined : await navigation.folder()
    if (folder) {
      const { trail, tree } = await navigation.parts()
      return { status: 200, title: folder.title, tree, content: { ...NO_PAGE, trail, ...folder } }
    }
    const found = JSON.parse(text)
    if (status !== 200) {
      const { meant } = hintsOf(found.error.message)
      if (meant && isSameName(meant, path))
        return { movedTo: this.#urlOf({ view: 'page', path: meant, locale: this.#locale }) }
      const { title, html } = await this.#written.missing({ view: 'page', path }, found.error.message)
      return { status: 404, title, html }
    }
    const { title, url, summary, translations = [] } = found
    const { heading, id, body } = withoutHeading(title, found.html)
    const { trail, tree } = found.ns === 'main' ? await navigation.parts() : { trail: '', tree: '' }
    const contents = contentsHtml(body, this.#locale, say('Contents'))
    const about = this.#written.about(found)
    return {
      ...{ status, title, url, tree },
      description: summary.replace(/\s+/g, ' ').trim(),
      languages: [{ locale: this.#locale, url }, ...translations],
      content: {
        trail,
        heading,
        id,
        contents,
        about,
        article: articleOf(body, this.#locale),
        revision: found.revision.id,
      },
    }
  }

  /** The main page of a language, or else the first page of its site. Without one, what is in the wiki. */
  async #home() {
    const { say, locales, name } = this.#site
    const locale = this.#locale
    const { name: title, url } = locales.find((one) => one.locale === locale) ?? {}
    const home = { status: 200, title, url, languages: locales }
    const navigation = this.#navigationOf('')
    const wanted = await this.#get('/pages', { locale, path: mainPaths(locale, say) }).catch(unlessOverloaded)
    const main = wanted?.items.find(({ missing }) => !missing)?.path ?? (await navigation.firstPath())
    const shown = main === undefined ? home : await this.#page(main)
    if (shown.movedTo) return home
    if (shown.content?.article.trim()) return { ...shown, url, languages: locales }
    // Of some sites, the main page has a layout without text.
    const folder = await navigation.folder()
    if (!folder) return { ...home, html: `<p>${escaped(say('No pages yet'))}</p>` }
    const { trail } = await navigation.parts()
    const content = shown.content ?? { ...NO_PAGE, trail, heading: escaped(name) }
    return { ...shown, url, languages: locales, content: { ...content, article: folder.article } }
  }
}

const NO_PAGE = { contents: '', about: '', revision: '' }

/** HTML of the API, in which each `<` begins a tag, with the boxes of the reader, which keeps it: then nothing moves. Of tables in tables, only the inner ones have boxes, so that tags are closed in their order. */
const boxedHtml = (body) =>
  body
    .replace(/<(h[2-6])( id="[^>]*>.*?<\/\1>)/gs, '<div class="heading $1"><$1$2</div>')
    .replace(
      /<table\b(?:(?!<table\b).)*?<\/table>/gs,
      '<div class="table"><div class="scroller">$&</div></div>',
    )
    .replace(/<pre><code(?: class="language-([^"]*)")?.*?<\/pre>/gs, codeBox)
    .replace(/(?<!<pre>)<code>[^<]+/g, (code) => withBreaks(code))
    .replace(' loading="lazy"', '')

const VOID = /^(?:br|col|hr|img|input|source|wbr)$/

/** HTML of which each outermost element begins where its first letter says, as `articleOf` in `content.js` does it. */
const withDirections = (html) => {
  let depth = 0
  return html.replace(/<(\/?)(\w+)(?=([^>]*))/g, (tag, end, name, attributes) => {
    if (VOID.test(name)) return tag
    depth += end ? -1 : 1
    return end || depth > 1 || attributes.includes(' dir="') ? tag : `${tag} dir="auto"`
  })
}

const articleOf = (body, locale) => {
  const html = boxedHtml(body)
  return isMixed(html, locale) ? withDirections(html) : html
}

const codeBox = (code, language) =>
  `<div class="code"${language ? ` data-language="${language}"` : ''}>${code}</div>`

/**
 * What the service shows of a view.
 * @param {import('./targets.js').ViewTarget} target with its `locale`
 * @param {{ read: (url: string) => Promise<{ status: number, text: string, link: string }>, base: string, name: string, defaultLocale: string,
 *   locales: { locale: string, name: string, url: string }[], say: (text: string) => string, reader: string, pages: string,
 *   shownLocales: string[] }} site `read` requests a URL below `base`; the rest is as `makeTargets` has it
 * @param {string} [next] cursor of the part of a list; absent: the first
 * @returns what `ShownPage` in `src/docs-site/pages.ts` describes, or `{ movedTo }`, the URL to which a page moved
 */
export const firstView = (target, site, next) => new FirstView(site, target.locale).read(target, next)
