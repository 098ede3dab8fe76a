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

const RIGHT_TO_LEFT_LETTER = /[\u0590-\u08ff]/

/** Whether a text in a language that is written from left to right has letters of the other direction. */
export const isMixed = (text, locale) => RIGHT_TO_LEFT_LETTER.test(text) && directionOf(locale) === 'ltr'

/** Attributes of an element whose text is in a language of the wiki. A mixed text begins where its first letter says. */
export const inLanguage = (locale, text = '') => ({
  lang: locale,
  dir: isMixed(text, locale) ? 'auto' : directionOf(locale),
})

const isLatin = (locale) => {
  try {
    return new Intl.Locale(locale).maximize().script === 'Latn'
  } catch {
    return true
  }
}

/**
 * Links that load the fonts that a page with this HTML will need. Other scripts have those of the system.
 * @param {string} root URL of the assets
 */
export const fontLinks = (locale, html, root) => {
  if (!isLatin(locale)) return ''
  const italic = /<(?:em|i|cite)>/.test(html) ? ['stix-two-text-italic'] : []
  const extended = /[\u0100-\u024F]/.test(html) ? ['stix-two-text-extended'] : []
  return ['public-sans', 'stix-two-text', ...italic, ...extended]
    .map((name) => `${root}fonts/${name}.woff2`)
    .map((url) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${url}">\n`)
    .join('')
}

/** The name of a language, in the language itself. */
export const languageName = ({ locales }, locale) =>
  locales.find((one) => one.locale === locale)?.name ?? locale

/**
 * A text in the form that a number needs: `{0, plural, one {# result} other {# results}}`, as ICU writes it.
 * @param {string} text @param {string | number} value `10+`: ten or more @param {() => Intl.PluralRules} rules
 */
export const pluralOf = (text, value, rules) => {
  const forms = /^\{0, plural, (.*)\}$/.exec(text)?.[1]
  if (!forms) return text
  const category = rules().select(Number.parseInt(value, 10))
  const byCategory = Object.fromEntries([...forms.matchAll(/(\w+) \{(.*?)\}/g)].map(([, ...form]) => form))
  return (byCategory[category] ?? byCategory.other).replace('#', '{0}')
}
