/** The language of the shell: that of the page, or English. Pages in another language are loaded as a whole. */
export const shellLanguage = document.body.lang

/** Its words, by the English ones. */
const words = JSON.parse(document.querySelector('.reader').dataset.words)

/** The language of dates and numbers: that of the page, if the browser knows it. */
const knownLanguage = () => {
  try {
    return Intl.NumberFormat.supportedLocalesOf(document.documentElement.lang)[0]
  } catch {
    // It is no language tag.
    return undefined
  }
}
export const formatLanguage = knownLanguage() ?? shellLanguage

const numbers = new Intl.NumberFormat(formatLanguage)
const unitsOf = (unit) => new Intl.NumberFormat(formatLanguage, { style: 'unit', unit, unitDisplay: 'long' })
const bytes = unitsOf('byte')
const seconds = unitsOf('second')
const datesOf = (options) => {
  const format = new Intl.DateTimeFormat(formatLanguage, options)
  return (timestamp) => format.format(new Date(timestamp))
}

/**
 * A text of the shell in its language.
 * @param {string} text in English, with `{0}` for the first value
 * @param {...(string | number)} values
 */
export const say = (text, ...values) =>
  (words[text] ?? text).replace(/\{(\d)\}/g, (_, index) => {
    const value = values[index]
    return typeof value === 'number' ? numbers.format(value) : value
  })

/** A size in the language of the page. @param {number} size bytes */
export const bytesText = (size) => bytes.format(size)

const difference = new Intl.NumberFormat(formatLanguage, { signDisplay: 'always' })

/** By how much a number has changed, with its sign. @param {number} change */
export const differenceText = (change) => (change === 0 ? '±0' : difference.format(change))

/** A date and time in the language of the page and the time zone of the user. @param {string} timestamp RFC 3339 */
export const dateText = datesOf({ dateStyle: 'medium', timeStyle: 'short' })

/** The same without the time. */
export const dayText = datesOf({ dateStyle: 'medium' })

/** The same without the date. */
export const timeText = datesOf({ timeStyle: 'short' })

/** A duration in the language of the page. @param {number} count seconds */
export const secondsText = (count) => seconds.format(count)
