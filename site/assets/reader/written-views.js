/* The views of the reader as HTML, as the service writes them for browsers without scripts. */

import { growthOf } from './growth.js'
import { contentsHtml, withoutHeading } from './headings.js'
import { inLanguage, languageName, pluralOf } from './language.js'
import { numberedLines } from './line-numbers.js'
import { escaped, unlessOverloaded } from './navigation.js'
import { MISSING, Near, titleOf } from './near.js'
import { headingOf, passagesOf, urlOfPassage } from './passages.js'
import { queryOf } from './targets.js'

const language = (locale, text) => {
  const { lang, dir } = inLanguage(locale, text)
  return ` lang="${escaped(lang)}" dir="${dir}"`
}

const titled = (title, ...html) => ({
  title,
  html: `<h1 dir="auto">${escaped(title)}</h1>\n${html.join('')}`,
})

/** Parts in a line, in which each of them breaks as a whole. */
const lineOf = (parts, name = 'parts') =>
  `<p class="${name}">${parts.map((part) => `<span>${part}</span>`).join('')}</p>`

/** What stands in the place of a text. @param {(text: string) => string} say */
export const noText = (say) => `<p class="quiet">${escaped(say('This page has no text.'))}</p>`

/** With more, the menu of languages is enough. */
const TRANSLATIONS_MAX = 6

/** HTML of a text with its highlights marked. Offsets count UTF-16 code units. */
const marked = ({ text, highlights }) => {
  let at = 0
  const parts = highlights.map(([start, end]) => {
    const before = escaped(text.slice(at, start))
    at = end
    return `${before}<mark>${escaped(text.slice(start, end))}</mark>`
  })
  return parts.join('') + escaped(text.slice(at))
}

const BYTES = { style: 'unit', unit: 'byte', unitDisplay: 'long' }

/** The language of dates and numbers: that of the page, if it is a language tag. */
const formatIn = (locale, Format, options) => {
  try {
    return new Format(locale, options)
  } catch {
    return new Format('en', options)
  }
}

/** Lists, edits, and what is around a page. */
export class WrittenViews {
  #locale
  #wiki
  #get
  #say
  #urlOf
  #near
  #dates
  #days

  /**
   * @param {string} locale
   * @param {{ get: (path: string, query: object) => Promise<object>, say: (text: string) => string,
   *   urlOf: (target: import('./targets.js').ViewTarget) => string, locales: { locale: string, name: string }[] }} options `get`
   *   requests a path of the API, and throws what is no success, with its `status`
   */
  constructor(locale, { get, say, urlOf, locales }) {
    this.#locale = locale
    this.#wiki = { locales }
    this.#get = get
    const plurals = () => formatIn(locale, Intl.PluralRules)
    this.#say = (text, ...values) =>
      pluralOf(say(text), values[0], plurals).replace(/\{(\d)\}/g, (_, index) => values[index])
    this.#urlOf = urlOf
    this.#near = new Near({ get, locale, locales, say: this.#say })
    const day = { dateStyle: 'medium', timeZone: 'UTC' }
    this.#dates = formatIn(locale, Intl.DateTimeFormat, { ...day, timeStyle: 'short' })
    this.#days = formatIn(locale, Intl.DateTimeFormat, day)
  }

