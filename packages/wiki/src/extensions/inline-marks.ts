import { escapeUTF8 } from 'entities'
import { type MarkedExtension, Renderer } from 'marked'
import { linkedFile, namedFileReference } from '../files/references.ts'
import { headingDestination, pageDestination } from '../import/markdown.ts'
import { emojiAt, type Wikilink, wikilinkAt } from '../markup.ts'
import { labelOf } from '../plain-text/inline-text.ts'
import type { LinkedFile } from '../references.ts'
import { characterBefore, inlineStart } from './blocks.ts'
import { inForm, textState } from './text-state.ts'

/** A marked extension for `:tea:` and `[[Page]]`. (D124) */
export const inlineMarks: MarkedExtension = {
  extensions: [
    {
      name: 'emoji',
      level: 'inline',
      start: inlineStart,
      tokenizer: (source, tokens) => {
        const found = emojiAt(source, 0, characterBefore(source, tokens))
        return found ? { type: 'emoji', raw: source.slice(0, found.end), ...found } : undefined
      },
      renderer: ({ emoji, name }) => (textState().form === 'id' ? name : emoji),
    },
    {
      name: 'wikilink',
      level: 'inline',
      tokenizer(source, tokens) {
        const link = characterBefore(source, tokens) === '[' ? null : wikilinkAt(source, 0)
        if (!link || isReference(link, source, this.lexer.tokens.links)) return undefined
        return { type: 'wikilink', raw: source.slice(0, link.end), link, isInLink: this.lexer.state.inLink }
      },
      renderer: ({ raw, link, isInLink }) => {
        const text = escapeUTF8(link.label)
        if (textState().form !== 'html') return text
        const file = linkedFile(link.name, textState().context?.files, namedFileReference)
        const shown = file && raw.startsWith('!') ? embeddedFile(file, link) : null
        if (shown !== null) return shown
        const url = isInLink ? null : (file?.url ?? urlOf(link))
        const mark =
          file || !link.name || textState().context?.pages?.has(link.name) ? '' : ' class="unwritten"'
        return url === null ? text : `<a href="${escapeUTF8(url)}"${mark}>${text}</a>`
      },
    },
  ],
  tokenizer: {
    // In Obsidian, `~a~` is text.
    del: (source) => (source[1] !== '~' && textState().context?.dialect === 'obsidian' ? undefined : false),
  },
  renderer: {
    image(token) {
      return inForm('alt', () => Renderer.prototype.image.call(this, token))
    },
  },
}

/** `[[x]]` where the text defines `[x]: url`, and `[[x]][y]`. */
const isReference = ({ end }: Wikilink, source: string, links: Record<string, unknown>): boolean =>
  source[end] === '[' || (source.startsWith('[[') && Object.hasOwn(links, labelOf(source.slice(2, end - 2))))

/** What Obsidian writes in the place of a label: a width, or a width and a height. */
const SIZE = /^(\d{1,5})(?:x(\d{1,5}))?$/

/** The HTML of `![[cup.png|300]]`: a picture, a sound or a film; null for other files. */
const embeddedFile = ({ url, mediaType, ...file }: LinkedFile, { name, label }: Wikilink): string | null => {
  const kind = mediaType.slice(0, mediaType.indexOf('/'))
  const src = `src="${escapeUTF8(url)}"`
  if (kind === 'audio' || kind === 'video') return `<${kind} ${src} controls></${kind}>`
  if (kind !== 'image') return null
  const [isSize, width, height] = SIZE.exec(label) ?? []
  const size = isSize ? { width, height } : file
  const sizes = Object.entries(size).map(([key, value]) => (value == null ? '' : ` ${key}="${value}"`))
  return `<img ${src} alt="${escapeUTF8(isSize ? name : label)}"${sizes.join('')} loading="lazy">`
}

/** The URL of the page, from the root of the wiki; null if there is no such page, except in a vault of Obsidian. */
const urlOf = ({ name, heading }: Wikilink): string | null => {
  if (name === '') return heading === '' ? null : headingDestination(heading)
  const { locale, pages, dialect } = textState().context ?? {}
  const page = pages?.get(name)
  if (page) return pageDestination(page.locale, page.path, heading)
  // As in Obsidian, it leads nowhere, which its class tells.
  return locale && pages && dialect === 'obsidian' && !namedFileReference(name)
    ? pageDestination(locale, name, '')
    : null
}
