import { FIELD_BYTES_MAX } from '../limits.ts'
import { nfc, truncateBytes } from '../wiki/text.ts'

/**
 * Folding makes texts equal before their words are compared. Each step folds one character at a time (a run of
 * half-width kana counts as one), so that every offset in a folded text has an offset in the original text.
 */

/** Characters that NFKC changes, and characters that only join or hide others. Some ranges contain others, too. */
const COMPATIBLE =
  /[\uff66-\uff9f]+|[\u00a0-\u00bf\u0132-\u0140\u0149\u017f\u01c4-\u01cc\u01f1-\u01f3\u02b0-\u02e4\u0640\u1d2c-\u1d6a\u1d78\u1d9b-\u1dbf\u2070-\u209f\u2100-\u218f\u2460-\u24ff\u2c7c\u2c7d\u3036-\u303a\u3131-\u33ff\u{f900}-\ufaff\ufb00-\ufdff\ufe30-\ufefe\uff01-\uff65\uffa0-\uffee\u{1d400}-\u{1d7ff}\u{1ee00}-\u{1eeff}\u{1f100}-\u{1f2ff}\u{2f800}-\u{2fa1f}ς]|\u0307/gu

const compatible = (text: string): string => {
  if (text === 'ς') return 'σ'
  // Not letters: the dot that remains of a dotted I in lower case, the soft hyphen, and the Arabic tatweel.
  if (text === '\u0307' || text === '\u00ad' || text === '\u0640') return ''
  return text.normalize('NFKC').toLowerCase()
}

const ASCII = /^[\x00-\x7f]*$/

export const isAscii = (text: string): boolean => ASCII.test(text)

/**
 * Folds case and compatibility forms: `ＴＥＡ` becomes `tea`, `ﬁ` becomes `fi`. Accents stay, because stemming needs them.
 * @param text in NFC
 */
export const fold = (text: string): string => {
  const lower = text.toLowerCase()
  return ASCII.test(lower) ? lower : lower.replace(COMPATIBLE, compatible)
}

/** A folded text, and the offset in the original text for each of its offsets, the end included. */
interface FoldedText {
  text: string
  originalOffset: (offset: number) => number
}

/** A piece of a text that folding changed. */
interface FoldedPiece {
  /** Offset and length in the folded text. */
  at: number
  length: number
  /** Offset and length in the original text. */
  originalAt: number
  originalLength: number
}

/**
 * Folds a text, and remembers the offsets of what it changes.
 * @param text in NFC
 * @param maxLength code units of the folded text; the rest is cut off
 */
export const foldWithOffsets = (text: string, maxLength = Number.POSITIVE_INFINITY): FoldedText => {
  const lower = text.toLowerCase()
  if (ASCII.test(lower) || (lower.length === text.length && lower.search(COMPATIBLE) < 0))
    return { text: lower.slice(0, maxLength), originalOffset: (offset) => offset }
  const hasSameLength = lower.length === text.length
  const source = hasSameLength ? lower : text
  const pieces: FoldedPiece[] = []
  let folded = ''
  let end = 0
  for (const { 0: piece, index } of source.matchAll(hasSameLength ? COMPATIBLE : PIECES)) {
    if (folded.length + index - end > maxLength) break
    const replacement = fold(piece)
    folded += source.slice(end, index)
    pieces.push({
      at: folded.length,
      length: replacement.length,
      originalAt: index,
      originalLength: piece.length,
    })
    folded += replacement
    end = index + piece.length
  }
  folded += source.slice(end)
  return { text: folded.slice(0, maxLength), originalOffset: (offset) => originalOffsetOf(offset, pieces) }
}

/** Single characters: if lower case has another length, each character is folded by itself. */
const PIECES = /[\uff66-\uff9f]+|[\s\S]/gu

/** @param pieces in order */
const originalOffsetOf = (offset: number, pieces: readonly FoldedPiece[]): number => {
  let low = 0
  let high = pieces.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (pieces[middle]!.at <= offset) low = middle + 1
    else high = middle
  }
  // A piece that was folded to nothing has the offset of the piece after it. The last of them counts.
  const last = pieces[low - 1]
  if (!last) return offset
  const { at, length, originalAt, originalLength } = last
  return offset < at + length
    ? originalAt + Math.min(offset - at, originalLength - 1)
    : originalAt + originalLength + (offset - at - length)
}

const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  þ: 'th',
}
/** Accents, and vowel signs of Arabic and Hebrew. In other scripts, marks are parts of letters. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g
/** Of the Cyrillic letters, only ё and letters with a stress mark lose their marks: й is not и. */
const CYRILLIC = /е\u0308|([\u0400-\u04ff])[\u0300\u0301]/g

/** Removes the accents of a folded word: `café` becomes `cafe`, `ё` becomes `е`. */
export const withoutAccents = (word: string): string => {
  if (ASCII.test(word)) return word
  const plain = word.replace(/[ßæœøđðłħıþ]/g, (letter) => LETTERS[letter]!).normalize('NFD')
  if (/[\u0400-\u04ff]/.test(plain))
    return plain.replace(CYRILLIC, (_, letter) => letter ?? 'е').normalize('NFC')
  return plain.replace(ACCENTS, '').normalize('NFC')
}

/**
 * A title or path for comparison: folded, without accents, with one space between words; `c++` and `c#` stay. It has at
 * most 1,020 bytes: folding can make 12,000 bytes of a title of 1,020 bytes, and no index stores that.
 */
export const searchKey = (text: string): string =>
  truncateBytes(
    withoutAccents(truncateBytes(fold(nfc(text)), FIELD_BYTES_MAX.titleKey))
      .replace(/[^\p{L}\p{N}\p{M}+#]+/gu, ' ')
      .trim(),
    FIELD_BYTES_MAX.titleKey,
  ).trimEnd()
