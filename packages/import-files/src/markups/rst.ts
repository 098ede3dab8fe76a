import { capitalized } from '@lectern/wiki/dialects/attributes'
import { GENERATED_PART, isKnownDirective, VERSION_CHANGE } from '@lectern/wiki/dialects/directives'
import { dedentAll } from '@lectern/wiki/dialects/lines'
import { makeHeadingIds } from '@lectern/wiki/dialects/slugs'
import {
  codeBlock,
  codeSpan,
  definitionLines,
  encodeDestination,
  escapeLineStart,
  escapeText,
  hanging,
  quotedLines,
  tableLines,
  textOfLines,
  withBlanks,
} from '@lectern/wiki/import/markdown'
import { alertKind, isAlertType } from '@lectern/wiki/markup'
import { stripMarkup } from '../files/document.ts'
import type { RstPicture, RstReferences } from './markup.ts'
import {
  anchorOf,
  destinationOf,
  footnoteLabel,
  INLINE_TARGET,
  newNames,
  pageLabel,
  pictureOf,
  type RstNames,
  rstId,
  rstInline,
  rstName,
  termLabel,
} from './rst-inline.ts'
import { cellOf, csvRows, isTableStart, type RstTable, rstTableAt, tableEnd } from './rst-tables.ts'

/** Blocks in blocks. Deeper ones become code, so that the time is linear. */
const MAX_DEPTH = 12

