import { readLanguages } from './choose-values.ts'
import { type ExampleValues, encodeInQuotes, exampleUrl } from './example-values.ts'
import type { ReadOwnApi } from './own-answer.ts'

/**
 * Whether examples with these values still show something, tried with about ten requests at a time. It is much cheaper than
 * another choice.
 * @throws PublicError when the service is overloaded
 */
export const valuesHold = async (read: ReadOwnApi, values: ExampleValues): Promise<boolean> => {
  const { page, section, pageLocale, shortPath, linkedPath, category, revision, edit } = values
  if (!page) return isEmpty((await read('/pages?limit=1')).text) && (await holdsLanguages(read, values))
  const { path, title } = page
  const shown = [
    exampleUrl`/pages/${path}?section=${section}`,
    exampleUrl`/pages/${path}?locale=${pageLocale}`,
    exampleUrl`/pages/${shortPath}`,
    exampleUrl`/pages/${linkedPath}`,
    exampleUrl`/categories/${category}?limit=1`,
    exampleUrl`/revisions/${revision}`,
    exampleUrl`/revisions/${edit}`,
    exampleUrl`/search?q=${values.words}&limit=1`,
    exampleUrl`/suggest?q=${values.typo ?? values.prefix}&limit=1`,
  ]
  const held = await Promise.all([
    holdsLanguages(read, values),
    read(`/pages/${encodeInQuotes(path)}`).then(
      ({ status, text }) => status === 200 && JSON.parse(text).title === title,
    ),
    read(`/pages/${encodeInQuotes(values.missingPath)}`).then(({ status }) => status === 404),
    ...shown.map(
      async (url) =>
        url === undefined || read(url).then(({ status, text }) => status === 200 && !isEmpty(text)),
    ),
  ])
  return held.every(Boolean)
}

/** Whether the response is a list without items. */
const isEmpty = (json: string): boolean => json.includes('"items":[]')

const holdsLanguages = async (
  read: ReadOwnApi,
  { locale, otherLocale, missingLocale }: ExampleValues,
): Promise<boolean> => {
  const { locale: current, locales } = await readLanguages(read)
  const hasOther = otherLocale === locale ? locales.length < 2 : locales.includes(otherLocale)
  return current === locale && hasOther && !locales.includes(missingLocale)
}
