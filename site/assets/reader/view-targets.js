import { FILE, makeTargets } from './targets.js'

export { decoded, targetOfWikiUrl } from './targets.js'

const { api, locales } = document.querySelector('.reader').dataset

const READER = new URL(`${api}/docs/reader`, document.baseURI).pathname
/** Here are the pages of languages that have no website. */
const PAGES = READER.replace(/api\/v1\/docs\/reader$/, 'wiki/')

export const { targetOf, urlOf } = makeTargets({
  reader: READER,
  pages: PAGES,
  shownLocales: locales.split(' '),
})

/** Whether a link leads to a view. @param {URL | HTMLAnchorElement} link */
export const isViewLink = ({ origin, pathname, search }) =>
  origin === location.origin &&
  (pathname === READER || (pathname.startsWith(PAGES) && search === '' && !FILE.test(pathname)))
