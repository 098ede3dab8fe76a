import { element } from '../element.js'
import { get } from './api.js'
import { inLanguage } from './language.js'
import { linkTo, pageLink } from './links.js'
import { isMainName, readPage } from './main-page.js'
import { entryTitle, foldersAbove } from './names.js'
import { say } from './words.js'

/** Pages that one request reads. */
const READ_MAX = 200
/** More entries of a folder are behind a link. */
const LISTED_MAX = 100
/** So many entries before a page are enough, if more requests would be needed for others. */
const BEFORE_MIN = 25
/** Requests for the entries of one folder: each goes on behind the last subfolder of the one before. */
const REQUESTS_MAX = 8
/** Comes after all pages of a folder. */
const LAST = '\u{10FFFF}'

/**
 * What a folder has: its own pages, and its subfolders, which can be pages, too. A whole folder has its main page first, and
 * then the order of the site from which it was imported, or natural order; a part of one that of the API.
 * @typedef {{ name: string, path: string, page?: object, isFolder: boolean, position: number }} FolderEntry
 * @typedef {{ entries: FolderEntry[], isStart: boolean, isEnd: boolean, isWhole: boolean }} FolderPart
 */

/** Folders that were read, by language, namespace and path. @type {Map<string, Promise<FolderPart>>} */
const read = new Map()

/**
 * The entries of a folder: all, or those around one of them, as far as few requests tell, also in a wiki of a million pages.
 * @param {string} folder such as `guide/`; empty: the whole wiki
 * @param {{ locale: string, ns?: string }} wiki
 * @param {string} [around] path of an entry
 * @returns {Promise<FolderPart>}
 */
export const readFolder = async (folder, wiki, around) => {
  const first = await readFrom(folder, wiki, '')
  const isThere = around === undefined || first.isWhole || placeIn(first, around) >= 0
  return isThere ? first : readAround(folder, wiki, around)
}

/** The place of an entry, if the part also has what comes after it; or else -1. */
const placeIn = ({ entries, isEnd }, around) => {
  const place = entries.findIndex(({ path }) => path === around)
  return isEnd || place < entries.length - 1 ? place : -1
}

/**
 * The API lists pages forwards only. So this begins at a path before the entry, and at ever earlier ones until enough
 * entries come before it.
 */
const readAround = async (folder, wiki, around) => {
  const letters = [...around.slice(folder.length)]
  const before = (letter, step) => String.fromCodePoint(Math.max(0x20, letter.codePointAt(0) - step))
  const { length } = letters
  const starts = [
    ...[length - 1, length - 2, Math.ceil(length / 2), 1].map((end) =>
      letters.slice(0, Math.max(1, end)).join(''),
    ),
    ...[1, 8, 64, 512].map((step) => before(letters[0], step)),
  ]
  let found
  for (const start of starts.filter((one) => one !== letters.join(''))) {
    const part = await readFrom(folder, wiki, folder + start)
    const place = placeIn(part, around)
    if (place >= 0) found = part
    if (place < 0 || place >= BEFORE_MIN) break
  }
  const nearest = folder + letters.slice(0, -1).join('') + before(letters.at(-1), 1) + LAST
  return found ?? readFrom(folder, wiki, nearest)
}

const readFrom = (folder, { locale, ns = 'main' }, after) => {
  const key = JSON.stringify([locale, ns, folder, after])
  if (!read.has(key)) {
    const part = readEntries(folder, { locale, ns }, after)
    read.set(key, part)
    part.catch(() => read.delete(key))
  }
  return read.get(key)
}

const readEntries = async (folder, { locale, ns }, after) => {
  const entries = new Map()
  let next = after
  for (let requests = 0; requests < REQUESTS_MAX && entries.size <= LISTED_MAX; requests++) {
    const query = { prefix: folder, locale, ns, limit: String(READ_MAX), position: 'true', after: next }
    const part = await get('/pages', query)
    for (const page of part.items) {
      const [name, ...below] = page.path.slice(folder.length).split('/')
      const entry = entries.get(name) ?? { name, path: folder + name, isFolder: false, position: Infinity }
      // The pages of a folder are next to each other: one of them tells its place.
      entry.position = Math.min(entry.position, page.position ?? Infinity)
      if (below.length === 0) entry.page = page
      else entry.isFolder = true
      entries.set(name, entry)
    }
    next = part.next
    if (next === '') break
    const [name, ...below] = next.slice(folder.length).split('/')
    if (below.length > 0) next = `${folder}${name}/${LAST}`
  }
  const [isStart, isEnd] = [after === '', next === '']
  const isWhole = isStart && isEnd
  const { compare } = new Intl.Collator(locale, { numeric: true })
  const isMain = new Map([...entries.keys()].map((name) => [name, isMainName(name, locale)]))
  const all = [...entries.values()]
  const inOrder = (a, b) =>
    isMain.get(b.name) - isMain.get(a.name) || a.position - b.position || compare(a.name, b.name)
  return { entries: isWhole ? all.sort(inOrder) : all, isStart, isEnd, isWhole }
}

/** The first page of a site with an order, with its HTML; undefined if there is none. */
export const readFirstPage = async (locale, signal) => {
  const { entries } = await readFolder('', { locale })
  const first = entries[0] && (await edgeOf(entries[0], 1, { locale }))
  return first?.position == null ? undefined : readPage(first.path, locale, signal)
}

