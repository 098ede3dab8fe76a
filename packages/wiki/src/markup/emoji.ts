import { nameToEmoji } from 'gemoji'
import { matchAt } from '../inline-html.ts'

const CODE = /:([a-z0-9_+-]{1,40}):(?![\p{L}\p{N}:])/uy
const WORD = /[\p{L}\p{N}:]/u

/**
 * The emoji whose code begins at a position: `:tea:`. The codes are GitHub's. Within `12:100:30`, there is none.
 * @param before the character before it, if the text does not begin with it
 */
export const emojiAt = (
  text: string,
  at: number,
  before = text[at - 1],
): { emoji: string; name: string; end: number } | null => {
  const name = matchAt(CODE, text, at)?.[1]
  if (name === undefined || !Object.hasOwn(nameToEmoji, name)) return null
  if (before !== undefined && WORD.test(before)) return null
  return { emoji: nameToEmoji[name]!, name, end: CODE.lastIndex }
}
