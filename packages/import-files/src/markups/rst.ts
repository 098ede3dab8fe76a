import { dedentAll } from '@lectern/wiki/dialects/lines'
import { makeHeadingIds } from '@lectern/wiki/dialects/slugs'
import {
  codeBlock,
  codeSpan,
  encodeDestination,
  escapeLineStart,
  escapeText,
  quotedLines,
  tableLines,
  textOfLines,
} from '@lectern/wiki/import/markdown'
import { alertKind, isAlertType } from '@lectern/wiki/markup'
import { stripMarkup } from '../files/document.ts'
import type { RstReferences, RstSection } from './markup.ts'
import { destinationOf, newNames, pageLabel, type RstNames, rstInline, rstName } from './rst-inline.ts'
import { csvRows, isTableStart, type RstTable, rstTableAt, tableEnd } from './rst-tables.ts'

/** Blocks in blocks. Deeper ones become code, so that the time is linear. */
const MAX_DEPTH = 12

const ADORNMENT = /^([!-/:-@[-`{-~])\1{2,}\s*$/
const DIRECTIVE = /^\.\.[ \t]+(?:\|([^|\n]{1,200})\|[ \t]+)?([\w:+.-]{1,60}?)::(?:[ \t]+(.*))?$/
const FOOTNOTE = /^\.\.[ \t]+\[([#*]|#?[A-Za-z0-9][\w.+-]{0,60})\](?:[ \t]+(.*))?$/
const TARGET = /^\.\.[ \t]+_(?:`([^`]{1,300})`|((?:[^:\\]|\\.|:(?!\s|$)){1,300})):(?:[ \t]+(.*))?$/
const ANONYMOUS = /^(?:__|\.\.[ \t]+__:)[ \t]+(\S.*)$/
const FIELD = /^:((?:[^:\s\\]|\\.)(?:[^:\\\n]|\\.|:(?![\s`]|$)){0,200}):(?:[ \t]+(.*))?$/
const BULLET = /^[-*+\u2022](?:[ \t]+|$)/
const NUMBERED = /^(?:\(?(\d{1,9}|#|[a-zA-Z]|[ivxlcIVXLC]{2,8})[.)])(?:[ \t]+|$)/

/** Converts what docutils knows, and what is usual in Sphinx, line by line, in linear time. The rest stays text. (D99) */
export const rstToMarkdown = (text: string, path: string, references?: RstReferences) => {
  const lines = linesOf(text)
  // A proposal of Python begins with fields as in mail.
  const [, number, name = ''] = /^PEP: *(\d+)\r?\n(?:.+\n)*?Title: *(.+)/.exec(text) ?? []
  const title = number === undefined ? null : `PEP ${number} \u2013 ${name.trim().replaceAll('``', '')}`
  if (title !== null) {
    const fields = lines.splice(0, blankFrom(lines, 0)).map((line) => line.replace(/^\w/, ':$&'))
    const rule = '='.repeat(title.length)
    lines.unshift(rule, title, rule, '', ...fields)
  }
  return { markdown: new RstReader(lines, path, references).read(), title }
}

/** The labels of a text, whose destinations are fragments, and its first heading. */
export const rstSections = (text: string): Pick<RstNames, 'labels' | 'title'> =>
  new RstReader(linesOf(text), '').names

const linesOf = (text: string): string[] =>
  text.split(/\r\n?|\n/).map((line) => line.replaceAll('\t', '        ').trimEnd())

class RstReader {
  readonly names: RstNames
  readonly #lines: string[]
  readonly #styles: string[] = []
  /** The language of code blocks that name none. */
  language = ''

  constructor(lines: string[], path: string, references?: RstReferences) {
    this.#lines = lines
    this.names = newNames(path, references)
    this.#collectNames()
  }

  read(): string {
    return textOfLines(this.#blocks(this.#lines, 0))
  }

  /** Definitions hold for the whole text, also above them. */
  #collectNames(): void {
    const { names } = this
    let waiting: string[] = []
    let section: RstSection = { title: null, to: '' }
    let headingEnd = 0
    const idOf = makeHeadingIds('github')
    for (const [i, line] of this.#lines.entries()) {
      const [, quoted, plain = quoted, rest] = TARGET.exec(line.trimStart()) ?? []
      const anonymous = ANONYMOUS.exec(line)?.[1]
      const [, name, kind, value = ''] = DIRECTIVE.exec(line) ?? []
      if (plain !== undefined) {
        const to = rest || this.#continued(i)
        if (to) names.targets.set(rstName(plain), destinationOf(to))
        else waiting.push(rstName(plain))
      } else if (anonymous !== undefined) names.anonymous.push(destinationOf(anonymous))
      else if (name !== undefined) names.substitutions.set(rstName(name), substitutionOf(kind!, value))
      else if (line !== '') {
        const heading = i < headingEnd ? null : this.#headingAt(this.#lines, i)
        if (heading !== null) {
          headingEnd = heading.end
          // Names that the heading uses are defined later, perhaps, and those without a name must stay.
          const title = stripMarkup(rstInline(heading.text, { ...names, anonymous: [] }))
          names.title ??= title
          section = { title, to: `#${encodeDestination(idOf(title))}` }
          for (const label of [...waiting, rstName(heading.text)])
            if (!names.targets.has(label)) names.targets.set(label, section.to)
        }
        for (const label of waiting) names.labels.set(label, heading ? section : { ...section, title: null })
        waiting = []
      }
    }
    // An alias leads to another target: `.. _tea: green_`.
    for (const [name, to] of names.targets)
      if (to.endsWith('_')) names.targets.set(name, names.targets.get(rstName(to.slice(0, -1))) ?? to)
  }

  /** The address of a target in the next line. */
  #continued(at: number): string {
    const next = this.#lines[at + 1] ?? ''
    return /^\s+\S+$/.test(next) && !/^\s+\.\./.test(next) ? next.trim() : ''
  }

  /** Converts lines that begin at no indent. */
  #blocks(lines: readonly string[], depth: number): string[] {
    const blocks: string[][] = []
    for (let at = 0; at < lines.length; ) {
      if (lines[at] === '') at += 1
      else {
        const { written, end } = this.#blockAt(lines, at, depth)
        if (written.length > 0) blocks.push(blocks.length > 0 ? ['', ...written] : written)
        at = end
      }
    }
    return blocks.flat()
  }

  /** Converts lines that may be indented. */
  blocks(lines: readonly string[], depth: number): string[] {
    return depth > MAX_DEPTH ? codeBlock(lines.join('\n')).split('\n') : this.#blocks(dedentAll(lines), depth)
  }

  inline(text: string): string {
    return rstInline(text, this.names)
  }

  #blockAt(lines: readonly string[], at: number, depth: number): { written: string[]; end: number } {
    const line = lines[at]!
    if (/^\s/.test(line)) {
      const end = indentedEnd(lines, at)
      return { written: quotedLines(this.blocks(lines.slice(at, end), depth + 1)), end }
    }
    if (line.startsWith('..') && (line === '..' || line[2] === ' ')) return this.#explicitAt(lines, at, depth)
    if (ANONYMOUS.test(line)) return { written: [], end: at + 1 }
    const heading = this.#headingAt(lines, at)
    if (heading !== null) return { written: [this.#heading(heading)], end: heading.end }
    if (ADORNMENT.test(line) && line.length >= 4 && (lines[at + 1] ?? '') === '')
      return { written: ['---'], end: at + 1 }
    if (isTableStart(line)) {
      const table = rstTableAt(lines, at)
      const end = table?.end ?? tableEnd(lines, at)
      const code = () => codeBlock(lines.slice(at, end).join('\n')).split('\n')
      return { written: table === null ? code() : this.table(table), end }
    }
    if (BULLET.test(line) || isNumbered(lines, at)) return this.#itemAt(lines, at, depth)
    if (FIELD.test(line)) return this.#fieldAt(lines, at, depth)
    if (/^\|(?: |$)/.test(line)) return this.#linesAt(lines, at)
    if (line.startsWith('>>> ')) {
      const end = blankFrom(lines, at)
      return { written: codeBlock(lines.slice(at, end).join('\n'), 'pycon').split('\n'), end }
    }
    return this.#paragraphAt(lines, at, depth)
  }

  #headingAt(lines: readonly string[], at: number): { text: string; style: string; end: number } | null {
    const [first, second = '', third = ''] = [lines[at]!, lines[at + 1], lines[at + 2]]
    if (ADORNMENT.test(first)) {
      const isOver = second !== '' && !ADORNMENT.test(second) && third.trimEnd() === first.trimEnd()
      return isOver ? { text: second.trim(), style: `${first[0]}${first[0]}`, end: at + 3 } : null
    }
    const isUnder = ADORNMENT.test(second) || /^([=~^"'`#*+-])\1{1,}$/.test(second)
    if (/^\s/.test(first) || first === '' || !isUnder || second === '::') return null
    return second.length * 2 >= first.length ? { text: first, style: second[0]!, end: at + 2 } : null
  }

  #heading({ text, style }: { text: string; style: string }): string {
    const known = this.#styles.indexOf(style)
    const level = known >= 0 ? known : this.#styles.push(style) - 1
    return `${'#'.repeat(Math.min(level + 1, 6))} ${this.inline(text.replace(/\s+/g, ' '))}`
  }

  #itemAt(lines: readonly string[], at: number, depth: number): { written: string[]; end: number } {
    const isBullet = BULLET.test(lines[at]!)
    const items: string[][] = []
    let number = 1
    let isLoose = false
    let end = at
    while (end < lines.length && (isBullet ? BULLET.test(lines[end]!) : isNumbered(lines, end))) {
      const mark = (isBullet ? BULLET : NUMBERED).exec(lines[end]!)!
      if (end === at && /^\d/.test(mark[1] ?? '')) number = Number(mark[1])
      const last = indentedEnd(lines, end + 1)
      const first = lines[end]!.slice(mark[0].length)
      const rest = lines.slice(end + 1, last)
      const bullet = isBullet ? '- ' : `${number++}. `
      const body = this.blocks([' '.repeat(mark[0].length) + first, ...rest], depth + 1)
      if (body.includes('')) isLoose = true
      if (items.length > 0 && isLoose) items.push([''])
      items.push(hanging(bullet, body))
      end = last
      while (lines[end] === '') end += 1
    }
    return { written: items.flat(), end }
  }

  #fieldAt(lines: readonly string[], at: number, depth: number): { written: string[]; end: number } {
    const fields: string[][] = []
    let end = at
    for (let match = FIELD.exec(lines[end]!); match !== null; match = FIELD.exec(lines[end] ?? '')) {
      const last = indentedEnd(lines, end + 1)
      const body = this.blocks([match[2] ?? '', ...dedentAll(lines.slice(end + 1, last))], depth + 1)
      if (!HIDDEN_FIELDS.test(match[1]!))
        fields.push(hanging('- ', [`**${this.inline(match[1]!)}:** ${body[0] ?? ''}`, ...body.slice(1)]))
      end = last
      while (lines[end] === '') end += 1
    }
    return { written: fields.flat(), end }
  }

  #linesAt(lines: readonly string[], at: number): { written: string[]; end: number } {
    let end = at
    while (/^(?:\|(?: |$)| +\S)/.test(lines[end] ?? '')) end += 1
    const texts = lines.slice(at, end).map((line) => this.inline(line.replace(/^\|? */, '')))
    const written = texts.map((text, i) => (i < texts.length - 1 && text !== '' ? `${text}\\` : text))
    return { written, end }
  }

  /** A paragraph, with the code or the definition that follows it. */
  #paragraphAt(lines: readonly string[], at: number, depth: number): { written: string[]; end: number } {
    let end = at + 1
    while (end < lines.length && lines[end] !== '' && !/^\s/.test(lines[end]!)) end += 1
    const next = lines[end] ?? ''
    if (next !== '' && end === at + 1 && !lines[at]!.endsWith('::')) {
      const last = indentedEnd(lines, end)
      const body = this.blocks(lines.slice(end, last), depth + 1)
      const term = this.inline(lines[at]!)
      const bold = term.startsWith('**') ? term : `**${term}**`
      return { written: hanging('- ', [bold, '', ...body]), end: last }
    }
    const text = lines.slice(at, end).join('\n')
    const hasCode = text.endsWith('::')
    const shown = text.replace(/\s*::$/, (mark) => (mark === '::' && text !== '::' ? ':' : ''))
    const written = shown === '' ? [] : this.inline(shown).split('\n').map(escapeLineStart)
    if (!hasCode) return { written, end }
    let start = end
    while (lines[start] === '') start += 1
    if (!/^\s/.test(lines[start] ?? '')) return { written, end }
    const last = indentedEnd(lines, start)
    const code = codeBlock(dedentAll(lines.slice(start, last)).join('\n'), this.language).split('\n')
    return { written: [...written, ...(written.length > 0 ? [''] : []), ...code], end: last }
  }

  /** A directive, a footnote, a target or a comment. */
  #explicitAt(lines: readonly string[], at: number, depth: number): { written: string[]; end: number } {
    const end = indentedEnd(lines, at + 1)
    const line = lines[at]!
    const directive = DIRECTIVE.exec(line)
    if (directive && directive[1] === undefined) {
      const read = readDirective(directive[2]!, directive[3] ?? '', lines.slice(at + 1, end))
      if (read.name === 'highlight') this.language = read.argument
      return { written: isShown(read) ? directiveLines(read, this, depth) : [], end }
    }
    const [, name, text = ''] = directive ? [] : (FOOTNOTE.exec(line) ?? [])
    if (name === undefined) return { written: [], end }
    const label = /^[#*]$/.test(name) ? `auto${++this.#defined}` : name.replace('#', '')
    const body = this.blocks([text, ...dedentAll(lines.slice(at + 1, end))], depth + 1)
    return { written: hanging(`[^${label}]: `, body, 4), end }
  }
  #defined = 0

  table({ rows, hasHead }: Pick<RstTable, 'rows' | 'hasHead'>): string[] {
    const cells = rows.map((row) => row.map((cell) => this.#cell(cell)))
    return tableLines(cells, hasHead)
  }

  /** A cell is one line: paragraphs and items are on lines of their own in HTML. */
  #cell(text: string): string {
    return text
      .replace(/^\.\. (?:rst-)?class:: .*\n/gm, '')
      .trim()
      .split(/\n\s*\n|\n(?=[-*|] )/)
      .map((part) => this.inline(part.trim().replace(/^\|(?: +|$)/, '')).replace(/\s*\n\s*/g, ' '))
      .join('<br>')
      .replace(/(?<!\\)\|/g, '\\|')
  }
}