  /**
   * A view that is neither a page nor the main page. What the wiki does not have is a view, too.
   * @param {import('./targets.js').ViewTarget} target @param {string} [next] cursor of the part of a list; absent: the first
   * @returns {Promise<{ status: number, title: string, html: string }>}
   */
  async write(target, next) {
    try {
      const { view } = target
      const written =
        view === 'edit'
          ? this.#edit(target)
          : view === 'difference'
            ? this.#difference(target)
            : this.#list(target, next)
      return { status: 200, ...(await written) }
    } catch (error) {
      if (error.status === 404) return { status: 404, ...(await this.missing(target, error.message)) }
      if (error.status !== 400) throw error
      return {
        status: 400,
        ...titled(this.#say('Invalid request'), `<p class="lead" lang="en">${escaped(error.message)}</p>`),
      }
    }
  }

  /**
   * What is near a page, a category or an edit that does not exist.
   * @param {string} [message] of the API. The reader shows what is here, too.
   */
  async missing(target, message = '') {
    const { view, path, key } = target
    return this.#missing(MISSING[view], path ?? key, await this.#near.missing(target, message))
  }

  /**
   * What is near a page that somebody asked for in a language that the wiki does not have: the page in others.
   * @param {{ path: string, tag: string }} target `tag` stood in the place of the language
   */
  async elsewhere({ path, tag }) {
    const locale = this.#locale
    try {
      const query = { locale, format: 'text' }
      const { title, translations } = await this.#get(`/pages/${encodeURIComponent(path)}`, query)
      const links = [{ locale, path, title }, ...translations].map((one) => this.#near.pageIn(one))
      return { status: 404, ...this.#missing(undefined, `${tag}/${path}`, [...links, this.#near.all()]) }
    } catch (error) {
      if (error.status !== 404) throw error
      return { status: 404, ...(await this.missing({ view: 'page', path }, error.message)) }
    }
  }

  /** @param {string} [name] what somebody asked for */
  #missing(title = 'There is no such page', name = '', links) {
    return titled(
      this.#say(title),
      name && `<p class="lead"><bdi>${escaped(name)}</bdi></p>`,
      this.#cards(links, ' data-missing'),
    )
  }

  /** @param links as `Near` has them */
  #cards(links, attributes = '') {
    const items = links.map(({ target, text, language: locale, isMeant }) => {
      const link = this.#link(target, text, locale && language(locale))
      return `<li>${isMeant ? `${escaped(this.#say('Did you mean'))}: ` : ''}${link}</li>`
    })
    return `<ul class="cards"${attributes}>${items.join('')}</ul>`
  }

  /** Who made the last edit of a page, and links to what is about it. */
  about({ path, revision, categories, translations = [] }) {
    const links = [
      this.#link({ view: 'history', path }, this.#say('History')),
      this.#link({ view: 'difference', to: revision.id }, this.#say('What changed')),
      this.#link({ view: 'backlinks', path }, this.#say('Pages that link here')),
    ]
    const others = translations.map(
      ({ locale, title, url }) =>
        `<li><a href="${escaped(url)}" hreflang="${escaped(locale)}"${language(locale)}>${escaped(`${languageName(this.#wiki, locale)}: ${title}`)}</a></li>`,
    )
    const { created_at, author } = revision
    const name = author.name.trim() && `<p dir="auto">${escaped(author.name)}</p>`
    const chips = categories.map((one) => `<li>${this.#category(one)}</li>`).join('')
    return `<aside aria-label="${escaped(this.#say('About this page'))}">
<section><h2>${escaped(this.#say('Last edit'))}</h2><p><time datetime="${created_at}">${this.#days.format(new Date(created_at))}</time></p>${name}<ul>${links.map((link) => `<li>${link}</li>`).join('')}</ul></section>
${chips && `<section><h2>${escaped(this.#say('Categories'))}</h2><ul class="chips">${chips}</ul></section>`}
${others.length > 0 && others.length <= TRANSLATIONS_MAX ? `<section><h2>${escaped(this.#say('Other languages'))}</h2><ul>${others.join('')}</ul></section>` : ''}</aside>`
  }

  /**
   * The menu of languages: first those in which the wiki has this page, then the others.
   * @param {{ locale: string, name: string }[]} locales @param {{ locale: string, path?: string, title?: string }[]} translations
   */
  languages(locales, translations) {
    const translated = new Map(translations.filter(({ path }) => path).map((one) => [one.locale, one]))
    const item = ({ locale, name }) => {
      const { path, title = '' } = translated.get(locale) ?? {}
      const url = this.#urlOf(path ? { view: 'page', path, locale } : { view: 'home', locale })
      const about = title && `<span class="quiet"${language(locale)}>${escaped(title)}</span>`
      return `<li><a href="${escaped(url)}" hreflang="${escaped(locale)}"><span${language(locale)}>${escaped(name)}</span>${about}</a></li>`
    }
    const group = (title, list) =>
      list.length > 0
        ? `<p class="quiet">${escaped(this.#say(title))}</p><ul>${list.map(item).join('')}</ul>`
        : ''
    const others = locales.filter(({ locale }) => locale !== this.#locale)
    return (
      group(
        'This page in',
        others.filter(({ locale }) => translated.has(locale)),
      ) +
      group(
        'Other languages',
        others.filter(({ locale }) => !translated.has(locale)),
      )
    )
  }

  #link(target, text, attributes = '') {
    return `<a href="${escaped(this.#urlOf({ locale: this.#locale, ...target }))}"${attributes}>${escaped(text)}</a>`
  }

  #pageLink({ path, locale, title }) {
    return this.#link({ view: 'page', path, locale }, title, language(locale, title))
  }

  #category({ key, name, pages }) {
    const count = pages === undefined ? '' : ` <span class="quiet">${pages}</span>`
    return this.#link({ view: 'category', key }, name, language(this.#locale)) + count
  }

  /** It begins with a link to its section, but not with the title of the page. */
  #passage(hit, passage) {
    const heading = escaped(headingOf(hit, passage))
    const link = heading && `<a href="${escaped(urlOfPassage(hit, passage, this.#urlOf))}">${heading}</a> `
    return `<p class="passage"${language(hit.locale, passage.text)}>${link}${marked(passage)}</p>`
  }

  #editLine({ created_at, author, comment }) {
    const time = `<time datetime="${created_at}">${this.#dates.format(new Date(created_at))} UTC</time>`
    const texts = Object.entries({ author: author.name, comment }).filter(([, text]) => text?.trim())
    const spans = texts.map(([name, text]) => `<span class="${name}" dir="auto">${escaped(text)}</span>`)
    return `<p class="parts">${time}${spans.join('')}</p>`
  }

  /** @param {string[]} about HTML of the links at its end @param {{ above?: string, below?: string }} more HTML around the edit */
  #editRow(edit, about, { above = '', below = '' }) {
    return `<div class="entry"><div>${above}${this.#editLine(edit)}${below}</div>${lineOf(about, 'parts quiet')}</div>`
  }

  /** The sizes of the edits of a part of a history, each with what it has added. */
  #sizesOf(part) {
    const bytes = formatIn(this.#locale, Intl.NumberFormat, BYTES)
    const changes = formatIn(this.#locale, Intl.NumberFormat, { signDisplay: 'always' })
    return part.items.map(({ size }, i) => {
      const growth = growthOf(part, i)
      const change = growth === undefined ? '' : ` (${growth === 0 ? '±0' : changes.format(growth)})`
      return `<p class="quiet">${escaped(bytes.format(size) + change)}</p>`
    })
  }

  #whatChanged({ id }) {
    return this.#link({ view: 'difference', to: id }, this.#say('What changed'))
  }

  #editOfPage(edit, below) {
    const own = this.#link({ view: 'edit', id: edit.id }, this.#say('View this version'))
    return this.#editRow(edit, [own, this.#whatChanged(edit)], { below })
  }

  #recentEdit(edit) {
    const { path } = edit.page
    const history = this.#link({ view: 'history', path }, this.#say('History'))
    return this.#editRow(edit, [this.#whatChanged(edit), history], { above: this.#pageLink(edit.page) })
  }

  /** An edit that can be compared with another one: without a choice, the newest with the one before. */
  #choiceRow(edit, i, size) {
    const choices = ['from', 'to'].map((name) => {
      const text = this.#say(name === 'from' ? 'From' : 'To')
      const about = escaped(`${text}: ${edit.created_at.slice(0, 10)}, ${edit.author.name}`)
      const checked = i === (name === 'from' ? 1 : 0) ? ' checked' : ''
      return `<input type="radio" name="${name}" value="${edit.id}" title="${escaped(text)}" aria-label="${about}"${checked}>`
    })
    return `<div class="edit"><span class="choices">${choices.join('')}</span>${this.#editOfPage(edit, size)}</div>`
  }

  /** A form that leads to the comparison of two edits of a list. */
  #comparison(list) {
    const [from, to] = ['From', 'To'].map((text) => `<span>${escaped(this.#say(text))}</span>`)
    return `<form action="${escaped(this.#reader)}"><p class="choices quiet" aria-hidden="true">${from}${to}</p>
${list}<input type="hidden" name="locale" value="${escaped(this.#locale)}">
<p class="compare"><button>${escaped(this.#say('Compare the selected edits'))}</button></p></form>`
  }

