import { element, heading } from '../../element.js'
import { get } from '../api.js'
import { contentOf } from '../content.js'
import { inLanguage, languageName } from '../language.js'
import { editLine, growingList, linkTo, pageLink, rowByPath } from '../links.js'
import { followEdits } from '../live-edits.js'
import { readMainPage } from '../main-page.js'
import { say } from '../words.js'

const CATEGORIES = 16

/** The main page of one language with its largest categories and recent edits. Without a main page, all pages. */
export const home = async ({ locale: requestedLocale }, { wiki, signal }) => {
  const locale = requestedLocale ?? wiki.locale
  const getPages = (after, limit = '30') => get('/pages', { locale, limit, after }, signal)
  const [mainPage, end, categories, recent] = await Promise.all([
    getPages('', '200').then((pages) => readMainPage(locale, pages, signal)),
    get('/changes', { locale, after: 'now' }, signal).catch(() => undefined),
    get('/categories', { locale, limit: '200' }, signal),
    get('/recent', { locale, limit: '5' }, signal),
  ])
  const largest = categories.items.toSorted((a, b) => b.pages - a.pages).slice(0, CATEGORIES)
  const lead = element(
    'p',
    { class: 'lead' },
    element('span', inLanguage(locale), languageName(wiki, locale)),
  )
  const allEdits = linkTo({ view: 'recent', locale }, say('Recent edits'))
  const allPages = linkTo({ view: 'pages', locale }, say('All pages'))
  const recentList = growingList({ ...recent, next: '' }, undefined, recentRow)
  const [edits] = recentList
  const recentEdits = element('section', {}, element('h2', {}, allEdits), ...recentList)
  if (end) recentEdits.append(followEdits(edits, end.cursor, { locale, signal, row: recentRow }))
  if (mainPage) {
    const { title, path, html, links } = mainPage
    const article = element(
      'article',
      inLanguage(locale),
      ...contentOf(html, { title, path, locale, locales: wiki.locales, links: links.items }),
    )
    const about = element(
      'aside',
      { 'aria-label': say('About this wiki') },
      ...categoryLinks(largest, locale),
    )
    about.append(element('section', {}, element('h2', {}, allPages)), recentEdits)
    return {
      title: wiki.name,
      locale,
      content: [element('div', { class: 'page' }, element('header', {}, heading(wiki.name)), article, about)],
    }
  }
  return {
    title: wiki.name,
    locale,
    content: [
      heading(wiki.name),
      lead,
      ...categoryLinks(largest, locale),
      element('h2', {}, say('All pages')),
      ...growingList(await getPages(''), getPages, rowByPath, { class: 'rows columns' }),
      recentEdits,
    ],
  }
}

const categoryLinks = (categories, locale) =>
  categories.length === 0
    ? []
    : [
        element(
          'section',
          {},
          element('h2', {}, say('Categories')),
          element(
            'ul',
            { class: 'chips' },
            ...categories.map(({ key, name, pages }) =>
              element(
                'li',
                {},
                linkTo({ view: 'category', key, locale }, name, inLanguage(locale)),
                element('span', { class: 'quiet' }, ` ${pages}`),
              ),
            ),
          ),
        ),
      ]

const recentRow = (edit) =>
  element(
    'li',
    {},
    pageLink(edit.page),
    element(
      'p',
      { class: 'quiet' },
      ...editLine(edit),
      ' · ',
      linkTo({ view: 'difference', to: edit.id, locale: edit.page.locale }, say('What changed')),
    ),
  )