/** Fields at the beginning of a text that are settings of Sphinx. */
const HIDDEN_FIELDS = /^(?:orphan|tocdepth|nocomments|nosearch|og:.*|html_theme.*)$/

const substitutionOf = (kind: string, value: string): string =>
  kind === 'image' ? `![](${destinationOf(value)})` : kind === 'unicode' ? '' : value

const readDirective = (name: string, first: string, body: readonly string[]): RstDirective => {
  const content = dedentAll(body)
  const options = new Map<string, string>()
  const more: string[] = []
  let at = 0
  // The addresses of pictures can go on in the next lines, before the options.
  const isPicture = /^(?:image|figure)$/.test(name)
  while (isPicture && at < content.length && content[at] !== '' && !FIELD.test(content[at]!))
    more.push(content[at++]!)
  for (; at < content.length && content[at] !== ''; at += 1) {
    const [, key, value = ''] = FIELD.exec(content[at]!) ?? []
    if (key === undefined) {
      if (options.size === 0 || !/^\s/.test(content[at]!)) break
    } else options.set(key.toLowerCase(), value)
  }
  return {
    name: name.replace(/^.*:/, '').toLowerCase(),
    argument: [first, ...more].join(' ').trim(),
    options,
    body: content.slice(at),
  }
}

const isNumbered = (lines: readonly string[], at: number): boolean => {
  const mark = NUMBERED.exec(lines[at]!)
  if (mark === null) return false
  if (/^[\d#]/.test(mark[1]!)) return true
  // "A. Einstein" begins a sentence unless the next line belongs to an item.
  const next = lines[at + 1] ?? ''
  return next === '' || next.startsWith(' '.repeat(mark[0].length)) || NUMBERED.test(next)
}

const indentedEnd = (lines: readonly string[], at: number): number => {
  let end = at
  for (let next = at; next < lines.length; next += 1) {
    if (lines[next] === '') continue
    if (!/^\s/.test(lines[next]!)) break
    end = next + 1
  }
  return end
}

const blankFrom = (lines: readonly string[], at: number): number => {
  const end = lines.indexOf('', at)
  return end < 0 ? lines.length : end
}

/** Lines behind a mark, the later ones below the text of the first one. */
const hanging = (mark: string, lines: readonly string[], indent = mark.length): string[] =>
  (lines.length === 0 ? [''] : lines).map((line, i) =>
    i === 0 ? `${mark}${line}`.trimEnd() : line === '' ? '' : ' '.repeat(indent) + line,
  )

/** A directive of reStructuredText: `.. name:: argument`, options, and indented lines. */
interface RstDirective {
  /** In lower case, without the domain of Sphinx. */
  name: string
  argument: string
  options: ReadonlyMap<string, string>
  body: string[]
}

const VERSIONS = new Map([
  ['versionadded', 'New in version'],
  ['versionchanged', 'Changed in version'],
  ['versionremoved', 'Removed in version'],
  ['deprecated', 'Deprecated since version'],
  ['deprecated-removed', 'Deprecated since version'],
])
const CODE =
  /^(?:code|code-block|code-tab|sourcecode|parsed-literal|productionlist|graphviz|digraph|graph|plantuml|mermaid|doctest|testcode|prompt|command-output|ipython)$/
const HIDDEN =
  /^(?:highlight|currentmodule|module|py:module|index|meta|contents|sectnum|section-numbering|default-role|default-domain|role|include|title|tabularcolumns|rst-class|class|header|footer|target-notes|restructuredtext-test-directive|testsetup|testcleanup|sectionauthor|codeauthor|program|date|unicode|replace|todo|todolist)$/
/** Directives whose argument is no title, and formats other than HTML. */
const NO_TITLE = /^(?:only|ifconfig|container)$/
const OTHER_FORMATS = /^(?:(?:latex|pdf|epub|man|text|texinfo|gettext)(?: or |$))+$/
const OBJECT =
  /^(?:auto\w+|function|method|classmethod|staticmethod|property|class|exception|data|attribute|decorator|decoratormethod|coroutine|option|cmdoption|envvar|confval|setting|describe|object|macro|type|struct|enum|member|var|opcode|describe|directive|rst:directive|http:\w+|get|post|put|delete|patch|templatetag|templatefilter|fieldlookup|django-admin|django-admin-option)$/

/** Whether a directive shows something. It can set the language of the code blocks after it. */
const isShown = ({ name, argument, body }: RstDirective): boolean =>
  !HIDDEN.test(name) || (name === 'class' && argument !== '' && body.length > 0 && /[.(\w]/.test(argument))

const directiveLines = (directive: RstDirective, reader: RstReader, depth: number): string[] => {
  const { name, argument, options, body } = directive
  const content = () => reader.blocks(body, depth + 1)
  if (name === 'admonition' || VERSIONS.has(name) || isAlertType(name)) return alert(directive, reader, depth)
  if (CODE.test(name)) {
    const caption = options.get('caption')
    const code = codeBlock(body.join('\n'), codeLanguage(name, argument, reader.language)).split('\n')
    return caption === undefined ? code : [`**${reader.inline(caption)}**`, '', ...code]
  }
  if (name === 'literalinclude') return [codeSpan(argument)]
  if (name === 'raw') return argument === 'markdown' ? body : []
  if (name === 'image' || name === 'figure') {
    const image = `![${escapeText(options.get('alt') ?? '')}](${destinationOf(argument)})`
    const target = options.get('target')
    const shown =
      target === undefined || target.endsWith('_') ? image : `[${image}](${destinationOf(target)})`
    const caption = name === 'figure' ? content() : []
    return caption.length === 0 ? [shown] : [shown, '', ...caption]
  }
  if (name === 'math') return ['$$', ...[argument, ...body].filter((line) => line !== ''), '$$']
  if (name === 'toctree') return options.has('hidden') ? [] : treeLines(directive, reader)
  if (NO_TITLE.test(name)) return OTHER_FORMATS.test(argument) ? [] : content()
  if (name === 'list-table') return titled(argument, listTable(directive, reader, depth), reader)
  if (name === 'csv-table') {
    const head = csvRows([options.get('header') ?? ''])
    const hasHead = head.length > 0 || Number(options.get('header-rows') ?? 0) > 0
    return titled(argument, reader.table({ rows: [...head, ...csvRows(body)], hasHead }), reader)
  }
  if (OBJECT.test(name) && argument !== '') {
    const inside = content().map((line) => (line === '' ? '' : `  ${line}`))
    return [`- ${codeSpan(argument)}`, ...(inside.length > 0 ? [''] : []), ...inside]
  }
  return titled(argument, content(), reader)
}

const codeLanguage = (name: string, argument: string, language: string): string => {
  if (/^(?:code|code-block|code-tab|sourcecode)$/.test(name)) return argument.split(/\s/)[0] || language
  return /^(?:mermaid|plantuml)$/.test(name) ? name : name === 'graphviz' ? 'dot' : ''
}

const titled = (title: string, lines: string[], reader: RstReader): string[] =>
  title === '' ? lines : [`**${reader.inline(title)}**`, ...(lines.length > 0 ? [''] : []), ...lines]

const alert = ({ name, argument, body }: RstDirective, reader: RstReader, depth: number): string[] => {
  const version = VERSIONS.get(name)
  const [first = '', ...rest] = argument.split(/\s+/)
  const isText = version === undefined && name !== 'admonition'
  const title =
    version !== undefined ? `${version} ${first}` : name === 'seealso' ? 'See also' : isText ? '' : argument
  const text = isText ? argument : version === undefined ? '' : rest.join(' ')
  const lines = reader.blocks(text === '' ? body : [text, ...body], depth + 1)
  const kind = /^deprecated|removed$/.test(name) ? 'warning' : alertKind(name)
  const head = `[!${kind.toUpperCase()}]${title === '' ? '' : ` ${reader.inline(title)}`}`
  return quotedLines([head, ...lines])
}

const TREE =
  /^(?:[ \t]*\.\.[ \t]+toctree::[^\n]*\n((?:[ \t]+[^\n]*(?:\n|$)|\r?\n)*)|`{3,}\{toctree\}[^\n]*\n((?:[^`\n][^\n]*\n|\n)*))/gm

