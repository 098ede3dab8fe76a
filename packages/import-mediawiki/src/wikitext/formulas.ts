import { codeBlock, codeSpan, escapeText } from '@lectern/wiki/import/markdown'
import { displayedFormulaAt, formulaAt } from '@lectern/wiki/markup'

/** Characters that no text of a dump contains. They mark formulas, and dollar signs before digits, until `withFormulas`. */
const TEX = '\u0003'
const PRICE = '\u0004'
const MARKED = /\$\u0003([^\u0003]*)\u0003\$|\$\u0004/g

/**
 * Escapes text within a line, also dollar signs, which begin no formula in wikitext. One before a digit is escaped only if
 * the whole text has formulas, because prices are common.
 */
export const escapeWithDollars = (text: string): string =>
  escapeText(text).replace(/\$(?=(\d)?)/g, (_, digit) => (digit === undefined ? '\\$' : `$${PRICE}`))

/** A formula as Markdown: within a line, and as a block if it is displayed. */
interface FormulaMarkdown {
  inline: string
  block?: string
}

/** The formula within a line, to be written by `withFormulas`. */
export const inlineFormula = (tex: string): FormulaMarkdown => ({
  inline: `$${TEX}${toOneLine(tex)}${TEX}$`,
})

/** The formula on lines of its own. Undefined if Markdown cannot contain it. */
export const displayedFormula = (tex: string): FormulaMarkdown | undefined => {
  const inline = `$$${toOneLine(tex)}$$`
  const block = `$$\n${tex}\n$$`
  const isRead =
    formulaAt(inline, 0)?.end === inline.length && displayedFormulaAt(block, 0)?.end === block.length
  return isRead ? { inline, block } : undefined
}

/** The formula as code. */
export const formulaCode = (tex: string): FormulaMarkdown => ({
  inline: codeSpan(tex),
  block: codeBlock(tex, 'latex'),
})

const toOneLine = (tex: string): string => tex.replace(/\s+/g, ' ')

/**
 * TeX without comments and empty lines, and with the usual names of commands. Of `\|`, a table of Markdown would change the
 * bar.
 */
export const cleanTex = (source: string): string =>
  source
    .replace(/\\(?:[a-z]+|[\s\S])|%[^\n]*/gi, (found) =>
      found[0] === '%' ? '' : (COMMANDS.get(found) ?? found),
    )
    .replace(/\n\s*\n/g, '\n')
    .trim()

/** Commands of MediaWiki alone. */
const COMMANDS: ReadonlyMap<string, string> = new Map([
  ['\\|', '\\Vert '],
  ['\\and', '\\land'],
  ['\\or', '\\lor'],
  ['\\ang', '\\angle'],
  ['\\part', '\\partial'],
  ['\\hAar', '\\Leftrightarrow'],
  ['\\C', '\\mathbb{C}'],
  ['\\Q', '\\mathbb{Q}'],
  ...['arccot', 'arccsc', 'arcsec'].map((name): [string, string] => [`\\${name}`, `\\operatorname{${name}}`]),
])

/** Environments that TeX only knows on lines of their own. */
const DISPLAYED = /\\begin\{(?:align|alignat|gather|equation|multline|split|CD)\*?\}/

export const isDisplayedTex = (tex: string): boolean => DISPLAYED.test(tex)

/**
 * Writes the formulas of a converted text. What stands beside a formula can keep Markdown from reading it: then a comment,
 * which nobody sees, separates them. A formula that Markdown cannot contain becomes code.
 * @param onCode called for each of these
 */
export const withFormulas = (markdown: string, onCode: () => void): string => {
  const hasFormulas = markdown.includes(TEX) || markdown.includes('$$')
  return markdown.replace(MARKED, (marked, tex: string | undefined, at: number) => {
    if (tex === undefined) return hasFormulas ? '\\$' : '$'
    const formula = [`$${tex}$`, `$\`${tex}\`$`].find((one) => formulaAt(one, 0)?.end === one.length)
    if (formula === undefined) {
      onCode()
      return codeSpan(tex)
    }
    const after = markdown[at + marked.length] ?? ''
    const isReadAfter = formulaAt(formula, 0, markdown[at - 1]) !== null
    // A formula that follows directly brings its own comment.
    const isReadBefore = after === '$' || formulaAt(formula + after, 0) !== null
    return `${isReadAfter ? '' : SEPARATOR}${formula}${isReadBefore ? '' : SEPARATOR}`
  })
}

const SEPARATOR = '<!-- -->'
