import { element } from '../element.js'
import { get } from './api.js'
import { inLanguage } from './language.js'
import { linkTo, pageLink } from './links.js'
import { isMainName } from './main-page.js'
import { entryTitle, foldersAbove } from './names.js'
import { say } from './words.js'

/** Pages that one request reads. */
const READ_MAX = 200
/** More entries of a folder are behind a link. */
const LISTED_MAX = 100
/** Requests for the entries of one folder: each goes on behind the last subfolder of the one before. */
const REQUESTS_MAX = 8
/** Comes after all pages of a folder. */
const LAST = '\u{10FFFF}'

/**
 * What a folder has: its own pages, and its subfolders, which can be pages, too. A whole folder is in natural order
 * after its main page, a part of one in the order of the API.
 * @typedef {{ name: string, path: string, page?: object, isFolder: boolean }} FolderEntry
 * @typedef {{ entries: FolderEntry[], isWhole: boolean }} FolderPart
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
  const isThere = around === undefined || first.entries.some(({ path }) => path === around)
  // Entries whose paths begin as this one come before it, and are few.
  return first.isWhole || isThere ? first : readFrom(folder, wiki, [...around].slice(0, -2).join(''))
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
    const query = { prefix: folder, locale, ns, limit: String(READ_MAX), after: next }
    const part = await get('/pages', query)
    for (const page of part.items) {
      const [name, ...below] = page.path.slice(folder.length).split('/')
      const entry = entries.get(name) ?? { name, path: folder + name, isFolder: false }
      if (below.length === 0) entry.page = page
      else entry.isFolder = true
      entries.set(name, entry)
    }
    next = part.next
    if (next === '') break
    const [name, ...below] = next.slice(folder.length).split('/')
    if (below.length > 0) next = `${folder}${name}/${LAST}`
  }
  const isWhole = after === '' && next === ''
  const { compare } = new Intl.Collator(locale, { numeric: true })
  const isMain = new Map([...entries.keys()].map((name) => [name, isMainName(name, locale)]))
  const all = [...entries.values()]
  const inOrder = (a, b) => isMain.get(b.name) - isMain.get(a.name) || compare(a.name, b.name)
  return { entries: isWhole ? all.sort(inOrder) : all, isWhole }
}

/** The entries that a list shows. @param {FolderPart} part @param {string} [around] path of one of them */
export const listedOf = ({ entries, isWhole }, around) => {
  const place = entries.findIndex(({ path }) => path === around)
  const start = Math.max(0, Math.min(place - LISTED_MAX / 2, entries.length - LISTED_MAX))
  const listed = entries.slice(start, start + LISTED_MAX)
  return { listed, isAll: isWhole && listed.length === entries.length }
}

/**
 * Where a page is: the folders above it, and the pages before and after it. The parts have their places at once, and are
 * filled when the responses are there: nothing waits for them. Without them, the page stays as it is.
 * @returns {{ trail: Node[], turns: Element }}
 */
export const folderOf = ({ path, locale, ns }) => {
  const folders = foldersAbove(path)
  const turns = element('nav', {
    class: 'turns',
    'aria-label': say('Next page'),
    hidden: folders.length === 0,
  })
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
    linkParent(crumb, folders[i], folders[i - 1] ?? '', { locale, ns }).catch(() => {})
  })
  readFolder(folders.at(-1), { locale, ns }, path)
    .then(({ entries }) => {
      const pages = entries.flatMap(({ page }) => page ?? [])
      const place = pages.findIndex((page) => page.path === path)
      const beside = (step) => (place < 0 ? undefined : pages[place + step])
      turns.append(
        turnOf(beside(-1), 'prev', say('Previous page')),
        turnOf(beside(1), 'next', say('Next page')),
      )
      turns.hidden = !beside(-1) && !beside(1)
    })
    .catch(() => {})
  return { trail: [trail], turns }
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
