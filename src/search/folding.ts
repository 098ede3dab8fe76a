import { FIELD_BYTES_MAX } from '@lectern/wiki/limits'
import { nfc, truncateBytes } from '@lectern/wiki/text'
import { byCodeUnit } from './characters.ts'

/**
 * Folding makes texts equal before their words are compared. Each step folds one character at a time (a run of
 * half-width kana counts as one), so that every offset in a folded text has an offset in the original text.
 */

/**
 * Characters that NFKC changes, digits of every script, characters that only join or hide others, and letters that differ
 * only by the keyboard. Some ranges contain others, too. The last class is the digits: `\p{Nd}` without ASCII takes twice the
 * time.
 */
const COMPATIBLE =
  /[\uff66-\uff9f]+|[\u00a0-\u00bf\u0132-\u0140\u0149\u017f\u01c4-\u01cc\u01f1-\u01f3\u02b0-\u02e4\u0640\u06a9\u06cc\u1d2c-\u1d6a\u1d78\u1d9b-\u1dbf\u200b\u2060\u2070-\u209f\u2100-\u218f\u2460-\u24ff\u2c7c\u2c7d\u3036-\u303a\u3131-\u33ff\u{f900}-\ufaff\ufb00-\ufdff\ufe30-\ufeff\uff01-\uff65\uffa0-\uffee\u{1d400}-\u{1d7ff}\u{1ee00}-\u{1eeff}\u{1f100}-\u{1f2ff}\u{2f800}-\u{2fa1f}ς]|\p{VS}|\u0307|\u200d|[\u0660-\u0669\u06f0-\u06f9\u07c0-\u07c9\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0b66-\u0b6f\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0de6-\u0def\u0e50-\u0e59\u0ed0-\u0ed9\u0f20-\u0f29\u1040-\u1049\u1090-\u1099\u17e0-\u17e9\u1810-\u1819\u1946-\u194f\u19d0-\u19d9\u1a80-\u1a89\u1a90-\u1a99\u1b50-\u1b59\u1bb0-\u1bb9\u1c40-\u1c49\u1c50-\u1c59\ua620-\ua629\ua8d0-\ua8d9\ua900-\ua909\ua9d0-\ua9d9\ua9f0-\ua9f9\uaa50-\uaa59\uabf0-\uabf9\u{104a0}-\u{104a9}\u{10d30}-\u{10d39}\u{10d40}-\u{10d49}\u{11066}-\u{1106f}\u{110f0}-\u{110f9}\u{11136}-\u{1113f}\u{111d0}-\u{111d9}\u{112f0}-\u{112f9}\u{11450}-\u{11459}\u{114d0}-\u{114d9}\u{11650}-\u{11659}\u{116c0}-\u{116c9}\u{116d0}-\u{116e3}\u{11730}-\u{11739}\u{118e0}-\u{118e9}\u{11950}-\u{11959}\u{11bf0}-\u{11bf9}\u{11c50}-\u{11c59}\u{11d50}-\u{11d59}\u{11da0}-\u{11da9}\u{11de0}-\u{11de9}\u{11f50}-\u{11f59}\u{16130}-\u{16139}\u{16a60}-\u{16a69}\u{16ac0}-\u{16ac9}\u{16b50}-\u{16b59}\u{16d70}-\u{16d79}\u{1ccf0}-\u{1ccf9}\u{1e140}-\u{1e149}\u{1e2f0}-\u{1e2f9}\u{1e4f0}-\u{1e4f9}\u{1e5f1}-\u{1e5fa}\u{1e950}-\u{1e959}\u{1fbf0}-\u{1fbf9}]/gu

/** Not letters: what only joins, hides or shows others. The dot is what remains of a dotted I in lower case. */
const NOTHING = /^(?:[\u00ad\u0640\u200b\u2060\ufeff]|\p{VS}|\u0307|\u200d)$/u
/** The kaf and yeh of Persian keyboards, which are other characters than those of Arabic ones, and the final sigma. */
const SAME_LETTERS: Record<string, string> = { ς: 'σ', '\u06a9': '\u0643', '\u06cc': '\u064a' }

const compatible = (text: string): string => {
  const same = SAME_LETTERS[text]
  if (same !== undefined) return same
  if (NOTHING.test(text)) return ''
  const plain = text.normalize('NFKC').toLowerCase()
  return DIGIT.test(plain) ? digitValue(plain) : plain
}

const DIGIT = /^\p{Nd}$/u

/** The decimal digits of a script follow each other, from 0 to 9. */
const digitValue = (digit: string): string => {
  let value = 0
  while (value < 9 && DIGIT.test(String.fromCodePoint(digit.codePointAt(0)! - value - 1))) value++
  return String(value)
}

export const ASCII = /^[\x00-\x7f]*$/

const [UNCHANGED, CHANGED] = [1, 2]

