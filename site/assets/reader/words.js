/** The languages of the shell besides English, whose words are in `words/`. A wiki can have others: they get English. */
const LANGUAGES = new Set(['ar', 'de', 'es', 'fr', 'it', 'ja', 'pl', 'pt', 'ru', 'zh'])

/** The words of the languages that were loaded, by the English ones. */
const loaded = new Map()

/** What the shell speaks: a language, its words, and how it writes numbers, sizes and dates. */
const shellIn = (language, words) => ({
  language,
  words,
  numbers: new Intl.NumberFormat(language),
  bytes: new Intl.NumberFormat(language, { style: 'unit', unit: 'byte', unitDisplay: 'long' }),
  dates: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }),
})

const ENGLISH = shellIn('en', {})
let shell = ENGLISH
let wanted = 'en'

/** The language in which the shell speaks now. */
export const shellLanguage = () => shell.language

/**
 * Speaks the language of a page from now on, or English. An error leaves English. If it is called again before the words
 * are loaded, the last call decides.
 * @param {string} locale
 */
export const speak = async (locale) => {
  const [language] = locale.split('-', 1)
  wanted = language
  if (language === shell.language) return
  const words = LANGUAGES.has(language) ? await wordsOf(language) : undefined
  if (wanted === language) shell = words ? shellIn(language, words) : ENGLISH
}

const wordsOf = async (language) => {
  if (!loaded.has(language)) {
    const module = await import(`./words/${language}.js`).catch(() => undefined)
    if (module) loaded.set(language, module.default)
  }
  return loaded.get(language)
}

/**
 * A text of the shell in its language.
 * @param {string} text in English, with `{0}` for the first value
 * @param {...(string | number)} values
 */
export const say = (text, ...values) =>
  (shell.words[text] ?? text).replace(/\{(\d)\}/g, (_, index) => {
    const value = values[index]
    return typeof value === 'number' ? shell.numbers.format(value) : value
  })

/** A size in the language of the shell. @param {number} size bytes */
export const bytesText = (size) => shell.bytes.format(size)

/** A date and time in the language of the shell and the time zone of the user. @param {string} timestamp RFC 3339 */
export const dateText = (timestamp) => shell.dates.format(new Date(timestamp))
