import { element } from '../element.js'

/** Titles of the pages that were listed so far, by language and path. */
const titles = new Map()

const keyOf = (locale, path) => `${locale} ${path}`

/** Remembers the titles of pages, for the title paths of pages below them. */
export const rememberTitles = (pages) => {
  for (const { locale, path, title } of pages) titles.set(keyOf(locale, path), title)
}

/** The titles that several different pages of a list have. */
export const repeatedTitles = (pages) => {
  const keys = new Map()
  for (const { locale, path, title } of pages)
    keys.set(title, (keys.get(title) ?? new Set()).add(keyOf(locale, path)))
  return new Set([...keys].filter(([, { size }]) => size > 1).map(([title]) => title))
}

/**
 * Where a page is, to distinguish it from others with its title: the titles of the pages above it, as far as they are
 * known, and the last segment of its path.
 */
export const crumbsOf = ({ locale, path }) => {
  const segments = path.split('/')
  const crumbs = segments.map((segment, i) => {
    const above = titles.get(keyOf(locale, segments.slice(0, i + 1).join('/')))
    const text = i < segments.length - 1 && above ? above : segment
    return element('bdi', {}, text)
  })
  return element(
    'span',
    { class: 'crumbs' },
    ...crumbs.flatMap((crumb, i) => (i > 0 ? [' › ', crumb] : [crumb])),
  )
}
