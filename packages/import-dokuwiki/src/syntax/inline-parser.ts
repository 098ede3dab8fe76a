import type { FormattingKind, InlineNode, TextReader } from './nodes.ts'

/** Constructs that contain no other syntax. Each function reads one at a position, or returns null. */

/** A longer target is text. */
const TARGET_LENGTH = 2_000

/** `[[target|label]]`. */
const readLink = (reader: TextReader, at: number): InlineNode | null => {
  if (!reader.hasAfter(']]', at + 2)) return null
  LINK_END.lastIndex = at + 2
  const end = LINK_END.exec(reader.text)
  if (end === null) return null
  const content = reader.text.slice(at + 2, end.index)
  const bar = content.indexOf('|')
  const target = (bar < 0 ? content : content.slice(0, bar)).trim()
  if (target.length > TARGET_LENGTH) return null
  reader.position = end.index + 2
  return { type: 'link', target, label: bar < 0 ? null : content.slice(bar + 1) }
}

const LINK_END = /\]\](?!\])/g

/** `{{media}}`, `{{rss>…}}`, `{{tag>…}}` and the syntax of other plugins. */
const readBraces = (reader: TextReader, at: number): InlineNode | null => {
  if (!reader.hasAfter('}}', at + 3)) return null
  const content = reader.readUntil('}}', at + 2)
  if (content === '' || content.length > TARGET_LENGTH) {
    reader.position = at
    return null
  }
  return { type: 'media', content }
}

/**
 * `/* … *\/` after white space: a comment of the plugin Comment, which authors use for what readers must not see. It is
 * left out without the plugin, too, because a folder of data does not tell which plugins there are.
 */
export const readComment = (reader: TextReader, at: number): 'nothing' | null => {
  if (!reader.hasAfter('*/', at + 2)) return null
  reader.readUntil('*/', at + 2)
  return 'nothing'
}

/** `~~NOTOC~~` and the macros of plugins. They are not shown; a redirect becomes a link. */
const readMacro = (reader: TextReader, at: number): InlineNode | 'nothing' | null => {
  const macro = reader.match(/~~([A-Z][\w-]{1,40})(?:([:>|])([^~\n]{0,300}))?~~/y, at)
  if (macro === null) return null
  reader.position = at + macro[0].length
  const [, name, separator, argument = ''] = macro
  if (name!.toLowerCase() === 'title' && argument.trim() !== '')
    return { type: 'title', text: argument.trim() }
  if (name === 'REDIRECT' && separator === '>' && argument !== '')
    return { type: 'link', target: argument.trim(), label: `→ ${argument.trim()}` }
  return 'nothing'
}

/** `<code language name>`, `<file …>`, `<html>` and `<php>`. Capitals make a block. */
const readCode = (reader: TextReader, token: string, at: number): InlineNode | null => {
  const name = token.replace(/[<>]/g, '')
  const start = at + token.length
  if (!reader.hasAfter(`</${name}>`, start)) return null
  const content = reader.readUntil(`</${name}>`, start)
  const lower = name.toLowerCase()
  if (lower === 'html' || lower === 'php')
    return {
      type: 'code',
      text: content,
      language: lower,
      fileName: '',
      isInline: name === lower && !content.includes('\n'),
    }
  const bracket = content.indexOf('>')
  const parameters = bracket < 0 ? content : content.slice(0, bracket)
  const [language = '', ...file] = parameters
    .slice(0, TARGET_LENGTH)
    .replace(/\[[^\]]*\]/g, '')
    .split(/\s+/)
    .filter((word) => word !== '')
  return {
    type: 'code',
    text: bracket < 0 ? '' : content.slice(bracket + 1),
    language: language === '-' ? '' : language,
    fileName: file.join(' '),
    isInline: false,
  }
}

