import { pluralOf } from './language.js'

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
let language
export const formatLanguage = () => {
  language ??= knownLanguage() ?? shellLanguage
  return language
}

/** A format that is made when it is used: the first one takes a browser some milliseconds. */
const lazily = (Format, options) => {
  let format
  return (value) => {
    format ??= new Format(formatLanguage(), options)
    return format.format(value)
  }
}
const unitsOf = (unit) => lazily(Intl.NumberFormat, { style: 'unit', unit, unitDisplay: 'long' })
const datesOf = (options) => {
  const format = lazily(Intl.DateTimeFormat, options)
  return (timestamp) => format(new Date(timestamp))
}
const numberText = lazily(Intl.NumberFormat)
const changeText = lazily(Intl.NumberFormat, { signDisplay: 'always' })

const plurals = () => new Intl.PluralRules(shellLanguage)

/**
 * A text of the shell in its language.
 * @param {string} text in English, with `{0}` for the first value
 * @param {...(string | number)} values `10+`: ten or more
 */
export const say = (text, ...values) =>
  pluralOf(words[text] ?? text, values[0], plurals).replace(/\{(\d)\}/g, (_, index) => {
    const value = values[index]
    return typeof value === 'number' ? numberText(value) : value
  })

/** A size in the language of the page. @param {number} size bytes */
export const bytesText = unitsOf('byte')

const sizeUnits = ['kilobyte', 'megabyte', 'gigabyte'].map((unit) =>
  lazily(Intl.NumberFormat, { style: 'unit', unit, maximumSignificantDigits: 3 }),
)
/** The size of a file: 2.5 MB. @param {number} size bytes */
export const fileSizeText = (size) => {
  const power = Math.min(3, Math.floor(Math.log10(Math.max(1, size)) / 3))
  return power === 0 ? bytesText(size) : sizeUnits[power - 1](size / 1000 ** power)
}

/** By how much a number has changed, with its sign. @param {number} change */
export const differenceText = (change) => (change === 0 ? '±0' : changeText(change))

/** A time and the name of its zone, as styles of times have none without seconds. */
const zonedOf = (options) => {
  const text = datesOf(options)
  let zones
  return (timestamp) => {
    zones ??= new Intl.DateTimeFormat(formatLanguage(), { timeZoneName: 'short' })
    const parts = zones.formatToParts(new Date(timestamp))
    return `${text(timestamp)} ${parts.find(({ type }) => type === 'timeZoneName').value}`
  }
}

/** A date and time in the language of the page and the time zone of the user, which it names. @param {string} timestamp RFC 3339 */
export const dateText = zonedOf({ dateStyle: 'medium', timeStyle: 'short' })

/** The same without the time. */
export const dayText = datesOf({ dateStyle: 'medium' })

/** The same without the date. */
export const timeText = zonedOf({ timeStyle: 'short' })

/** A duration in the language of the page. @param {number} count seconds */
export const secondsText = unitsOf('second')
