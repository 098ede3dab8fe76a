/** Parsers of the variables of the documentation site. Each throws an Error that ends the sentence "NAME …". */

const SITE_NAME_LENGTH_MAX = 60

export const siteName = (text: string): string => {
  if (text.length > SITE_NAME_LENGTH_MAX)
    throw new Error(`must be a text of at most ${SITE_NAME_LENGTH_MAX} characters`)
  return text
}

export const hexColor = (text: string): string => {
  if (!/^#[0-9a-f]{6}$/i.test(text)) throw new Error('must be a color such as #1b6149')
  return text.toLowerCase()
}
