import { type LineOfText, linesWithCode } from '@lectern/wiki/dialects/lines'
import { between, linesFrom, linesSelection, partOf, type SectionMarks, type Selection } from './selection.ts'

interface Described {
  /** The name of the file as it is written. */
  path: string
  /** Absent: all of the file. */
  selection?: Selection | undefined
  /** The language of a block of code around the lines; absent: they are part of the text. */
  code?: string | undefined
  /** Instead of lines of a file, the value of this parameter stands there; `path` is of `parameterFiles`. */
  parameter?: string
  /** The beginning of links that start from the included file, not from the page; absent: none do. */
  ownLinks?: string | undefined
  /** Spaces that are at least before each line. */
  indent?: number | undefined
}

export interface Directive extends Described {
  start: number
  end: number
  /** Marks of parts that the generator does not show. */
  marks: SectionMarks | null
}

interface Pattern {
  /** With the flags `gm`. A part of its text that it does not replace is in a lookaround. */
  expression: RegExp
  /** What each match has. Most texts do not, and to look for it takes a hundredth of the time. */
  sign?: string
  isInCode?: true
  read(match: RegExpExecArray): Described | null
}

const extensionOf = (path: string): string => /\.([\w+#-]{1,20})$/.exec(path)?.[1] ?? ''

/** `file.rs:anchor`, `file.rs:2:5`, `file.rs::5`, of mdBook and pymdownx. */
const withColons = (text: string, marks: SectionMarks): Described => {
  const [, path = text, part] = /^(.*?[^:\\/]):(?![\\/])(.*)$/.exec(text) ?? []
  if (part === undefined) return { path }
  if (!/^[\d:,]*$/.test(part)) return { path, selection: partOf(marks, part) }
  return { path, selection: linesSelection(marks === 'scissors' && /^\d+$/.test(part) ? `${part}:` : part) }
}

const option = (text: string, name: string): string | undefined =>
  new RegExp(`\\b${name}[ \\t]*=[ \\t]*(?:"([^"\\n]*)"|'([^'\\n]*)')`).exec(text)?.slice(1).find(Boolean)

/** `3,5` and `{3,}` of VitePress: from, to. */
const rangeIn = (text = ''): Selection | undefined =>
  linesIn(/^(?=.*\d)[ \t]*\d*,\d*[ \t]*$/.exec(text)?.[0].replace(',', ':'))

const linesIn = (text?: string): Selection | undefined => (text ? linesSelection(text) : undefined)

/** An include of docutils or of Sphinx. Sphinx names lines of code by what is in them. */
const rstInclude = (name: string, path: string, written: string): Described | null => {
  const pairs = written.matchAll(/:([\w-]+):(.*)/g)
  const options = new Map(Array.from(pairs, ([, key, value]) => [key!, value!.trim()]))
  if (options.has('pyobject') || options.has('diff')) return null
  if (name !== 'literalinclude' && options.size === 0) return { path }
  const number = (key: string) => (options.has(key) ? Number(options.get(key)) || 0 : undefined)
  const isLines = name === 'literalinclude'
  const start = options.get('start-after') ?? options.get('start-at')
  const end = options.get('end-before') ?? options.get('end-at')
  const selection = isLines
    ? linesFrom(start, end, { hasStart: options.has('start-at'), hasEnd: options.has('end-at') })
    : between(start, end, number('start-line'), number('end-line'))
  const language = options.get('language') || options.get('code') || extensionOf(path)
  const caption = options.has('caption') ? `\n   :caption: ${options.get('caption')}` : ''
  const isCode = isLines || options.has('code') || options.has('literal')
  return {
    path,
    selection: linesIn(options.get('lines')) ?? selection,
    code: isCode ? language + caption : undefined,
    ownLinks: options.get('relative-docs'),
  }
}

const tagIn = (options: string) => partOf('tag', /\btags?=["']?([\w-]+)/.exec(options)?.[1])

/** Before a heading of AsciiDoc, and how far above an include it can be. */
const SECTION_ID = /^\[[[#]([\w.-]+)\]?\]\n(?:\[[^\n]*\n)?={1,6}[ \t]/gm
const SECTION_CHARACTERS = 20_000

/** The folder of Hugo with the shortcodes of a site. Those that are text without templates are includes. */
export const SHORTCODES = '/layouts/shortcodes/'
const FRONT_MATTER = /\{\{\s{0,20}\$?frontmatter\.([\w.]{1,100})\s{0,20}\}\}/gm

const RAW = String.raw`\{%-?\s{0,20}raw\b(?:[^{]|\{(?!%-?\s{0,20}(?:end)?raw\b)){0,20000}\{%-?\s{0,20}endraw\b`
const COMMENTS = String.raw`<!--(?:[^<]|<(?!!--)){0,20000}?-->|\{#(?:[^#{]|#(?!\})|\{(?!#)){0,1000}#\}`
/** A value or a call of Jinja; not one of another template that begins so (`${{ a }}`). */
const MACROS = new RegExp(`${RAW}|${COMMENTS}|(?<!\\$)(\\{\\{-?\\s{0,20}\\w[^{}]{0,500}\\}\\})`, 'g')

/** Whether a text of a site with macros has some that the import does not know. */
export const hasMacro = (text: string): boolean => [...text.matchAll(MACROS)].some(([, macro]) => macro)

const SYNTAXES = {
  mdbook: [
    {
      expression:
        /(?<!\\)\{\{#(include|rustdoc_include|playground|playpen)[ \t]{1,20}([^\s{}][^{}\n]{0,500})\}\}/gm,
      isInCode: true,
      read: ([, name = '', written = '']) =>
        name.startsWith('play')
          ? { ...withColons(written.split(/[ \t]/)[0]!, 'anchor'), code: 'rust' }
          : withColons(written.trim(), 'anchor'),
    },
  ],
  mkdocs: [
    {
      // A value, but not in what shows it as it is written.
      sign: '{{',
      expression: new RegExp(`${RAW}|\\{\\{-?\\s{0,20}(\\w[\\w.-]{0,100})(?<!-)\\s{0,20}-?\\}\\}`, 'gm'),
      isInCode: true,
      read: ([, parameter]) => (parameter ? { path: 'mkdocs', parameter } : null),
    },
    {
      sign: '8<-',
      expression:
        /-{1,10}8<-{1,10}(?<=^[ \t>]{0,100}-{1,10}8<-{1,10})[ \t]{1,20}(["'])([^"'\n]{1,500})\1[ \t]{0,20}$/gm,
      isInCode: true,
      read: ([, , written = '']) => withColons(written, 'scissors'),
    },
    {
      sign: '{!',
      expression: /\{!>?[ \t]{0,20}([^\s!][^!\n[\]]{0,500})(?:\[ln:([\d,:-]{1,200})\][ \t]{0,20})?!\}/gm,
      isInCode: true,
      read: ([, path = '', lines]) => ({ path: path.trimEnd(), selection: linesIn(lines) }),
    },
    {
      // `{* a.py ln[1:3,5] title["a"] *}`, of FastAPI
      sign: '{*',
      expression:
        /\{\*(?<=^[ \t>]{0,100}\{\*)[ \t]{1,20}([^\s*]{1,500})((?:[ \t][^*\n]{0,500})?)\*\}[ \t]{0,20}$/gm,
      read: ([, path = '', options = '']) => {
        const lines = /\bln\[([\d:,]{1,200})\]/.exec(options)?.[1]
        return { path, code: extensionOf(path), selection: linesIn(lines) }
      },
    },
    {
      sign: '{%',
      expression:
        /(\{%-?\s{0,20}filter\s{1,20}indent\b[^%{}]{0,100}%\}\s{0,20})?\{%-?\s{1,20}include(?:-markdown)?\s{1,20}["']([^"'\n]{1,500})["']([^%{}]{0,800})%\}(?:\s{0,20}\{%-?\s{0,20}endfilter\s{0,20}-?%\})?/gm,
      read: ([, filter, path = '', options = '']) => {
        const [start, end] = [option(options, 'start'), option(options, 'end')]
        const indent = filter ? Number(/\d{1,2}/.exec(filter)?.[0] ?? 4) : undefined
        return { path, selection: start || end ? between(start, end) : undefined, indent }
      },
    },
  ],
  vitepress: [
    { expression: FRONT_MATTER, read: ([, parameter = '']) => ({ path: 'page', parameter }) },
    {
      expression:
        /<<<(?<=^[ \t>]{0,100}<<<)[ \t]{0,20}([^\s#{[][^\n#{[]{0,500})(?:#([\w-]{1,100}))?[ \t]{0,20}(?:\{([^}\n]{0,200})\})?[ \t]{0,20}(?:\[[^\]\n]{0,200}\])?[ \t]{0,20}$/gm,
      read: ([, path = '', name, options = '']) => {
        const code = /[a-z][\w+#-]*/i.exec(options)?.[0] ?? extensionOf(path)
        return { path: path.trimEnd(), selection: partOf('region', name), code }
      },
    },
    {
      expression:
        /<!--[ \t]{0,20}@include:[ \t]{0,20}([^\s#{>]{1,500})(?:#([\w-]{1,100}))?[ \t]{0,20}(?:\{([^}\n]{0,50})\})?[ \t]{0,20}-->/gm,
      isInCode: true,
      read: ([, path = '', part, lines]) => ({ path, selection: rangeIn(lines) ?? partOf('region', part) }),
    },
    {
      expression:
        /@\[code(?<=^[ \t>]{0,100}@\[code)(?:\{(\d{0,9}-\d{0,9})\})?(?:[ \t]{1,20}([\w+#-]{1,50}))?[^\]\n]{0,100}\]\(([^)\s]{1,500})\)/gm,
      read: ([, lines, language, path = '']) => {
        return { path, code: language ?? extensionOf(path), selection: linesIn(lines) }
      },
    },
  ],
  hugo: [
    {
      expression: /\{\{[<%]\s{0,20}([a-z][\w/-]{0,100})\s{0,20}[>%]\}\}/gm,
      isInCode: true,
      read: ([, name = '']) => ({ path: `${SHORTCODES}${name}.html` }),
    },
    {
      expression: /\{\{[<%]\s{0,20}param\s{1,20}"?(site\.params\.)?([\w.-]{1,100})"?\s{0,20}[>%]\}\}/gm,
      isInCode: true,
      read: ([, site, parameter = '']) => ({ path: site ? 'hugo' : '', parameter }),
    },
    {
      expression:
        /\{\{[<%][ \t]{0,20}(readfile|include|code_sample|codenew)[ \t]{1,20}([^\s{}][^{}\n]{0,800})[>%]\}\}/gm,
      isInCode: true,
      read: ([, name = '', options = '']) => {
        const path =
          option(options, 'file') ?? /^(?:"([^"]+)"|([^\s"=]+)(?=\s|$))/.exec(options)?.slice(1).find(Boolean)
        const isCode = name.startsWith('code') || option(options, 'code') === 'true'
        const language = option(options, 'lang') ?? option(options, 'language') ?? extensionOf(path ?? '')
        return path ? { path, code: isCode ? language : undefined } : null
      },
    },
  ],
  liquid: [
    {
      // Files of a theme, in HTML, are no texts, but can show one: `markdown.html path="a.md"`.
      expression:
        /\{%-?[ \t]{0,20}include(_relative)?[ \t]{1,20}(?:"([^"\n]{1,500})"|(?:[\w./-]{1,100}\.html[ \t]{1,20}\w{1,50}=["']?)?([^\s"'%{}=]{1,500}\.(?:md|markdown)))[^%{}\n]{0,500}%\}/gm,
      read: ([, relative, quoted, bare = '']) => ({ path: quoted ?? (relative ? `./${bare}` : bare) }),
    },
  ],
  gollum: [
    { expression: /\[\[include:([^[\]|\n]{1,300})\]\]/gm, read: ([, path = '']) => ({ path: path.trim() }) },
  ],
  rst: [
    {
      expression:
        /\.\.(?<=^[ \t]{0,100}\.\.)[ \t]{1,20}(include|literalinclude|mdinclude)::[ \t]{1,20}([^\s<][^\n]{0,500})((?:\n[ \t]{1,100}:[^\n]{1,500}){0,20})$/gm,
      read: ([, name = '', path = '', options = '']) => rstInclude(name, path.trim(), options),
    },
  ],
  myst: [
    {
      expression:
        /(`{3,20}|:{3,20})(?<=^[ \t>]{0,100}(?:[-*+][ \t]{1,3})?\1)\{(include|literalinclude)\}[ \t]{1,20}([^\s<][^\n]{0,500})((?:\n[ \t]{0,100}:[^\n]{1,500}){0,20})\n[ \t\n]{0,20}\1[ \t]{0,20}$/gm,
      read: ([, , name = '', path = '', options = '']) => rstInclude(name, path.trim(), options),
    },
  ],
  asciidoc: [
    {
      expression: /^include::([^[\]\n{}]{1,500})\[([^\]\n]{0,500})\][ \t]{0,20}$/gm,
      isInCode: true,
      read: ([, path = '', options = '']) => {
        const lines = /\blines=["']?([\d.;,-]+)/.exec(options)?.[1]
        return { path, selection: tagIn(options) ?? linesIn(lines) }
      },
    },
    {
      // Of Spring: a class in the package that has the id of the section as its name.
      expression: /^include-code::(\.\/)?([\w./-]{1,300})\[([^\]\n]{0,500})\][ \t]{0,20}$/gm,
      isInCode: true,
      read: ({ 1: page = '', 2: name, 3: options = '', index, input }) => {
        const before = input.slice(Math.max(0, index - SECTION_CHARACTERS), index)
        const id = [...before.matchAll(SECTION_ID)].at(-1)?.[1] ?? ''
        const folder = id.toLowerCase().replaceAll('-', '').replaceAll('.', '/')
        const selection = tagIn(options) ?? linesFrom('package ')
        return { path: `code$${page}${folder}/${name}.java`, code: 'java', selection }
      },
    },
  ],
} as const satisfies Record<string, readonly Pattern[]>

export type IncludeSyntaxName = keyof typeof SYNTAXES | 'mdx'

const MARKS: Record<string, SectionMarks> = { mkdocs: 'scissors', vitepress: 'region', asciidoc: 'tag' }

/** `<include cwd>a.ts</include>`, of Fumadocs. `cwd`: the path begins in the folder of the configuration. */
const INCLUDE_ELEMENT: Pattern = {
  expression: /<include((?:\s[^<>]{0,300})?)>\s{0,20}([^\s<>#]{1,500})\s{0,20}<\/include>/gm,
  read: ([, attributes = '', path = '']) => ({
    path: /\bcwd\b/.test(attributes) ? `@site/${path}` : `./${path}`,
    code: /\.mdx?$/.test(path) ? undefined : (option(attributes, 'lang') ?? extensionOf(path)),
  }),
}

/** Components that the imports of a text name: `import Part from './_part.mdx'` … `<Part />`. */
const componentPatterns = (text: string): Pattern[] => {
  const paths = new Map<string, { path: string; isRaw: boolean }>()
  for (const [, name = '', written = ''] of text.matchAll(
    /\bimport[ \t]{1,20}(\w{1,100})(?:,[ \t]{0,20}\{[^{}"']{0,200}\})?[ \t]{1,20}from[ \t]{1,20}["']([^"'\n]{1,500})["']/g,
  )) {
    const path = written.replace(/^.*!/, '').replace(/\?.*$/, '').replaceAll('\\_', '_')
    const isRaw = path !== written.replaceAll('\\_', '_')
    if (isRaw || /\.mdx?$/.test(path)) paths.set(name, { path, isRaw })
  }
  const read = ([, tag = '', attributes = '', child = '']: RegExpExecArray): Described | null => {
    const partial = paths.get(tag)
    if (partial?.isRaw === false) return { path: partial.path }
    const raw = paths.get(child || (/\{(\w+)\}/.exec(attributes)?.[1] ?? ''))
    if (!raw?.isRaw) return null
    return { path: raw.path, code: option(attributes, 'lang(?:uage)?') ?? extensionOf(raw.path) }
  }
  const expression = /<([A-Z]\w{0,100})((?:\s[^<>]{0,300}?)?)(?:\/>|>\{(\w{1,100})\}<\/\1>)/gm
  return paths.size === 0 ? [INCLUDE_ELEMENT] : [{ expression, read }, INCLUDE_ELEMENT]
}

/** Whether lines of reStructuredText are in a literal block: what is further in than a line that begins one. */
function* linesWithLiterals(text: string): Generator<LineOfText> {
  let start = 0
  let block = Number.POSITIVE_INFINITY
  for (const line of text.split('\n')) {
    const indent = line.search(/\S/)
    if (indent >= 0 && indent <= block) block = LITERAL.test(line) ? indent : Number.POSITIVE_INFINITY
    else if (indent >= 0) yield { line, start, isCode: true, isFence: false }
    start += line.length + 1
  }
}

const LITERAL = /^\s*(?:\.\.[ \t]+(?:code|code-block|sourcecode|parsed-literal)::|(?!\.\.[ \t]).*::\s*$)/

/** Whether bytes in UTF-8 can have an include. */
export const mayInclude = (bytes: Buffer, name: IncludeSyntaxName): boolean =>
  name === 'mdx' || (SYNTAXES[name] as readonly Pattern[]).some(({ sign = '' }) => bytes.includes(sign))

/** Names of files in lines between two marks, of pymdownx. */
const SNIPPETS =
  /^([ \t>]{0,100})-{1,10}8<-{1,10}[ \t]{0,20}\n((?:(?![ \t>]{0,100}-{1,10}8<)[^\n]{0,500}\n){1,100})[ \t>]{0,100}-{1,10}8<-{1,10}[ \t]{0,20}$/gm

/** The text with an include for each of these names. A semicolon switches one off. */
export const withSnippetLines = (text: string): string =>
  text.replace(SNIPPETS, (_, start: string, block: string) => {
    const names = block.split('\n').map((line) => line.replace(/^[ \t>]+/, '').trimEnd())
    return names.flatMap((name) => (/^[^;"]/.test(name) ? `${start}--8<-- "${name}"` : [])).join('\n')
  })

export const directivesIn = (text: string, name: IncludeSyntaxName): Directive[] => {
  const patterns: readonly Pattern[] = name === 'mdx' ? componentPatterns(text) : SYNTAXES[name]
  const marks = MARKS[name] ?? null
  const matches = patterns
    .filter(({ sign }) => sign === undefined || text.includes(sign))
    .flatMap((pattern) => [...text.matchAll(pattern.expression)].map((match) => ({ match, ...pattern })))
    .sort((a, b) => a.match.index - b.match.index)
  const isEverywhere = matches.every(({ isInCode }) => isInCode)
  const lines = isEverywhere ? [] : name === 'rst' ? linesWithLiterals(text) : linesWithCode(text)
  const codes = [...lines].filter(({ isCode, isFence }) => isCode && !(isFence && name === 'myst'))
  let at = 0
  return matches.flatMap(({ match, isInCode, read }): Directive[] => {
    const start = match.index
    while (at < codes.length && codes[at]!.start + codes[at]!.line.length <= start) at++
    const described = !isInCode && codes[at] && codes[at]!.start <= start ? null : read(match)
    if (described === null) return []
    return [{ ...described, start, end: start + match[0].length, marks }]
  })
}
