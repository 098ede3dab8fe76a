import { isKnownDirective } from '@lectern/wiki/dialects/directives'
import { linesWithCode } from '@lectern/wiki/dialects/lines'
import { firstHeading, MAX_LINE_LENGTH, stripMarkup } from '../files/document.ts'
import type { MarkupPage, RstSection } from './markup.ts'
import { rstToMarkdown } from './rst.ts'
import { ADDED_MAX, rstName } from './rst-inline.ts'

const LABEL = /^[ \t]*\(([\w:./-]{1,200})\)=[ \t]*$/
const HEADING = /^ {0,3}#{1,6}[ \t]+/
const ID = /^\{#([\w:.-]{1,200})[^{}]{0,200}\}$/

/** The labels of a text in the Markdown of MyST (`(tea)=`) or Quarto (`# Tea {#sec-tea}`), and its first heading, as `rstSections` returns them. */
export const mystSections = (text: string): { labels: [string, RstSection][]; title: string | null } => {
  let title: string | null = null
  const lines = [...linesWithCode(text)].filter(({ line, isCode }) => !isCode && line.trim() !== '')
  const labels = lines.reverse().flatMap(({ line }): [string, RstSection][] => {
    const label = LABEL.exec(line)?.[1]
    if (label !== undefined) return [[rstName(label), { title, to: `#${label}` }]]
    const mark = HEADING.exec(line)?.[0]
    const text = mark === undefined ? '' : line.slice(mark.length, MAX_LINE_LENGTH).trimEnd()
    const brace = text.lastIndexOf('{')
    const id = ID.exec(text.slice(brace))?.[1]
    title = stripMarkup(id === undefined ? text : text.slice(0, brace).trimEnd()) || null
    return id === undefined ? [] : [[rstName(id), { title, to: `#${id}` }]]
  })
  return { labels, title: firstHeading(text) }
}

/** A role that refers to a text; a link, which can lead to a label; a reference of Quarto, which numbers some; and code in several backticks, which stays. */
const REFERENCE =
  /(?<!`)(?:(`{2,})(?!`)[^\n]{1,500}?(?<!`)\1(?!`)|\{(ref|doc)\}(`[^`\n]{1,500}`)|\[([^[\]\n]{0,300})\]\((#?)([\w:./-]{1,200})\)|(?<![\w/])@((sec|fig|tbl|eq)-[\w-]{1,100}))/g
const NUMBERED: Readonly<Record<string, string>> = { fig: 'Figure', tbl: 'Table', eq: 'Equation' }
const DIRECTIVE = /^[ \t>*+-]*(?:`{3,}|~{3,})\{(?:[\w-]{1,60}:){0,3}(?!code|source)([\w-]{1,60})\}/gm
const TREE = /^[ \t]*([`~:]{3,})\{toctree\}/

/** Whether a text has directives that only its site can show. */
export const hasOtherDirectives = (text: string): boolean =>
  [...text.matchAll(DIRECTIVE)].some(([, name]) => !isKnownDirective(name!))

/** Writes links where a text in the Markdown of MyST refers to others: `` {ref}`tea` ``, `` {doc}`tea` ``, and the list of a `{toctree}`. */
export const withMystReferences = (text: string, { path, references }: MarkupPage): string => {
  // Roles here need no definitions, which each of them would copy.
  const known = references && { ...references, definitions: undefined }
  const converted = (rst: string) => rstToMarkdown(rst, path, known).markdown.trim()
  let left = ADDED_MAX
  const referred = (whole: string, ...[, role, quoted, shown, hash, named, own, kind]: string[]): string => {
    if (left <= 0) return whole
    const isPage = named && !hash && references && references.documents(named).length > 0
    // The ids of headings have no such signs.
    const isElsewhere = hash ? !shown || /[:/]/.test(named!) : !isPage
    const label = isElsewhere ? references?.label(rstName(named ?? own ?? '')) : undefined
    const ofPage = isPage && !shown && `:doc:\`${named}\``
    const rst = role ? `:${role}:${quoted}` : label ? `:ref:\`${named ?? own}\`` : ofPage
    const to = label && shown ? `[${shown}](${label.to})` : rst ? converted(rst) : (NUMBERED[kind!] ?? whole)
    left -= to.length - whole.length
    return to
  }
  const written: string[] = []
  let tree: { end: string; lines: string[] } | null = null
  for (const { line, isCode, isFence } of linesWithCode(text)) {
    const mark: string | undefined =
      tree || left <= 0 || (isCode && !isFence) ? undefined : TREE.exec(line)?.[1]
    if (mark !== undefined) tree = { end: mark, lines: [line] }
    else if (tree === null) written.push(isCode ? line : line.replace(REFERENCE, referred))
    else if (line.trim() !== tree.end) tree.lines.push(line)
    else {
      const entries = tree.lines.slice(1).map((one) => `   ${one.trim()}`)
      written.push(converted(['.. toctree::', ...entries].join('\n')))
      left -= written.at(-1)!.length
      tree = null
    }
  }
  return [...written, ...(tree?.lines ?? [])].join('\n')
}
