import { searchKey } from '../folding.ts'
import { matchedLength } from './beginning-typos.ts'

/**
 * The part of a title that was typed, perhaps with a typo: the shortest one at its beginning whose title key is long enough,
 * without signs before it. Offsets in UTF-16 code units. @returns undefined if the title does not begin so
 */
export const titleHighlight = (title: string, typed: string): [number, number] | undefined => {
  const length = matchedLength(searchKey(title), typed)
  if (length === undefined || length === 0) return undefined
  const [firstEnd, end] = [shortestBeginning(title, 1), shortestBeginning(title, length)]
  return [startOfCharacter(title, firstEnd), end]
}

/** Length of the shortest beginning of a title, with whole characters, whose title key has at least a length. */
const shortestBeginning = (title: string, keyLength: number): number => {
  let [low, high] = [1, title.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (searchKey(title.slice(0, middle).toWellFormed()).length >= keyLength) high = middle
    else low = middle + 1
  }
  while (low < title.length && WITHIN_CHARACTER.test(title.slice(low))) low++
  return low
}

const startOfCharacter = (title: string, end: number): number => {
  let start = end - 1
  while (start > 0 && WITHIN_CHARACTER.test(title.slice(start))) start--
  return start
}

/** The second half of a surrogate pair, or a combining mark. */
const WITHIN_CHARACTER = /^[\udc00-\udfff\p{M}]/u
