import { escapeUTF8 } from 'entities'
import {
  SET_HTML,
  withFrameLinks,
  withHighlights,
  withImageSizes,
  withLiterals,
  withoutAttributes,
  withoutInlineMarks,
  withQuotedFormulas,
  withVaultFormulas,
} from './attributes.ts'
import { afterComment, afterStatement, componentAt, constantsIn, withoutComponents } from './components.ts'
import { colonContainer, formulaBlock, gridTable, indentedContainer, slashContainer } from './containers.ts'
import { type Construct, type Dialect, dialectOf } from './dialect.ts'
import { GENERATED_PART, isKnownDirective, LOST_PART } from './directives.ts'
import {
  type Fence,
  fenceAt,
  fenceEnd,
  ITEM,
  indentedLines,
  indentOf,
  isBlankLine,
  type Line,
  outsideCode,
  type ReadAhead,
  readInfo,
  trimBlank,
  withBlockAnchors,
  withoutIndentation,
} from './lines.ts'
import {
  joinTemplates,
  liquidBlockAt,
  shortcodeAt,
  withoutLiquid,
  withoutShortcodes,
  withoutWikilinks,
} from './templates.ts'

/**
 * Writes a text in a dialect as the Markdown that every text may have: containers become alerts, details or titles in bold,
 * components what they show, attributes nothing. Headings keep the ids that their authors chose as `{#id}` at their ends.
 * What no dialect knows stays as it is. HTML, plain text, outline, links and index are made from it. Takes linear time.
 * @returns `lines`: for each line, the number of the line of the original from which it comes, from 0. Plain Markdown, which has no
 * dialect, stays as it is, and needs none
 */
export const normalizeDialect = (markdown: string, dialect: Dialect | undefined) => {
  if (!dialect) return { markdown, lines: undefined }
  const { constructs } = dialect
  let lines = markdown.split(/\r\n|\r|\n/).map((text, number): Line => ({ text, number }))
  if (constructs.has('shortcodes') || constructs.has('liquid'))
    lines = joinTemplates(lines, constructs.has('marks') ? 'marks' : undefined)
  if (constructs.has('mdx')) lines = joinTemplates(lines, 'mdx')
  if (constructs.has('obsidian')) lines = withBlockAnchors(lines)
  if (constructs.has('unindented')) lines = withoutIndentation(lines)
  const constants = constructs.has('mdx') ? constantsIn(markdown) : undefined
  const written = new Normalizer(constructs, lines, constants).write(lines, 0)
  return { markdown: written.map(({ text }) => text).join('\n'), lines: written.map(({ number }) => number) }
}

/** Containers in containers; deeper ones stay as they are written. */
const DEPTH_MAX = 16
const AHEAD_PER_LINE = 40

class Normalizer {
  readonly #has: (construct: Construct) => boolean
  readonly #ahead: ReadAhead
  /** The texts of footnotes in lines, which follow at the next heading, or at the end. */
  #notes: Line[] = []
  #noteCount = 0
  /** Labels of links that a text of MkDocs defines. */
  readonly #labels: ReadonlySet<string>
  /** Whether the lines are in a container whose braces are text. */
  #isVerbatim = false
  readonly #isLeft = linesLeftByVue()

  constructor(constructs: Dialect['constructs'], lines: readonly Line[], constants: ReadAhead['constants']) {
    this.#has = (construct) => constructs.has(construct)
    const isFlat = constructs.has('unindented')
    this.#ahead = { lines: AHEAD_PER_LINE * (lines.length + 10), isFlat, constants }
    const labels = lines.flatMap(({ text }) => DEFINITION.exec(text)?.[1]?.toLowerCase() ?? [])
    this.#labels = new Set(constructs.has('marks') ? labels : [])
  }

