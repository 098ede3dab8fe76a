/** BCP 47 style: a language of two or three letters, then subtags of two to eight letters or digits. */
const LOCALE = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i

/** A locale code in lower case; null if the text is not one. */
export const parseLocale = (text: string): string | null =>
  text.length <= 35 && LOCALE.test(text) ? text.toLowerCase() : null

/** Like `parseLocale`, for the codes that files, folders and dumps use: `pt_BR` becomes `pt-br`. */
export const parseSourceLocale = (text: string): string | null => parseLocale(text.replaceAll('_', '-'))

/** The name of a language in that language (`ru` gives `русский`), or its code if the name is unknown. */
export const ownName = (locale: string): string => {
  try {
    return new Intl.DisplayNames([locale], { type: 'language', fallback: 'code' }).of(locale) ?? locale
  } catch {
    return locale
  }
}
