import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { LOST_PART } from '@lectern/wiki/dialects/directives'
import { dedentAll } from '@lectern/wiki/dialects/lines'
import { codeBlock } from '@lectern/wiki/import/markdown'
import { decodeText } from '@lectern/wiki/import/text-encoding'
import { isMarkdownFile } from '../files/file-tree.ts'
import { blockOf, isPublic, readFrontMatter } from '../files/front-matter.ts'
import { type ConfigValues, entryOf, parseConfig, tableOf } from '../files/recognition/tree.ts'
import { hasOtherMarkup, markupOf } from '../markups/markup.ts'
import {
  type Directive,
  directivesIn,
  hasMacro,
  type IncludeSyntaxName,
  mayInclude,
  SHORTCODES,
  withSnippetLines,
} from './directives.ts'
import { renderLiquid } from './liquid.ts'
import { type IncludableFiles, type Includes, namesOf, parameterFiles } from './names.ts'
import { withoutMarks } from './selection.ts'

/** What a page may include: files in files; bytes, each as often as it is included; and includes in all. (D141) */
const INCLUDE_LIMITS = { depth: 10, bytes: 1024 * 1024, includes: 1_000 } as const
const LONG_FILE = 16 * 1024 // characters

/** What reStructuredText includes is reStructuredText, too, whatever its name. */
const isRst = (page: string): boolean => markupOf(page) === 'rst'

const syntaxOfFile = (file: string, { syntax }: Includes): IncludeSyntaxName | null => {
  const markup = markupOf(file)
  if (markup === 'asciidoc' || markup === 'rst') return markup
  return isMarkdownFile(file) || syntax === 'gollum' ? syntax : null
}

/** @param bytes of the text; absent: any */
export const canInclude = (file: string, includes: Includes, bytes?: Buffer): boolean => {
  const syntax = syntaxOfFile(file, includes)
  if (syntax === null || bytes === undefined || includes.footer) return syntax !== null
  return !isUtf8(bytes) || mayInclude(bytes, syntax)
}

/**
 * Replaces includes by their files. One stays if its file is missing, no text, a draft or itself, and after the limits.
 * @param whole gets the names of long files that are included whole and include nothing; the text has the names instead
 * @returns the text, a digest of it, and whether an include stays; null if the text has no include
 */
export const expandIncludes = async (
  text: string,
  file: string,
  includes: Includes,
  files: IncludableFiles,
  whole?: Set<string>,
): Promise<{ text: string; digest: string; isIncomplete: boolean } | null> => {
  const expansion = new Expansion(includes, files, whole)
  const { footer = '', hasMacros, hidden } = isMarkdownFile(file) ? includes : {}
  const rendered = hidden ? await renderLiquid(text, file, includes, files) : null
  const read = rendered?.text ?? (await expansion.expand(text + footer, [file]))
  const isLost = hasMacros && hasMacro(read)
  const isIncomplete = rendered?.isIncomplete || expansion.isIncomplete
  if (rendered === null && !expansion.hasNames && !isIncomplete && !isLost) return null
  const expanded = isLost ? `${read}\n\n${LOST_PART}\n` : read
  const digest = createHash('sha256').update(expanded).digest('base64url')
  return { text: expanded, digest, isIncomplete }
}

class Expansion {
  /** Whether it has names of files, also of those that do not exist. */
  hasNames = false
  isIncomplete = false
  readonly #includes: Includes
  readonly #files: IncludableFiles
  readonly #whole: Set<string> | undefined
  readonly #left: { bytes: number; includes: number } = { ...INCLUDE_LIMITS }
  readonly #parameters = new Map<string, readonly ConfigValues[]>()

  constructor(includes: Includes, files: IncludableFiles, whole?: Set<string>) {
    this.#includes = includes
    this.#files = files
    this.#whole = whole
  }

