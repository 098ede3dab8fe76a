import { element } from '../element.js'
import { get } from './api.js'
import { Folders, listedOf } from './folders.js'
import { inLanguage } from './language.js'
import { linkTo, pageLink } from './links.js'
import { entryTitle, foldersAbove, mainPathOf } from './names.js'
import { rememberEntries, rememberRoot } from './title-paths.js'
import { say } from './words.js'

export const folders = new Folders(get, say)

/** A page with less text lists what is below it, characters. */
const TEXT_MIN = 80

/** What is in the folder of a page with almost no text; of the main page, what is in the wiki. Empty for other pages. */
export const entriesBelow = async ({ path, title, locale, ns, html }) => {
  const text = html.replace(/<h1\b.*?<\/h1>|<[^>]*>/gs, '').trim()
  if (text.length >= TEXT_MIN || /<(img|video|audio|li)\b/.test(html)) return []
  const root = await folders.readRoot({ locale, ns })
  const isMain = mainPathOf([path], locale, say) !== undefined || path === root.page?.path
  const { listed } = listedOf(await folders.readFolder(isMain ? root.folder : `${path}/`, { locale, ns }))
  const below = listed.filter((entry) => entry.path !== path)
  if (below.length === 0) return []
  return [element('nav', { 'aria-label': say('Pages in {0}', title) }, await listOf(below, locale))]
}

/** Entries of a folder: each with what it is about, if they are few. */
export const listOf = async (entries, locale) => {
  const summaries = await folders.readSummaries(entries, { locale }).catch(() => new Map())
  const items = entries.map((entry) => {
    const { page, path } = entry
    const target = page ? { view: 'page', path } : { view: 'pages', prefix: `${path}/` }
    const text = summaries.get(path)
    return element(
      'li',
      {},
      linkTo({ ...target, locale }, entryTitle(entry)),
      ...(text ? [element('p', {}, text)] : []),
    )
  })
  return element(
    'ul',
    { class: summaries.size > 0 ? 'cards' : 'rows columns', ...inLanguage(locale) },
    ...items,
  )
}

/** Links to the folders above a path; those that are pages lead there. Empty if there are none. @param {string} root where the tree begins */
export const trailOf = ({ path, locale, ns }, root) => {
  const above = foldersAbove(path).filter(({ length }) => length > root.length)
  if (above.length === 0) return []
  const crumbs = above.map((folder) => {
    const name = entryTitle({ name: folder.split('/').at(-2), isFolder: true })
    return ns === 'main' ? linkTo({ view: 'pages', prefix: folder, locale }, name) : element('span', {}, name)
  })
  const showPages = async () => {
    const known = await folders.readAbove(path, { locale, ns })
    known.forEach(({ page, title }, i) => {
      if (page) crumbs[i].replaceWith(pageLink({ ...page, title }))
      else crumbs[i].replaceChildren(title)
    })
  }
  showPages().catch(() => {})
  const items = crumbs.map((crumb) => element('li', {}, crumb))
  return [
    element(
      'nav',
      { class: 'trail', 'aria-label': say('Path') },
      element('ol', inLanguage(locale), ...items),
    ),
  ]
}

/** The folder where the tree begins; without an answer, the whole wiki. Title paths begin there, too. */
export const rootOf = async (wiki) => {
  try {
    const { folder } = await folders.readRoot(wiki)
    const { entries } = await folders.readFolder(folder, wiki)
    rememberRoot(wiki.locale, folder)
    rememberEntries(entries, wiki.locale)
    return folder
  } catch {
    return ''
  }
}

/**
 * Where a page is: the folders above it, and the pages before and after it. The parts have their places at once, and are
 * filled when the responses are there. Without them, the page stays as it is.
 * @returns {Promise<{ trail: Node[], turns: Element }>}
 */
export const folderOf = async (page) => {
  const { path, locale, ns } = page
  const wiki = { locale, ns }
  const trail = trailOf(page, await rootOf(wiki))
  const turns = element('nav', {
    class: 'turns',
    'aria-label': say('Next page'),
    hidden: trail.length === 0,
  })
  folders
    .readBeside(path, wiki)
    .then(([before, after]) => {
      turns.append(turnOf(before, 'prev', say('Previous page')), turnOf(after, 'next', say('Next page')))
      turns.hidden = !before && !after
    })
    .catch(() => {})
  return { trail, turns }
}

const turnOf = (page, rel, label) => {
  const turn = element('div', { class: rel })
  if (!page) return turn
  const link = pageLink(page)
  link.rel = rel
  turn.append(element('div', { class: 'quiet' }, label), link)
  return turn
}
