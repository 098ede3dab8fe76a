import { type Lexer, type MarkedExtension, Renderer, type Token, Tokenizer, type Tokens } from 'marked'
import { capitalized } from '../dialects/attributes.ts'
import { ALERT, alertKind, CLASSES } from '../markup.ts'
import { lineEnd } from '../text.ts'

/** `fold`: the sign after the type of a callout of Obsidian, which a reader can fold. `+`: it begins open. */
type Quotation = Tokens.Blockquote & { alert?: string | null; fold?: string }

/** A marked extension for alerts: `> [!NOTE]` (GitHub, Obsidian), and `{.is-info}` after a quotation (Wiki.js). (D124) */
export const alerts: MarkedExtension = {
  tokenizer: {
    blockquote(source) {
      const token: Quotation | undefined = Tokenizer.prototype.blockquote.call(this, source)
      if (token) token.alert = takeType(token, this.lexer)
      return token
    },
  },
  walkTokens: (token) => {
    if (token.type === 'blockquote') (token as Quotation).alert ??= takeClass(token as Tokens.Blockquote)
    else if (token.type === 'list') takeClasses(lastText((token as Tokens.List).items.at(-1)?.tokens))
    else if (token.type === 'paragraph') takeClasses(token.tokens)
  },
  renderer: {
    blockquote(token: Quotation) {
      const html = Renderer.prototype.blockquote.call(this, token)
      if (!token.alert) return html
      const start = `<blockquote class="markdown-alert${token.alert.replace(/^| /g, ' markdown-alert-')}">`
      if (!token.fold) return start + html.slice('<blockquote>'.length)
      const details = html.slice('<blockquote>'.length, html.lastIndexOf('</blockquote>'))
      return `${start}\n<details${token.fold === '+' ? ' open' : ''}>${details}</details>\n</blockquote>\n`
    },
  },
  extensions: [
    {
      name: 'alertTitle',
      renderer({ tokens, fold }) {
        const tag = fold ? 'summary' : 'p'
        const title = this.parser.parseInline(tokens ?? [])
        return `<${tag} class="markdown-alert-title"><strong>${title}</strong></${tag}>\n`
      },
    },
  ],
}

/** Reads `[!TYPE] title` in the first line of a quotation, whose rest is read again without it. */
const takeType = (quotation: Quotation, lexer: Lexer): string | null => {
  const [first] = quotation.tokens
  const match = first?.type === 'paragraph' ? ALERT.exec(first.text) : null
  if (!match) return null
  const [mark, type = '', fold = ''] = match
  const paragraph = first as Tokens.Paragraph
  const [title = '', ...rest] = paragraph.text.slice(mark.length).split('\n')
  const tokens = lexer.inline(title.trim() || capitalized(type.toLowerCase()))
  const end = lineEnd(paragraph.raw, 0)
  const line = { type: 'alertTitle', raw: paragraph.raw.slice(0, end), tokens, fold }
  const text = rest.join('\n')
  const below = { ...paragraph, raw: paragraph.raw.slice(end), text, tokens: lexer.inline(text) }
  quotation.tokens.splice(0, 1, ...(COMMENT.test(title) ? [] : [line]), ...(text === '' ? [] : [below]))
  quotation.fold = fold
  return alertKind(type.toLowerCase())
}

/** In the place of a title: no title. */
const COMMENT = /^\s*<!--.*-->\s*$/

const takeClass = (quotation: Tokens.Blockquote): string | null => {
  const last = quotation.tokens.at(-1)
  const classes = last?.type === 'paragraph' ? takeClasses(last.tokens) : ''
  const type = /\.is-(info|success|warning|danger)\b/.exec(classes)?.[1]
  return type === undefined ? null : alertKind(type)
}

const takeClasses = (inline: Token[] | undefined): string => {
  const last = inline?.at(-1)
  if (last?.type !== 'text') return ''
  const at = last.text.lastIndexOf('\n')
  if (at < 0) return ''
  const classes = last.text.slice(at + 1).trim()
  if (!CLASSES.test(classes)) return ''
  last.raw = last.text = last.text.slice(0, at)
  return classes
}

const lastText = (tokens: Token[] | undefined): Token[] | undefined => {
  const last = tokens?.at(-1)
  return last?.type === 'text' || last?.type === 'paragraph' ? last.tokens : undefined
}
