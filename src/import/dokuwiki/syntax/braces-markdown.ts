import { codeSpan, escapeDestination } from '../../markdown/markdown.ts'
import type { SyntaxConversion } from './conversion.ts'
import { linkMarkdown } from './link-markdown.ts'
import { isImageMedia, isWebMedia, mediaMarkdown, parseMedia, writeMedia } from './media-markdown.ts'
import { labelMarkdown } from './text-markdown.ts'

const PLUGIN = /^\s*([a-zA-Z0-9._-]{1,60})>(.*)$/s

/** Converts `{{…}}`: media, tags, feeds, included pages, or the syntax of another plugin. */
export const bracesMarkdown = (content: string, conversion: SyntaxConversion): string => {
  const plugin = PLUGIN.exec(content)
  if (plugin === null) return mediaMarkdown(content, conversion)
  const [, name, argument] = plugin as unknown as [string, string, string]
  if (name === 'tag') {
    for (const tag of tagsOf(argument)) conversion.categories.add(tag)
    return ''
  }
  const target = argument.split('|')[0]!.trim()
  if (name === 'rss') {
    const url = escapeDestination(target.split(' ')[0]!)
    return isWebMedia(url)
      ? `[RSS: ${labelMarkdown(target.split(' ')[0]!)}](${url})`
      : codeSpan(`{{${content}}}`)
  }
  const { site } = conversion.page
  if ((name === 'page' || name === 'section') && target !== '')
    return linkMarkdown({ target: target.split('&')[0]!, label: null }, conversion)
  const media = parseMedia(content)
  const url = site.interwiki(name, media.source.slice(name.length + 1))
  if (url !== null && isWebMedia(url))
    return writeMedia(media, escapeDestination(url), isImageMedia(media.source))
  conversion.count('plugin')
  return codeSpan(`{{${content}}}`)
}

/** The tags of the Tag plugin: words, or texts in quotes. `_` is a space. */
const tagsOf = (argument: string): string[] =>
  [...argument.matchAll(/"([^"]*)"|(\S+)/g)]
    .map(([, quoted, word]) => (quoted ?? word!).replaceAll('_', ' ').replace(/\s+/g, ' ').trim())
    .filter((tag) => tag !== '')
