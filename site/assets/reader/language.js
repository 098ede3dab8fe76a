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