/** A URL in the text. Punctuation at its end belongs to the sentence. */
const readUrl = (reader: TextReader, token: string, at: number): InlineNode | null => {
  const run = reader.match(/[\w/#~:.?+=&%@!\-[\];,]+/y, at)
  if (run === null) return null
  let end = run[0].length
  while (end > token.length && '.:?-;,'.includes(run[0][end - 1]!)) end -= 1
  const text = run[0].slice(0, end)
  if (end === token.length || (!token.includes('://') && !text.slice(token.length).includes('.'))) return null
  reader.position = at + end
  const scheme = token === 'www.' ? 'http://' : token === 'ftp.' ? 'ftp://' : ''
  return { type: 'url', url: scheme + text, text }
}

const EMAIL =
  /<([\w!#$%&'*+/=?^`{|}~-]{1,64}(?:\.[\w!#$%&'*+/=?^`{|}~-]{1,64}){0,10}@(?:[0-9a-z][0-9a-z-]{0,63}\.){1,10}[a-z]{2,63})>/iy

const readEmail = (reader: TextReader, at: number): InlineNode | null => {
  const email = reader.match(EMAIL, at)
  if (email === null) return null
  reader.position = at + email[0].length
  return { type: 'url', url: `mailto:${email[1]}`, text: email[1]! }
}

/** `\\server\share`. */
const readWindowsShare = (reader: TextReader, at: number): InlineNode | null => {
  const share = reader.match(/\\\\\w+(?:\\[\w$-]+)+/y, at)
  if (share === null) return null
  reader.position = at + share[0].length
  return { type: 'link', target: share[0], label: null }
}

/**
 * What the text is in. It decides which syntax counts and where the text ends: at the end of its line, for lists and
 * quotes; at the next cell, for tables; at its own mark, for formatting and footnotes.
 */
type Mode = 'base' | 'line' | 'table' | 'footnote' | FormattingKind

/** Something in base mode that is not a node within a line. */
export interface BaseEvent {
  type: 'newline' | 'heading' | 'container'
  /** Its position. */
  at: number
}

interface InlineOptions {
  /** Whether words like `CamelCase` are links. */
  camelCase: boolean
}

const MARKS: Record<string, FormattingKind> = {
  '**': 'strong',
  '//': 'emphasis',
  __: 'underline',
  "''": 'monospace',
  '<sub>': 'subscript',
  '<sup>': 'superscript',
  '<del>': 'deleted',
}
const END_MARKS: Record<string, FormattingKind> = {
  '</sub>': 'subscript',
  '</sup>': 'superscript',
  '</del>': 'deleted',
}

const TOKEN =
  /(?<=\s)\/\*|\*\*|\/\/|__|''|<\/?(?:sub|sup|del)>|\(\(|\)\)|\\\\|<nowiki>|%%|\[\[|\{\{|(?<!\w)(?:https?|ftp|telnet|gopher|wais|ed2k|irc|ldap):\/\/|(?<![\w/\\])(?:www|ftp)\.|<(?:code|file)\b|<(?:php|PHP|html|HTML)>|<(?=[\w.!#$%&'*+/=?^`{|}~-]{1,64}@)|~~|<\/?(?:WRAP|wrap|note)\b|\n|[|^]|==/g
const CAMEL_CASE_TOKEN = new RegExp(`${TOKEN.source}|(?<!\\w)[A-Z]+[a-z]+[A-Z][A-Za-z]*(?!\\w)`, 'g')

/** Formatting that is nested deeper is text. */
const MAX_DEPTH = 20

/**
 * Parses text within blocks. Like the lexer of DokuWiki, it searches for the next mark that has a meaning where it
 * stands. So formatting can continue over line ends, and a single `//` starts italics.
 */
export class InlineParser {
  readonly #reader: TextReader
  readonly #token: RegExp
  #depth = 0
  #isInFootnote = false

  constructor(reader: TextReader, { camelCase }: InlineOptions) {
    this.#reader = reader
    this.#token = camelCase ? CAMEL_CASE_TOKEN : TOKEN
  }

  /** Parses text up to the next event of base mode, or to the end. */
  base(): { nodes: InlineNode[]; event: BaseEvent | null } {
    const nodes: InlineNode[] = []
    return { nodes, event: this.#read('base', nodes) }
  }

  /** Parses text up to the end of the line, and in tables up to the next cell. */
  line(mode: 'line' | 'table'): InlineNode[] {
    const nodes: InlineNode[] = []
    this.#read(mode, nodes)
    return nodes
  }

  #read(mode: Mode, nodes: InlineNode[]): BaseEvent | null {
    const reader = this.#reader
    let textStart = reader.position
    const endText = (at: number) => {
      if (at > textStart) nodes.push({ type: 'text', text: reader.text.slice(textStart, at) })
    }
    let from = reader.position
    for (;;) {
      this.#token.lastIndex = from
      const token = this.#token.exec(reader.text)
      if (token === null) {
        endText(reader.text.length)
        reader.position = reader.text.length
        return null
      }
      const at = token.index
      const found = this.#meaning(token[0], at, mode)
      if (found === 'text') {
        from = at + 1
        continue
      }
      endText(at)
      if (found === 'end') return null
      if ('type' in found) return found
      nodes.push(...found.nodes)
      from = reader.position
      textStart = from
    }
  }

  /** What a mark means in a mode. Then the position is after it, except for the events of base mode. */
  #meaning(token: string, at: number, mode: Mode): 'text' | 'end' | BaseEvent | { nodes: InlineNode[] } {
    const reader = this.#reader
    if (token === '\n') return this.#newline(at, mode)
    if (token === '==') return mode === 'base' ? { type: 'heading', at } : 'text'
    if (token === '|' || token === '^') {
      if (mode !== 'table') return 'text'
      reader.position = at
      return 'end'
    }
    if (MARKS[token] === mode || END_MARKS[token] === mode || (token === '))' && mode === 'footnote')) {
      reader.position = at + token.length
      return 'end'
    }
    const kind = MARKS[token]
    if (kind !== undefined) return this.#formatting(kind, token, at)
    if (token === '((') return this.#footnote(at)
    if (/^<\/?(?:WRAP|wrap|note)/.test(token)) return this.#pluginTag(at, mode)
    const isFormatting = mode !== 'base' && mode !== 'line' && mode !== 'table' && mode !== 'footnote'
    const node = this.#construct(token, at, isFormatting)
    return node === null ? 'text' : { nodes: node === 'nothing' ? [] : [node] }
  }

  #newline(at: number, mode: Mode): 'text' | 'end' | BaseEvent {
    if (mode === 'base') return { type: 'newline', at }
    if (mode !== 'line' && mode !== 'table') return 'text'
    this.#reader.position = at
    return 'end'
  }

  #formatting(kind: FormattingKind, token: string, at: number): 'text' | { nodes: InlineNode[] } {
    const reader = this.#reader
    const start = at + token.length
    const end = token.startsWith('<') ? `</${token.slice(1)}` : token
    // DokuWiki starts italics even if they do not end.
    if (this.#depth >= MAX_DEPTH || (kind !== 'emphasis' && !reader.hasAfter(end, start))) return 'text'
    reader.position = start
    this.#depth += 1
    const children: InlineNode[] = []
    this.#read(kind, children)
    this.#depth -= 1
    return { nodes: [{ type: 'formatting', kind, children }] }
  }

  #footnote(at: number): 'text' | { nodes: InlineNode[] } {
    const reader = this.#reader
    if (this.#isInFootnote || !reader.hasAfter('))', at + 2)) return 'text'
    reader.position = at + 2
    this.#isInFootnote = true
    const children: InlineNode[] = []
    this.#read('footnote', children)
    this.#isInFootnote = false
    return { nodes: [{ type: 'footnote', children }] }
  }

  /** Tags of the plugins Wrap and Note are layout: their content stays. A block ends the paragraph. */
  #pluginTag(at: number, mode: Mode): 'text' | BaseEvent | { nodes: InlineNode[] } {
    const tag = this.#reader.match(/<\/?(?:WRAP|wrap|note)\b[^<>\n]{0,300}>/y, at)
    if (tag === null) return 'text'
    this.#reader.position = at + tag[0].length
    const isBlock = mode === 'base' && !tag[0].includes('wrap')
    return isBlock ? { type: 'container', at } : { nodes: [] }
  }

  #construct(token: string, at: number, isFormatting: boolean): InlineNode | 'nothing' | null {
    const reader = this.#reader
    if (token === '\\\\') return lineBreak(reader, at) ?? readWindowsShare(reader, at)
    if (token === '/*') return readComment(reader, at)
    if (token === '[[') return readLink(reader, at)
    if (token === '{{') return readBraces(reader, at)
    if (token === '~~') return readMacro(reader, at)
    if (token === '<nowiki>' || token === '%%') {
      const end = token === '%%' ? token : '</nowiki>'
      if (!reader.hasAfter(end, at + token.length)) return null
      return { type: 'raw text', text: reader.readUntil(end, at + token.length) }
    }
    if (token === '<') return readEmail(reader, at)
    if (token.startsWith('<')) return isFormatting ? null : readCode(reader, token, at)
    if (/[:.]/.test(token)) return readUrl(reader, token, at)
    if (!/^[A-Z]/.test(token)) return null
    reader.position = at + token.length
    return { type: 'link', target: token, label: token }
  }
}

const lineBreak = (reader: TextReader, at: number): InlineNode | null => {
  const next = reader.text[at + 2]
  if (next !== ' ' && next !== '\t' && next !== '\n') return null
  reader.position = next === '\n' ? at + 2 : at + 3
  return { type: 'line break' }
}
