/** The languages of the shell besides English, whose words are in `words/`. A wiki can have others: they get English. */
const LANGUAGES = new Set(['ar', 'de', 'es', 'fr', 'it', 'ja', 'pt', 'ru', 'zh'])

/** The words of the languages that were loaded, by the English ones. */
const loaded = new Map()

let language = 'en'
let words = {}

/** The language in which the shell speaks now. */
export const shellLanguage = () => language

/** Speaks the language of a page from now on, or English. An error leaves English. @param {string} locale */
export const speak = async (locale) => {
  const [wanted] = locale.split('-', 1)
  const found = LANGUAGES.has(wanted) ? await wordsOf(wanted) : undefined
  language = found ? wanted : 'en'
  words = found ?? {}
}

const wordsOf = async (wanted) => {
  if (!loaded.has(wanted)) {
    const module = await import(`./words/${wanted}.js`).catch(() => undefined)
    if (module) loaded.set(wanted, module.default)
  }
  return loaded.get(wanted)
}

/**
 * A text of the shell in its language.
 * @param {string} text in English, with `{0}` for the first value
 * @param {...(string | number)} values
 */
export const say = (text, ...values) =>
  (words[text] ?? text).replace(/\{(\d)\}/g, (_, index) => {
    const value = values[index]
    return typeof value === 'number' ? new Intl.NumberFormat(language).format(value) : value
  })