export const treeEntries = (text: string) =>
  [...text.matchAll(TREE)].flatMap(([, rst, markdown]) => {
    const body = (rst ?? markdown)!
    const caption = stripMarkup(/^[ \t]*:caption:[ \t]*(\S.{0,300})$/m.exec(body)?.[1] ?? '')
    return body.split('\n').flatMap((line) => treeEntry(line).map((entry) => ({ ...entry, caption })))
  })

const treeEntry = (line: string): { title: string | undefined; target: string }[] => {
  const entry = line.trim()
  const [, title, target = entry] = /^(.{1,300}?)\s*<([^<>]{1,500})>$/.exec(entry) ?? []
  return /^(?:$|:|(?:self|genindex|modindex|search)$)/.test(target) ? [] : [{ title, target }]
}

const treeLines = ({ options, body }: RstDirective, reader: RstReader): string[] => {
  const links = body.flatMap(treeEntry).flatMap(({ title, target }) => {
    const found = reader.names.references?.documents(target) ?? []
    const isPattern = found.length === 0 && target.includes('*')
    const documents = found.length > 0 || isPattern ? found : [{ title: null, to: destinationOf(target) }]
    return documents.map((one) => `- [${escapeText(title ?? one.title ?? pageLabel(target))}](${one.to})`)
  })
  const caption = options.get('caption') ?? ''
  return links.length === 0 ? [] : titled(caption, links, reader)
}

/** A list of lists: each item is a row, and its items are the cells. */
const listTable = ({ options, body }: RstDirective, reader: RstReader, depth: number): string[] => {
  const rows: string[][] = []
  const text = body.findIndex((line) => line !== '')
  for (const line of text < 0 ? [] : body.slice(text)) {
    const [, isRow, cell, rest = ''] = /^(\*[ \t]+)?([ \t]*-(?=[ \t]|$))?[ \t]*(.*)$/.exec(line)!
    if (isRow !== undefined) rows.push([])
    const row = rows.at(-1)
    if (row === undefined) return reader.blocks(body, depth + 1)
    if (cell !== undefined && cell.length < 8 && (isRow !== undefined || /^ {2,4}-/.test(line)))
      row.push(rest)
    else if (row.length > 0) row.push(`${row.pop()!}\n${rest}`)
  }
  return reader.table({ rows, hasHead: Number(options.get('header-rows') ?? 0) > 0 })
}
