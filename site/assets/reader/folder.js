import { element } from '../element.js'
import { get } from './api.js'
import { inLanguage } from './language.js'
import { linkTo, pageLink } from './links.js'
import { say, shellLanguage } from './words.js'

/** Pages of a folder that one request reads. */
const READ_MAX = 200
/** More pages and subfolders are behind a link, except those on both sides of the page. */
const LISTED_MAX = 40
/** Parents that are looked up. */
const PARENTS_MAX = 50

/** The parts of a page that show where it is. @typedef {{ trail: Node[], neighbours: Element, turns: Node[] }} FolderParts */

/**
 * Where a page is: the folders above it, the pages beside it, and the one before and after it. A page outside of folders has
 * the pages below it. The parts have their places at once, and are filled when the responses are there: nothing waits
 * for them. Without them, the page stays as it is.
 * @returns {FolderParts}
 */
export const folderOf = (page, signal) => {
  const { path, locale, ns } = page
  const segments = path.split('/').slice(0, -1)
  const paths = segments.map((_, i) => segments.slice(0, i + 1).join('/'))
  const folder = `${paths.at(-1) ?? path}/`
  const isIn = segments.length > 0
  const crumbs = segments.map((segment, i) =>
    ns === 'main' ? linkTo(listOf(`${paths[i]}/`, locale), segment) : element('span', {}, segment),
  )
  const trail = element(
    'nav',
    { class: 'trail', 'aria-label': say('Path') },
    element('ol', inLanguage(locale), ...crumbs.map((crumb) => element('li', {}, crumb))),
  )
  const name = folder.slice(0, -1).split('/').at(-1)
  const details = element('details', {}, element('summary', {}, say('Pages in {0}', name)))
  const neighbours = element(
    'nav',
    { class: 'neighbours', 'aria-label': say('Pages in {0}', name), hidden: !isIn },
    details,
  )
  const turns = element('nav', { class: 'turns', 'aria-label': say('Next page'), hidden: !isIn })
  if (isIn) linkParents(crumbs, paths, locale, signal).catch(() => {})
  const show = (list) => {
    const { rows, before, after } = list
    neighbours.hidden = rows.length === 0
    details.append(element('ul', inLanguage(locale), ...rows))
    keepInSight(neighbours)
    turns.append(turnOf(before, 'prev', say('Previous page')), turnOf(after, 'next', say('Next page')))
    turns.hidden = !before && !after
  }
  readFolder(page, folder, signal)
    .then((part) => show(listingOf(part, page, folder)))
    .catch(() => {})
  return { trail: isIn ? [trail] : [], neighbours, turns: [turns] }
}

const listOf = (prefix, locale) => ({ view: 'pages', prefix, locale })

/** Parents that are pages lead to them. */
const linkParents = async (crumbs, paths, locale, signal) => {
  const path = paths.slice(-PARENTS_MAX)
  const { items } = await get('/pages', { locale, path }, signal)
  items.forEach((page, i) => {
    const crumb = crumbs.at(i - path.length)
    if (!page.missing) crumb.replaceWith(pageLink({ ...page, title: crumb.textContent }))
  })
}

/** The beginning of the folder, or its part around the page. */
const readFolder = async ({ path, locale, ns }, folder, signal) => {
  const read = (after) =>
    get('/pages', { prefix: folder, locale, ns, limit: String(READ_MAX), after }, signal)
  const first = await read('')
  const isThere = !path.startsWith(folder) || first.items.some((one) => one.path === path)
  if (first.next === '' || isThere) return { ...first, isWhole: first.next === '' }
  // Pages whose paths begin as this one come before it, and are few.
  return { ...(await read([...path].slice(0, -2).join(''))), isWhole: false }
}

/** What the folder has: its own pages, and its subfolders with theirs, in natural order; a part keeps the order of the API. */
const listingOf = ({ items, isWhole }, { path, locale }, folder) => {
  const entries = new Map()
  for (const page of items) {
    const [name, ...below] = page.path.slice(folder.length).split('/')
    const entry = entries.get(name) ?? { name, below: [] }
    if (below.length === 0) entry.page = page
    else entry.below.push(page)
    entries.set(name, entry)
  }
  const { compare } = new Intl.Collator(locale, { numeric: true })
  const sorted = isWhole
    ? [...entries.values()].sort((a, b) => compare(a.name, b.name))
    : [...entries.values()]
  const place = sorted.findIndex(({ page }) => page?.path === path)
  const pages = sorted.flatMap(({ page }) => page ?? [])
  const turn = pages.findIndex((page) => page.path === path)
  const start = Math.max(0, Math.min(place - LISTED_MAX / 2, sorted.length - LISTED_MAX))
  const listed = sorted.slice(start, start + LISTED_MAX)
  const isOnly = sorted.length === 1 && place === 0 && sorted[0].below.length === 0
  const rows = isOnly ? [] : listed.map((entry) => entryRow(entry, path, compare))
  if (!isOnly && (!isWhole || listed.length < sorted.length))
    rows.push(element('li', inLanguage(shellLanguage), linkTo(listOf(folder, locale), say('All pages'))))
  const beside = (step) => (turn < 0 ? undefined : pages[turn + step])
  return { rows, before: beside(-1), after: beside(1) }
}

/** Where it is the only list beside the article, it begins near the page. */
const keepInSight = (neighbours) => {
  const side = neighbours.parentElement
  const current = neighbours.querySelector('[aria-current]')
  if (current && side?.childElementCount === 1) side.scrollTop = current.offsetTop - side.clientHeight / 2
}

const turnOf = (page, rel, label) => {
  const turn = element('div', { class: rel })
  if (!page) return turn
  const link = pageLink(page)
  link.rel = rel
  turn.append(element('div', { class: 'quiet' }, label), link)
  return turn
}

const entryRow = ({ name, page, below }, path, compare) => {
  const rowOf = (one) => {
    const link = pageLink(one)
    if (one.path === path) link.setAttribute('aria-current', 'page')
    return element('li', {}, link)
  }
  if (below.length === 0) return rowOf(page)
  const pages = [...(page ? [page] : []), ...below.sort((a, b) => compare(a.path, b.path))]
  const isOpen = page?.path === path
  return element(
    'li',
    {},
    element(
      'details',
      { open: isOpen },
      element('summary', {}, page?.title ?? name),
      element('ul', {}, ...pages.map(rowOf)),
    ),
  )
}
