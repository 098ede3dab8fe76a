/** Text and code as Markdown that means just these. */

const PUNCTUATION = /[\p{P}\p{S}]/u

/**
 * Text within a line. Entities stay, since Markdown reads them as wikitext does. An underscore between
 * letters marks nothing.
 */
export const escapeText = (text: string): string =>
  text
    .replace(/[\\`*[\]]|~~|<(?=[a-z/!?])/gi, (mark) => (mark === '~~' ? '\\~\\~' : `\\${mark}`))
    .replace(/_+/g, (marks, at: number, whole: string) => {
      const inWord = isLetter(whole[at - 1]) && isLetter(whole[at + marks.length])
      return inWord ? marks : '\\_'.repeat(marks.length)
    })

const isLetter = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}]/u.test(char)

/** What would begin a block at the start of a line. */
export const escapeLineStart = (line: string): string =>
  line.replace(/^(\s*)([#>+|~=-]|:(?=-))/, '$1\\$2').replace(/^(\s*\d{1,9})([.)])(?=\s|$)/, '$1\\$2')

/** Code within a line: white space as single spaces, fenced by more backticks than it holds. */
export const codeSpan = (code: string): string => {
  const text = code.replace(/\s+/g, ' ').trim()
  if (text === '') return ''
  const fence = '`'.repeat(longestRun(text, /`+/g) + 1)
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${space}${text}${space}${fence}`
}

/** A block of code. @param language of a fence's first line; anything but a word is left out */
export const codeBlock = (code: string, language = ''): string => {
  const fence = '`'.repeat(Math.max(3, longestRun(code, /`+/g) + 1))
  const word = /^[\w+#.-]{1,40}$/.test(language) ? language : ''
  return `${fence}${word}\n${code.replace(/^\n+/, '').trimEnd()}\n${fence}`
}

/** Markdown in bold: by asterisks where these surely mark it, else by tags. */
export const strong = (content: string): string => {
  if (content === '') return ''
  const isSafe = isLetter(content[0]) && isLetter(content.at(-1)) && !content.includes('*')
  return isSafe ? `**${content}**` : `<b>${content}</b>`
}

/** Between `<` and `>`, or between parentheses of a link. */
export const escapeAddress = (address: string): string =>
  address.replace(
    /[\s\\"<>()`[\]]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )

/** Whether emphasis may begin or end between two characters, seen from the side where its text is. */
export const canFlank = (outside: string | undefined, inside: string | undefined): boolean => {
  if (inside === undefined || /\s/.test(inside)) return false
  return !PUNCTUATION.test(inside) || outside === undefined || /\s/.test(outside) || PUNCTUATION.test(outside)
}

const longestRun = (text: string, runs: RegExp): number =>
  (text.match(runs) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)