const ADORNMENT = /^([!-/:-@[-`{-~])\1{2,}\s*$/
const DIRECTIVE = /^\.\.[ \t]+(?:\|([^|\n]{1,200})\|[ \t]+)?([\w:+.-]{1,60}?)::(?:[ \t]+(.*))?$/
const FOOTNOTE = /^\.\.[ \t]+\[([#*]|#?[A-Za-z0-9][\w.+-]{0,60})\](?:[ \t]+(.*))?$/
const TARGET = /^\.\.[ \t]+_(?:`([^`]{1,300})`|((?:[^:\\]|\\.|:(?!\s|$)){1,300})):(?:[ \t]+(.*))?$/
const ANONYMOUS = /^(?:__|\.\.[ \t]+__:)[ \t]+(\S.*)$/
const FIELD = /^:((?:[^:\s\\]|\\.)(?:[^:\\\n]|\\.|:(?![\s`]|$)){0,200}):(?:[ \t]+(.*))?$/
const ITEM = /^(?:[-*+\u2022]|\(?(\d{1,9}|#|[a-zA-Z]|[ivxIVX]{2,6})[.)])(?:[ \t]+|$)/
/** `-a`, `-b file`, `--input=file`, `/V`, and several of them, before two spaces or at the end of the line. */
const OPTION = /(?:--?\w[\w-]{0,60}|\/\w+)(?:[ =](?:[A-Za-z][\w.-]{0,60}|<[^<>]{1,60}>))?/.source
const OPTIONS = new RegExp(`^(${OPTION}(?:, ${OPTION}){0,20})(?: {2,}(\\S.*))?$`)

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
  const reader = new RstReader(lines, path, references)
  return { markdown: textOfLines(reader.blocks(lines, 0)), title, note: reader.note }
}

/** What a text defines, whose destinations are fragments, and its first heading. */
export const rstNamesOf = (text: string, references?: RstReferences): RstNames =>
  new RstReader(linesOf(text), '', references).names

const linesOf = (text: string): string[] =>
  text.split(/\r\n?|\n/).map((line) => line.replaceAll('\t', '        ').trimEnd())

type Written = { written: string[]; end: number }

class RstReader {
  readonly names: RstNames
  readonly #styles: string[] = []
  readonly #footnotes = { '#': 0, '*': 0 }
  /** Of code blocks that name none. */
  language = ''
  /** `generated`: the site makes a part from code. */
  note: 'generated' | null = null
  /** Whether several terms in lines of their own can have one definition. */
  isGlossary = false

  constructor(lines: string[], path: string, references?: RstReferences) {
    this.names = newNames(path, references)
    this.#collectNames(lines)
  }

  /** Definitions hold for the whole text, also above them. */
  #collectNames(lines: readonly string[]): void {
    const { names } = this
    for (const { groups } of lines.join('\n').matchAll(new RegExp(INLINE_TARGET, 'g')))
      this.#addPlace(groups!.target!)
    const numbers = { '#': 0, '*': 0 }
    let waiting: string[] = []
    let next = 0
    const idOf = makeHeadingIds('github')
    for (const [i, line] of lines.entries()) {
      if (i < next || line === '') continue
      const [, quoted, plain = quoted, rest] = TARGET.exec(line.trimStart()) ?? []
      const anonymous = ANONYMOUS.exec(line)?.[1]
      const [, mark] = FOOTNOTE.exec(line) ?? []
      if (plain !== undefined) {
        // The address can be in the next line.
        const to = rest || /^\s+(?!\.\.)\S+$/.exec(lines[i + 1] ?? '')?.[0].trim()
        if (to) names.targets.set(rstName(plain), to)
        else waiting.push(rstName(plain))
      } else if (anonymous !== undefined) names.anonymous.push(anonymous)
      else if (mark !== undefined) {
        if (/^[#*\d]/.test(mark)) names.footnotes.add(footnoteLabel(mark, numbers))
        else this.#addPlace(`[${mark}]`)
      } else if (this.#addDefinition(lines, i)) next = indentedEnd(lines, i + 1)
      else {
        const heading = this.#headingAt(lines, i)
        if (heading === null) for (const label of waiting) this.#addPlace(label)
        else {
          next = heading.end
          this.#addSection(heading, waiting, idOf)
        }
        waiting = []
      }
    }
  }

  #addSection({ text }: Heading, waiting: string[], idOf: (title: string) => string): void {
    const { names } = this
    // Names that the heading uses are defined later, perhaps, and those without a name must stay.
    const own = { ...names, anonymous: [], counts: { '#': 0, '*': 0 } }
    const title = stripMarkup(rstInline(text, own))
    names.left = own.left
    names.title ??= title
    const section = { title, to: `#${encodeDestination(idOf(title))}` }
    for (const label of [...waiting, rstName(text)])
      if (!names.targets.has(label)) names.targets.set(label, section.to)
    for (const label of waiting) names.labels.set(label, section)
  }

  /** A place to which references lead, other than a section. */
  #addPlace(written: string): void {
    const name = rstName(written)
    const to = `#${rstId(name)}`
    if (!this.names.targets.has(name)) this.names.targets.set(name, to)
    if (!this.names.labels.has(name)) this.names.labels.set(name, { title: null, to })
  }

  /** Adds what a line defines that shows nothing where it is. @returns false if it can show something */
  #addDefinition(lines: readonly string[], at: number): boolean {
    const { names } = this
    const directive = directiveAt(lines, at)
    if (directive === null) return /^\.\.(?: |$)/.test(lines[at]!)
    const { name, argument, options, body, substitution } = directive
    if (substitution !== undefined) {
      const text = name === 'replace' ? [argument, ...body].join('\n').trim() : ''
      names.substitutions.set(rstName(substitution), name === 'image' ? directive : text)
    }
    const [, role, base = ''] = (name === 'role' && /^([\w.+-]+)(?:\(([\w.:+-]+)\))?/.exec(argument)) || []
    const link = { url: options.get('url'), caption: options.get('caption') }
    if (role) names.roles.set(role.toLowerCase(), { base: base.toLowerCase(), ...link })
    if (name === 'default-role') names.defaultRole = argument
    for (const term of name === 'glossary' ? body.filter((one) => /^[^\s.]/.test(one)) : [])
      this.#addPlace(termLabel(term))
    return !isShown(directive)
  }

  /** Converts the lines of a text or, with a depth, of a block, which may be indented. */
  blocks(written: readonly string[], depth: number): string[] {
    if (depth > MAX_DEPTH) return codeLines(written)
    const lines = depth === 0 ? written : dedentAll(written)
    const blocks: string[][] = []
    for (let at = 0; at < lines.length; ) {
      const block = lines[at] === '' ? { written: [], end: at + 1 } : this.#blockAt(lines, at, depth)
      blocks.push(block.written)
      at = block.end
    }
    return withBlanks(blocks)
  }

  inline(text: string): string {
    return rstInline(text, this.names)
  }

  #blockAt(lines: readonly string[], at: number, depth: number): Written {
    const line = lines[at]!
    if (/^\s/.test(line)) {
      const end = indentedEnd(lines, at)
      const quoted = this.blocks(lines.slice(at, end), depth + 1)
      return { written: quotedLines(quoted.map((one) => one.replace(ATTRIBUTION, '\u2014 '))), end }
    }
    if (line.startsWith('..') && (line === '..' || line[2] === ' ')) return this.#explicitAt(lines, at, depth)
    if (ANONYMOUS.test(line)) return { written: [], end: at + 1 }
    const heading = this.#headingAt(lines, at)
    if (heading !== null) return { written: [this.#heading(heading)], end: heading.end }
    if (ADORNMENT.test(line) && line.length >= 4 && (lines[at + 1] ?? '') === '')
      return { written: ['---'], end: at + 1 }
    if (isTableStart(line)) {
      const end = tableEnd(lines, at)
      const table = rstTableAt(lines, at, end)
      return { written: table === null ? codeLines(lines.slice(at, end)) : this.table(table, depth + 1), end }
    }
    const item = itemAt(lines, at)
    if (item !== null) return this.#listAt(lines, at, depth, item)
    const [, field, text = ''] = FIELD.exec(line) ?? []
    if (field !== undefined)
      return HIDDEN_FIELDS.test(field)
        ? { written: [], end: indentedEnd(lines, at + 1) }
        : this.#definitionAt(lines, at, [`${this.inline(field)}:`], text, depth)
    const [, options, first = ''] = OPTIONS.exec(line) ?? []
    if (options !== undefined && (first !== '' || /^ /.test(lines[at + 1] ?? '')))
      return this.#definitionAt(lines, at, [options.split(', ').map(codeSpan).join(', ')], first, depth)
    if (/^\|(?: |$)/.test(line)) return this.#linesAt(lines, at)
    if (/^>>>(?: |$)/.test(line)) {
      const end = blankFrom(lines, at)
      return { written: codeLines(lines.slice(at, end), 'pycon'), end }
    }
    return this.#paragraphAt(lines, at, depth)
  }

  #headingAt(lines: readonly string[], at: number): Heading | null {
    const [first, second = '', third = ''] = [lines[at]!, lines[at + 1], lines[at + 2]]
    if (ADORNMENT.test(first)) {
      const isOver = second !== '' && !ADORNMENT.test(second) && third.trimEnd() === first.trimEnd()
      return isOver ? { text: second.trim(), style: `${first[0]}${first[0]}`, end: at + 3 } : null
    }
    const isUnder = ADORNMENT.test(second) || /^([=~^"'`#*+-])\1{1,}$/.test(second)
    if (/^\s/.test(first) || first === '' || !isUnder || second === '::') return null
    return second.length * 2 >= first.length ? { text: first, style: second[0]!, end: at + 2 } : null
  }

  #heading({ text, style }: Heading): string {
    const known = this.#styles.indexOf(style)
    const level = known >= 0 ? known : this.#styles.push(style) - 1
    return `${'#'.repeat(Math.min(level + 1, 6))} ${this.inline(text.replace(/\s+/g, ' '))}`
  }

  /** A list with bullets or numbers or, in HTML, with letters. */
  #listAt(lines: readonly string[], at: number, depth: number, { style, start }: ListItem): Written {
    const items: string[][] = []
    let end = at
    for (let item = itemAt(lines, at); item !== null; item = itemAt(lines, end, style)) {
      const { length } = item.mark
      const { body, end: last } = this.#bodyAt(lines, end, lines[end]!.slice(length), depth, length)
      items.push(body)
      end = last
      while (lines[end] === '') end += 1
    }
    if (/^[a-z]/i.test(style)) {
      const written = items.flatMap((body) => ['<li>', '', ...body, '', '</li>'])
      return { written: [`<ol type="${style[0]}" start="${start}">`, ...written, '</ol>'], end }
    }
    const written = items.map((body, i) => hanging(style === '-' ? '- ' : `${start + i}. `, body))
    return { written: items.some((body) => body.includes('')) ? withBlanks(written) : written.flat(), end }
  }

  /** The blocks of an item: what follows its mark, and the indented lines after it. */
  #bodyAt(lines: readonly string[], at: number, first: string, depth: number, indent = 0) {
    const end = indentedEnd(lines, at + 1)
    const rest = lines.slice(at + 1, end)
    const all = [' '.repeat(indent) + first, ...(indent > 0 ? rest : dedentAll(rest))]
    return { body: this.blocks(all, depth + 1), end }
  }

  #definitionAt(lines: readonly string[], at: number, terms: string[], first: string, depth: number) {
    const { body, end } = this.#bodyAt(lines, at, first, depth)
    return { written: definitionLines(terms, body), end }
  }

  /** Lines that are further in than others keep their place; a line without a bar goes on with the one before. */
  #linesAt(lines: readonly string[], at: number): Written {
    let end = at
    while (/^(?:\|(?: |$)| +\S)/.test(lines[end] ?? '')) end += 1
    const texts = lines.slice(at, end).join('\n').replace(/\n +/g, ' ').split('\n')
    const indents = texts.map((line) => /^\| *(?=\S|$)/.exec(line)![0].length)
    const least = indents.reduce((min, indent, i) => (texts[i] === '|' ? min : Math.min(min, indent)), 99)
    const written = texts.map((line, i) => {
      const before = '&emsp;'.repeat(Math.min(8, Math.ceil(Math.max(0, indents[i]! - least) / 4)))
      return `${before}${this.inline(line.replace(/^\| */, ''))}${i < texts.length - 1 ? '<br>' : ''}`
    })
    return { written: written.map(escapeLineStart), end }
  }

  /** A paragraph, with the code or the definition that follows it. */
  #paragraphAt(lines: readonly string[], at: number, depth: number): Written {
    let end = at + 1
    while (end < lines.length && lines[end] !== '' && !/^\s/.test(lines[end]!)) end += 1
    const next = lines[end] ?? ''
    if (next !== '' && (end === at + 1 || this.isGlossary) && !lines[end - 1]!.endsWith('::')) {
      const terms = lines.slice(at, end).map((line) => this.#term(line))
      return this.#definitionAt(lines, end - 1, terms, '', depth)
    }
    const text = lines.slice(at, end).join('\n')
    const shown = text.replace(/\s*::$/, (mark) => (mark === '::' && text !== '::' ? ':' : ''))
    const written = shown === '' ? [] : this.inline(shown).split('\n').map(escapeLineStart)
    if (!text.endsWith('::')) return { written, end }
    let start = end
    while (lines[start] === '') start += 1
    const sign = lines[start]?.[0] ?? ''
    let last = start
    if (sign === ' ') last = indentedEnd(lines, start)
    else if (QUOTING.test(sign)) while (lines[last]?.[0] === sign) last += 1
    if (last === start) return { written, end }
    const code = codeLines(dedentAll(lines.slice(start, last)), this.language)
    return { written: withBlanks([written, code]), end: last }
  }

  /** A term, with its classifiers in italics; of a glossary, a place to which references lead. */
  #term(line: string): string {
    const [term = '', ...classifiers] = line.split(' : ')
    if (this.isGlossary) return this.inline(term) + anchorOf(termLabel(term))
    return [this.inline(term), ...classifiers.map((one) => `*${this.inline(one)}*`)].join(' : ')
  }

  /** A directive, a footnote, a target or a comment. */
  #explicitAt(lines: readonly string[], at: number, depth: number): Written {
    const line = lines[at]!
    const end = line === '..' && lines[at + 1] === '' ? at + 1 : indentedEnd(lines, at + 1)
    const directive = directiveAt(lines, at)
    if (directive && directive.substitution === undefined) {
      if (directive.name === 'highlight') this.language = directive.argument
      return { written: isShown(directive) ? directiveLines(directive, this, depth) : [], end }
    }
    const [, quoted, target = quoted, to] = TARGET.exec(line) ?? []
    if (target !== undefined && !to && this.names.labels.get(rstName(target))?.title === null)
      return { written: [anchorOf(rstName(target))], end }
    const [, name, text = ''] = directive ? [] : (FOOTNOTE.exec(line) ?? [])
    if (name === undefined) return { written: [], end }
    const label = footnoteLabel(name, this.#footnotes)
    if (this.names.footnotes.has(label))
      return { written: hanging(`[^${label}]: `, this.#bodyAt(lines, at, text, depth).body, 4), end }
    return this.#definitionAt(lines, at, [`\\[${escapeText(name)}\\]${anchorOf(name)}`], text, depth)
  }

  /** A table of Markdown, or of HTML if a cell covers others or has more than one paragraph. */
  table({ rows, head }: RstTable, depth: number): string[] {
    const cells = rows.map((row) => row.map((cell) => ({ ...cell, written: this.blocks(cell.lines, depth) })))
    const isLine = (written: string[]) => !written.includes('') && !NO_PARAGRAPH.test(written[0] ?? '')
    const areLines = cells.flat().every((cell) => cell.columns * cell.rows === 1 && isLine(cell.written))
    if (head < 2 && areLines) {
      const lineOf = (written: string[]) => written.join(' ').replace(/(?<!\\)\|/g, '\\|')
      const lines = cells.map((row) => row.map(({ written }) => lineOf(written)))
      return tableLines(lines, head > 0)
    }
    const written = cells.flatMap((row, i) => {
      const tag = i < head ? 'th' : 'td'
      const inside = row.flatMap(({ columns, rows, written }) => {
        const spans = (columns > 1 ? ` colspan="${columns}"` : '') + (rows > 1 ? ` rowspan="${rows}"` : '')
        return [`<${tag}${spans}>`, '', ...written, '', `</${tag}>`]
      })
      return ['<tr>', ...inside, '</tr>']
    })
    return ['<table>', ...written, '</table>']
  }
}

/** The author of a quotation. */
const ATTRIBUTION = /^\\---?(?!-) ?|^[\u2013\u2014] ?(?=\S)/

/** With one of these signs, the lines of a literal block need no indentation. */
const QUOTING = /^[!-/:-@[-`{-~]$/

type Heading = { text: string; style: string; end: number }

/** Fields at the beginning of a text that are settings of Sphinx. */
const HIDDEN_FIELDS = /^(?:orphan|tocdepth|nocomments|nosearch|og:.*|html_theme.*)$/

const codeLines = (lines: readonly string[], language = ''): string[] =>
  codeBlock(lines.join('\n'), language).split('\n')

const directiveAt = (lines: readonly string[], start: number): RstDirective | null => {
  const [whole, substitution, name = '', first = ''] = DIRECTIVE.exec(lines[start]!) ?? []
  if (whole === undefined) return null
  const content = dedentAll(lines.slice(start + 1, indentedEnd(lines, start + 1)))
  const options = new Map<string, string>()
  const more: string[] = []
  let at = 0
  // `role` and `directive` of the domain `rst` describe such.
  const own = name.startsWith('rst:') ? 'describe' : name.slice(name.lastIndexOf(':') + 1).toLowerCase()
  // The addresses of pictures, and the signatures of objects, can go on in the next lines, before the options.
  const goesOn = /^(?:image|figure|replace)$/.test(own) || isObject({ name: own, argument: first })
  while (goesOn && at < content.length && content[at] !== '' && !FIELD.test(content[at]!))
    more.push(content[at++]!)
  for (; at < content.length && content[at] !== ''; at += 1) {
    const [, key, value = ''] = FIELD.exec(content[at]!) ?? []
    if (key === undefined) {
      if (options.size === 0 || !/^\s/.test(content[at]!)) break
    } else options.set(key.toLowerCase(), value)
  }
  const argument = [first, ...more].join(/^(?:image|figure)$/.test(own) ? ' ' : '\n').trim()
  return { substitution, name: own, argument, options, body: content.slice(at) }
}

/** `style`: `-`, or how a list counts, `1`, `a`, `A`, `i` or `I`, and its signs. `mark`: with the white space after it. */
type ListItem = { style: string; start: number; mark: string }

/** @param list the style of the list, in which a letter can be a Roman number; empty: the item begins one */
const itemAt = (lines: readonly string[], at: number, list = ''): ListItem | null => {
  const [mark = '', text = ''] = ITEM.exec(lines[at] ?? '') ?? []
  const isRoman = /^[ivx]+$/i.test(text) && (list === '' ? /^(?:i|..+)$/i : /^i/i).test(list || text)
  const isNumber = /[\d#]/.test(text)
  const kind = text === '' ? '-' : text === '#' ? list[0] || '1' : isNumber ? '1' : isRoman ? 'i' : 'a'
  const signs = mark.trim().replace(text || mark.trim(), '')
  const style = (text === text.toLowerCase() ? kind : kind.toUpperCase()) + signs
  const next = lines[at + 1] ?? ''
  // "A. Einstein" begins a sentence unless the next line belongs to an item.
  const isItem = text === '' || isNumber || /^(?: |$)/.test(next) || ITEM.test(next)
  if (mark === '' || !isItem || (list !== '' && style !== list)) return null
  return { style, start: isNumber ? Number(text) || 1 : kind === 'a' ? text.charCodeAt(0) & 31 : 1, mark }
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

/** A directive: `.. |substitution| name:: argument`, options, and indented lines. `name`: without the domain of Sphinx. */
type RstDirective = RstPicture & { substitution: string | undefined; name: string; body: string[] }

const CODE =
  /^(?:code|code-block|code-tab|sourcecode|parsed-literal|productionlist|graphviz|digraph|graph|plantuml|mermaid|doctest|testcode|testoutput|prompt|ipython)$/
const HIDDEN =
  /^(?:highlight|currentmodule|module|py:module|index|meta|sectnum|section-numbering|default-role|default-domain|role|include|title|tabularcolumns|rst-class|cssclass|class|header|footer|target-notes|restructuredtext-test-directive|testsetup|testcleanup|redirect-from|sectionauthor|codeauthor|moduleauthor|program|namespace|namespace-push|namespace-pop|date|unicode|replace|todo|todolist)$/
/** Directives whose argument is no title, and formats other than HTML. */
const NO_TITLE = /^(?:only|ifconfig|container|compound|hlist|glossary)$/
const OTHER_FORMATS = /^(?:(?:latex|pdf|epub|man|text|texinfo|gettext|not (?:builder_)?html)(?: or |$))+$/
const OBJECT =
  /^(?:auto(?!module|summary|modsumm)\w+|function|method|classmethod|staticmethod|property|class|exception|data|attribute|decorator|decoratormethod|coroutine|option|cmdoption|envvar|confval|setting|describe|object|macro|type|struct|union|enum|enumerator|concept|member|var|opcode|http:\w+|get|post|put|delete|patch|templatetag|templatefilter|fieldlookup|django-admin|django-admin-option)$/
/** Directives whose content the site makes from other files than texts. */
const GENERATED =
  /^(?:auto(?!sectionlabel)\w+|doxygen\w+|inheritance-diagram|click|typer|argparse|program-output|command-output|openapi|swagger\w*)$/

/** Whether a directive shows something. It can set the language of the code blocks after it. */
const isShown = ({ name, argument, body }: RstDirective): boolean =>
  !HIDDEN.test(name) || (name === 'class' && argument !== '' && body.length > 0 && /[.(\w]/.test(argument))

const directiveLines = (directive: RstDirective, reader: RstReader, depth: number): string[] => {
  const { name, argument, options, body } = directive
  const content = () => reader.blocks(body, depth + 1)
  if (name === 'admonition' || VERSION_CHANGE.test(name) || isAlertType(name))
    return alert(directive, reader, depth)
  if (CODE.test(name)) {
    const plain = (line: string) => /^\s*/.exec(line)![0] + stripMarkup(reader.inline(line))
    const text = name === 'parsed-literal' ? body.map(plain) : body
    const code = codeLines(text, codeLanguage(name, argument, reader.language))
    return titled(options.get('caption') ?? '', code, reader)
  }
  if (name === 'literalinclude') return [codeSpan(argument)]
  if (name === 'raw') return argument === 'markdown' ? body : []
  if (name === 'image') return [pictureOf(directive, reader.names)]
  if (name === 'figure') return withBlanks([[pictureOf(directive, reader.names)], content()])
  if (name === 'math') return ['$$', ...[argument, ...body].filter((line) => line !== ''), '$$']
  if (name === 'toctree') return options.has('hidden') ? [] : treeLines(directive, reader)
  if (name === 'contents')
    return titled(argument || (options.has('local') ? '' : 'Contents'), ['[TOC]'], reader)
  if (name === 'glossary') reader.isGlossary = true
  if (NO_TITLE.test(name)) {
    const written = OTHER_FORMATS.test(argument) ? [] : content()
    reader.isGlossary = false
    return written
  }
  if (/^(?:list|csv)-table$/.test(name)) {
    const head = csvRows([options.get('header') ?? ''])
    const listed = itemsOf(body).map((row) => itemsOf(row).map((lines) => cellOf(lines)))
    const rows = name === 'csv-table' ? [...head, ...csvRows(body)] : listed
    const table = { rows, head: head.length + Number(options.get('header-rows') ?? 0) }
    return titled(argument, rows.length === 0 ? content() : reader.table(table, depth + 1), reader)
  }
  const isGenerated = GENERATED.test(name)
  const isOther = isGenerated || !(isObject(directive) || isKnownDirective(name))
  if (isOther) reader.note = 'generated'
  if (isOther && !isGenerated && body.length > 0)
    return withBlanks([[argument].filter(Boolean).map(codeSpan), codeLines(body)])
  const note = isOther ? [GENERATED_PART] : []
  if (isObject(directive)) {
    const terms = argument.split('\n').map((one) => codeSpan(`${KEYWORD.exec(name)?.[1] ?? ''} ${one}`))
    return definitionLines(terms, withBlanks([content(), note]))
  }
  if (note.length === 0) return titled(argument, content(), reader)
  const items = [argument, ...body].map((line) => line.trim().replace(/^~/, ''))
  return withBlanks([items.filter(Boolean).map((one) => `- ${codeSpan(one)}`), note])
}

const KEYWORD = /^(?:auto)?(class|exception|classmethod|property|struct|union|enum|enumerator|type)$/

const isObject = ({ name, argument }: Pick<RstDirective, 'name' | 'argument'>): boolean =>
  argument !== '' && OBJECT.test(name)

const codeLanguage = (name: string, argument: string, language: string): string => {
  if (/^(?:code|code-block|code-tab|sourcecode)$/.test(name)) return argument.split(/\s/)[0] || language
  return /^(?:mermaid|plantuml)$/.test(name) ? name : name === 'graphviz' ? 'dot' : ''
}

const titled = (title: string, lines: string[], reader: RstReader): string[] =>
  withBlanks([title === '' ? [] : [`**${reader.inline(title)}**`], lines])

/** How blocks of Markdown other than paragraphs begin. */
const NO_PARAGRAPH = /^(?:[+>#|:-]|\* |\d+[.)] |```|\$\$|!\[|\[TOC|<(?:[a-z]+|a name="[^"]*"><\/a)>$)/

const alert = ({ name, argument, body }: RstDirective, reader: RstReader, depth: number): string[] => {
  const [, verb] = VERSION_CHANGE.exec(name) ?? []
  const kind =
    verb === undefined ? alertKind(name).split(' ')[0]! : /^dep|^rem/.test(verb) ? 'warning' : 'note'
  const [version = '', ...words] = argument.split(/\s+/)
  const removed = name === 'deprecated-removed' ? `, removed in version ${words.shift()}` : ''
  const change = `${capitalized(verb ?? '')} ${verb === 'deprecated' ? 'since' : 'in'} version ${version}${removed}`
  // Types of alerts other than those of GitHub, such as `danger`.
  const type = name === kind ? '' : capitalized(name.replace('seea', 'see a'))
  const title = verb ? change : name === 'admonition' ? argument : type
  const text = verb ? words.join(' ') : name === 'admonition' ? '' : argument
  const lines = reader.blocks([text, ...body], depth + 1)
  const head = `[!${kind.toUpperCase()}] ${reader.inline(title)}`.trimEnd()
  // The head must not be a term of a definition list.
  return quotedLines([head, ...(lines[1]?.startsWith(':   ') ? [''] : []), ...lines])
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
  const { names } = reader
  const links = body.flatMap(treeEntry).flatMap(({ title, target }) => {
    const found = (names.left > 0 && names.references?.documents(target)) || []
    const isPattern = found.length === 0 && target.includes('*')
    const documents = found.length > 0 || isPattern ? found : [{ title: null, to: destinationOf(target) }]
    return documents.map((one) => {
      const link = `- [${escapeText(title ?? one.title ?? pageLabel(target))}](${one.to})`
      names.left -= link.length
      return link
    })
  })
  return links.length === 0 ? [] : titled(options.get('caption') ?? '', links, reader)
}

/** The lines of the items of a list; none if there is something else. */
const itemsOf = (lines: readonly string[]): string[][] => {
  const items: string[][] = []
  for (const line of lines) {
    const mark = /^[-*+](?: +|$)/.exec(line)?.[0]
    if (mark !== undefined) items.push([' '.repeat(mark.length) + line.slice(mark.length)])
    else if (/^\S/.test(line)) return []
    else items.at(-1)?.push(line)
  }
  return items.map(dedentAll)
}
