import { isFenceEnd } from '../markup.ts'

/** A line of a text, and its number in the text as written, from 0. Lines that a dialect adds have that of their cause. */
export type Line = { text: string; number: number }

/** The columns of white space before a text. A tab has four. */
export const indentOf = (text: string): number => /^[ \t]*/.exec(text)![0].replaceAll('\t', '    ').length

export const isBlankLine = (text: string): boolean => text.trim() === ''

/** Removes white space of at most so many columns. */
export const dedent = (text: string, columns: number): string => {
  let at = 0
  for (let left = columns; left > 0 && (text[at] === ' ' || text[at] === '\t'); at++)
    left -= text[at] === '\t' ? 4 : 1
  return text.slice(at)
}

/** The columns of white space that all texts but blank ones have before them. */
const commonIndent = (texts: readonly string[]): number =>
  texts.reduce((least, text) => (isBlankLine(text) ? least : Math.min(least, indentOf(text))), Infinity)

export const dedentAll = (texts: readonly string[]): string[] => {
  const columns = commonIndent(texts)
  return texts.map((text) => dedent(text, columns))
}

/** The content of a container, without blank lines at its ends. @param columns that are removed. Default: those that all lines have */
export const bodyOf = (
  lines: readonly Line[],
  columns: number = commonIndent(lines.map(({ text }) => text)),
): Line[] => trimBlank(lines.map(({ text, number }) => ({ text: dedent(text, columns), number })))

export const trimBlank = (lines: readonly Line[]): Line[] => {
  const isText = ({ text }: Line) => !isBlankLine(text)
  const start = lines.findIndex(isText)
  return start < 0 ? [] : lines.slice(start, lines.findLastIndex(isText) + 1)
}

