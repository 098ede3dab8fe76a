import { shellLanguage } from './words.js'

const RIGHT_TO_LEFT = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ks', 'ps', 'sd', 'ug', 'ur', 'yi'])

/** The direction in which a language is written. Not every browser knows it. */
const directionOf = (locale) => {
  try {
    const known = new Intl.Locale(locale)
    const info = known.getTextInfo?.() ?? known.textInfo
    if (info?.direction) return info.direction
  } catch {}
  return RIGHT_TO_LEFT.has(locale.split('-', 1)[0]) ? 'rtl' : 'ltr'
}

/** Attributes of an element whose text is in a language of the wiki. */
export const inLanguage = (locale) => ({ lang: locale, dir: directionOf(locale) })

/** The name of a language, in the language itself. */
export const languageName = ({ locales }, locale) =>
  locales.find((one) => one.locale === locale)?.name ?? locale

/** A date and time in the language of the shell and the time zone of the user. @param {string} timestamp RFC 3339 */
export const dateText = (timestamp) =>
  new Date(timestamp).toLocaleString(shellLanguage(), { dateStyle: 'medium', timeStyle: 'short' })