  get #reader() {
    return this.#urlOf({ view: 'home', locale: undefined })
  }

  /** What a list requests, which parameter its next part has, its title, and its rows. */
  async #definitionOf({ view, q, all, path, key, prefix }) {
    const say = this.#say
    const segment = encodeURIComponent(path ?? key ?? '')
    const pageRow = (page) => this.#pageLink(page)
    const ofPage = async (text) => ({
      title: say(text, await titleOf(path, this.#locale, this.#get)),
      above: { view: 'page', path },
      aboveText: 'Current page',
    })
    const definitions = {
      search: () => ({
        ...{
          from: '/search',
          query: { q, all, ns: 'main', limit: '10' },
          cursor: 'offset',
          title: `${say('Search')}: ${q}`,
        },
        none: 'No results. Check the spelling, or try fewer or other words.',
        counted: '{0, plural, one {# result} other {# results}}',
        near: () => this.#near.results({ q, all }),
        row: (hit) =>
          `<h2>${this.#pageLink(hit)}${all ? ` <small${language(hit.locale)}>${escaped(languageName(this.#wiki, hit.locale))}</small>` : ''}</h2>${passagesOf(
            hit,
          )
            .map((passage) => this.#passage(hit, passage))
            .join('')}`,
      }),
      history: async () => ({
        ...(await ofPage('History of {0}')),
        from: `/pages/${segment}/history`,
        query: { limit: '50' },
        cursor: 'before',
        rowsOf: (part) => {
          const sizes = this.#sizesOf(part)
          if (sizes.length === 1) return [this.#editOfPage(part.items[0], sizes[0])]
          return part.items.map((edit, i) => this.#choiceRow(edit, i, sizes[i]))
        },
        isChoice: true,
      }),
      backlinks: async () => ({
        ...(await ofPage('Pages that link to {0}')),
        from: '/links',
        query: { to: path },
        none: 'No page links to this page.',
        row: (link) => pageRow(link) + (link.redirect ? ` (${escaped(say('redirect'))})` : ''),
      }),
      recent: () => ({
        from: '/recent',
        query: { limit: '50', include: 'parent' },
        cursor: 'before',
        title: say('Recent edits'),
        row: (edit) => this.#recentEdit(edit),
      }),
      pages: () => ({
        from: '/pages',
        query: { limit: '90', prefix },
        title: prefix ?? say('All pages'),
        none: 'No pages yet',
        row: pageRow,
      }),
      categories: () => ({
        from: '/categories',
        query: { limit: '90' },
        title: say('Categories'),
        none: 'There are no categories.',
        row: (one) => this.#category(one),
      }),
      category: () => ({
        from: `/categories/${segment}`,
        query: { limit: '50' },
        above: { view: 'categories' },
        aboveText: 'Categories',
        none: 'This category has no pages.',
        row: pageRow,
      }),
    }
    return definitions[view]()
  }

  async #list(target, next) {
    const {
      from,
      query,
      cursor = 'after',
      title,
      above,
      aboveText,
      none = '',
      counted,
      near,
      row,
      rowsOf = ({ items }) => items.map(row),
      isChoice,
    } = await this.#definitionOf(target)
    const part = await this.#get(from, { ...query, locale: this.#locale, [cursor]: next })
    const rows = rowsOf(part)
      .map((html) => `<li>${html}</li>`)
      .join('\n')
    const list = rows && `<ul class="rows">${rows}</ul>`
    const meant = part.did_you_mean
    const count = `${part.items.length}${part.next ? '+' : ''}`
    const written = titled(
      title ?? part.category.name,
      above ? `<p>${this.#link(above, this.#say(aboveText))}</p>` : '',
      meant
        ? `<p>${escaped(this.#say('Did you mean'))}: ${this.#link({ view: 'search', q: meant }, meant)}</p>`
        : '',
      counted && list && !next ? `<p class="quiet">${escaped(this.#say(counted, count))}</p>` : '',
      isChoice && part.items.length > 1
        ? this.#comparison(list)
        : list || `<p>${escaped(this.#say(none))}</p>`,
      !list && near ? this.#cards(await near()) : '',
      part.next
        ? `<p><a rel="next" href="${escaped(`${this.#reader}${queryOf({ ...target, locale: this.#locale })}&next=${encodeURIComponent(part.next)}`)}">${escaped(this.#say('More'))}</a></p>`
        : '',
    )
    return { ...written, url: part.category?.url }
  }

  async #edit({ id }) {
    const { html, created_at, ...revision } = await this.#get(`/revisions/${encodeURIComponent(id)}`, {
      format: 'html',
    })
    const { path, title, locale } = revision.page
    const date = `${this.#dates.format(new Date(created_at))} UTC`
    const links = [
      this.#link({ view: 'page', path, locale }, this.#say('Current page')),
      this.#link({ view: 'history', path, locale }, this.#say('History')),
      this.#link({ view: 'difference', to: id, locale }, this.#say('What changed')),
    ]
    const { heading = escaped(title), body } = withoutHeading(title, html)
    const contents = contentsHtml(body, locale, this.#say('Contents'))
    return {
      title: `${title} (${date})`,
      html: `<div class="page"><header><h1${language(locale, heading)}>${heading}</h1>
<div class="markdown-alert markdown-alert-warning"><p>${escaped(this.#say('This edit'))}</p>${this.#editLine({ ...revision, created_at })}${lineOf(links)}</div></header>
<div class="side">${contents}</div><article${language(locale)}>${body.trim() || noText(this.#say)}</article></div>`,
    }
  }

  async #difference({ from, to }) {
    const diff = await this.#get(`/revisions/${encodeURIComponent(to)}/diff`, { from })
    const { page, hunks, added, removed, truncated } = diff
    const { path, title, locale } = page
    const query = { locale, limit: '200' }
    const history = this.#get(`/pages/${encodeURIComponent(path)}/history`, query).catch(unlessOverloaded)
    const edits = (await history)?.items ?? []
    const place = edits.findIndex(({ id }) => id === diff.to)
    // A form cannot put two edits into their order.
    if (edits.slice(0, Math.max(0, place)).some(({ id }) => id === from))
      return this.#difference({ from: to, to: from })
    const beside = [
      [diff.from, 'Older edit'],
      [edits[place - 1]?.id, 'Newer edit'],
    ].flatMap(([id, text]) => (id ? this.#link({ view: 'difference', to: id, locale }, this.#say(text)) : []))
    const compared = [
      [diff.from, 'From'],
      [diff.to, 'To'],
    ].map(([id, name]) => {
      const edit = edits.find((one) => one.id === id)
      const line = edit ? this.#editLine(edit) : ''
      const text = id
        ? line + this.#link({ view: 'edit', id, locale }, this.#say('View this version'))
        : escaped(this.#say('an empty page: this is the first edit'))
      return `<div><dt>${escaped(this.#say(name))}</dt><dd>${text}</dd></div>`
    })
    const changeOf = ({ kind, text, highlights, number }) => {
      const name = { added: 'ins', removed: 'del' }[kind] ?? 'span'
      return `<${name} class="${name === 'span' ? 'same' : 'change'}"><span class="line" data-line="${number}">${marked({ text, highlights })}\n</span></${name}>`
    }
    const lines = hunks.map(
      (hunk) =>
        `<h2>${escaped(this.#say('Line {0}', hunk.to.line))}</h2>${numberedLines(hunk).map(changeOf).join('')}`,
    )
    const summary = truncated
      ? this.#say(
          'The changes are too many or too long to show. They begin at line {0}. To read a whole text, open its edit.',
          hunks[0].to.line,
        )
      : this.#say('Lines added: {0}. Lines removed: {1}.', added, removed)
    return titled(
      this.#say('Changes to {0}', title),
      `<dl class="edits">${compared.join('')}</dl>`,
      `<p>${escaped(summary)}</p>${lineOf([...beside, this.#link({ view: 'history', path, locale }, this.#say('History')), this.#link({ view: 'page', path, locale }, this.#say('Current page'))])}`,
      `<div class="difference"${language(locale)}>${lines.join('')}</div>`,
    )
  }
}
