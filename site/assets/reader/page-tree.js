import { element } from '../element.js'
import { keepInSight } from '../sections/current-section.js'
import { get } from './api.js'
import { folders } from './folder.js'
import { inGroups, listedOf } from './folders.js'
import { inLanguage } from './language.js'
import { linkTo } from './links.js'
import { entryTitle, foldersAbove } from './names.js'
import { rememberEntries } from './title-paths.js'
import { say, shellLanguage } from './words.js'

/** Folders above a page that the tree opens: each takes a request. */
const DEPTH_MAX = 12

/** What is in the tree: the links by path, the folders by path, and what it shows. */
let links = new Map()
let branches = new Map()
let current = {}

const rowOf = (entry, locale) => {
  const row = element('li')
  const title = entryTitle(entry)
  if (entry.page) {
    const link = linkTo({ view: 'page', path: entry.path, locale }, title)
    links.set(entry.path, link)
    row.append(link)
  }
  if (!entry.isFolder) return row
  const name = entry.page ? { 'aria-label': say('Pages in {0}', title) } : {}
  const onclick = () => (branch.list.hidden ? open(branch).catch(() => {}) : setOpen(branch, false))
  const button = element(
    'button',
    { type: 'button', class: 'fold', 'aria-expanded': 'false', onclick, ...name },
    entry.page ? '' : title,
  )
  const list = element('ul', { hidden: true })
  const branch = { folder: `${entry.path}/`, names: [title, entry.groupPath?.at(-1)], locale, button, list }
  branches.set(branch.folder, branch)
  row.classList.add('branch')
  row.append(button, branch.list)
  return row
}

/** The rows of groups and of their entries. A group within another can be folded, and opens for the page that is shown. */
const rowsOf = (parts, locale, isInside = false) =>
  parts.flatMap(({ group, entries, parts: inner }) => {
    if (!group) return entries.map((entry) => rowOf(entry, locale))
    const list = element('ul', {}, ...rowsOf(inner, locale, true))
    if (!isInside) return [element('li', {}, element('span', {}, group), list)]
    const summary = element('summary', { class: 'fold' }, group)
    return [element('li', {}, element('details', {}, summary, list))]
  })

const setOpen = ({ button, list }, isOpen) => {
  list.hidden = !isOpen
  button?.setAttribute('aria-expanded', String(isOpen))
}

/** Opens a folder; one that has nothing but a folder opens that, too. @param {string} [around] path of an entry that it shows */
const open = async (branch, around) => {
  const { folder, locale, list, page: main, names } = branch
  const part = await folders.readFolder(folder, { locale }, around)
  const { listed, isStart, isEnd } = listedOf(part, around, main)
  const isShown = !around || links.has(around) || branches.has(`${around}/`)
  if (!list.hasChildNodes() || !isShown) {
    const all = () => linkTo({ view: 'pages', prefix: folder || undefined, locale }, say('All pages'))
    // Below the tree is such a link to all pages of the wiki.
    const more = (isAll) => (isAll || folder === '' ? [] : [element('li', inLanguage(shellLanguage), all())])
    list.replaceChildren(
      ...more(isStart),
      ...rowsOf(inGroups(listed, names ?? [main?.title]), locale),
      ...more(isEnd),
    )
  }
  rememberEntries(listed, locale)
  setOpen(branch, true)
  const only = branches.get(`${listed[0]?.path}/`)
  if (listed.length === 1 && only?.list.hidden) await open(only)
}

/**
 * Opens the folders above a page, and marks the page. The tree stays while the views change. Other folders are read when
 * somebody opens them. Without a response of the API, the tree stays as it is.
 * @param {HTMLElement} shelf holds the tree, and links to other lists
 * @param {string} [path] absent: no page
 */
export const showInTree = async (shelf, locale, path) => {
  const tree = shelf.querySelector('.tree')
  const { folder: root, page: main } = await folders.readRoot({ locale }).catch(() => ({ folder: '' }))
  links.get(current.path)?.removeAttribute('aria-current')
  if (locale !== current.locale) {
    links = new Map()
    branches = new Map([
      [root, { folder: root, page: main, locale, list: element('ul', inLanguage(locale)) }],
    ])
    showCategories(shelf.querySelector('.categories'), locale).catch(() => {})
  }
  current = { locale, path }
  const above = path === undefined ? [] : foldersAbove(path).filter(({ length }) => length > root.length)
  const opened = above.slice(0, DEPTH_MAX)
  const own = path?.startsWith(root) && path !== main?.path ? path : undefined
  const steps = [root, ...opened].map((folder, i) => ({ folder, around: opened[i]?.slice(0, -1) ?? own }))
  // All at once: nothing moves when one comes after the other.
  await Promise.allSettled(steps.map(({ folder, around }) => folders.readFolder(folder, { locale }, around)))
  if (current.path !== path) return
  for (const { folder, around } of [...steps, { folder: `${path}/` }]) {
    const branch = branches.get(folder)
    if (branch) await open(branch, around).catch(() => {})
    if (current.path !== path) return
  }
  // Until here, the tree is that of the service, which looks the same.
  if (branches.get(root).list.hasChildNodes()) tree.replaceChildren(branches.get(root).list)
  links.get(path)?.setAttribute('aria-current', 'page')
  for (const group of shelf.querySelectorAll('details:has([aria-current=page])')) group.open = true
  keepPageInSight(shelf)
}

/** Scrolls the tree to the page that it marks, with the next frame: to measure the page now would be a layout more. */
export const keepPageInSight = (shelf) =>
  requestAnimationFrame(() => {
    const link = shelf.querySelector('.tree [aria-current=page]')
    if (link) keepInSight(link, shelf)
  })

const showCategories = async (link, locale) => {
  const { items } = await get('/categories', { locale, limit: '1' })
  link.hidden = items.length === 0
}

/**
 * Where there is no room beside the text, a button shows the tree in a dialog.
 * @param {HTMLButtonElement} button
 * @param {HTMLElement} shelf
 */
export const treeDialog = (button, shelf) => {
  const place = shelf.parentElement
  const close = element(
    'button',
    { type: 'button', class: 'quiet-button', onclick: () => dialog.close() },
    say('Close'),
  )
  const dialog = element('dialog', { class: 'tree-dialog', 'aria-label': button.title }, close)
  place.after(dialog)
  const setExpanded = () => button.setAttribute('aria-expanded', String(dialog.open))
  button.addEventListener('click', () => {
    dialog.append(shelf)
    dialog.showModal()
    setExpanded()
    const link = links.get(current.path)
    link?.focus({ preventScroll: true })
    if (link) keepInSight(link, shelf)
  })
  dialog.addEventListener('close', () => {
    place.append(shelf)
    setExpanded()
  })
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog || target.closest('a')) dialog.close()
  })
  // The window has become wide.
  new ResizeObserver(() => {
    if (dialog.open && !button.checkVisibility()) dialog.close()
  }).observe(document.documentElement)
}
