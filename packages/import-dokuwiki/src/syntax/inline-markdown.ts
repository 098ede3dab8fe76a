import {
  canFlank,
  codeSpan,
  escapeDestination,
  escapeText,
  headingDestination,
  pageDestination,
} from '@lectern/wiki/import/markdown'
import { LINK_SCHEMES } from '@lectern/wiki/references'
import type { DokuwikiSite } from '../site.ts'
import type { FormattingKind, InlineNode } from './nodes.ts'

/** The page whose text is converted. */
export interface DokuwikiPage {
  id: string
  locale: string
  site: DokuwikiSite
}

/** Syntax without an equivalent in Markdown. It stays as it is, as code. */
export type UnconvertedSyntax = 'plugin' | 'table' | 'too long'

/** The state of the conversion of one text. */
export class SyntaxConversion {
  readonly page: DokuwikiPage
  /** Titles of the headings on the page, by the ids that DokuWiki gives them. */
  readonly headings: ReadonlyMap<string, string>
  /** Names of the categories. */
  readonly categories = new Set<string>()
  readonly unconverted = new Map<UnconvertedSyntax, number>()
  /** Markdown of the footnotes. */
  readonly footnotes: string[] = []
  /** The title that the text sets. */
  title: string | undefined

  constructor(page: DokuwikiPage, headings: ReadonlyMap<string, string>) {
    this.page = page
    this.headings = headings
  }

  count(kind: UnconvertedSyntax): void {
    this.unconverted.set(kind, (this.unconverted.get(kind) ?? 0) + 1)
  }
}

