/** Paths of main pages, in the order in which they count: of MediaWiki, Wiki.js and Gollum, DokuWiki, and documentation. */
const PATHS = ['Main_Page', 'main-page', 'home', 'Home', 'index', 'start', 'README', 'readme']

/** The name that MediaWiki gives to the main page in languages that the shell does not speak. */
const NAMES = {
  cs: 'Hlavní strana',
  da: 'Forside',
  el: 'Κύρια σελίδα',
  en: 'Main Page',
  fa: 'صفحهٔ اصلی',
  fi: 'Etusivu',
  he: 'עמוד ראשי',
  hu: 'Kezdőlap',
  id: 'Halaman Utama',
  ko: '대문',
  nl: 'Hoofdpagina',
  no: 'Hovedside',
  ro: 'Pagina principală',
  sv: 'Huvudsida',
  tr: 'Ana Sayfa',
  uk: 'Головна сторінка',
  vi: 'Trang Chính',
}

/** What “Home” is called in notes that were translated with their paths. */
const HOMES = {
  ar: ['الرئيسية'],
  cs: ['Domů'],
  da: ['Hjem'],
  de: ['Startseite'],
  el: ['Αρχική'],
  es: ['Inicio'],
  fa: ['خانه'],
  fi: ['Koti', 'Aloitus'],
  fr: ['Accueil'],
  he: ['דף הבית'],
  hu: ['Főoldal'],
  id: ['Beranda'],
  ja: ['ホーム'],
  ko: ['홈'],
  no: ['Hjem'],
  pt: ['Início'],
  ro: ['Acasă'],
  ru: ['Главная'],
  sv: ['Hem', 'Startsida'],
  th: ['หน้าแรก'],
  uk: ['Головна'],
  vi: ['Trang chủ'],
  zh: ['首页', '主页', '首頁'],
}

/**
 * Paths that the main page of a language can have, the most likely one first.
 * @param {string} locale
 * @param {(text: string) => string} say a text of the shell in its language
 */
export const mainPaths = (locale, say) => {
  const ownName = NAMES[locale.split('-', 1)[0]] ?? say('Main page')
  const own = ['_', '-'].map((space) => ownName.replaceAll(' ', space))
  const home = HOMES[locale.split('-', 1)[0]] ?? []
  return [...new Set([...own, ...PATHS, ...home])]
}

/** A text without what paths write differently. */
export const lettersOf = (text) => text.toLowerCase().replace(/[-_\s]+/g, '')

/** That of some paths which the main page has: a usual one, letter by letter, or else one that differs in case or spaces. */
export const mainPathOf = (paths, locale, say) => {
  const all = new Set(paths)
  const byLetters = new Map([...all].toReversed().map((path) => [lettersOf(path), path]))
  const found = mainPaths(locale, say).map((path) => (all.has(path) ? path : byLetters.get(lettersOf(path))))
  return found.find((path) => path !== undefined)
}

/** The same without punctuation, and without the number that gives a folder its place: “08-reverse-proxy”. */
export const wordsOf = (text) =>
  lettersOf(text.replace(/^\d+[-_.\s]+(?=.)/, '').replace(/[\p{P}\p{S}]/gu, ''))

/** The id that most sections with this heading have, as GitHub makes it. */
export const sectionIdOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')

/**
 * An entry of a folder, as the site calls it in its navigation. A folder is called as its group; or as its page if its path says the same, or cannot, as it is in
 * Latin letters and the title is not; or else as its path.
 * @param {{ name: string, page?: { title: string, nav_title?: string }, isFolder: boolean, title?: string }} entry `name` is the last segment of its path
 */
export const entryTitle = ({ name, page, isFolder, title }) => {
  if (title) return title
  const isOtherScript = (text) => /[a-z]/i.test(name) && /[^\p{Script=Latin}\P{L}]/u.test(text)
  const isOwn = (text) => !isFolder || isOtherScript(text) || wordsOf(text).includes(wordsOf(name))
  const own = page && [page.nav_title, page.title].find((text) => text && isOwn(text))
  if (own) return own.replace(/`([^`]+)`/g, '$1')
  const words = name.replace(/[-_]+/g, ' ').trim() || name || '/'
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The folders above a page, from the outermost one. @returns {string[]} paths with a slash at their ends */
export const foldersAbove = (path) => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1))

/**
 * What the API says of a page that does not exist.
 * @param {string} message of the error
 * @returns {{ meant?: string, elsewhere: string[] }} the path that somebody may have meant; languages that have a page at the same path
 */
export const hintsOf = (message) => {
  const [, meant] = /Did you mean (.+)\?$/s.exec(message) ?? []
  const [, locales] = /^[^.]*\. It exists with locale=([\w, -]+)\./.exec(message) ?? []
  return { meant, elsewhere: locales?.split(', ') ?? [] }
}

/** Whether two paths differ in nothing but the case of letters, or have `_` instead of spaces. */
export const isSameName = (...paths) =>
  new Set(paths.map((path) => path.toLowerCase().replaceAll('_', ' '))).size === 1
