import { encodeSegment } from '../../wiki/links.ts'
import { headingIdOf } from '../../wiki/markup/heading-id.ts'

/** Link destination of a page: from the wiki's root and with the language, so that it is unambiguous. */
export const pageDestination = (locale: string, path: string, fragment: string): string => {
  const destination = `/${locale}/${path.split('/').map(encodeDestination).join('/')}`
  return fragment === '' ? destination : `${destination}#${encodeDestination(headingIdOf(fragment))}`
}

/** Link destination of a heading on the same page. */
export const headingDestination = (fragment: string): string => `#${encodeDestination(headingIdOf(fragment))}`

/** Encodes parentheses, too, because they end a link destination in Markdown. */
export const encodeDestination = (segment: string): string =>
  encodeSegment(segment).replace(/[()]/g, (char) => (char === '(' ? '%28' : '%29'))
