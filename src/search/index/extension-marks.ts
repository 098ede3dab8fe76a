import { ALERT, CLASSES, DEFINITION_MARK, FOOTNOTE, TABLE_OF_CONTENTS } from '../../wiki/markup/lines.ts'

/** Lines of a formula that is read as a whole. */
export const FORMULA_LINES = 100

interface ExtensionMark {
  /** The line without the mark. */
  rest: string
  /** Whether the line begins a block. */
  begins: boolean
  /** Whether a formula begins that ends in a later line. */
  isFormula: boolean
}

/**
 * The mark of an extension of Markdown at the beginning of a line, which is not part of the text. (D124)
 * @param isFirst whether the line begins a paragraph
 */
export const markOf = (line: string, isFirst: boolean, isQuoted: boolean): ExtensionMark | null => {
  const first = line[0]
  if (first === '[') {
    if (line[1] === '^') return without(FOOTNOTE, line, true)
    if (isFirst && TABLE_OF_CONTENTS.test(line)) return { rest: '', begins: false, isFormula: false }
    return isFirst && isQuoted ? without(ALERT, line, false) : null
  }
  if (first === ':') return without(DEFINITION_MARK, line, true)
  if (first === '{') return isFirst ? null : without(CLASSES, line, false)
  if (first !== '$') return null
  if (isFirst && TABLE_OF_CONTENTS.test(line)) return { rest: '', begins: false, isFormula: false }
  const isFormula = line[1] === '$' && !line.includes('$$', 2)
  return isFormula ? { rest: line, begins: true, isFormula } : null
}

const without = (mark: RegExp, line: string, begins: boolean): ExtensionMark | null => {
  const rest = line.replace(mark, '')
  return rest === line ? null : { rest, begins, isFormula: false }
}
