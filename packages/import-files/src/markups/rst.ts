import { dedentAll } from '@lectern/wiki/dialects/lines'
import { makeHeadingIds } from '@lectern/wiki/dialects/slugs'
import {
  codeBlock,
  encodeDestination,
  escapeLineStart,
  quotedLines,
  tableLines,
  textOfLines,
} from '@lectern/wiki/import/markdown'
import { stripMarkup } from '../files/document.ts'
import type { RstReferences, RstSection } from './markup.ts'
import { type DirectiveReader, directiveLines, isShown, type RstDirective } from './rst-directives.ts'
import { destinationOf, newNames, type RstNames, rstInline, rstName } from './rst-inline.ts'
import { isTableStart, type RstTable, rstTableAt, tableEnd } from './rst-tables.ts'

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

class RstReader implements DirectiveReader {
  readonly names: RstNames
  readonly #lines: string[]
  readonly #styles: string[] = []
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
