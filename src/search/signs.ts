import { classAt, isInWord, isLow, NONE } from './characters.ts'

/** Terms that consist of a word and its signs: `c++`, `c#`, `--help`, `.env`, `@types`, `$home`, `@scope/package`. */

const DOT = 46
const DASH = 45
const PLUS = 43
const HASH = 35
const AT = 64
const DOLLAR = 36
const SLASH = 47

const isSign = (code: number): boolean => code === AT || code === DOLLAR || code === DOT

/** The name of a package after its scope, of bounded length. */
const PACKAGE = /\/[a-z0-9](?:[a-z0-9._-]{0,60}[a-z0-9])?/y

/** Signs at the beginning or end of a term, which other forms of it lack. */
export const SIGNS = /^[-@$.]+|[+#]+$/g

/** Calls `emit` for each term that consists of the word from `start` to `end` and of signs next to it. */
export const eachSignedTerm = (
  text: string,
  word: string,
  position: number,
  start: number,
  end: number,
  emit: (term: string, position: number, start: number, end: number, kind: 'code') => void,
): void => {
  const after = text.charCodeAt(end)
  if (after === PLUS && text.charCodeAt(end + 1) === PLUS) emit(`${word}++`, position, start, end + 2, 'code')
  else if (after === HASH && !(end + 1 < text.length && classAt(text, end + 1) > NONE))
    emit(`${word}#`, position, start, end + 1, 'code')
  if (start === 0) return
  const before = text.charCodeAt(start - 1)
  if (before === DASH) {
    const dashes = text.charCodeAt(start - 2) === DASH ? 2 : 1
    if (isEdge(text, start - dashes - 1))
      emit(`${'-'.repeat(dashes)}${word}`, position, start - dashes, end, 'code')
  } else if (isSign(before) && isEdge(text, start - 2)) {
    emit(text[start - 1] + word, position, start - 1, end, 'code')
    if (before === AT && after === SLASH) {
      PACKAGE.lastIndex = end
      const name = PACKAGE.exec(text)?.[0]
      if (name !== undefined) emit(`@${word}${name}`, position, start - 1, end + name.length, 'code')
    }
  }
}

/** Whether a sign after this offset begins a term: there is nothing before it that the sign could belong to. */
const isEdge = (text: string, at: number): boolean => {
  if (at < 0) return true
  const code = text.charCodeAt(at)
  return code !== DASH && !isSign(code) && !isLow(code) && !isInWord(classAt(text, at))
}