/** The entries that a list shows, and whether there are others. @param {FolderPart} part @param {string} [around] path of one of them */
export const listedOf = ({ entries, isStart, isEnd }, around) => {
  const place = entries.findIndex(({ path }) => path === around)
  const start = Math.max(0, Math.min(place - LISTED_MAX / 2, entries.length - LISTED_MAX))
  const listed = entries.slice(start, start + LISTED_MAX)
  return { listed, isStart: isStart && start === 0, isEnd: isEnd && start + LISTED_MAX >= entries.length }
}

/** A page with less text lists what is below it, characters. */
const TEXT_MIN = 80

/** What is in the folder of a page with almost no text; of the main page, what is in the wiki. Empty for other pages. */
export const entriesBelow = async ({ path, title, locale, ns, html }) => {
  const text = html.replace(/<h1\b.*?<\/h1>|<[^>]*>/gs, '').trim()
  if (text.length >= TEXT_MIN || /<(img|video|audio|li)\b/.test(html)) return []
  const read = async (folder) => {
    const part = listedOf(await readFolder(folder, { locale, ns }))
    const [first] = part.listed
    return part.listed.length === 1 && !first.page ? read(`${first.path}/`) : part
  }
  const { listed } = await read(isMainName(path, locale) ? '' : `${path}/`)
  const rows = listed
    .filter((entry) => entry.path !== path)
    .map((entry) => {
      const target = entry.page
        ? { view: 'page', path: entry.path }
        : { view: 'pages', prefix: `${entry.path}/` }
      return element('li', {}, linkTo({ ...target, locale }, entryTitle(entry)))
    })
  if (rows.length === 0) return []
  return [
    element(
      'nav',
      { 'aria-label': say('Pages in {0}', title) },
      element('ul', { class: 'rows columns' }, ...rows),
    ),
  ]
}

/**
 * Where a page is: the folders above it, and the pages before and after it. The parts have their places at once, and are
 * filled when the responses are there: nothing waits for them. Without them, the page stays as it is.
 * @returns {{ trail: Node[], turns: Element }}
 */
export const folderOf = ({ path, locale, ns }) => {
  const folders = foldersAbove(path)
  const wiki = { locale, ns }
  const turns = element('nav', {
    class: 'turns',
    'aria-label': say('Next page'),
    hidden: folders.length === 0,
  })
  pagesBeside(path, wiki)
    .then(([before, after]) => {
      turns.append(turnOf(before, 'prev', say('Previous page')), turnOf(after, 'next', say('Next page')))
      turns.hidden = !before && !after
    })
    .catch(() => {})
  if (folders.length === 0) return { trail: [], turns }
  const crumbs = folders.map((folder) => {
    const name = entryTitle({ name: folder.split('/').at(-2), isFolder: true })
    return ns === 'main' ? linkTo({ view: 'pages', prefix: folder, locale }, name) : element('span', {}, name)
  })
  const trail = element(
    'nav',
    { class: 'trail', 'aria-label': say('Path') },
    element('ol', inLanguage(locale), ...crumbs.map((crumb) => element('li', {}, crumb))),
  )
  crumbs.forEach((crumb, i) => {
    linkParent(crumb, folders[i], folders[i - 1] ?? '', wiki).catch(() => {})
  })
  return { trail: [trail], turns }
}

/** The pages before and after a page: in the order of its site, or of those in its folder. */
const pagesBeside = async (path, wiki) => {
  const folder = foldersAbove(path).at(-1) ?? ''
  const { entries } = await readFolder(folder, wiki, path)
  const pages = entries.flatMap(({ page }) => page ?? [])
  const place = pages.findIndex((page) => page.path === path)
  if (place < 0) return []
  if (pages[place].position != null) return Promise.all([-1, 1].map((step) => pageBeside(path, step, wiki)))
  return folder === '' ? [] : [pages[place - 1], pages[place + 1]]
}

/** The page before (`step` -1) or after (1) a page, as one goes through the tree. */
const pageBeside = async (path, step, wiki) => {
  let at = path
  for (const folder of ['', ...foldersAbove(path)].toReversed()) {
    const { entries, isWhole } = await readFolder(folder, wiki, at)
    const place = entries.findIndex((entry) => entry.path === at)
    const { page, isFolder } = entries[place] ?? {}
    if (step < 0 && at !== path && page) return page
    const [below] = step > 0 && at === path && isFolder ? (await readFolder(`${path}/`, wiki)).entries : []
    const beside = below ?? (place < 0 ? undefined : entries[place + step])
    if (beside) return edgeOf(beside, step, wiki)
    if (!isWhole) return undefined
    at = folder.slice(0, -1)
  }
  return undefined
}

/** The first or the last page of an entry. Its own page comes before those in its folder. */
const edgeOf = async ({ path, page, isFolder }, step, wiki) => {
  if (page && (step > 0 || !isFolder)) return page
  const { entries, isWhole } = await readFolder(`${path}/`, wiki)
  const edge = step > 0 ? entries[0] : isWhole && entries.at(-1)
  return edge ? edgeOf(edge, step, wiki) : undefined
}

/** A folder that is a page leads to it. */
const linkParent = async (crumb, folder, above, wiki) => {
  const path = folder.slice(0, -1)
  const { entries } = await readFolder(above, wiki, path)
  const entry = entries.find((one) => one.path === path)
  if (entry?.page)
    crumb.replaceWith(pageLink({ ...entry.page, title: entryTitle({ ...entry, isFolder: true }) }))
}

const turnOf = (page, rel, label) => {
  const turn = element('div', { class: rel })
  if (!page) return turn
  const link = pageLink(page)
  link.rel = rel
  turn.append(element('div', { class: 'quiet' }, label), link)
  return turn
}
