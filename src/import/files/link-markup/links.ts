import { pageDestination } from '../../markdown/destinations.ts'
import { escapeDestination, escapeText } from '../../markdown/markdown.ts'
import type { PageNames } from './page-names.ts'

/** The page with a link, and the files that the link can name. */
export interface LinkedPage {
  locale: string
  path: string
  names: PageNames
}

const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico)$/i
const FILE =
  /\.(?:pdf|mp[34]|m4a|ogg|wav|webm|mov|zip|gz|csv|tsv|txt|json|xml|docx?|xlsx?|pptx?|canvas|base)$/i

export const isImageName = (name: string): boolean => IMAGE.test(name)

/** Whether a link names a file that is not a page. */
export const isFileName = (name: string): boolean => IMAGE.test(name) || FILE.test(name)

/** A Markdown link to a page. @param path where the link leads if there is no such page */
export const pageLink = (
  { names, ...from }: LinkedPage,
  { name, fragment, text, path }: { name: string; fragment: string; text: string; path: string },
): string => {
  const found = names.find(name, from)
  const destination = pageDestination(found?.locale ?? from.locale, found?.path ?? path, fragment)
  return `[${linkText(text)}](${destination})`
}

/** A Markdown image or link of a file. A file that the repository lacks is named as written. */
export const fileLink = (
  { names, ...from }: LinkedPage,
  { name, text, isImage }: { name: string; text: string; isImage: boolean },
): string => {
  const found = names.find(name, from)
  const path = (found?.path ?? name).replace(/^\/+/, '')
  return `${isImage ? '!' : ''}[${linkText(text)}](/${path.split('/').map(encodeSegment).join('/')})`
}

/** The text of a link. It is plain text, on one line. */
export const linkText = (text: string): string =>
  escapeText(text.replace(/\s+/g, ' ').trim()).replaceAll('|', '\\|')

const encodeSegment = (segment: string): string =>
  escapeDestination(segment.replace(/[%?#]/g, encodeURIComponent))
