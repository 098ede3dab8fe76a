import { escapeUTF8 } from 'entities'
import type { MarkedExtension } from 'marked'
import { Renderer } from 'marked'
import { encodeSegment } from '../links.ts'
import { emojiAt } from '../markup/emoji.ts'
import { headingIdOf, type Wikilink, wikilinkAt } from '../markup.ts'
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
        const before = characterBefore(source, tokens)
        const found = source.startsWith(':') ? emojiAt(source, 0, before) : null
        return found ? { type: 'emoji', raw: source.slice(0, found.end), ...found } : undefined
      },
      renderer: ({ emoji, name }) => (textState().form === 'id' ? name : emoji),
    },
    {
      name: 'wikilink',
      level: 'inline',
      tokenizer(source, tokens) {
        const isLink = source.startsWith('[[') || source.startsWith('![[')
        const link = isLink && characterBefore(source, tokens) !== '[' ? wikilinkAt(source, 0) : null
        if (!link || isReference(link, source, this.lexer.tokens.links)) return undefined
        return { type: 'wikilink', raw: source.slice(0, link.end), link, isInLink: this.lexer.state.inLink }
      },
      renderer: ({ link, isInLink }) => {
        const text = escapeUTF8(link.label)
        const url = textState().form === 'html' && !isInLink ? urlOf(link) : null
        return url === null ? text : `<a href="${escapeUTF8(url)}">${text}</a>`
      },
    },
  ],
  renderer: {
    image(token) {
      return inForm('alt', () => Renderer.prototype.image.call(this, token))
    },
  },
}

/** `[[x]]` where the text defines `[x]: url`, and `[[x]][y]`. */
const isReference = ({ end }: Wikilink, source: string, links: Record<string, unknown>): boolean =>
  source[end] === '[' ||
  (source.startsWith('[[') &&
    Object.hasOwn(
      links,
      source
        .slice(2, end - 2)
        .trim()
        .replace(/\s+/g, ' ')
        .toLowerCase(),
    ))

/** The URL of the page, from the root of the wiki; null if there is no such page. */
const urlOf = ({ name, heading }: Wikilink): string | null => {
  const fragment = heading === '' ? '' : `#${encodeSegment(headingIdOf(heading))}`
  if (name === '') return fragment === '' ? null : fragment
  const page = textState().context?.pages?.get(name)
  return page ? `/${page.locale}/${page.path.split('/').map(encodeSegment).join('/')}${fragment}` : null
}
