import { FIELD_BYTES_MAX } from '../limits.ts'
import { nfc, truncateBytes } from '../wiki/text.ts'

/**
 * How texts are made equal before words are compared. Each step looks at one character at a time (a run of
 * half-width kana counts as one), so that places in a folded text can be told from places in the text.
 */

/** Characters that NFKC changes, and those that only join or hide others: ranges, generously. */
const COMPATIBLE =
  /[\uff66-\uff9f]+|[\u00a0-\u00bf\u0132-\u0140\u0149\u017f\u01c4-\u01cc\u01f1-\u01f3\u02b0-\u02e4\u0640\u1d2c-\u1d6a\u1d78\u1d9b-\u1dbf\u2070-\u209f\u2100-\u218f\u2460-\u24ff\u2c7c\u2c7d\u3036-\u303a\u3131-\u33ff\u{f900}-\ufaff\ufb00-\ufdff\ufe30-\ufefe\uff01-\uff65\uffa0-\uffee\u{1d400}-\u{1d7ff}\u{1ee00}-\u{1eeff}\u{1f100}-\u{1f2ff}\u{2f800}-\u{2fa1f}ς]|\u0307/gu

const compatible = (text: string): string => {
  if (text === 'ς') return 'σ'
  // What dotted I leaves when it is lower-cased, the soft hyphen and the Arabic tatweel are no letters.
  if (text === '\u0307' || text === '\u00ad' || text === '\u0640') return ''
  return text.normalize('NFKC').toLowerCase()
}

const ASCII = /^[\x00-\x7f]*$/

export const isAscii = (text: string): boolean => ASCII.test(text)

/**
 * Case and compatibility forms folded: `ＴＥＡ` is `tea`, `ﬁ` is `fi`. Accents stay: stemming needs them.
 * @param text in NFC
 */
export const fold = (text: string): string => {
  const lower = text.toLowerCase()
  return ASCII.test(lower) ? lower : lower.replace(COMPATIBLE, compatible)
}

/** A folded text, and for each of its code units (and its end) the place in the text that it comes from. */
interface FoldedText {
  text: string
  offsets: (at: number) => number
}

/**
 * Folds a text so that places in it are kept.
 * @param text in NFC
 * @param most code units of the folded text; what is longer is cut there
 */
export const foldWithOffsets = (text: string, most = Number.POSITIVE_INFINITY): FoldedText => {
  const lower = text.toLowerCase()
  if (ASCII.test(lower) || (lower.length === text.length && lower.search(COMPATIBLE) < 0))
    return { text: lower.slice(0, most), offsets: (at) => at }
  const isSame = lower.length === text.length
  const source = isSame ? lower : text
  const changes: { at: number; made: number; from: number; size: number }[] = []
  let folded = ''
  let end = 0
  for (const { 0: piece, index } of source.matchAll(isSame ? COMPATIBLE : PIECES)) {
    if (folded.length + index - end > most) break
    const made = fold(piece)
    folded += source.slice(end, index)
    changes.push({ at: folded.length, made: made.length, from: index, size: piece.length })
    folded += made
    end = index + piece.length
  }
  folded += source.slice(end)
  return { text: folded.slice(0, most), offsets: (at) => placeOf(at, changes) }
}

/** Where lower case has another length, each character is looked at. */
const PIECES = /[\uff66-\uff9f]+|[\s\S]/gu

/** @param changes in order: where a piece of the folded text is, and where the piece of the text that it comes from is */
const placeOf = (
  at: number,
  changes: readonly { at: number; made: number; from: number; size: number }[],
): number => {
  let low = 0
  let high = changes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (changes[middle]!.at <= at) low = middle + 1
    else high = middle
  }
  // Pieces that were folded to nothing share their place with what follows them: the last one counts.
  const last = changes[low - 1]
  if (!last) return at
  const { at: begin, made, from, size } = last
  return at < begin + made ? from + Math.min(at - begin, size - 1) : from + size + (at - begin - made)
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
/** Accents; vowel signs of Arabic and Hebrew. Marks of other scripts are letters of theirs. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g
/** Of the Cyrillic letters only ё and those with a stress mark lose theirs: й is not и. */
const CYRILLIC = /е\u0308|([\u0400-\u04ff])[\u0300\u0301]/g

/** A folded word without its accents: `café` is `cafe`, `ё` is `е`. */
export const withoutAccents = (word: string): string => {
  if (ASCII.test(word)) return word
  const plain = word.replace(/[ßæœøđðłħıþ]/g, (letter) => LETTERS[letter]!).normalize('NFD')
  if (/[\u0400-\u04ff]/.test(plain))
    return plain.replace(CYRILLIC, (_, letter) => letter ?? 'е').normalize('NFC')
  return plain.replace(ACCENTS, '').normalize('NFC')
}

/**
 * A title or path for comparison: folded, without accents, words apart by one space; `c++` and `c#` stay. At most
 * 1,020 bytes: a title of 1,020 bytes can be folded to twelve thousand, which no index takes.
 */
export const searchKey = (text: string): string =>
  truncateBytes(
    withoutAccents(truncateBytes(fold(nfc(text)), FIELD_BYTES_MAX.titleKey))
      .replace(/[^\p{L}\p{N}\p{M}+#]+/gu, ' ')
      .trim(),
    FIELD_BYTES_MAX.titleKey,
  ).trimEnd()