  write(lines: Line[], depth: number): Line[] {
    const written: Line[] = []
    let isInTable = false
    for (let at = 0; at < lines.length; ) {
      const fence = fenceAt(lines[at]!.text)
      if (fence && !(this.#has('directives') && this.#asContainer(lines, at, fence))) {
        at = this.#writeFence(lines, at, fence, written)
        continue
      }
      const after = this.#afterHidden(lines, at, depth)
      if (after > at) {
        at = after
        continue
      }
      const { text: line, number } = lines[at]!
      const mark = BLOCK_IN_ITEM.exec(line)?.[0] ?? ''
      const [block, start] = mark === '' ? [lines, at] : [this.#itemAt(lines, at, mark), 0]
      const container = depth < DEPTH_MAX ? this.#containerAt(block, start) : null
      if (container) {
        if (mark !== '') written.push({ text: `${mark}<!-- -->`, number }, { text: '', number })
        const isVerbatim = this.#isVerbatim
        this.#isVerbatim ||= /^[ \t]*:::+[ \t]*v-pre\b/.test(line)
        for (const shown of container.write(this.write(container.body, depth + 1))) written.push(shown)
        this.#isVerbatim = isVerbatim
        at += container.end - start
        if (!isBlankLine(container.rest?.text ?? '')) lines[--at] = container.rest!
        continue
      }
      const [, kind, isTitled] = (this.#has('liquid') && CALLOUT.exec(line)) || []
      const next = isBlankLine(lines[at - 1]?.text ?? '') ? (lines[at + 1]?.text ?? '') : ''
      if (kind && !isBlankLine(next)) {
        const title = isTitled ? next.replace(/^[ \t]*>/, '') : ''
        lines[isTitled ? ++at : at] = { text: `> [!${kind}]${title}`, number }
        continue
      }
      const isContents = this.#has('liquid') && KRAMDOWN_CONTENTS.test(line)
      if (isContents && ITEM.test(written.at(-1)?.text ?? '')) written.pop()
      if (depth === 0 && HEADING.test(line)) this.#writeNotes(written)
      const label = LINK_END.test(line) ? LABEL.exec(lines[at + 1]?.text ?? '') : null
      if (label && this.#labels.has(label[2]!.toLowerCase())) {
        lines[++at] = { text: `${line} ${label[1]}`, number }
        continue
      }
      if (!this.#has('marks') || !line.includes('|')) isInTable = false
      else isInTable ||= TABLE_MARKS.test(lines[at + 1]?.text ?? '')
      const row = isInTable ? line.replace(CODE_IN_ROW, withEscapedPipes) : line
      const text = isContents ? '\n[[toc]]\n' : this.#inline({ ...lines[at]!, text: row })
      this.#ahead.hasText ||= Boolean(text?.trim()) && !HEADING.test(line)
      for (const part of text?.split('\n') ?? []) written.push({ text: part, number })
      at += 1
    }
    if (depth === 0) this.#writeNotes(written)
    if (depth === 0 && this.#ahead.lost === 'untold')
      for (const text of ['', LOST_PART]) written.push({ text, number: lines.at(-1)!.number })
    return written
  }

  /** Writes the marks of a directive of MyST (```` ```{tip} Title ````) as those of a container, unless it shows code. */
  #asContainer(lines: Line[], at: number, fence: Fence): boolean {
    const [, name = '', argument = ''] =
      /^\{(?:[\w-]{1,60}:){0,3}([\w-]{1,60})\}[ \t]*(.*)$/.exec(fence.info) ?? []
    const end = fenceEnd(lines, at, fence)
    const colons = ':'.repeat(fence.fence.length)
    if (name === '' || end === lines.length) return false
    for (let next = at + 1; OPTION.test(lines[next]?.text ?? ''); next++)
      lines[next] = { ...lines[next]!, text: '' }
    const isOther = !isKnownDirective(name)
    if (/^(?:code|source)/.test(name)) fence.info = argument
    else if (/^(?:eval-rst|parsed-literal|math|mermaid)$/.test(name)) fence.info = name
    else if (isOther && lines.slice(at + 1, end).some(({ text }) => !isBlankLine(text)))
      fence.info = argument && `title="${argument.replaceAll('"', "'")}"`
    if (!fence.info.startsWith('{')) return false
    const marks = name === 'toctree' ? ['<!--', '-->'] : [`${colons}${name} ${argument}`, colons]
    const [first, last] = isOther ? [GENERATED_PART, ''] : marks
    lines[at] = { ...lines[at]!, text: fence.before + first }
    lines[end] = { ...lines[end]!, text: fence.before.replace(/[^\s>]/g, ' ') + last }
    return true
  }

  #writeNotes(written: Line[]): void {
    const blank = this.#notes.slice(0, 1).map((first) => ({ ...first, text: '' }))
    for (const line of [...blank, ...this.#notes, ...blank]) written.push(line)
    this.#notes = []
  }

  /** The lines of an item of a list, in which white space replaces its mark. */
  #itemAt(lines: readonly Line[], at: number, mark: string): Line[] {
    const { text, number } = lines[at]!
    const indent = mark.replace(/ *\S+ *\t/, '\t').replace(/\S/g, ' ')
    const rest = indentedLines(lines, at, indentOf(indent), this.#ahead)
    return [{ text: indent + text.slice(mark.length), number }, ...rest]
  }

  #containerAt(lines: readonly Line[], at: number) {
    const [ahead, { text }] = [this.#ahead, lines[at]!]
    const first = text.trimStart()[0]
    if (first === ':' && this.#has('containers')) return colonContainer(lines, at, ahead)
    if (this.#has('admonitions') && '!?=:'.includes(first ?? ' ')) return indentedContainer(lines, at, ahead)
    if (this.#has('admonitions') && first === '/') return slashContainer(lines, at, ahead)
    if (this.#has('marks') && '$\\'.includes(first ?? ' ')) return formulaBlock(lines, at, ahead)
    if (first === '+' && this.#has('raw')) return gridTable(lines, at, ahead)
    if (SET_HTML.test(text)) return null
    if (first === '<' && (this.#has('mdx') || this.#has('vue') || text.includes('<iframe')))
      return componentAt(lines, at, ahead)
    if (first === '{' && this.#has('shortcodes')) return shortcodeAt(lines, at, ahead)
    if (first === '{' && this.#has('liquid')) return liquidBlockAt(lines, at, ahead)
    return null
  }

  #afterHidden(lines: readonly Line[], at: number, depth: number): number {
    if (!this.#has('mdx')) return at
    const before = depth === 0 ? '' : (lines[at - 1]?.text ?? '')
    const after = /^\s*(?:export\s|$)/.test(before) ? afterStatement(lines, at) : at
    return after > at ? after : afterComment(lines, at, this.#ahead)
  }

  #writeFence(lines: readonly Line[], at: number, opening: Fence, written: Line[]): number {
    const { before, fence, info } = opening
    const end = fenceEnd(lines, at, opening)
    const { language, title } = readInfo(info)
    const { number } = lines[at]!
    const inside = lines.slice(at + 1, end)
    if (info === '{=html}' && this.#has('raw')) {
      for (const line of [{ text: '', number }, ...inside, { text: '', number }])
        written.push({ ...line, text: line.text.replace(GENERATED, '$1') })
      return end + 1
    }
    const chunk = this.#has('raw') ? chunkOf(opening, inside) : inside
    if (chunk === null) return end + 1
    const code = this.#has('directives') ? trimBlank(chunk) : chunk
    const isSite = this.#has('vue') || this.#has('mdx')
    const isRust = this.#has('rust') && language === 'rust'
    let isCut = isSite && code.some(({ text }) => /^(?:before)?$/.test(CUT.exec(text)?.[1] ?? '-'))
    const shown: Line[] = []
    const marked: Record<string, number[]> = { '': [], 'ins=': [], 'del=': [] }
    let [kind, left] = ['', 0]
    for (const line of code) {
      const cut = isSite ? CUT.exec(line.text) : null
      if (cut) isCut = cut[1] === 'start' || cut[1] === 'after'
      const [mark, sign, count = 1] = (isSite && CODE_MARK.exec(line.text)) || []
      if (mark) {
        kind = sign === '++' ? 'ins=' : sign === '--' ? 'del=' : ''
        left = mark.includes('-start') ? code.length : sign || mark.includes('-next') ? Number(count) : 0
      }
      const text = isRust ? withoutHiddenRust(line.text) : isSite ? shownCode(line.text, language) : line.text
      if (text === null || cut || (isCut && !text.startsWith('<script'))) continue
      shown.push({ ...line, text })
      if (left-- > 0) marked[kind]!.push(shown.length)
    }
    const marks = Object.entries(marked).map(([kind, lines]) =>
      lines.length > 0 ? ` ${kind}{${lines}}` : '',
    )
    const put = (...texts: string[]) => written.push(...texts.map((text) => ({ text, number })))
    // In a quotation or an item of a list, too.
    const frame = before.replace(/[^\s>]/g, ' ')
    const blank = frame.trimEnd()
    if (title && frame === before) put(blank)
    else if (this.#has('marks') && /^[ \t]*<(?!pre\b)/.test(written.at(-1)?.text ?? '')) put('')
    if (title) put(`${before}<figure>`, `${frame}<figcaption>${escapeUTF8(title)}</figcaption>`, blank)
    put((title ? frame : before) + fence + info + marks.join(''))
    // Code without an end does not go on after its container.
    const last = lines[end] ?? { text: frame + fence, number }
    for (const line of [...shown, last]) written.push(line)
    if (title) for (const text of [blank, `${frame}</figure>`, blank]) written.push({ ...last, text })
    return end + 1
  }

  #withoutInterpolations(line: string): string {
    if (this.#isLeft(line) || this.#isVerbatim || !line.includes('{{')) return line
    const known = line.replace(TEMPLATE_LITERAL, shownValue)
    const text = outsideCode(known, (part) => part.replace(INTERPOLATION, shownValue))
    if (!/^[ \t#>*-]*…[ \t]*$/.test(text)) return text
    this.#ahead.lost ??= 'untold'
    return ''
  }

  /** A line that is in no container; null if it shows nothing. */
  #inline({ text: line, number }: Line): string | null {
    let text: string | null = this.#has('marks') ? withQuotedFormulas(line) : line
    if (this.#has('shortcodes')) text = withoutWikilinks(withoutShortcodes(text))
    if (this.#has('liquid')) text = withMarkdownInTags(withoutLiquid(text))
    if (this.#has('directives')) text = withoutRoles(text)
    if (this.#has('sizes') || this.#has('attributes')) text = withImageSizes(text)
    if (this.#has('attributes')) text = withoutAttributes(text)
    if (text === null) return null
    if (text.includes('<iframe')) text = withFrameLinks(text)
    if (this.#has('ids')) text = text.replace(BRACKET_ID, '$1 {#$2}')
    if (this.#has('mdx')) text = withLiterals(text)
    if (this.#has('mdx') || this.#has('vue')) text = withoutComponents(text)
    if (this.#has('vue')) text = this.#withoutInterpolations(text)
    if (this.#has('admonitions')) text = text.replace(OBJECT_HEADING, '$1')
    if (this.#has('marks') && text.includes(']'))
      text = text.replace(REFERENCE, (whole, start?: string, shown = '', space?: string, label = '') => {
        if (this.#labels.has((label || shown).toLowerCase())) return `${start}${shown}][${label}]`
        return start && space === '' && OBJECT_LABEL.test(label) ? shown : whole
      })
    if (this.#has('marks')) text = withoutInlineMarks(text)
    if (this.#has('obsidian'))
      text = outsideCode(withVaultFormulas(text), withHighlights)
        .replace(TASK_STATE, knownTask)
        .replace(STATE_OF_LOGSEQ, '')
    if (this.#has('notes') && text.includes('^['))
      text = outsideCode(text, (part) =>
        part.replace(NOTE, (_, note: string) => {
          this.#notes.push({ text: `[^^${++this.#noteCount}]: ${note}`, number })
          return `[^^${this.#noteCount}]`
        }),
      )
    if (this.#has('rust') && text.includes('{{')) text = text.replace(PREPROCESSED, tabOfBook)
    return text === '' && !isBlankLine(line) ? null : text
  }
}

/** What Vue shows in a text: a literal stays, and a line is lost that has nothing but the value of an expression. */
const TEMPLATE_LITERAL = /\{\{([ \t]*`[^`\n]{0,500}`[ \t]*)\}\}/g
const INTERPOLATION = /\{\{([^\n]{0,500}?)\}\}/g
const LITERAL = /^[ \t]*(['"`])([^'"`\n]*)\1[ \t]*$/
const VERBATIM_TAG = /<(\w+)\s(?:[^<>]*\s)?v-pre\b/

/** Tells of one line after the other whether Vue leaves its braces: in indented code, code that began in a line before, and `v-pre`. */
const linesLeftByVue = () => {
  let [isInList, isCode, isAfterBlank] = [false, false, true]
  let [ticks, tag] = ['', ''] // that are open
  return (line: string): boolean => {
    const indent = indentOf(line)
    isInList = ITEM.test(line) || (isInList && (indent > 0 || isBlankLine(line)))
    isCode = !isInList && indent >= 4 && (isCode || isAfterBlank)
    isAfterBlank = isBlankLine(line)
    if (isAfterBlank || /^[ \t]*[#|*+-]/.test(line)) ticks = ''
    const isInside = isCode || ticks !== '' || tag !== ''
    if (!isCode)
      for (const [run] of line.matchAll(/(?<!\\)`+/g))
        if (ticks === '' || ticks === run) ticks = ticks ? '' : run
    tag ||= (line.includes('v-pre') && !line.endsWith('/>') && VERBATIM_TAG.exec(line)?.[1]) || ''
    if (tag && line.includes(`</${tag}`)) tag = ''
    return isInside || line.includes('v-pre')
  }
}
const shownValue = (_: string, value: string): string =>
  LITERAL.exec(value)?.[2]?.replace(/\$\{[^{}]*\}/g, '…') ?? '…'

/** Below the head of a table. */
const TABLE_MARKS = /^[ \t>]*(?=[^|]*\|)[|:-][-|: \t]*$/
/** Python-Markdown divides no code at a `|`. */
const CODE_IN_ROW = /\\.|(?<!`)(?:`(?!`)[^`]*`|``(?!`)(?:[^`]|`(?!`))*``)(?!`)/g
const withEscapedPipes = (code: string) => code.replace(/(?<!\\)\|/g, '\\|')

/** The code of Quarto without its options (`{r}`, `#| echo: false`), as far in as its fence; null if they hide it. */
const chunkOf = ({ before, info }: Fence, code: readonly Line[]): readonly Line[] | null => {
  if (!/^\{[a-z]/i.test(info)) return code
  const isOption = ({ text }: Line) => CHUNK_OPTION.test(text)
  if ([{ text: info }, ...code.filter(isOption)].some(({ text }) => HIDDEN_CHUNK.test(text))) return null
  const isOut = ({ text }: Line) => !isBlankLine(text) && indentOf(text) < indentOf(before)
  return code.flatMap((one) => (isOption(one) ? [] : isOut(one) ? { ...one, text: before + one.text } : one))
}
const CHUNK_OPTION = /^[ \t]*(?:#|\/\/|--|%%)\|/
const HIDDEN_CHUNK = /\b(?:echo|include)[ \t]*[:=][ \t]*(?:f|false)\b/i

/** In HTML, a link to another page of the site. */
const GENERATED = /(\shref="(?![a-z]+:|\/\/)[^"#?\n]{1,500})\.html(?=["#?])/g
const BRACKET_ID = /^( {0,3}#{1,6}[ \t].*\S)[ \t]*\[#([\w:.\u0080-\uffff-]+)\](?:[ \t]*\[!?toc\])?[ \t]*$/
const DEFINITION = /^[ \t]*(?:\[(?!\^)|#{1,6}[ \t]+<!--[ \t]*md:\w+[ \t]+)([^[\]]{1,200}?)(?:\]:|[ \t]*-->)/
/** The label of a link to an object of autorefs, `[brew][tea.brew]`. */
const OBJECT_LABEL = /^(?:[a-z_]\w*(?:\.\w+)+|(?=.{3})[a-z][\w-]*(?:[ .][\w-]+)*)?$/i
/** In Python-Markdown, the label of a link can follow its text in the next line (but not of a heading), */
const LINK_END = /^(?![ \t]*#).{0,500}\]$/
const LABEL = /^[ \t]*(\[([^[\]]{1,200})\](?![(:]).*)/
/** or after a space, and a footnote a link without a label. Code stays. The text can begin in the line before. */
const REFERENCE =
  /`+[^`]*`+|((?<![\]\\\w])\[(?!\^|[ x]\])|^(?![^\]]*`))((?:[^[\]\\]|\\.|\[[^[\]]{0,200}\]){1,300})\](?:( ?)\[(?!\^)([^[\]]{0,200})\](?![[(])|(?=\[\^))/g
/** An item of a list, or a definition, that begins with a container. */
const BLOCK_IN_ITEM = /^[ \t]*(?:[:*+-]|\d{1,9}[.)])[ \t]{1,3}(?=[!?=]{3}|:::[ \t]*[{a-z])/i
const OBJECT_HEADING = /^([ \t]*(?:>[ \t]?)*#{1,6}[ \t]+):::[ \t]+(?=[\w.]+$)/
const NOTE = /\^\[((?:[^[\]]|\[[^[\]]{0,300}\]){1,1000})\]/g
const HEADING = /^#{1,6}[ \t]/
/** Directives of mdBook and of its preprocessors: the beginnings and ends of tabs, and those that show nothing. */
const PREPROCESSED =
  /\{\{(?:#tab[ \t]+name="([^"{}]{1,200})"|#(endtab)\b|#(?:title|(?:end)?tabs)|%)[^{}]{0,300}\}\}/g
const tabOfBook = (_: string, title?: string, end?: string): string =>
  title ? `\n<section class="tab">\n\n**${title}**\n` : end ? '\n</section>\n' : ''
/** Before a quotation, or a paragraph, in Just the Docs. With a title, that is its first line. */
const CALLOUT = /^\{:[ \t]*\.(note|tip|important|warning|caution|danger|info)(-title)?[ \t]*\}[ \t]*$/
/** kramdown replaces the list before this line by the contents of the page. */
const KRAMDOWN_CONTENTS = /^[ \t]*\{:[ \t]*toc\b[^{}]{0,200}\}[ \t]*$/

/** A line of Rust as rustdoc and mdBook show it; null if they hide it. `##` shows a `#`. */
const withoutHiddenRust = (text: string): string | null =>
  /^\s*#(?:\s|$)/.test(text) ? null : text.replace(/^(\s*)##/, '$1#')

/** A comment for the highlighter of VitePress or Docusaurus, alone before the lines that it marks, or at the end of the first one. */
const CODE_MARK =
  /(?:\/\/|\{?\/\*|<!--|#|--|;|%)[ \t]*(?:\[!code (?:(\+\+|--|hl|highlight|focus|warning|error)(?::(\d{1,4}))?|[^\]]{1,200})\]|highlight-(?:next-line|start|end)\b)[ \t]*(?:\*\/\}?|-->)?[ \t]*$/
const ANSI = /\u001b?\[\d{0,3}(?:;\d{1,3}){0,8}m/g

/** What follows, or precedes, is for the compiler of Twoslash alone. */
const CUT = /^[ \t]*\/\/ ---cut-?(before|after|start|end|)---/

/** A line of code without marks for highlighters; null if it was nothing else. */
const shownCode = (text: string, language: string): string | null => {
  if (language === 'ansi') return text.replace(ANSI, '')
  const shown = text.replace(CODE_MARK, '')
  if (shown === text) return text
  return isBlankLine(shown) ? null : shown.trimEnd()
}

/** A task in another state than `x`, of themes of Obsidian: `- [/] begun`. A cancelled one, `-`, is checked, others are not. */
const TASK_STATE = /^([ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+)\[([^\w\s[\]])\](?=[ \t])/
const knownTask = (_: string, mark: string, state: string): string => `${mark}[${state === '-' ? 'x' : ' '}]`

/** What Logseq writes below a block, and does not show. */
const STATE_OF_LOGSEQ = /^[ \t]+(?:collapsed:: \w+|id:: [\da-f]{8}(?:-[\da-f]{4,12}){4})[ \t]*$/

const OPTION = /^[ \t]*:[\w-]+:(?:[ \t]|$)/
const ROLE = /(?<!`)\{([\w:+.-]{1,60})\}(`[^`]{1,1000}`)/g
const TARGET = /^[ \t]*\(([\w:./-]{1,200})\)=[ \t]*$/

const withoutRoles = (text: string): string =>
  text
    .replace(TARGET, '\n<a name="$1"></a>\n')
    .replace(/^%.*$|^\+\+\+.*$|^[ \t]*:[\w-]+:(?:[ \t].*)?$/, '')
    .replace(ROLE, (_, role: string, code: string) => {
      const [, shown = code.slice(1, -1)] = /^`(.*\S)\s*<[^<>]*>`$/.exec(code) ?? []
      if (/^(?:ref|doc|term|numref|abbr|any|external.*)$/.test(role)) return shown
      return `\`${shown.replace(/^~.*\./, '')}\``
    })

const MARKDOWN_TAG = /^([ \t]*<\w[^<>]*\s)markdown(?:="?\w+"?)?([^<>]*>)[ \t]*$|^[ \t]*<center>[ \t]*$/

/** Tags around Markdown (`markdown="1"`) end the HTML before it, and a tag that ends a block that after it. */
const withMarkdownInTags = (text: string): string => {
  const tag = MARKDOWN_TAG.exec(text)
  if (tag) return `${tag[1] ?? tag[0]}${tag[2] ?? ''}\n`
  return /^[ \t]*<\/(?:div|section|details|figure|center)>[ \t]*$/.test(text) ? `${text}\n` : text
}

const HEADING_WITH_ID = /^([ \t]*(?:>[ \t]?)*#{1,6}[ \t][^\n{]*)\{#[\w:.\u0080-\uffff-]+\}[ \t]*$/gm

/** A text without the constructs of its dialect and the ids of headings: what its words and links are read from. */
export const plainMarkdown = (markdown: string, name: string | null | undefined): string => {
  const { markdown: text, lines } = normalizeDialect(markdown, dialectOf(name))
  return lines ? text.replace(HEADING_WITH_ID, (_, heading: string) => heading.trimEnd()) : text
}
