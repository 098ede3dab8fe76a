import type { MarkedExtension, Token } from 'marked'
import { matchAt, matchEnd } from '../inline-html.ts'
import { DEFINITION_MARK } from '../markup.ts'
import { OTHER_BLOCK, readItemLines, withoutHeadings } from './blocks.ts'
import { termStart } from './headings.ts'

const itemOf = (type: 'term' | 'definition', tokens: Token[]) => ({ type, raw: '', tokens })

/** One to three lines of at most 300 characters, perhaps a blank one, and the mark of a definition. */
const TERMS =
  /((?:(?! {4}|\t| {0,3}:)(?=[^\n]{1,299}\n)[^\S\n]*[^\s|][^\n]*\n){1,3})([ \t]*\n)? {0,3}:[ \t]+(?=\S)/y
const MARKED = / {0,3}:[ \t]+(?=\S)/y
/** Up to two. */
const BLANK_LINES = /(?:[ \t]*\n){0,2}/y

/** Definition lists as in PHP Markdown Extra and Pandoc: lines of terms, then definitions after a colon and a space. (D124) */
export const definitionLists: MarkedExtension = {
  extensions: [
    {
      name: 'definitionList',
      level: 'block',
      tokenizer(source) {
        const items: Token[] = []
        let end = 0
        for (let group = termsAt(source, 0); group; group = termsAt(source, end)) {
          for (const term of group.terms) items.push(itemOf('term', this.lexer.inline(term)))
          let isLoose = group.isLoose
          for (let mark = group.mark; mark >= 0; ) {
            const item = readItemLines(source, mark, isOther)
            this.lexer.state.top = isLoose || item.hasBlankLine
            items.push(itemOf('definition', withoutHeadings(this.lexer.blockTokens(item.text, []))))
            end = item.end
            const next = matchEnd(BLANK_LINES, source, end)
            isLoose = next > end
            mark = matchEnd(MARKED, source, next)
          }
          const next = matchEnd(BLANK_LINES, source, end)
          if (termsAt(source, next)) end = next
        }
        return end === 0 ? undefined : { type: 'definitionList', raw: source.slice(0, end), tokens: items }
      },
      renderer({ tokens }) {
        return `<dl>\n${this.parser.parse(tokens ?? [])}</dl>\n`
      },
    },
    {
      name: 'term',
      renderer(token) {
        const html = this.parser.parseInline(token.tokens ?? [])
        token.start ??= termStart(html)
        return `${token.start}${html}</dt>\n`
      },
    },
    {
      name: 'definition',
      renderer({ tokens }) {
        return `<dd>${this.parser.parse(tokens ?? []).trimEnd()}</dd>\n`
      },
    },
  ],
}

const isOther = (line: string): boolean => DEFINITION_MARK.test(line.trimStart()) || OTHER_BLOCK.test(line)

/** The terms that begin at a position and are followed by a definition, with the offset of its text. */
const termsAt = (source: string, start: number) => {
  const [whole, written = '', blankLine] = matchAt(TERMS, source, start) ?? []
  const lines = written.split('\n').slice(0, -1)
  if (whole === undefined || lines.some((line) => OTHER_BLOCK.test(line))) return null
  const terms = lines.map((line) => line.trim())
  return { terms, mark: start + whole.length, isLoose: blankLine !== undefined }
}
