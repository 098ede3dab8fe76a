import { isAlertType } from '../markup.ts'
import { addToList } from '../text.ts'
import { capitalized } from './attributes.ts'
import { containerLines, titledLines } from './blocks.ts'
import {
  bodyOf,
  CODE_TITLE,
  dedent,
  type EnclosedBlock,
  enclosedBlock,
  fenceAt,
  fenceEnd,
  indentedLines,
  indentOf,
  isBlankLine,
  type Line,
  type ReadAhead,
  readInfo,
  trimBlank,
} from './lines.ts'

/** A block of several lines that a dialect adds: what is in it, and what it becomes. */
export interface Container {
  end: number
  body: Line[]
  write(body: Line[]): Line[]
  rest?: Line
}

/** A block between two marks, whose indentation counts nothing. */
export const markedContainer = (
  { body, rest, line }: EnclosedBlock,
  write: Container['write'],
): Container => ({ end: line + 1, body: bodyOf(body), write, rest })

const COLONS =
  /^([ \t]*)(:{3,})[ \t]*(?:\{([^{}]*)\}[ \t]*([^\n]*)|([a-z][\w-]*)(?:\[([^\]]*)\])?[ \t]*(.*))$/i

/** `:::tip Title` … `:::`, of VitePress, VuePress, Docusaurus, Starlight, Pandoc, Quarto and MyST (`:::{tip}`). It ends with the text at the latest. */
export const colonContainer = (lines: readonly Line[], at: number, ahead: ReadAhead): Container | null => {
  const start = lines[at]!
  const match = COLONS.exec(start.text)
  if (match === null) return null
  const [, indent = '', colons = '', classes, argument = '', name = '', label, written = argument] = match
  const [, rest = written, given = ''] = /^([^{]*)\{(.*)\}[ \t]*$/.exec(written) ?? []
  const attributes = classes ?? given
  const type = (name || (/(?:\.(?:callout-)?|^)([a-z][\w-]*)/i.exec(attributes)?.[1] ?? '')).toLowerCase()
  const named = label ?? (/title="([^"]*)"/.exec(attributes)?.[1] || rest)
  const title = named.replace(/^key:\S*$|[ \t]*:+[ \t]*$/, '')
  const count = colons.length
  const marks = new RegExp(`^[ \\t]*(?:(:{${count},}[ \\t]*$)|:{${count},}[ \\t]*[{a-z])`, 'gi')
  const close = enclosedBlock(lines, at, start.text.length, marks, ahead)?.line ?? lines.length
  const body = bodyOf(lines.slice(at + 1, close), indentOf(indent))
  if (body.length === 0 && close === lines.length) return null
  const isOpen = /(?:^|[\s.])open(?:$|[\s.])/.test(attributes)
  const isUntitled = /(?:^|\s)no-title(?:$|\s)/.test(attributes)
  return {
    end: Math.min(close + 1, lines.length),
    body: withTabs(body, type, `${colons}:`),
    write: (content) => containerLines({ start, indent }, { type, title, isOpen, isUntitled }, content),
  }
}

