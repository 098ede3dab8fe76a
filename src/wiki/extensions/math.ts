import { escapeUTF8 } from 'entities'
import type { MarkedExtension, Tokens } from 'marked'
import temml from 'temml'
import { displayedFormulaAt, type Formula, formulaAt } from '../markup/formulas.ts'
import { blockStart, characterBefore, inlineStart } from './starts.ts'
import { FORMULA_CHARACTERS, textState } from './text-state.ts'

/**
 * A marked extension for formulas in TeX: `$…$`, `$$…$$`, and code blocks of the language `math`. They become MathML, which
 * browsers show without scripts. (D124)
 */
export const math: MarkedExtension = {
  extensions: [
    {
      name: 'displayedFormula',
      level: 'block',
      start: blockStart,
      tokenizer: (source) => tokenOf(source, 'displayedFormula', displayedFormulaAt(source, 0)),
      renderer: ({ tex }) => `<p>${formulaHtml(tex, true)}</p>\n`,
    },
    {
      name: 'formula',
      level: 'inline',
      start: inlineStart,
      tokenizer: (source, tokens) => {
        const before = characterBefore(source, tokens)
        return source.startsWith('$') ? tokenOf(source, 'formula', formulaAt(source, 0, before)) : undefined
      },
      renderer: ({ tex, isDisplayed }) => {
        if (textState().form !== 'html') return escapeUTF8(tex)
        return formulaHtml(tex, isDisplayed)
      },
    },
  ],
  renderer: {
    code: ({ lang, text }: Tokens.Code) =>
      lang?.toLowerCase() === 'math' && text.length <= CODE_CHARACTERS
        ? `<p>${formulaHtml(text.trim(), true)}</p>\n`
        : false,
  },
}

const CODE_CHARACTERS = 4_000

const tokenOf = (source: string, type: string, formula: Formula | null) =>
  formula
    ? { type, raw: source.slice(0, formula.end), tex: formula.tex, isDisplayed: formula.isDisplayed }
    : undefined

/** A color as an attribute, because styles are removed. */
const COLOR = /style="color:(#[0-9a-f]{3,8});?"/gi

/** A formula as MathML with its source; one that cannot be read, as its source. */
const formulaHtml = (tex: string, isDisplayed: boolean): string => {
  const state = textState()
  state.texLeft -= tex.length + FORMULA_CHARACTERS
  if (state.texLeft >= 0) {
    try {
      return temml
        .renderToString(tex, { displayMode: isDisplayed, annotate: true, ...OPTIONS })
        .replace(COLOR, 'mathcolor="$1"')
    } catch {
      // Not TeX, not all of it is supported, or it is nested too deep.
    }
  }
  return `<code>${escapeUTF8(tex)}</code>`
}

/** No links, files and styles; bounds of what macros become and of sizes (em, pt). */
const OPTIONS = { trust: false, throwOnError: true, maxExpand: 1_000, maxSize: [50, 500] as [number, number] }