/** Whether a character with this code unit is COMPATIBLE. */
const compatibility = byCodeUnit((code) => {
  const isHigh = code >= 0xd800 && code < 0xdc00
  const first = isHigh ? 0x10000 + (code - 0xd800) * 0x400 : code
  for (let point = first; point < first + (isHigh ? 0x400 : 1); point++)
    if (String.fromCodePoint(point).search(COMPATIBLE) >= 0) return CHANGED
  return UNCHANGED
})

const hasChanged = (text: string, kindOf: (code: number) => number): boolean => {
  for (let i = 0; i < text.length; i++) if (kindOf(text.charCodeAt(i)) === CHANGED) return true
  return false
}

/** Whether folding may change more than the case. */
const mayHaveCompatible = (lower: string): boolean => !ASCII.test(lower) && hasChanged(lower, compatibility)

/**
 * Folds case and compatibility forms: `ＴＥＡ` becomes `tea`, `ﬁ` becomes `fi`. Accents stay, because stemming needs them.
 * @param text in NFC
 */
export const fold = (text: string): string => {
  const lower = text.toLowerCase()
  return mayHaveCompatible(lower) ? lower.replace(COMPATIBLE, compatible) : lower
}

/** Runs of half-width kana, and single characters. */
const PIECES = /[\uff66-\uff9f]+|[\s\S]/gu

/**
 * Folds a text, and remembers the offsets of what it changes.
 * @param text in NFC
 * @returns the offset in the original text for each offset of the folded text, the end included
 */
export const foldWithOffsets = (text: string) => {
  const lower = text.toLowerCase()
  if (lower.length === text.length && !mayHaveCompatible(lower))
    return { text: lower, originalOffset: (offset: number) => offset }
  // If lower case has another length, each character is folded by itself.
  const hasSameLength = lower.length === text.length
  const source = hasSameLength ? lower : text
  const pieces: FoldedPiece[] = []
  let folded = ''
  let end = 0
  for (const { 0: piece, index } of source.matchAll(hasSameLength ? COMPATIBLE : PIECES)) {
    const replacement = fold(piece)
    folded += source.slice(end, index)
    const lengths = { length: replacement.length, originalLength: piece.length }
    pieces.push({ at: folded.length, originalAt: index, ...lengths })
    folded += replacement
    end = index + piece.length
  }
  folded += source.slice(end)
  return { text: folded, originalOffset: (offset: number) => originalOffsetOf(offset, pieces) }
}

type FoldedPiece = Record<'at' | 'length' | 'originalAt' | 'originalLength', number>

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
  // Alef wasla, alef maksura and teh marbuta: texts in Arabic have them or their plain letters.
  '\u0671': '\u0627',
  '\u0649': '\u064a',
  '\u0629': '\u0647',
}
/**
 * Accents, vowel signs of Arabic and Hebrew, and the dot (nukta) of Indic letters for foreign sounds. Other marks are
 * parts of letters.
 */
const ACCENTS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc]/g
/** Of the Cyrillic letters, only ё and letters with a stress mark lose their marks: й is not и. */
const CYRILLIC = /е\u0308|([\u0400-\u04ff])[\u0300\u0301]/g
/** In Devanagari, a nasal letter before a consonant of its class, and the chandrabindu, are also written as an anusvara. */
const NASALS =
  /\u0901|\u0919\u094d(?=[\u0915-\u0918])|\u091e\u094d(?=[\u091a-\u091d])|\u0923\u094d(?=[\u091f-\u0922])|\u0928\u094d(?=[\u0924-\u0927])|\u092e\u094d(?=[\u092a-\u092d])/g

/** Marks, and letters of Korean syllables: they may change together with the letters around them. */
const JOINS = /[\p{M}\u1160-\u11ff]/u

/** Whether removing accents may change a word with this code unit. */
const accents = byCodeUnit((code) => {
  const letter = String.fromCharCode(code)
  const isHalf = code >= 0xd800 && code < 0xe000
  return isHalf || JOINS.test(letter) || removeAccents(letter) !== letter ? CHANGED : UNCHANGED
})

/** Removes the accents of a folded word: `café` becomes `cafe`, `ё` becomes `е`. The result has none to remove. */
export const withoutAccents = (word: string): string =>
  ASCII.test(word) || !hasChanged(word, accents) ? word : removeAccents(word)

const removeAccents = (word: string): string => {
  const plain = word.normalize('NFD').replace(/[ßæœøđðłħıþ\u0671\u0649\u0629]/g, (letter) => LETTERS[letter]!)
  if (/[\u0400-\u04ff]/.test(plain))
    return plain.replace(CYRILLIC, (_, letter) => letter ?? 'е').normalize('NFC')
  return plain.replace(ACCENTS, '').replace(NASALS, '\u0902').normalize('NFC')
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
