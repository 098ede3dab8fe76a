import { type MarkedExtension, Renderer, type Token, type Tokens } from 'marked'
import { capitalized } from '../dialects/attributes.ts'
import { ALERT, type AlertKind, alertKind, CLASSES } from '../markup.ts'
import { isComment } from './blocks.ts'

/** `fold`: the sign after the type of a callout of Obsidian, which a reader can fold. `+`: it begins open. */
type Quotation = Tokens.Blockquote & { alert?: AlertKind | null; fold?: string }

/** A marked extension for alerts: `> [!NOTE]` (GitHub, Obsidian), and `{.is-info}` after a quotation (Wiki.js). (D124) */
export const alerts: MarkedExtension = {
  walkTokens: (token) => {
    if (token.type === 'blockquote')
      (token as Quotation).alert = takeType(token as Quotation) ?? takeClass(token as Tokens.Blockquote)
    else if (token.type === 'list') takeClasses(lastText((token as Tokens.List).items.at(-1)?.tokens))
    else if (token.type === 'paragraph') takeClasses(token.tokens)
  },
  renderer: {
    blockquote(token: Quotation) {
      const html = Renderer.prototype.blockquote.call(this, token)
      if (!token.alert) return html
      const start = `<blockquote class="markdown-alert markdown-alert-${token.alert}">`
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

/** Removes `[!TYPE] title` from the first line of a quotation. */
const takeType = (quotation: Quotation): AlertKind | null => {
  const [first] = quotation.tokens
  if (first?.type !== 'paragraph') return null
  const inline = first.tokens!
  const text = inline[0]
  const lineEnd = first.raw.indexOf('\n') + 1 || first.raw.length
  if (text?.type !== 'text') return null
  const match = ALERT.exec(text.text)
  if (!match) return null
  const type = match[1]!.toLowerCase()
  setText(text, text.text.slice(match[0].length))
  const title = takeLine(inline)
  if (title.length === 0) title.push(textToken(capitalized(type)))
  quotation.fold = match[2]!
  const line = { type: 'alertTitle', raw: first.raw.slice(0, lineEnd), tokens: title, fold: match[2] }
  first.raw = first.raw.slice(lineEnd)
  quotation.tokens.splice(0, inline.length === 0 ? 1 : 0, ...(title.every(isComment) ? [] : [line]))
  return alertKind(type)
}

const takeLine = (inline: Token[]): Token[] => {
  const end = inline.findIndex(
    (token) => token.type === 'br' || (token.type === 'text' && token.text.includes('\n')),
  )
  const line = inline.splice(0, end < 0 ? inline.length : end)
  const next = inline[0]
  if (next?.type === 'br') inline.shift()
  else if (next?.type === 'text') {
    const at = next.text.indexOf('\n')
    const before = next.text.slice(0, at)
    if (before.trim() !== '') line.push(textToken(before))
    setText(next, next.text.slice(at + 1))
  }
  return line.filter((token) => token.type !== 'text' || token.text !== '')
}

const textToken = (text: string): Token => ({ type: 'text', raw: text, text, escaped: false })

const setText = (token: Token, text: string): void => {
  Object.assign(token, { text, raw: text })
}

const takeClass = (quotation: Tokens.Blockquote): AlertKind | null => {
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
  setText(last, last.text.slice(0, at))
  return classes
}

const lastText = (tokens: Token[] | undefined): Token[] | undefined => {
  const last = tokens?.at(-1)
  return last?.type === 'text' || last?.type === 'paragraph' ? last.tokens : undefined
}
