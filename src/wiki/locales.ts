/** BCP 47 style: a language of two or three letters, then subtags of two to eight letters or digits. */
const LOCALE = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i

/** A locale code in lower case; null when the text is not one. */
export const parseLocale = (text: string): string | null =>
  text.length <= 35 && LOCALE.test(text) ? text.toLowerCase() : null

/** As `parseLocale`, of what files, folders and dumps call a language: there `pt_BR` is `pt-br`. */
export const parseSourceLocale = (text: string): string | null => parseLocale(text.replaceAll('_', '-'))

/** The language's own name (`ru` gives `русский`), or the code where nothing is known of it. */
export const ownName = (locale: string): string => {
  try {
    return new Intl.DisplayNames([locale], { type: 'language', fallback: 'code' }).of(locale) ?? locale
  } catch {
    return locale
  }
}