/** Escapes text for Markdown. DokuWiki shows entities as they are written. */
export const textMarkdown = (text: string): string => escapeText(text).replace(/&(?=#?\w{1,40};)/g, '\\&')

/** Escapes the text of a link, on one line. */
const labelMarkdown = (text: string): string => textMarkdown(text.replace(/\s+/g, ' ').trim())

const TAGS: Record<FormattingKind, string> = {
  strong: 'b',
  emphasis: 'i',
  underline: 'u',
  monospace: 'code',
  subscript: 'sub',
  superscript: 'sup',
  deleted: 'del',
}
const MARKS: Partial<Record<FormattingKind, string>> = { strong: '**', emphasis: '*' }

/** Markdown of a text in one line, for list items and cells. */
export const lineMarkdown = (nodes: InlineNode[], conversion: SyntaxConversion): string =>
  inlineMarkdown(nodes, conversion)
    .replace(/[ \t]*\n\s*/g, ' ')
    .trim()

/** Markdown of a text within a paragraph. */
export const inlineMarkdown = (nodes: InlineNode[], conversion: SyntaxConversion): string =>
  joinNodes(nodes, conversion, false)

/** @param isNested whether the nodes are within formatting */
const joinNodes = (nodes: InlineNode[], conversion: SyntaxConversion, isNested: boolean): string => {
  const parts: string[] = []
  /** The last character so far. To ask the whole text for it would copy the text each time. */
  let last = ''
  const add = (part: string) => {
    if (part === '') return
    parts.push(part)
    last = part.at(-1)!
  }
  nodes.forEach((node, index) => {
    if (node.type === 'formatting') {
      const around = { before: last, next: nodes[index + 1], isNested }
      add(formattingMarkdown(node.kind, node.children, around, conversion))
      return
    }
    const markdown = nodeMarkdown(node, conversion)
    // Markdown reads a link after `!` as an image, and joins adjacent runs of backticks.
    if (markdown.startsWith('[') && last === '!') parts.push(`${parts.pop()!.slice(0, -1)}\\!`)
    if (markdown.startsWith('`') && last === '`') add(' ')
    add(markdown)
  })
  return parts.join('')
}

const nodeMarkdown = (
  node: Exclude<InlineNode, { type: 'formatting' }>,
  conversion: SyntaxConversion,
): string => {
  switch (node.type) {
    case 'text':
      return textMarkdown(node.text)
    case 'raw text':
      return textMarkdown(node.text).replace(/:\/\//g, ':\\//')
    case 'line break':
      return '<br>'
    case 'code':
      return node.text
        .split('\n')
        .map((line) => codeSpan(line))
        .filter((line) => line !== '')
        .join('<br>')
    case 'footnote': {
      const number = conversion.footnotes.push('')
      conversion.footnotes[number - 1] = lineMarkdown(node.children, conversion) || '…'
      return `<sup>\\[${number}\\]</sup>`
    }
    case 'url':
      return urlMarkdown(node.url, node.text)
    case 'title':
      conversion.title ??= node.text
      return ''
    case 'link':
      return linkMarkdown(node, conversion)
    case 'media':
      return bracesMarkdown(node.content, conversion)
  }
}

/** Uses tags where Markdown would not read marks as emphasis. Spaces at the ends stay outside. */
const formattingMarkdown = (
  kind: FormattingKind,
  children: InlineNode[],
  { before, next, isNested }: { before: string; next: InlineNode | undefined; isNested: boolean },
  conversion: SyntaxConversion,
): string => {
  const isCode = kind === 'monospace' && children.every(isText)
  if (isCode && before !== '`')
    return codeSpan(children.map((node) => (isText(node) ? node.text : '')).join(''))
  const whole = joinNodes(children, conversion, true).replace(/\n\s*\n/g, '\n')
  const content = whole.trim()
  if (content === '') return whole
  const start = whole.slice(0, whole.length - whole.trimStart().length)
  const end = whole.slice(whole.trimEnd().length)
  const mark = MARKS[kind]
  const isSafe =
    mark !== undefined &&
    before !== '*' &&
    next?.type !== 'formatting' &&
    // The renderer does not find the end of emphasis around emphasis that begins or ends with punctuation.
    (!isNested || /^[\p{L}\p{N}].*[\p{L}\p{N}]$|^[\p{L}\p{N}]$/su.test(content)) &&
    canSurround(start.at(-1) ?? (before || undefined), content[0]) &&
    canSurround(end[0] ?? (next && firstCharacter(next)), content.at(-1))
  const tag = TAGS[kind]
  return `${start}${isSafe ? `${mark}${content}${mark}` : `<${tag}>${content}</${tag}>`}${end}`
}

/** Stricter than Markdown: between two punctuation characters, renderers differ. */
const canSurround = (outside: string | undefined, inside: string | undefined): boolean =>
  canFlank(outside === undefined || /\s/.test(outside) ? outside : 'x', inside)

const isText = (node: InlineNode): node is Extract<InlineNode, { text: string; type: 'text' | 'raw text' }> =>
  node.type === 'text' || node.type === 'raw text'

/** A letter stands for any node that is not text: it never makes emphasis safe that is not. */
const firstCharacter = (node: InlineNode): string => (isText(node) ? (node.text[0] ?? 'x') : 'x')

const SCHEME = /^([a-z0-9.+-]{1,40}):\/\//i
const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]{1,200}@(?:[0-9a-z][0-9a-z-]{0,63}\.){1,10}[a-z]{2,63}(?:\?\S*)?$/i
const INTERWIKI = /^([a-zA-Z0-9.]{1,60})>(.*)$/s
const SHARE = /^\\\\[^\\]+\\/

/** Converts `[[target|label]]`. An image as label becomes a linked image. */
const linkMarkdown = (
  { target, label }: { target: string; label: string | null },
  conversion: SyntaxConversion,
): string => {
  const { site } = conversion.page
  const image = label === null ? null : /^\s*\{\{([^}]+)\}\}\s*$/.exec(label)
  const write = (fallback: string, destination: string | null): string => {
    const text = label === null || label.trim() === '' ? fallback : label
    const content = image ? imageMarkdown(image[1]!, conversion) : labelMarkdown(text)
    return destination === null || content === '' ? content : `[${content}](${destination})`
  }
  const interwiki = INTERWIKI.exec(target)
  if (interwiki) {
    const [, shortcut, reference] = interwiki as unknown as [string, string, string]
    return write(reference, interwikiDestination(shortcut, reference, conversion))
  }
  if (SHARE.test(target))
    return label === null ? codeSpan(target) : `${write(target, null)} (${codeSpan(target)})`
  const scheme = SCHEME.exec(target)?.[1]
  if (scheme !== undefined) {
    if (label === null) return urlMarkdown(target, target)
    return write(target, isLinkScheme(scheme) ? escapeDestination(target) : null)
  }
  if (EMAIL.test(target)) return write(target, `mailto:${escapeDestination(target)}`)
  if (target.startsWith('#') && target.length > 1)
    return write(target.slice(1), localDestination(target.slice(1), conversion))
  return write(site.labelOf(target), internalDestination(target, conversion))
}

/** A URL in the text; its own text is `text`. */
const urlMarkdown = (url: string, text: string): string => {
  const scheme = /^([a-z0-9.+-]{1,40}):/i.exec(url)?.[1] ?? ''
  if (!isLinkScheme(scheme)) return codeSpan(text)
  const destination = escapeDestination(url)
  return url === text && destination === url ? `<${url}>` : `[${labelMarkdown(text)}](${destination})`
}

const isLinkScheme = (scheme: string): boolean => LINK_SCHEMES.includes(scheme.toLowerCase())

/** @returns null if the wiki does not know the shortcut */
const interwikiDestination = (
  shortcut: string,
  reference: string,
  conversion: SyntaxConversion,
): string | null => {
  const url = conversion.page.site.interwiki(shortcut, reference)
  if (url === null) return null
  if (url.startsWith(':')) return internalDestination(url, conversion)
  const scheme = /^([a-z0-9.+-]{1,40}):/i.exec(url)?.[1]
  return scheme === undefined || isLinkScheme(scheme) ? escapeDestination(url) : null
}

const internalDestination = (target: string, conversion: SyntaxConversion): string => {
  const { site, id, locale } = conversion.page
  const [name, fragment] = splitFragment(target)
  // What follows `?` are parameters of DokuWiki.
  const linked = site.resolve(name.split('?')[0]!, id)
  if (linked.id === id && fragment !== '') return localDestination(fragment, conversion)
  return pageDestination(linked.locale ?? locale, linked.path, fragment)
}

/** A link to a section of the page. The ids of DokuWiki differ from those of Markdown. */
const localDestination = (fragment: string, { headings, page }: SyntaxConversion): string =>
  headingDestination(headings.get(page.site.sectionId(fragment)) ?? fragment)

const splitFragment = (target: string): [string, string] => {
  const hash = target.indexOf('#')
  return hash < 0 ? [target, ''] : [target.slice(0, hash), target.slice(hash + 1)]
}

const isWebMedia = (text: string): boolean => /^(?:https?|ftp):\/\//i.test(text)
const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico)$/i

