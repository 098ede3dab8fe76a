import { type MarkedExtension, type Token, type Tokens, walkTokens } from 'marked'
import { matchAt } from '../inline-html.ts'
import { FOOTNOTE_REFERENCE } from '../markup.ts'
import { blockStart, FOOTNOTE_LINE, OTHER_BLOCK, readItemLines, withoutHeadings } from './blocks.ts'
import { type Footnote, textState } from './text-state.ts'

/** `[^1]` in the text, and `[^1]: …` anywhere. `footnotesHtml` returns the list, which is not part of the tokens. (D124) */
export const footnotes: MarkedExtension = {
  extensions: [
    {
      name: 'footnote',
      level: 'block',
      start: blockStart,
      tokenizer(source) {
        const state = textState()
        const label = matchAt(FOOTNOTE_LINE, source, 0)?.[1]
        if (label === undefined || state.isInFootnote) return undefined
        const { text, end } = readItemLines(source, FOOTNOTE_LINE.lastIndex, (line) => OTHER_BLOCK.test(line))
        state.isInFootnote = true
        const content = withoutHeadings(this.lexer.blockTokens(text, []))
        state.isInFootnote = false
        // The first definition of a label counts.
        const key = label.toLowerCase()
        if (!state.footnotes.has(key)) state.footnotes.set(key, { number: 0, references: 0, content })
        return { type: 'footnote', raw: source.slice(0, end) }
      },
      renderer: () => '',
    },
    {
      name: 'footnoteReference',
      level: 'inline',
      tokenizer: (source) => {
        const match = matchAt(FOOTNOTE_REFERENCE, source, 0)
        const footnote = match && textState().footnotes.get(match[1]!.toLowerCase())
        return footnote ? { type: 'footnoteReference', raw: match[0], footnote, reference: 0 } : undefined
      },
      renderer: ({ footnote: { number }, reference }) =>
        textState().form === 'html'
          ? `<sup><a href="#fn:${number}" id="${referenceId(number, reference)}">${number}</a></sup>`
          : '',
    },
  ],
}

export const withoutReferences = (html: string): string =>
  html.replace(/<sup><a href="#fn:\d+" id="fnref:[\d-]+">\d+<\/a><\/sup>/g, '')

/** Ids of headings have no colons, so none is that of a footnote. */
const referenceId = (number: number, reference: number): string =>
  `fnref:${number}${reference > 1 ? `-${reference}` : ''}`

/** Numbers the footnotes of the current text, and counts the references to each. */
export const numberFootnotes = (tokens: Token[]): void => {
  const used = footnotesFrom(tokens, (reference) => {
    reference.reference = ++reference.footnote.references
  })
  for (const [i, footnote] of used.entries()) footnote.number = i + 1
}

/** The list of the footnotes to which some tokens of the current text refer, with their numbers in the text. Can be empty. */
export const footnotesHtml = (tokens: Token[], render: (tokens: Token[]) => string): string => {
  if (textState().footnotes.size === 0) return ''
  const used = footnotesFrom(tokens).sort((a, b) => a.number - b.number)
  const items = used.map((footnote) => itemHtml(footnote, render))
  return items.length === 0 ? '' : `<section class="footnotes">\n<ol>\n${items.join('')}</ol>\n</section>\n`
}

const itemHtml = ({ number, references, content }: Footnote, render: (tokens: Token[]) => string): string => {
  const back = Array.from({ length: Math.min(references, BACK_LINKS_MAX) }, (_, i) => {
    const times = i === 0 ? '' : `<sup>${i + 1}</sup>`
    return ` <a href="#${referenceId(number, i + 1)}">↩${times}</a>`
  }).join('')
  const html = render(content).trimEnd()
  const text = html.endsWith('</p>') ? `${html.slice(0, -4)}${back}</p>` : html + back
  return `<li id="fn:${number}" value="${number}">${text}</li>\n`
}

const BACK_LINKS_MAX = 20

/** The footnotes to which some tokens refer, in the order of their first references: those in footnotes come last. */
const footnotesFrom = (tokens: Token[], visit?: (reference: Tokens.Generic) => void): Footnote[] => {
  const found = new Set<Footnote>()
  const collect = (part: Token[]) =>
    walkTokens(part, (token: Tokens.Generic) => {
      if (token.type !== 'footnoteReference') return
      found.add(token.footnote)
      visit?.(token)
    })
  collect(tokens)
  for (const { content } of found) collect(content)
  return [...found]
}
