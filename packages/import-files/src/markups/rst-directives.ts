import { codeBlock, codeSpan, escapeText, quotedLines } from '@lectern/wiki/import/markdown'
import { alertKind, isAlertType } from '@lectern/wiki/markup'
import { stripMarkup } from '../files/document.ts'
import { destinationOf, pageLabel, type RstNames } from './rst-inline.ts'
import { csvRows } from './rst-tables.ts'

/** A directive of reStructuredText: `.. name:: argument`, options, and indented lines. */
export interface RstDirective {
  /** In lower case, without the domain of Sphinx. */
  name: string
  argument: string
  options: ReadonlyMap<string, string>
  body: string[]
}

export interface DirectiveReader {
  /** The language of code blocks that name none. */
  language: string
  readonly names: RstNames
  inline(text: string): string
  /** Converts lines that may be indented. */
  blocks(lines: readonly string[], depth: number): string[]
  table(table: { rows: string[][]; hasHead: boolean }): string[]
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
export const isShown = ({ name, argument, body }: RstDirective): boolean =>
  !HIDDEN.test(name) || (name === 'class' && argument !== '' && body.length > 0 && /[.(\w]/.test(argument))

export const directiveLines = (directive: RstDirective, reader: DirectiveReader, depth: number): string[] => {
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

const titled = (title: string, lines: string[], reader: DirectiveReader): string[] =>
  title === '' ? lines : [`**${reader.inline(title)}**`, ...(lines.length > 0 ? [''] : []), ...lines]

const alert = ({ name, argument, body }: RstDirective, reader: DirectiveReader, depth: number): string[] => {
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

const treeLines = ({ options, body }: RstDirective, reader: DirectiveReader): string[] => {
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
const listTable = ({ options, body }: RstDirective, reader: DirectiveReader, depth: number): string[] => {
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
