import { escapeUTF8 } from 'entities'
import { LRUCache } from 'lru-cache'
import type { MarkedExtension, Tokens } from 'marked'
import temml from 'temml'
import { displayedFormulaAt, type Formula, formulaAt } from '../markup.ts'
import { replaceAt } from '../text.ts'
import { blockStart, characterBefore, inlineStart } from './blocks.ts'
import { codeHtml } from './code-blocks.ts'
import { FORMULA_CHARACTERS, textState } from './text-state.ts'

/**
 * The MathML of formulas, with their sources as annotations; null if one is not TeX, not supported, or nested too deep. Most
 * formulas of a page are short, and stand in it several times. The keys begin with `d` if they are displayed, otherwise `i`.
 */
const known = new LRUCache<string, { mathml: string | null }>({
  maxSize: 4 * 1024 * 1024, // UTF-16 code units
  sizeCalculation: ({ mathml }, key) => 100 + key.length + (mathml?.length ?? 0),
  memoMethod: (key) => ({ mathml: render(key.slice(1), key.startsWith('d')) }),
})

const render = (tex: string, isDisplayed: boolean): string | null => {
  try {
    return temml
      .renderToString(tex, { displayMode: isDisplayed, annotate: true, ...OPTIONS })
      .replace(COLOR, 'mathcolor="$1"')
      .replaceAll('<mtext>·</mtext>', '<mo>·</mo>')
  } catch {
    return null
  }
}

/** No links, files and styles; bounds of what macros become and of sizes (em, pt). */
const OPTIONS = { trust: false, throwOnError: true, maxExpand: 1_000, maxSize: [50, 500] as [number, number] }

const COLOR = /style="color:(#[0-9a-f]{3,8});?"/gi

/** `$…$`, `$$…$$` and code blocks of the language `math` become MathML, which browsers show without scripts. (D124) */
export const math: MarkedExtension = {
  hooks: { emStrongMask: withoutFormulas },
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
      renderer: ({ tex, isDisplayed }) =>
        textState().form === 'html' ? formulaHtml(tex, isDisplayed) : escapeUTF8(tex),
    },
  ],
  renderer: {
    code: ({ lang = '', text }: Tokens.Code) =>
      lang.toLowerCase() === 'math' && text.length <= CODE_CHARACTERS
        ? `<p>${formulaHtml(text.trim(), true)}</p>\n`
        : codeHtml(text, lang),
  },
}

/** The text with letters instead of its formulas, whose asterisks and underscores begin no emphasis. */
function withoutFormulas(source: string): string {
  return replaceAt(source, /\$/g, (at) => {
    const end = formulaAt(source, at)?.end
    return end === undefined ? null : { text: 'x'.repeat(end - at), end }
  })
}

const CODE_CHARACTERS = 4_000

const tokenOf = (source: string, type: string, formula: Formula | null) =>
  formula ? { type, raw: source.slice(0, formula.end), ...formula } : undefined

/** A formula as MathML with its source; one that cannot be read, as its source. */
const formulaHtml = (tex: string, isDisplayed: boolean): string => {
  const state = textState()
  state.texLeft -= tex.length + FORMULA_CHARACTERS
  const mathml = state.texLeft < 0 ? null : known.memo(`${isDisplayed ? 'd' : 'i'}${tex}`).mathml
  return mathml ?? `<code>${escapeUTF8(tex)}</code>`
}
