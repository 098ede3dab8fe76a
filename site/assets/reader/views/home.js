import { element, heading } from '../../element.js'
import { get } from '../api.js'
import { readFirstPage } from '../folder.js'
import { inLanguage, languageName } from '../language.js'
import { chipsOf, growingList, pageLink, rowByPath, section } from '../links.js'
import { followEdits } from '../live-edits.js'
import { readMainPage } from '../main-page.js'
import { dayText, say } from '../words.js'
import { pageView } from './page.js'

const CATEGORIES = 16

/** The main page of one language, or else the first page of its site, with its largest categories and recent edits. Without one, all pages. */
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
  const recentList = growingList({ ...recent, next: '' }, undefined, recentRow)
  const recentEdits = section('Recent edits', ...recentList)
  if (end) recentEdits.append(followEdits(recentList[0], end.cursor, { locale, signal, row: recentRow }))
  const chips = largest.length > 0 ? [section('Categories', chipsOf(largest, locale))] : []
  // Of some sites, the main page has a layout without text.
  const shown = mainPage?.html.trim() ? mainPage : await readFirstPage(locale, signal).catch(() => undefined)
  if (shown) return pageView({ ...shown, categories: [] }, wiki, ...chips, recentEdits)
  const lead = element(
    'p',
    { class: 'lead' },
    element('span', inLanguage(locale), languageName(wiki, locale)),
  )
  const first = await getPages('')
  const isEmpty = first.items.length === 0
  return {
    title: wiki.name,
    locale,
    content: [
      heading(wiki.name),
      lead,
      ...(isEmpty ? [element('p', {}, say('No pages yet'))] : []),
      ...chips,
      ...(isEmpty
        ? []
        : [
            section('All pages', ...growingList(first, getPages, rowByPath, { class: 'rows columns' })),
            recentEdits,
          ]),
    ],
  }
}

const recentRow = (edit) =>
  element(
    'li',
    {},
    pageLink(edit.page),
    element(
      'p',
      { class: 'quiet' },
      element('time', { datetime: edit.created_at }, dayText(edit.created_at)),
    ),
  )
