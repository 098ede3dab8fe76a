import { element } from '../../element.js'
import { get } from '../api.js'
import { articleOf, completeArticle } from '../content.js'
import { tableOfContents } from '../contents.js'
import { entriesBelow, folderOf } from '../folder.js'
import { backlinkRow, chipsOf, editParts, growingList, linkTo, section, translationLink } from '../links.js'
import { readPage } from '../main-page.js'
import { hintsOf, isSameName } from '../names.js'
import { targetOfWikiUrl, urlOf } from '../view-targets.js'
import { dayText, say } from '../words.js'
import { pages } from './pages.js'

/** More pages that link to one are in the view of them. */
const BACKLINKS_MAX = '5'

/** More translations are in the menu of languages alone. */
const TRANSLATIONS_MAX = 6

/** The text about a license that the API names where the wiki has none. */
const UNKNOWN_LICENSE = '/docs/guide#an-unknown-license'

/**
 * A page, with its last edit, categories and translations; of a folder without a page, the list of its pages. Elsewhere, that
 * to which the service redirects: the page moved, or its path differs in case. Then `url` is its own.
 */
export const page = async ({ path, locale }, context) => {
  const { wiki, signal } = context
  const read = async (one) => {
    const data = await readPage(one, locale, signal)
    return { ...(await pageView(data, wiki)), shown: () => addBacklinks(data, signal) }
  }
  const elsewhere = async (one, error) => {
    const view = await read(one).catch(() => {
      throw error
    })
    return { ...view, url: urlOf({ view: 'page', path: one, locale: view.locale }) + location.hash }
  }
  try {
    return await read(path)
  } catch (error) {
    if (error.status !== 404) throw error
    if (error.successor)
      return elsewhere(decodeURIComponent(/[^/?]*(?=\?|$)/.exec(error.successor)[0]), error)
    const folder = await pages({ locale, prefix: `${path}/` }, context)
    if (!folder.isEmpty) return { ...folder, path }
    const { meant } = hintsOf(error.message)
    if (meant && isSameName(meant, path)) return elsewhere(meant, error)
    throw error
  }
}

/** @param {Node[]} [others] what is beside a page instead of its categories */
export const pageView = async (data, wiki, others) => {
  const { title, path, locale, html, revision, links, translations, categories } = data
  // The API returns the URL of a translation on the wiki. It contains the path of the translation.
  const translated = translations.map((one) => ({
    ...one,
    target: targetOfWikiUrl(one.url, wiki.locales)?.target,
  }))
  const written = document.querySelector(`#main > .page > article[data-revision="${revision.id}"]`)
  const about = { title, path, locale, locales: wiki.locales, links: links.items, categories }
  const { h1, article, isEmpty } = articleOf(html, about, written)
  const contents = tableOfContents(article)
  // Without them, the page is as it is.
  const below = await entriesBelow(data).catch(() => [])
  const { trail, turns } = await folderOf(data)
  const header = element('header', {}, ...trail, h1)
  const side = element('div', { class: 'side' }, ...(contents ? [contents] : []))
  const aside = element(
    'aside',
    { 'aria-label': say('About this page') },
    ...aboutPage(data, others ? [] : categories),
    ...(translated.length > 0 && translated.length <= TRANSLATIONS_MAX
      ? [section('Other languages', list(translated.map((one) => translationLink(one, wiki))))]
      : []),
    ...(others ?? []),
    ...licenseOf(data),
  )
  const view = {
    title,
    locale,
    path: data.ns === 'main' ? path : undefined,
    translations: translated.filter(({ target }) => target !== undefined),
  }
  const complete = () => {
    const shown = written.parentElement
    shown.querySelector(':scope > header').replaceWith(header)
    shown.querySelector(':scope > .side').replaceWith(side)
    // Another view can show the page again, without what is added now.
    delete written.dataset.revision
    completeArticle(written, about)
    // The service lists the pages of the wiki in a main page without text.
    if (isEmpty && below.length > 0) written.replaceChildren()
    written.append(...below)
    written.after(turns, aside)
  }
  if (written) return { ...view, content: [], complete }
  article.append(...below)
  return { ...view, content: [element('div', { class: 'page' }, header, side, article, turns, aside)] }
}

const aboutPage = ({ path, locale, revision }, categories) => [
  section(
    'Last edit',
    // Author and date have lines of their own: together, they seldom fit in one.
    ...editParts({ ...revision, comment: '' }, dayText).map((part) => element('p', {}, part)),
    list([
      linkTo({ view: 'history', path, locale }, say('History')),
      linkTo({ view: 'difference', to: revision.id, locale }, say('What changed')),
      linkTo({ view: 'backlinks', path, locale }, say('Pages that link here')),
    ]),
  ),
  ...(categories.length > 0 ? [section('Categories', chipsOf(categories, locale))] : []),
]

/** Adds the pages that link to a page, if there are any, below what is beside it. It is for when the page is shown. */
const addBacklinks = async ({ path, locale }, signal) => {
  const query = { to: path, locale, limit: BACKLINKS_MAX }
  // Without them, the page is as it is.
  const { items, next } = await get('/links', query, signal).catch(() => ({ items: [] }))
  if (items.length === 0) return
  const [first] = growingList({ items, next: '' }, undefined, backlinkRow)
  const all = linkTo({ view: 'backlinks', path, locale }, say('More'))
  const more = next ? [element('p', {}, all)] : []
  document.querySelector(':is(.page, .side) > aside').append(section('Pages that link here', first, ...more))
}

/** Where else the page is, and its license, if it is known. */
const licenseOf = ({ url, path, locale, license }) => {
  // Not by the origin: the reader can have other hosts than BASE_URL, such as 127.0.0.1.
  const isElsewhere = pathnameOf(url) !== pathnameOf(urlOf({ view: 'page', path, locale }))
  const page = isElsewhere ? [element('a', { href: url }, say('This page on the wiki'))] : []
  if (!license.endsWith(UNKNOWN_LICENSE))
    return [section('License', ...[...page, licenseLink(license)].map((link) => element('p', {}, link)))]
  return page.map((link) => element('section', {}, element('p', {}, link)))
}

const pathnameOf = (url) => new URL(url, location.href).pathname

const licenseLink = (license) => element('a', { href: license, rel: 'license' }, licenseName(license))

const licenseName = (license) => {
  const [, name, version] = /creativecommons\.org\/licenses\/([a-z-]+)\/([\d.]+)/.exec(license) ?? []
  return name ? `CC ${name.toUpperCase()} ${version}` : new URL(license).hostname
}

const list = (links) => element('ul', {}, ...links.map((link) => element('li', {}, link)))