  /** @param way the file of the text, after those that include it */
  async expand(written: string, way: readonly string[]): Promise<string> {
    const [page, file] = [way[0]!, way.at(-1)!]
    const syntax = isRst(page) ? 'rst' : syntaxOfFile(file, this.#includes)
    if (syntax === null) return written
    const text = syntax === 'mkdocs' ? withSnippetLines(written) : written
    const { folders, hasMacros } = this.#includes
    const isRead = (one: Directive) => !one.parameter || one.path !== 'mkdocs' || hasMacros
    const found = directivesIn(text, syntax).filter(isRead)
    const namesIn = ({ path, parameter }: Directive) =>
      parameter ? parameterFiles(path, page, folders) : namesOf(path, syntax, [page, file], folders)
    const all = found.map((directive) => ({ ...directive, names: namesIn(directive) }))
    const directives = all.filter(({ parameter }) => {
      this.#left.includes -= parameter === undefined ? 1 : 1 / 64 // a value is short
      return this.#left.includes >= 0
    })
    if (directives.length < all.length) this.isIncomplete = true
    const wanted = [...new Set(directives.flatMap(({ names }) => names))]
    this.hasNames ||= wanted.length > 0
    const content = wanted.length === 0 ? [] : await this.#files.find(wanted)
    const contents = new Map(wanted.map((name, i) => [name, content[i] ?? null]))
    const pieces: string[] = []
    let at = 0
    for (const directive of directives) {
      if (directive.start < at) continue
      const lines = await this.#linesOf(directive, contents, way)
      if (lines === null) {
        this.isIncomplete ||= !directive.path.startsWith(SHORTCODES)
        continue
      }
      const before = text.slice(Math.max(0, directive.start - PREFIX_CHARACTERS), directive.start)
      const shown = indented(lines, before, directive.indent)
      this.#left.bytes -= shown.added
      pieces.push(text.slice(at, directive.start), shown.text)
      at = directive.end
    }
    return pieces.join('') + text.slice(at)
  }

  async #linesOf(
    { path, selection, marks, code, names, parameter, ownLinks }: Directive & { names: readonly string[] },
    contents: ReadonlyMap<string, string | null>,
    way: readonly string[],
  ): Promise<string[] | null> {
    const existing = names.filter((one) => contents.get(one) !== null)
    if (parameter !== undefined) return this.#valueOf(parameter, way[0]!, existing, contents)
    const [name] = existing
    if (name === undefined) return null
    const content = contents.get(name)!
    if (way.includes(name) || way.length > INCLUDE_LIMITS.depth) return null
    const bytes = await this.#files.read(content, Math.max(0, this.#left.bytes))
    if (bytes === null || bytes.includes(0)) return null
    this.#left.bytes -= bytes.length
    let { text } = decodeText(bytes)
    if (path.startsWith(SHORTCODES) && text.includes('{{')) {
      const ofSite = SITE_PARAMETER.exec(text)?.[1]
      const value = ofSite ? await this.expand(`{{< param ${ofSite.toLowerCase()} >}}`, [way[0]!]) : '{{'
      return value.includes('{{') ? null : [value]
    }
    if (isMarkdownFile(name) || hasOtherMarkup(name)) {
      const front = readFrontMatter(text)
      if (!isPublic(front, this.#includes.needsMark?.(name))) return null
      if (code === undefined) text = text.slice(front.end)
    }
    if (ownLinks !== undefined) text = withOwnLinks(text, ownLinks, name, way[0]!)
    const all = text.split(/\r\n|\r|\n/)
    const chosen = selection === undefined ? all : selection(all)
    if (chosen === null) return null
    const shown = marks === null ? chosen : withoutMarks(chosen, marks)
    if (isRst(way[0]!) && (code !== undefined || isMarkdownFile(name)))
      return rstBlock(dedentAll(shown), code)
    if (code !== undefined) return codeBlock(dedentAll(shown).join('\n'), code.split('\n')[0]).split('\n')
    const left = this.#left.includes
    const expanded = await this.expand(shown.join('\n'), [...way, name])
    const isLong = text.length >= LONG_FILE && selection === undefined
    if (this.#whole && isLong && left === this.#left.includes) {
      this.#whole.add(name)
      return [name]
    }
    const lines = expanded.replace(/^\n+|\n+$/g, '').split('\n')
    return isRst(way[0]!) ? ['', ...lines, ''] : lines
  }

  /** The value of a parameter, in the first of the files that has it. */
  async #valueOf(
    parameter: string,
    page: string,
    names: readonly string[],
    contents: ReadonlyMap<string, string | null>,
  ): Promise<string[] | null> {
    const keys = parameter.split('.')
    for (const name of names) {
      if (!this.#parameters.has(name)) {
        const most = Math.min(this.#left.bytes, name === page ? INCLUDE_LIMITS.bytes : SETTINGS_BYTES_MAX)
        const bytes = await this.#files.read(contents.get(name)!, Math.max(0, most))
        this.#left.bytes -= bytes?.length ?? 0
        const tables = bytes === null ? [] : parametersOf(name, decodeText(bytes).text, name === page)
        this.#parameters.set(name, tables)
      }
      for (const table of this.#parameters.get(name)!) {
        const value = keys.reduce<unknown>((values, key) => entryOf(tableOf(values), key), table)
        if (/^(?:string|number|boolean)$/.test(typeof value) && VALUE.test(String(value)))
          return [String(value)]
      }
    }
    return null
  }
}

const LINK_START = /(\]\(|^\[[^[\]\n]{1,300}\]:[ \t]+)([^\s()<>]{1,500})/gm

/** Writes links of an included file that begin so as they lead from the page. */
const withOwnLinks = (text: string, beginning: string, file: string, page: string): string =>
  text.replace(LINK_START, (whole, before: string, link: string) =>
    link.startsWith(beginning)
      ? before + posix.relative(posix.dirname(page), posix.join(posix.dirname(file), link))
      : whole,
  )

/** Lines of another markup, with blank lines around, as `rstToMarkdown` reads them. @param code absent: Markdown */
const rstBlock = (lines: readonly string[], code?: string): string[] => {
  const head = code === undefined ? '.. raw:: markdown' : `.. code-block:: ${code}`
  return ['', ...head.split('\n'), '', ...lines.map((line) => line && `   ${line}`), '']
}

/** Of a file whose parameters other pages have, too: each of them reads it. */
const SETTINGS_BYTES_MAX = 64 * 1024

/** A shortcode of Hugo that is a parameter of the site. */
const SITE_PARAMETER = /^\s*\{\{-?\s*[$.]?(site\.params\.[\w.]{1,100})\s*-?\}\}\s*$/i

/** A value stands in a line, and is no shortcode. */
const VALUE = /^(?!.*\{\{)[^\n\r]{1,500}$/

const FORMATS = { '---': 'a.yaml', '+++': 'a.toml', '{': 'a.json' } as const

/** The tables with parameters: of the page all of its front matter, of a folder what it hands down, of the site `params`, or `extra` of MkDocs. */
const parametersOf = (name: string, text: string, isPage: boolean): ConfigValues[] => {
  if (/\.(?:toml|ya?ml|json)$/.test(name)) {
    const values = parseConfig(name, text)
    const key = /(?:^|\/)mkdocs\.\w+$/.test(name) ? 'extra' : 'params'
    return [/params\.\w+$/.test(name) ? values : tableOf(entryOf(values, key))]
  }
  const block = blockOf(text)
  if (block === null || block.inner.length > SETTINGS_BYTES_MAX || !readFrontMatter(text).published) return []
  const values = parseConfig(FORMATS[block.mark], block.inner)
  const handedDown = [entryOf(values, 'cascade')]
    .flat()
    .map(tableOf)
    .filter((table) => !('_target' in table || 'target' in table))
  return [...(isPage ? [values] : []), ...handedDown].flatMap((one) => [one, tableOf(entryOf(one, 'params'))])
}

/** Characters before an include that its further lines have, too: white space, and marks of quotations. */
const PREFIX_CHARACTERS = 200

/** Repeats before each line what is before the include: its indentation, or the marks of a quotation. @param indent at least */
const indented = (lines: readonly string[], before: string, indent = 0): { text: string; added: number } => {
  const [, mark = ''] = /(?:^|\n)([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)$/.exec(before) ?? []
  const prefix = mark.replace(/[^\s>]/g, ' ').padEnd(indent)
  const own = prefix.slice(mark.length)
  const text = lines.map((line, i) => (line === '' ? line : (i === 0 ? own : prefix) + line)).join('\n')
  return { text, added: prefix.length * lines.length }
}
