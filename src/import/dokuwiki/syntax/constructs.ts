import type { InlineNode } from './nodes.ts'
import type { TextReader } from './text-reader.ts'

/** Constructs that contain no other syntax. Each function reads one at a position, or returns null. */

/** A longer target is text. */
const TARGET_LENGTH = 2_000

/** `[[target|label]]`. */
export const readLink = (reader: TextReader, at: number): InlineNode | null => {
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
export const readBraces = (reader: TextReader, at: number): InlineNode | null => {
  if (!reader.hasAfter('}}', at + 3)) return null
  const content = reader.readUntil('}}', at + 2)
  if (content === '' || content.length > TARGET_LENGTH) {
    reader.position = at
    return null
  }
  return { type: 'media', content }
}

/** `~~NOTOC~~` and the macros of plugins. They are not shown; a redirect becomes a link. */
export const readMacro = (reader: TextReader, at: number): InlineNode | 'nothing' | null => {
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
export const readCode = (reader: TextReader, token: string, at: number): InlineNode | null => {
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
export const readUrl = (reader: TextReader, token: string, at: number): InlineNode | null => {
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

export const readEmail = (reader: TextReader, at: number): InlineNode | null => {
  const email = reader.match(EMAIL, at)
  if (email === null) return null
  reader.position = at + email[0].length
  return { type: 'url', url: `mailto:${email[1]}`, text: email[1]! }
}

/** `\\server\share`. */
export const readWindowsShare = (reader: TextReader, at: number): InlineNode | null => {
  const share = reader.match(/\\\\\w+(?:\\[\w$-]+)+/y, at)
  if (share === null) return null
  reader.position = at + share[0].length
  return { type: 'link', target: share[0], label: null }
}
