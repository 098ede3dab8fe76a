/** How typos are looked for: texts with which a title key may begin. */
interface TypoVariants {
  beginnings: string[]
  /** For each of them, a pattern of SQL's `like` that the title key must match; null if it matches in any case. */
  patterns: (string | null)[]
}

/** Fewer letters have too many similar words, as in a search. (D35) */
const LETTERS_MIN = 4
/** Typos after these letters are not looked for. */
const LETTERS_MAX = 24

/**
 * Letters of scripts with few of them, as title keys have them. In a script with thousands of characters, such as Han, each
 * character can be the right one, so that titles are read that begin with the characters before the typo.
 */
const ALPHABETS: readonly [script: RegExp, letters: string][] = [
  [/[0-9]/, '0123456789'],
  [/[a-z]/, 'abcdefghijklmnopqrstuvwxyz'],
  [/\p{Script=Cyrillic}/u, 'абвгдежзийклмнопрстуфхцчшщъыьэюяєіїґ'],
  [/\p{Script=Greek}/u, 'αβγδεζηθικλμνξοπρστυφχψω'],
  [/\p{Script=Arabic}/u, 'ابتثجحخدذرزسشصضطظعغفقكلمنهوىيةءآأؤإئپچژکگی'],
  [/\p{Script=Hebrew}/u, 'אבגדהוזחטיךכלםמןנסעףפץצקרשת'],
]

/** Other letters than those of `ALPHABETS`, white space and signs. */
const OTHER_LETTER =
  /[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}0-9 +#]/u

/**
 * Beginnings that differ from what was typed by one typo: a letter too many or too few, a wrong letter, or two swapped
 * letters. (D105)
 * @param beginning of a title key
 */
export const typoVariants = (beginning: string): TypoVariants => {
  const letters = Array.from(beginning)
  if (letters.length < LETTERS_MIN) return { beginnings: [], patterns: [] }
  const found = new Set<string>()
  const last = Math.min(letters.length, LETTERS_MAX)
  const alphabet = [
    ' ',
    ...ALPHABETS.flatMap(([script, all]) => (script.test(beginning) ? Array.from(all) : [])),
  ]
  for (let i = 0; i < last; i++) {
    const before = letters.slice(0, i).join('')
    const from = letters.slice(i).join('')
    const after = letters.slice(i + 1).join('')
    found.add(before + after)
    if (i + 1 < letters.length)
      found.add(before + letters[i + 1] + letters[i] + letters.slice(i + 2).join(''))
    for (const letter of alphabet) found.add(before + letter + after).add(before + letter + from)
  }
  found.delete(beginning)
  const beginnings = [...found]
    .filter((one) => one === one.trimStart() && !one.includes('  ') && one !== '')
    // In order, so that neighbours read the same blocks.
    .sort()
  const patterns: (string | null)[] = beginnings.map(() => null)
  if (OTHER_LETTER.test(beginning))
    for (let i = 1; i < last; i++) {
      const before = letters.slice(0, i).join('')
      for (const rest of [letters.slice(i), letters.slice(i + 1)]) {
        beginnings.push(before)
        // A title key contains neither of the special characters of `like`.
        patterns.push(`${before}_${rest.join('')}%`)
      }
    }
  return { beginnings, patterns }
}

/**
 * How many code units at the beginning of a title key stand for what was typed, which has at most one typo.
 * @returns undefined if they differ by more
 */
export const matchedLength = (titleKey: string, typed: string): number | undefined => {
  if (titleKey.startsWith(typed)) return typed.length
  let at = 0
  while (titleKey[at] === typed[at]) at++
  const isSwapped =
    titleKey[at] === typed[at + 1] &&
    titleKey[at + 1] === typed[at] &&
    titleKey.startsWith(typed.slice(at + 2), at + 2)
  if (isSwapped || titleKey.startsWith(typed.slice(at + 1), at + 1)) return typed.length
  if (titleKey.startsWith(typed.slice(at), at + 1)) return typed.length + 1
  return titleKey.startsWith(typed.slice(at + 1), at) ? typed.length - 1 : undefined
}