/** The beginning of a fenced code block, after white space and marks of quotations: these, the fence, and what follows. */
const FENCE = /^([ \t]*(?:>[ \t]?)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}(?=[^`]*$)|~{3,})([^\n]*)$/

export type Fence = { before: string; fence: string; info: string }

export const fenceAt = (text: string): Fence | null => {
  const [, before = '', fence, info = ''] = FENCE.exec(text) ?? []
  return fence === undefined ? null : { before, fence, info: info.trim() }
}

/** Lines that an info string marks: `{1,3-5}`, `ins={2}`, `del={3}`, `hl_lines="1 3-5"`, `hl_lines=[1,"3-5"]`. */
export const MARKED_LINES =
  /(?:^[^\s{}=]*|[\s{])((?:ins|del)=)?\{([\d\s,-]{1,2000})\}|hl_lines=["'[]([\d\s,"'-]{1,2000})/g

/** The title of a code block: `[npm]`, `title="a.py"`. */
export const CODE_TITLE =
  /(?:^|[\s{])(?:title|filename|file|name|displayName)=(?:"([^"]*)"|'([^']*)'|([^\s}]+))|(?<!,)[ \t]\[(?!\[\d)((?:[^[\]]|\[[^[\]]*\])+)\]/

/** The language of a code block, and its title: `js{1,3} [npm]`, `py title="a.py"`, `{ .py .annotate }`, `rust,ignore`, `sh-vue`. */
export const readInfo = (info: string): { language: string; title: string } => {
  const inBraces = /^\{[ \t]*\.?([\w+#-]+)/.exec(info)?.[1]
  const language = inBraces ?? /^(?:(?!\w+=)[^\s{},:[\]"=]+)?/.exec(info)![0]
  const title = CODE_TITLE.exec(info)?.slice(1).find(Boolean) ?? ''
  return { language: language.replace(/-vue$/, ''), title: title.trim() }
}

/** The index of the line that ends the fenced code that a line begins; the number of lines if none does. */
export const fenceEnd = (lines: readonly Line[], start: number, fence: Fence): number => {
  for (let at = start + 1; at < lines.length; at++) if (endsFence(lines[at]!.text, fence)) return at
  return lines.length
}

/** With four more columns before it than the fence, a line is code. */
const endsFence = (line: string, { before, fence }: Fence): boolean => {
  const text = line.replace(/^[ \t]*(?:>[ \t]*)*/, '')
  return isFenceEnd(text.trimEnd(), fence) && line.length - text.length < before.length + 4
}

/** What begins a block, even in a paragraph, and lines after which a block begins. */
const BLOCK = /^[ \t]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|[<>|]|:::|`{3}|~{3})/
const BEFORE_BLOCK = /^[ \t]*(?:$|#{1,6}[ \t]|`{3}|~{3}|[<{].*[>}][ \t]*$)/
export const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)/
const STATEMENT = /^[ \t]+(?:im|ex)port\b/

/** The first line of a template literal, whose lines stay as they are. */
const TEMPLATE = /(?:^[ \t]*|>)\{`[^`]*$/

const MDX_FENCE = 'mdx-code-block' // of Docusaurus, around what is no code

/** Lines of MDX without the indentation of their blocks, which means something only in lists: it has no indented code. */
export const withoutIndentation = (lines: readonly Line[]): Line[] => {
  const items: { column: number; shown: number }[] = []
  let fence: Fence | null = null
  let mdxFence: Fence | null = null
  let isBefore = true
  let isInTemplate = false
  let shift = 0
  return lines.map(({ text, number }) => {
    const opening = fence === null ? fenceAt(text) : null
    const isMdx = opening?.info === MDX_FENCE
    if (isMdx || (opening && mdxFence && endsFence(text, mdxFence))) {
      mdxFence = isMdx ? opening : null
      isBefore = true
      return { text: '', number }
    }
    if (fence !== null) fence = endsFence(text, fence) ? null : fence
    else if (isInTemplate) isInTemplate = !text.includes('`}')
    else if (!isBlankLine(text) && (isBefore || BLOCK.test(text))) {
      const column = indentOf(text)
      while (items.length > 0 && items.at(-1)!.column > column) items.pop()
      const { shown } = items.at(-1) ?? { shown: 0 }
      // It would be a statement of JavaScript at the beginning of a line.
      shift = column - shown - (STATEMENT.test(text) ? 1 : 0)
      const mark = ITEM.exec(text)?.[0].replaceAll('\t', '    ').length
      if (mark !== undefined) items.push({ column: mark, shown: mark - shift })
      fence = opening
    }
    isBefore = BEFORE_BLOCK.test(text)
    isInTemplate ||= fence === null && TEMPLATE.test(text)
    return { text: dedent(text, shift), number }
  })
}

export type LineOfText = { line: string; start: number; isCode: boolean; isFence: boolean }

/** The lines of a text with their offsets, whether they belong to fenced code, and whether they begin it. */
export function* linesWithCode(text: string): Generator<LineOfText> {
  let fence: Fence | null = null
  let mdxFence: Fence | null = null
  // One line after the other: who looks for a heading does not read the rest.
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf('\n', start)
    const line = text.slice(start, newline < 0 ? text.length : newline)
    const open: Fence | null = fence
    if (open !== null) fence = endsFence(line, open) ? null : open
    else if (mdxFence !== null && endsFence(line, mdxFence)) mdxFence = null
    else if (line.includes('```') || line.includes('~~~')) fence = fenceAt(line)
    if (fence?.info === MDX_FENCE) [mdxFence, fence] = [fence, null]
    yield { line, start, isCode: open !== null || fence !== null, isFence: open === null && fence !== null }
    start += line.length + 1
  }
}

const BLOCK_ID = /(?:^|[ \t])\^([\w-]{1,100})[ \t]*$/

/** The ids of blocks of Obsidian: after a text, or alone below a block. `first`, `at`: indexes of the first line of the block, and of that with the id. */
export function* blockIdsIn(lines: readonly LineOfText[]) {
  let first = 0
  for (const [at, { line, isCode }] of lines.entries()) {
    const before = lines[at - 1] ?? { line: '', isCode: false }
    const found = !isCode && line.includes('^') ? BLOCK_ID.exec(line) : null
    const isAlone = found !== null && isBlankLine(line.slice(0, found.index))
    const isAfter = isCode ? !before.isCode : before.isCode || isBlankLine(before.line)
    const isInList = ITEM.test(lines[first]!.line) && (/^[ \t]/.test(line) || ITEM.test(line))
    if (isAfter && !isAlone && !isInList && !isBlankLine(line)) first = at
    const block = isAlone || !ITEM.test(line) ? first : at
    if (found) yield { id: found[1]!, isAlone, index: found.index, at, first: block }
  }
}

