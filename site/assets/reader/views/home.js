import { element, heading } from '../../element.js'
import { get } from '../api.js'
import { folders, listOf, rootOf } from '../folder.js'
import { listedOf } from '../folders.js'
import { chipsOf, growingList, pageLink, section } from '../links.js'
import { followEdits } from '../live-edits.js'
import { readMainPage, readPage } from '../main-page.js'
import { dayText, say } from '../words.js'
import { pageView } from './page.js'

const CATEGORIES = 16

/** The main page of one language, or else the first page of its site, with its largest categories and recent edits. Without one, what is in the wiki. */
export const home = async ({ locale }, { wiki, signal }) => {
  const [mainPage, end, categories, recent] = await Promise.all([
    get('/pages', { locale, limit: '200' }, signal).then((pages) => readMainPage(locale, pages, signal)),
    get('/changes', { locale, after: 'now' }, signal).catch(() => undefined),
    get('/categories', { locale, limit: '200' }, signal),
    get('/recent', { locale, limit: '5' }, signal),
  ])
  const largest = categories.items.toSorted((a, b) => b.pages - a.pages).slice(0, CATEGORIES)
  const recentList = growingList({ ...recent, next: '' }, undefined, recentRow)
  const recentEdits = section('Recent edits', ...recentList)
  if (end) recentEdits.append(followEdits(recentList[0], end.cursor, { locale, signal, row: recentRow }))
  const chips = largest.length > 0 ? [section('Categories', chipsOf(largest, locale))] : []
  const shown = mainPage ?? (await firstPage(locale, signal).catch(() => undefined))
  if (shown) return pageView(shown, wiki, [...chips, recentEdits])
  const root = await rootOf({ locale })
  const { listed } = listedOf(await folders.readFolder(root, { locale }))
  const isEmpty = listed.length === 0
  const article = element(
    'article',
    {},
    isEmpty ? element('p', {}, say('No pages yet')) : await listOf(listed, locale),
  )
  const about = element(
    'aside',
    { 'aria-label': say('About this page') },
    ...chips,
    ...(isEmpty ? [] : [recentEdits]),
  )
  const parts = [element('header', {}, heading(wiki.name)), element('div', { class: 'side' }), article, about]
  return { title: wiki.name, locale, content: [element('div', { class: 'page' }, ...parts)] }
}

const firstPage = async (locale, signal) => {
  const first = await folders.readFirst({ locale })
  return first && readPage(first.path, locale, signal)
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
