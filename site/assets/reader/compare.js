import '../diff.js'

const { Diff } = globalThis

/** How long a comparison may take, milliseconds; then texts are shown side by side as wholly changed. */
const TIME = { lines: 2000, words: 300 }

/**
 * Two texts line by line, and word by word where lines were replaced. (D54)
 * @param {string} locale decides what a word is
 * @returns {Promise<({ kind: 'same', text: string } |
 *   { kind: 'removed' | 'added', pieces: { text: string, marked: boolean }[] })[]>}
 */
export const compare = async (before, after, locale) => {
  const parts = Diff.diffLines(before, after, { timeout: TIME.lines }) ?? [
    { removed: true, value: before },
    { added: true, value: after },
  ]
  const shown = []
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]
    const next = parts[i + 1]
    if (part.removed && next?.added) {
      shown.push(...replaced(part.value, next.value, locale))
      i += 1
    } else if (part.removed) shown.push({ kind: 'removed', pieces: [{ text: part.value, marked: false }] })
    else if (part.added) shown.push({ kind: 'added', pieces: [{ text: part.value, marked: false }] })
    else shown.push({ kind: 'same', text: part.value })
  }
  return shown
}

const wordsOf = (text, locale) => {
  const words = segmenterOf(locale)
  return words ? Array.from(words.segment(text), ({ segment }) => segment) : text.split(/(\s+)/)
}

/** Undefined in browsers that have none. A locale of the wiki may be none that browsers take. */
const segmenterOf = (locale) => {
  if (!Intl.Segmenter) return undefined
  try {
    return new Intl.Segmenter(locale, { granularity: 'word' })
  } catch {
    return new Intl.Segmenter(undefined, { granularity: 'word' })
  }
}

const replaced = (before, after, locale) => {
  const parts = Diff.diffArrays(wordsOf(before, locale), wordsOf(after, locale), { timeout: TIME.words }) ?? [
    { value: [before] },
    { value: [after] },
  ]
  const pieces = (own, other) =>
    parts
      .filter((part) => !part[other])
      .map((part) => ({ text: part.value.join(''), marked: part[own] === true }))
  return [
    { kind: 'removed', pieces: pieces('removed', 'added') },
    { kind: 'added', pieces: pieces('added', 'removed') },
  ]
}