/** Lines with the targets of links to blocks of Obsidian: after their texts, or before blocks whose ids are on lines of their own. */
export const withBlockAnchors = (lines: readonly Line[]): Line[] => {
  const written = lines.map((line) => [line])
  const text = lines.map((line) => line.text).join('\n')
  for (const { id, isAlone, index, at, first } of blockIdsIn([...linesWithCode(text)])) {
    const [{ text, number }, block] = [lines[at]!, lines[first]!]
    const anchor = `<a name="${id.toLowerCase()}"></a>`
    written[at]!.splice(-1, 1, { text: text.slice(0, index) + (isAlone ? '' : anchor), number })
    if (isAlone) written[first]!.unshift({ ...block, text: anchor }, { ...block, text: '' })
  }
  return written.flat()
}

export const outsideCode = (text: string, change: (part: string) => string): string =>
  text
    .split(/(`+[^`]*`+)/)
    .map((part, i) => (i % 2 === 0 ? change(part) : part))
    .join('')

/** Lines, or 1,000 characters of one, that may still be read ahead, so that unclosed containers take linear time; and what is known of a text: whether it has no indentation, its constants, if it can be MDX, and the labels of a group of tabs, by value. */
export interface ReadAhead {
  lines: number
  isFlat?: boolean
  constants?: ReadonlyMap<string, string>
  tabs?: ReadonlyMap<string | undefined, string | undefined>
  /** Whether a text is above, and whether what components show is lost, and the page tells it. */
  hasText?: boolean
  lost?: 'told' | 'untold'
}

/** The last line of the fenced code that begins at a line; the line itself if none does. */
export const skipFence = (lines: readonly Line[], at: number, text: string, ahead: ReadAhead): number => {
  const fence = text.includes('```') || text.includes('~~~') ? fenceAt(text) : null
  if (fence === null) return at
  const end = fenceEnd(lines, at, fence)
  ahead.lines -= end - at
  return end
}

/** The lines after a line that have at least so many columns before them, and blank lines between them. */
export const indentedLines = (lines: readonly Line[], at: number, columns: number, ahead: ReadAhead) => {
  let end = at + 1
  for (let next = end; next < lines.length && ahead.lines-- > 0; next++) {
    if (isBlankLine(lines[next]!.text)) continue
    if (indentOf(lines[next]!.text) < columns) break
    end = next + 1
  }
  return lines.slice(at + 1, end)
}

export type EnclosedBlock = NonNullable<ReturnType<typeof enclosedBlock>>

/**
 * The block after a mark, up to its end. Blocks of the same kind in it end first, and fenced code has no marks.
 * @returns `body`: from the rest of the line with the first mark to what is before the last one
 * @param start offset after the mark in its line
 * @param marks the marks that begin and end such a block; those that end it have a first group
 */
export const enclosedBlock = (
  lines: readonly Line[],
  at: number,
  start: number,
  marks: RegExp,
  ahead: ReadAhead,
) => {
  const first = { ...lines[at]!, text: lines[at]!.text.slice(start) }
  ahead.lines -= first.text.length / 1_000
  let open = 1
  for (let next = at; next < lines.length && ahead.lines > 0; next++, ahead.lines--) {
    const { text, number } = next === at ? first : lines[next]!
    const skipped = skipFence(lines, next, text, ahead)
    const outside = text.replace(/`+[^`]*`+/g, (code) => ' '.repeat(code.length))
    if (skipped > next) next = skipped
    else
      for (const { 0: mark, 1: end, index } of outside.matchAll(marks)) {
        open += end === undefined ? 1 : -1
        if (open > 0) continue
        const last = { text: text.slice(0, index), number }
        const body = next === at ? [last] : [first, ...lines.slice(at + 1, next), last]
        return { body, rest: { text: text.slice(index + mark.length), number }, line: next }
      }
  }
  return null
}