interface Media {
  source: string
  title: string | null
  isLinkOnly: boolean
}

/** Sizes and alignment are layout, which Markdown does not have. */
const parseMedia = (content: string): Media => {
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

const mediaMarkdown = (content: string, conversion: SyntaxConversion): string => {
  const media = parseMedia(content)
  const { source } = media
  if (source === '') return codeSpan(`{{${content}}}`)
  return writeMedia(media, destinationOf(source, conversion), isImageMedia(source))
}

/** Markdown of an image in a link: without a link of its own. */
const imageMarkdown = (content: string, conversion: SyntaxConversion): string => {
  const media = parseMedia(content)
  return writeMedia({ ...media, isLinkOnly: false }, destinationOf(media.source, conversion), true)
}

const destinationOf = (source: string, { page }: SyntaxConversion): string =>
  isWebMedia(source) ? escapeDestination(source) : page.site.mediaDestination(source, page.id)

/** Whether DokuWiki shows a file as an image. */
const isImageMedia = (source: string): boolean => {
  return IMAGE.test(source.split(/[?#]/)[0]!)
}

const writeMedia = ({ source, title, isLinkOnly }: Media, destination: string, isShown: boolean): string => {
  const address = source.split('#')[0]!
  const name = isWebMedia(address) ? address.split('/').at(-1)! : address.split(':').at(-1)!
  const text = labelMarkdown(title ?? '') || labelMarkdown(name)
  return isShown && !isLinkOnly ? `![${text}](${destination})` : `[${text}](${destination})`
}

const PLUGIN = /^\s*([a-zA-Z0-9._-]{1,60})>(.*)$/s

/** Converts `{{…}}`: media, tags, feeds, included pages, or the syntax of another plugin. */
const bracesMarkdown = (content: string, conversion: SyntaxConversion): string => {
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
