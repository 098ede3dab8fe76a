import { codeSpan, escapeDestination } from '../../markdown/markdown.ts'
import type { SyntaxConversion } from './conversion.ts'
import { labelMarkdown } from './text-markdown.ts'

export const isWebMedia = (text: string): boolean => /^(?:https?|ftp):\/\//i.test(text)
const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico)$/i

interface Media {
  source: string
  title: string | null
  isLinkOnly: boolean
}

/** Sizes and alignment are layout, which Markdown does not have. */
export const parseMedia = (content: string): Media => {
  const bar = content.indexOf('|')
  const address = (bar < 0 ? content : content.slice(0, bar)).trim()
  const question = address.lastIndexOf('?')
  const parameters = question < 0 ? '' : address.slice(question + 1)
  return {
    source: question < 0 ? address : address.slice(0, question),
    title: bar < 0 ? null : content.slice(bar + 1).trim(),
    isLinkOnly: /linkonly/i.test(parameters),
  }
}

export const mediaMarkdown = (content: string, conversion: SyntaxConversion): string => {
  const media = parseMedia(content)
  const { source } = media
  if (source === '') return codeSpan(`{{${content}}}`)
  return writeMedia(media, destinationOf(source, conversion), isImageMedia(source))
}

/** Markdown of an image in a link: without a link of its own. */
export const imageMarkdown = (content: string, conversion: SyntaxConversion): string => {
  const media = parseMedia(content)
  return writeMedia({ ...media, isLinkOnly: false }, destinationOf(media.source, conversion), true)
}

const destinationOf = (source: string, { page }: SyntaxConversion): string =>
  isWebMedia(source) ? escapeDestination(source) : page.site.mediaDestination(source, page.id)

/** Whether DokuWiki shows a file as an image. */
export const isImageMedia = (source: string): boolean => {
  return IMAGE.test(source.split(/[?#]/)[0]!)
}

export const writeMedia = (
  { source, title, isLinkOnly }: Media,
  destination: string,
  isShown: boolean,
): string => {
  const address = source.split('#')[0]!
  const name = isWebMedia(address) ? address.split('/').at(-1)! : address.split(':').at(-1)!
  const text = labelMarkdown(title ?? '') || labelMarkdown(name)
  return isShown && !isLinkOnly ? `![${text}](${destination})` : `[${text}](${destination})`
}
