import { element, heading } from '../../element.js'
import { get } from '../api.js'
import { folders, listOf, rootOf, trailOf } from '../folder.js'
import { inLanguage } from '../language.js'
import { listOr, pageLink, viewOf } from '../links.js'
import { entryTitle, lettersOf } from '../names.js'
import { addressOf, crumbsOf } from '../title-paths.js'
import { say } from '../words.js'

/** All pages of one language, or what is in a folder. */
export const pages = async ({ locale, prefix }, { signal }) => {
  if (prefix) return folderView(prefix, locale, signal)
  return { locale, ...(await listByPath({ locale }, say('All pages'), signal)) }
}

/**
 * Pages by title, if one response has them all; or else in the order of the API, which is that of the bytes of paths, with
 * those that their titles do not tell.
 */
const listByPath = async (query, title, signal) => {
  const getPart = (after) => get('/pages', { ...query, limit: '90', after }, signal)
  const [part] = await Promise.all([getPart(''), rootOf(query)])
  const { compare } = new Intl.Collator(query.locale, { numeric: true })
  const byTitle = part.items.toSorted((a, b) => compare(a.title, b.title))
  const first = part.next === '' ? { ...part, items: byTitle } : part
  const row = (page) =>
    element('li', {}, pageLink(page), ...(part.next === '' ? crumbsOf : pathOf)(page, query.prefix))
  const list = listOr('No pages yet', first, getPart, row, { class: 'rows columns' })
  return { title, content: viewOf(title, ...list) }
}

/** @param {string} [folder] of all pages of the list */
const pathOf = ({ title, path }, folder = '') => {
  const below = path.slice(folder.length)
  const isTold = [below, path].some((text) => lettersOf(text) === lettersOf(title))
  return isTold ? [] : [addressOf(below)]
}

/** A folder that is not known as a whole is a list of all its pages. @param {string} folder with a slash at its end */
const folderView = async (folder, locale, signal) => {
  const path = folder.slice(0, -1)
  const [{ entries, isWhole }, root, above] = await Promise.all([
    folders.readFolder(folder, { locale }),
    rootOf({ locale }),
    folders.readAbove(folder, { locale }),
  ])
  const title = above.at(-1)?.title ?? entryTitle({ name: path.split('/').at(-1), isFolder: true })
  const trail = trailOf({ path, locale, ns: 'main' }, root)
  const head = element('header', {}, ...trail, heading(title, inLanguage(locale)))
  const list = isWhole
    ? [await listOf(entries, locale)]
    : (await listByPath({ locale, prefix: folder }, '', signal)).content.slice(1)
  return { title, locale, path, isEmpty: entries.length === 0, content: [head, ...list] }
}
