import { matchAt } from '../inline-html.ts'

/** A formula in TeX. */
export interface Formula {
  tex: string
  /** Whether it stands on lines of its own. */
  isDisplayed: boolean
  /** Offset after its last mark. */
  end: number
}

/** Characters of a formula. A longer one stays text. */
const TEX_CHARACTERS = 4_000

const QUOTED = /\$`([^`$]+)`\$/y
/** Up to the next dollar sign without a backslash before it, and not over an empty line. */
const DOUBLE = /\$\$((?:[^$\\\n]|\\[\s\S]|\n(?![ \t]*\n)){1,4100})\$\$/y
const SINGLE = /\$((?:[^$\\\n]|\\[\s\S]|\n(?![ \t]*\n)){1,4100})\$/y
/** Beside a formula in one line: not a letter, except of scripts without spaces. */
const NOT_BEFORE = /[\p{L}\p{N}$\\/=@#%&]/u
const NOT_AFTER = /[\p{L}\p{N}$]/u
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** Signs that prices and names of variables do not have. */
const TEX_SIGN = /\\[a-z]|[\^_={}<>+*/|]/i
/** A price and a word, or a word of several letters beside a space. */
const PROSE = /^\d[\d.,]*[kmb]?\s+\p{L}{2,}|(?:^|\s)\p{L}{2,}\s|\s\p{L}{2,}(?:$|\s)/iu

/**
 * The formula that begins with the dollar sign at a position: `$x^2$`, `` $`x^2`$ `` (GitHub, GitLab) or `$$x^2$$`. As
 * in Pandoc, `$` begins a formula only before a character that is not white space, and ends it only after one and not
 * before a digit; as in GitHub, not beside a letter either. Prices and words without any sign of TeX stay text. Takes
 * linear time for all dollar signs of a text, because each attempt ends at the next one. (D124)
 * @param before the character before it, if the text does not begin with it
 */
export const formulaAt = (text: string, at: number, before = text[at - 1]): Formula | null => {
  const isDisplayed = text[at + 1] === '$'
  const pattern = isDisplayed ? DOUBLE : text[at + 1] === '`' ? QUOTED : SINGLE
  const tex = matchAt(pattern, text, at)?.[1]
  if (tex === undefined || tex.length > TEX_CHARACTERS || tex.trim() === '') return null
  const end = pattern.lastIndex
  if (!isDisplayed && (isAmong(NOT_BEFORE, before) || isAmong(NOT_AFTER, text[end]))) return null
  if (pattern === SINGLE) {
    if (tex.trim() !== tex) return null
    if (!TEX_SIGN.test(tex) && (PROSE.test(tex) || (/^\d/.test(tex) && /[-–—]/.test(before ?? ''))))
      return null
  }
  return { tex: tex.trim(), isDisplayed, end }
}

const isAmong = (signs: RegExp, sign = ' '): boolean => signs.test(sign) && !WITHOUT_SPACES.test(sign)

const DISPLAYED = / {0,3}\$\$((?:[^$\\]|\\[\s\S]|\$(?!\$)){1,4100})\$\$[ \t]*(?:\n|$)/y

/** The displayed formula whose lines begin at a position. It may contain empty lines. */
export const displayedFormulaAt = (text: string, at: number): Formula | null => {
  const tex = matchAt(DISPLAYED, text, at)?.[1]?.trim()
  if (tex === undefined || tex === '' || tex.length > TEX_CHARACTERS) return null
  return { tex, isDisplayed: true, end: DISPLAYED.lastIndex }
}
