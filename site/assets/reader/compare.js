import '../diff.js'

const { Diff } = globalThis

/** Time limits of a comparison, milliseconds. After that, the whole text counts as changed. */
const TIMEOUT_MS = { lines: 2000, words: 300 }

/**
 * Compares two texts line by line, and word by word in lines that were replaced. (D54)
 * @param {string} locale language that decides what a word is
 * @returns {Promise<({ kind: 'same', text: string } |
 *   { kind: 'removed' | 'added', pieces: { text: string, marked: boolean }[] })[]>}
 */
export const compare = async (before, after, locale) => {
  const parts = Diff.diffLines(before, after, { timeout: TIMEOUT_MS.lines }) ?? [
    { removed: true, value: before },
    { added: true, value: after },
  ]
  const result = []
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]
    const next = parts[i + 1]
    if (part.removed && next?.added) {
      result.push(...compareWords(part.value, next.value, locale))
      i += 1
    } else if (part.removed) result.push({ kind: 'removed', pieces: [{ text: part.value, marked: false }] })
    else if (part.added) result.push({ kind: 'added', pieces: [{ text: part.value, marked: false }] })
    else result.push({ kind: 'same', text: part.value })
  }
  return result
}

const wordsOf = (text, locale) => {
  const words = segmenterOf(locale)
  return words ? Array.from(words.segment(text), ({ segment }) => segment) : text.split(/(\s+)/)
}

/** Undefined in browsers without a segmenter. Some locales of wikis are unknown to browsers. */
const segmenterOf = (locale) => {
  if (!Intl.Segmenter) return undefined
  try {
    return new Intl.Segmenter(locale, { granularity: 'word' })
  } catch {
    return new Intl.Segmenter(undefined, { granularity: 'word' })
  }
}

const compareWords = (before, after, locale) => {
  const parts = Diff.diffArrays(wordsOf(before, locale), wordsOf(after, locale), {
    timeout: TIMEOUT_MS.words,
  }) ?? [{ value: [before] }, { value: [after] }]
  const pieces = (own, other) =>
    parts
      .filter((part) => !part[other])
      .map((part) => ({ text: part.value.join(''), marked: part[own] === true }))
  return [
    { kind: 'removed', pieces: pieces('removed', 'added') },
    { kind: 'added', pieces: pieces('added', 'removed') },
  ]
}
