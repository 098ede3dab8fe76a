/** How DokuWiki writes ids as file names: `$conf['fnencode']`. */
type FileNameEncoding = 'url' | 'safe' | 'utf-8'

/** The part of an id that a file name means; null if it is not UTF-8. */
export const decodeFileName = (name: string, encoding: FileNameEncoding): string | null => {
  if (encoding === 'utf-8') return name
  if (encoding === 'safe') return decodeSafe(name.toLowerCase())
  try {
    return decodeURIComponent(name.replaceAll('+', ' '))
  } catch {
    return null
  }
}

/**
 * The encoding `safe`: `%` and the number of a character in base 36, less 32; several in a row, and `]` at their end.
 * @see DokuWiki's inc/SafeFN.class.php
 */
const decodeSafe = (name: string): string | null => {
  let text = ''
  let isConverted = false
  for (const [part] of name.matchAll(/%[0-9a-z]*|\]|[^%\]]+/g)) {
    const isCode = part.startsWith('%')
    if (part.length > 1 && isCode) {
      const code = Number.parseInt(part.slice(1), 36) + 32
      if (!(code <= 0x10ffff)) return null
      text += String.fromCodePoint(code)
    } else if (part !== ']' || !isConverted) text += part
    isConverted = isCode
  }
  return text.isWellFormed() ? text : null
}