const TAB_TITLE = /^[ \t]*(?:={2,4}|@tab(?::active)?)[ \t]+(?![ \t])([^\n#]*[^\s#])[ \t]*(?:#\S*)?$/

/** Writes tabs as containers, in a group of tabs (`== Title`, `@tab Title`) or of code with titles. @param colons that mark them */
const withTabs = (body: Line[], type: string, colons: string): Line[] => {
  const isCode = type === 'code-group'
  if (!isCode && type !== 'tabs' && type !== 'code-tabs') return body
  const written: Line[] = []
  let isOpen = false
  let codeEnd = -1
  let depth = 0 // of containers in this one, whose tabs are not its own
  for (const [at, line] of body.entries()) {
    const isText = at > codeEnd
    const change = COLONS.test(line.text) ? 1 : /^[ \t]*:{3,}[ \t]*$/.test(line.text) ? -1 : 0
    if (isText) depth = Math.max(0, depth + change)
    const fence = isText ? fenceAt(line.text) : null
    const title = fence ? readInfo(fence.info).title : TAB_TITLE.exec(line.text)?.[1]
    const begins = isText && depth === 0 && Boolean(title) && isCode === (fence !== null)
    if (begins && isOpen) written.push({ ...line, text: colons })
    if (begins) written.push({ ...line, text: `${colons} tab ${title}` })
    if (!begins) written.push(line)
    else if (fence)
      written.push({ ...line, text: fence.before + fence.fence + fence.info.replace(CODE_TITLE, '') })
    if (fence) codeEnd = fenceEnd(body, at, fence)
    isOpen ||= begins
  }
  return written
}

const ADMONITION =
  /^([ \t]*)(!!!|\?\?\?\+?)(?:[ \t]{0,9}-)?(?=[ \t]*[a-z"])[ \t]{0,9}([a-z][\w-]*)?((?:[ \t]+[a-z][\w-]*)*)(?:[ \t]+"(.*)")?[ \t]*$/i
const TAB = /^([ \t]*)===[!+]*[ \t]+"(.*)"[ \t]*$/

/** An object of mkdocstrings, and its options. Only its generator can read the code, so it becomes its name. */
const OBJECT = /^([ \t]*):::[ \t]+([\w.:/-]{1,300})[ \t]*$/

/** `!!! note "Title"`, `??? note`, `=== "Tab"` and `::: package.Class` with indented lines, of Python-Markdown and MkDocs. */
export const indentedContainer = (lines: readonly Line[], at: number, ahead: ReadAhead): Container | null => {
  const start = lines[at]!
  const tab = TAB.exec(start.text)
  const object = OBJECT.exec(start.text)
  const match = tab ?? object ?? ADMONITION.exec(start.text)
  if (match === null) return null
  const indent = match[1]!
  const inner = indentOf(indent) + 4
  const inside = indentedLines(lines, at, inner, ahead)
  const body = bodyOf(inside, inner)
  const end = at + 1 + inside.length
  if (object) return { end, body: [], write: () => titledLines({ start, indent }, `\`${object[2]}\``, []) }
  const [, , mark = '', type = 'note', , title = isAlertType(type) ? '' : capitalized(type)] = match
  const shown = tab
    ? { type: 'tab', title: mark }
    : mark === '!!!'
      ? { type: /^(?:details|spoiler)$/i.test(type) ? 'note' : type, title, isUntitled: match[5] === '' }
      : isAlertType(type)
        ? { type, title, fold: mark[3] ?? '-' }
        : { type: 'details', title: title || capitalized(type), isOpen: mark.endsWith('+') }
  return { end, body, write: (content) => containerLines({ start, indent }, shown, content) }
}

const FORMULA = /^([ \t]*)(\$\$|\\\[(?!\w[\w ]+\\\]))/

/** `$$` … `$$`, or `\[` … `\]` of arithmatex, whose lines stay as they are. */
export const formulaBlock = (lines: readonly Line[], at: number, ahead: ReadAhead): Container | null => {
  const start = lines[at]!
  const [opening, indent, mark] = FORMULA.exec(start.text) ?? []
  if (opening === undefined) return null
  const block = enclosedBlock(lines, at, opening.length, mark === '$$' ? /(\$\$)/g : /(\\\])/g, ahead)
  if (block === null || !isBlankLine(block.rest.text)) return null
  const written = [{ ...start, text: `${indent}$$` }, ...trimBlank(block.body)]
  written.push({ ...block.rest, text: `${indent}$$` })
  return { end: block.line + 1, body: [], write: () => written }
}

const GRID_RULE = /^([ \t]*)\+(?::?[-=]+:?\+)+[ \t]*$/

/** A grid table of Pandoc, whose cells can have blocks: a table in HTML, with blank lines between its tags. */
export const gridTable = (lines: readonly Line[], at: number, ahead: ReadAhead): Container | null => {
  const start = lines[at]!
  const [rule, indent = ''] = GRID_RULE.exec(start.text) ?? []
  if (rule === undefined) return null
  const borders = [...rule].flatMap((sign, i) => (sign === '+' ? i : []))
  const body: Line[] = [{ ...start, text: '<table>' }]
  const row = new Map<number, Line[]>()
  let end = at + 1
  for (; /^[ \t]*[|+]/.test(lines[end]?.text ?? '') && ahead.lines-- > 0; end++) {
    const { text, number } = lines[end]!
    if (!GRID_RULE.test(text)) {
      const parts = text.trim().split('|').slice(1, -1)
      // An import can have made a cell wider.
      const isSplit = parts.length === borders.length - 1
      if (!isSplit && borders.some((border) => text[border] !== '|')) return null
      const cells = isSplit ? parts : borders.slice(1).map((to, i) => text.slice(borders[i]! + 1, to))
      for (const [i, cell] of cells.entries()) addToList(row, i, { text: cell.trimEnd(), number })
      continue
    }
    const tag = body.length === 1 && text.includes('=') ? 'th' : 'td'
    const put = (...texts: string[]) => body.push(...texts.map((one) => ({ text: one, number })))
    for (const [i, cell] of row) {
      put(`${i === 0 ? '<tr>' : ''}<${tag}>`, '')
      for (const line of bodyOf(cell)) body.push(line)
      put('', `</${tag}>${i === row.size - 1 ? '</tr>' : ''}`)
    }
    row.clear()
  }
  if (row.size > 0 || body.length === 1) return null
  body.push({ ...lines[end - 1]!, text: '</table>' })
  return { end, body, write: (content) => titledLines({ start, indent }, '', content) }
}

const SLASHES = /^([ \t]*)(\/{3,})[ \t]*([a-z][\w-]*)(?:[ \t]*\|[ \t]*(.*))?$/i
const OPTION = /^(?: {4}|\t)[\w-]+:/

/** `/// note | Title` … `///`, of pymdownx. */
export const slashContainer = (lines: readonly Line[], at: number, ahead: ReadAhead): Container | null => {
  const start = lines[at]!
  const [, indent = '', slashes, type = '', title = ''] = SLASHES.exec(start.text) ?? []
  if (slashes === undefined) return null
  const marks = new RegExp(`^[ \\t]*${slashes}(?:([ \\t]*$)|[ \\t]*[a-z])`, 'gi')
  const close = enclosedBlock(lines, at, start.text.length, marks, ahead)?.line
  if (close === undefined) return null
  let from = at + 1
  while (from < close && OPTION.test(dedent(lines[from]!.text, indentOf(indent)))) from++
  const kind = type === 'html' ? 'section' : type
  return {
    end: close + 1,
    body: bodyOf(lines.slice(from, close), indentOf(indent)),
    write: (content) => containerLines({ start, indent }, { type: kind, title }, content),
  }
}
