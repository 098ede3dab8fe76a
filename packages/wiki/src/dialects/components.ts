import { escapeUTF8 } from 'entities'
import { escapeText } from '../import/markdown.ts'
import { matchAt } from '../inline-html.ts'
import { isAlertType } from '../markup.ts'
import { replaceAt } from '../text.ts'
import { decodedText } from './attributes.ts'
import { alertLines, codeLines, detailsLines, type Place, sectionLines, titledLines } from './blocks.ts'
import { type Container, markedContainer } from './containers.ts'
import { LOST_PART } from './directives.ts'
import { dedentAll, enclosedBlock, isBlankLine, type Line, outsideCode, type ReadAhead } from './lines.ts'

/** A tag of JSX, which may have expressions and further lines. */
type ComponentTag = NonNullable<ReturnType<typeof componentTagAt>>

/** Characters of a tag, in a line and in several. A longer one is text. */
const TAG_CHARACTERS = { line: 4_000, lines: 20_000 } as const
const TAG_START = /<(\/?)([A-Za-z][\w.-]*)(?=[\s/>])/y
/** An expression in braces, with up to seven levels of them. */
const EXPRESSION = Array.from({ length: 6 }).reduce<string>(
  (inner) => `\\{(?:[^{}]|${inner})*\\}`,
  '\\{[^{}]*\\}',
)
/** An attribute, an expression, or a sign that means nothing. What has no end is neither, nor `<`, of another tag. */
const TAG_PART = new RegExp(
  `([\\w:@-][\\w:@.-]*)(?:=(?:"([^"]*)"|'([^']*)'|(${EXPRESSION})))?|${EXPRESSION}|[^\\w:@<>{=-]+|=(?!["'{])`,
  'y',
)
/** `{'text'}`, `{require('./a.png').default}`, `{useBaseUrl('a.png')}`, which is `/a.png` */
const LITERAL = /(useBaseUrl\(\s*)?(['"`])([^'"`\n]{1,500})\2/

const literalOf = (expression: string): string | undefined => {
  const [, atRoot, , literal] = LITERAL.exec(expression) ?? []
  return atRoot === undefined || literal === undefined ? literal : literal.replace(/^\/?/, '/')
}

/** The tag that begins at a position; null if none does, or if it has no end. */
const componentTagAt = (text: string, at: number, characters: number = TAG_CHARACTERS.line) => {
  const written = text.slice(at, at + characters)
  const [start, slash, name = ''] = matchAt(TAG_START, written, 0) ?? []
  if (start === undefined) return null
  const attributes = new Map<string, string>()
  let next = start.length
  for (let part = matchAt(TAG_PART, written, next); part; part = matchAt(TAG_PART, written, next)) {
    next = TAG_PART.lastIndex
    const [, key, double, single, expression] = part
    const literal = key === 'code' || key === 'values' ? expression : literalOf(expression ?? '')
    const value = double ?? single ?? (expression === undefined ? '' : literal)
    if (key !== undefined && value !== undefined) attributes.set(key.toLowerCase(), value)
  }
  if (written[next] !== '>') return null
  const isSelfClosing = written[next - 1] === '/'
  return { name, isClosing: slash === '/', isSelfClosing, attributes, end: at + next + 1 }
}

/** Lines that a tag, or a statement, at the beginning of a line may take. */
const LINES_MAX = 400
const LINE_START =
  /^([ \t]*)<(?:[A-Z]|[a-z]\w*(?:[ \t]*$|\s[^<>]*(?:\bv-for=|=\{[^<>]*$))|(?:iframe|template)(?:\s|$)|(?:div|img) (?:className|style)=|[a-z]+-)/

/** A tag alone on its line, around what MDX reads as Markdown. */
const BLOCK_TAG =
  /^([ \t]*)<(?:p(?! align| id)|div|section|article|aside|main|nav|header|footer|center|details|summary|figure|blockquote|ul|ol|li|dl|dt|dd|table|thead|tbody|tfoot|tr|td|th)(?:\s[^<>]*)?(?<!\/)>[ \t]*$/

/** A component, tag or frame whose tag begins a line: what it shows, as Markdown. Its content has no indentation that counts. */
export const componentAt = (lines: readonly Line[], at: number, ahead: ReadAhead) => {
  const start = lines[at]!
  const isHtml = ahead.constants !== undefined && BLOCK_TAG.test(start.text)
  const white = (isHtml ? BLOCK_TAG : LINE_START).exec(start.text)?.[1]
  if (white === undefined) return null
  let text = start.text
  let last = at
  let tag = componentTagAt(text, text.indexOf('<'))
  while (tag === null && last + 1 < lines.length && last - at < LINES_MAX && ahead.lines > 0) {
    last += 1
    ahead.lines -= 1
    text += `\n${lines[last]!.text}`
    if (!lines[last]!.text.includes('>')) continue
    tag = componentTagAt(text, text.indexOf('<'), TAG_CHARACTERS.lines)
    ahead.lines -= text.length / 1_000
  }
  if (tag === null || tag.isClosing) return null
  const rest = { text: text.slice(tag.end), number: lines[last]!.number }
  const place = { start, indent: ahead.isFlat || isHtml ? white : '' }
  // Within a paragraph, it is read with the line.
  if (tag.isSelfClosing && !isBlankLine(rest.text)) return null
  const after = lines[last]!.text.length - rest.text.length
  const block = tag.isSelfClosing ? null : enclosedBlock(lines, last, after, tagsOf(tag), ahead)
  if (isHtml && block === null) return null
  const child = block?.body.map(({ text }) => text).join('\n') ?? ''
  const isCode = (tag.name === 'CodeBlock' ? /^\s*\{/ : CODE_CHILD).test(child)
  if (isCode && ahead.constants && !hrefOf(tag.attributes)) tag.attributes.set('{}', child)
  const write = isHtml ? tagWriter(place, tag) : writerOf(place, tag, ahead)
  if (block?.line === at && hrefOf(tag.attributes) && !isBlankLine(block.rest.text)) return null
  const content = block ?? { body: [], rest, line: last }
  const tabs = (tag.attributes.get('values') ?? '').split('}')
  if (tag.name === 'Tabs')
    ahead.tabs = new Map(tabs.map((tab) => [TAB_VALUE.exec(tab)?.[2], TAB_LABEL.exec(tab)?.[2]]))
  // A component of Astro names its tabs by their slots.
  const named = ({ text, number }: Line) => ({ text: text.replace(TAB_SLOT, '$1title='), number })
  const body = tag.name.endsWith('Tabs') ? content.body.map(named) : content.body
  return markedContainer({ ...content, body }, write)
}

/** An expression in a component, which is its attribute `{}`, unless it is a string of one line, which is a text. */
const CODE_CHILD = /^\s*\{\s*(?:[^"'\s]|.*\\n)/
const TAB_SLOT = /^([ \t]*<Fragment )slot=/
const TAB_LABEL = /\blabel["']?:\s*(["'`])((?:(?!\1).){1,200})\1/
const TAB_VALUE = /\bvalue["']?:\s*(["'`])((?:(?!\1).){1,200})\1/

const tagsOf = ({ name }: ComponentTag): RegExp => {
  const pattern = name.replaceAll('.', '\\.')
  return new RegExp(`<(/)${pattern}>|<${pattern}(?=[\\s>])[^<>]*(?<!/)(?:>|$)`, 'g')
}

/** Markdown makes paragraphs without `<p>`, and no reader sees the classes of `<div>`. */
const PLAIN = /^[ \t]*<(?:p|div (?:className|style)=)/

const tagWriter = (place: Place, tag: ComponentTag): Container['write'] => {
  const { text } = place.start
  if (PLAIN.test(text)) return (body) => titledLines(place, '', body)
  const written = text.includes('{') ? htmlTag(tag) : text.trim()
  const line = (shown: string) => ({ ...place.start, text: shown })
  return (body) =>
    titledLines(place, '', [line(written), line(''), ...body, line(''), line(`</${tag.name}>`)])
}

const TITLES = ['title', 'label', 'header', 'heading', 'summary', 'tab']

const writerOf = (place: Place, tag: ComponentTag, ahead: ReadAhead): Container['write'] => {
  const { name, attributes, isSelfClosing } = tag
  const { start } = place
  // It repeats what only a program knows. A line here could end the HTML around it.
  if (attributes.has('v-for')) return () => lostLines(place, ahead, [])
  const title = TITLES.map((key) => attributes.get(key)).find((value) => value) ?? ''
  const kind = (attributes.get('type') || attributes.get('variant') || name).toLowerCase()
  const lower = name.toLowerCase()
  const value = attributes.get('value') ?? ''
  if (/^(?:aside|admonition|callout|alert|note|tip|info|warning|caution|danger|important)$/.test(lower))
    return (body) => alertLines(place, isAlertType(kind) ? kind : 'note', title, body)
  if (/^(?:details|accordion|collapse|collapsible|expandable|disclosure|accordionitem)$/.test(lower))
    return (body) => detailsLines(place, title, body)
  if (/^(?:tab|tabitem|tabpanel|codegroupitem|code-block|fragment)$/.test(lower))
    return (body) => sectionLines(place, 'tab', title || ahead.tabs?.get(value) || value, body)
  const written =
    attributes.get('{}') ?? (/^code(?:block)?$/.test(lower) ? attributes.get('code') : undefined)
  const code = codeOf(written, ahead.constants) ?? (isSelfClosing ? commandOf(tag) : undefined)
  // A constant can be shown many times.
  ahead.lines -= (code?.length ?? 0) / 10
  if (code !== undefined && ahead.lines > 0) {
    const body = dedentAll(code.split('\n')).map((text) => ({ ...start, text }))
    const lines = codeLines(start, attributes.get('lang') ?? attributes.get('language') ?? '', body)
    return () => titledLines(place, title, lines)
  }
  if (lower === 'tocinline') return () => titledLines(place, '', [{ ...start, text: '[[toc]]' }])
  const href = hrefOf(attributes)?.replace(/^<(.*)>$/, '$1')
  const described = (text: string) => [text, attributes.get('description')].filter(Boolean).join(': ')
  const source = attributes.get('src')
  const shown = (text: string, body: Line[] = []) =>
    sectionLines(place, lower, '', [{ ...start, text }, ...body])
  if (source && /^(?:image|img|zoomableimage|themedimage|figure|picture)$/.test(lower))
    return (body) => shown(imageOf(attributes, source), body)
  const id = lower.includes('youtube') ? attributes.get('id') : undefined
  const embedded = /^(?:iframe|video)$/.test(lower) ? source : id && `https://www.youtube.com/watch?v=${id}`
  if (embedded) return () => shown(`[${title || embedded}](<${embedded}>)`)
  if (title !== '' && href)
    return (body) => shown(described(`[${title}](<${href}>)`), [{ ...start, text: '' }, ...body])
  const text = title ? described(title) : linkTo(href, attributes.get('text') ?? '')
  const isLost = isSelfClosing && text === '' && /^[A-Z]/.test(name) && !DECORATION.test(name)
  if (isLost) return () => lostLines(place, ahead, [{ ...start, text: LOST_PART }])
  if (isSelfClosing) return () => shown(text)
  return (body) => sectionLines(place, lower, title, href ? linkedLines(body, href) : body)
}

/** The commands, or the code, that a component shows by its strings: `<Command npm="npm i tea" yarn="yarn add tea" />`, `<PackageManagers pkg="tea" />`. */
const commandOf = ({ name, attributes }: ComponentTag): string | undefined => {
  const written = [...attributes].filter(([key, text]) => COMMAND_KEY.test(key) && IS_COMMAND.test(text))
  if (written.length > 0) return written.map(([, text]) => text).join('\n')
  const type = attributes.get('type') ?? 'add'
  const command = NPM_COMMANDS.get(type)
  if (name !== 'PackageManagers' || command === undefined) return undefined
  const [dev, args] = [attributes.has('dev') && '-D', attributes.get('args')]
  const separator = args && /^(?:create|run)$/.test(type) && '--'
  return [command, dev, attributes.get('pkg'), separator, args].filter(Boolean).join(' ')
}
/** What `PackageManagers`, of starlight-package-managers, shows for npm by its `type`. */
const NPM_COMMANDS = new Map([
  ...['create', 'install', 'run'].map((type) => [type, `npm ${type}`] as const),
  ...['dlx', 'exec'].map((type) => [type, 'npx'] as const),
  ['add', 'npm i'],
  ['remove', 'npm uninstall'],
])
const COMMAND_KEY = /^(?:code|command|cmd|npm|npx|yarn|pnpm|bun|deno|bash|shell|sh)$/
const IS_COMMAND = /^(?!\{).*?(?:\S[ \t]+\S|[({;=])/

/** Names of components without which a page loses nothing, or whose content it has from its front matter. */
const DECORATION =
  /(?:Icon|Badge|Logo|Spacer|Divider|Separator|Break|Sponsors?|Banner|Analytics|Comments?|Giscus|Feedback|Newsletter|Background|Styles?|Script|Head|Meta|SEO|Seo|Ads?|TOC|Toc|Contents|Search)$|^(?:VPHome|Home)/

/** Tells that a part is lost: here the first time, if a text is above, or else at the end of the page. @param note what may be here */
const lostLines = (place: Place, ahead: ReadAhead, note: Line[]): Line[] => {
  const isHere = !ahead.lost && ahead.hasText && note.length > 0
  ahead.lost ??= isHere ? 'told' : 'untold'
  return isHere ? titledLines(place, '', note) : []
}

/** What a text with links or several blocks has. */
const NO_LABEL = /^[ \t]*(?:$|#{1,6}[ \t]|[-*+>|][ \t]|\d{1,9}[.)][ \t]|`{3}|~{3})|(?<!!)\[|<a\s/

const linkedLines = (body: Line[], href: string): Line[] => {
  if (body.length === 0 || body.some(({ text }) => NO_LABEL.test(text))) return body
  const [first, ...others] = body
  const lines = [{ ...first!, text: `[${first!.text}` }, ...others]
  return lines.with(-1, { ...lines.at(-1)!, text: `${lines.at(-1)!.text}](<${href}>)` })
}

const hrefOf = (attributes: ReadonlyMap<string, string>): string | undefined =>
  ['href', 'to', 'url', 'link'].map((key) => attributes.get(key)).find((one) => one && one !== 'true')

/** The link of a component without content. Without a text, it shows the last name of its address; without an address, it is the text. */
const linkTo = (href = '', text = ''): string => {
  const name = href.split(/[?#]/, 1)[0]!.split('/').findLast(Boolean) ?? ''
  const shown = text || escapeText(name.replace(/\.(?:html?|md)$/, '').replaceAll('-', ' '))
  return href.includes('/') && !/[\s<>]/.test(href) && shown !== '' ? `[${shown}](<${href}>)` : text
}

const imageOf = (attributes: ReadonlyMap<string, string>, source: string): string =>
  `![${attributes.get('alt') ?? ''}](<${source}>)`

const IMPORT =
  /^import\s+(?:type\s+)?(?:[\w$*{},\s]+\s+from\s+)?['"][^'"]+['"](?:;\s*import\s[^'"]{1,500}['"][^'"]+['"])*;?\s*$|^import\s+(?:type\s+)?[\w$, ]*\{[^'"]*$/
const EXPORT = /^export\s+(?:(?:const|let|var|function|default|async|class|type|interface)\b|[{*])/

/** The line after the import or export that begins at a line; the line itself if none does. */
export const afterStatement = (lines: readonly Line[], at: number): number => {
  const { text } = lines[at]!
  if (!IMPORT.test(text) && !EXPORT.test(text)) return at
  let depth = 0
  let isInText = false
  for (let next = at; next < lines.length && next - at < LINES_MAX; next++) {
    for (const [sign] of lines[next]!.text.matchAll(/\\.|[`()[\]{}]/g))
      if (sign === '`') isInText = !isInText
      else if (sign.length === 1 && !isInText) depth += '([{'.includes(sign) ? 1 : -1
    if (depth <= 0 && !isInText) return next + 1
  }
  return at + 1
}

/** The code of `<Code code={…} />` or `<CodeBlock>{…}</CodeBlock>`: a text, or the value of a constant; undefined for other expressions. */
const codeOf = (written: string | undefined, constants: ReadAhead['constants']): string | undefined => {
  if (written === undefined || !/^\s*\{.*\}\s*$/s.test(written)) return written
  const inside = written.trim().slice(1, -1).trim()
  const quoted = /^(['"`])((?:(?!\1)[^\\]|\\.)*)\1$/s.exec(inside)?.[2]
  return constants?.get(inside.split('.')[0]!) ?? (quoted === undefined ? undefined : decodedText(quoted))
}

/** A constant whose value is a template literal, and the texts of all, by name. */
const CONSTANT = /^export const (\w{1,100}) = `((?:[^`\\]|\\[\s\S]){0,20000})`/gm
export const constantsIn = (markdown: string): ReadonlyMap<string, string> =>
  new Map(Array.from(markdown.matchAll(CONSTANT), ([, name = '', text = '']) => [name, decodedText(text)]))

/** The line after a comment of MDX, which may have several lines; the line itself if it begins none. */
export const afterComment = (lines: readonly Line[], at: number, ahead: ReadAhead): number => {
  if (!lines[at]!.text.trimStart().startsWith('{/*')) return at
  for (let next = at; next < lines.length && ahead.lines > 0; next++, ahead.lines--)
    if (lines[next]!.text.includes('*/}')) return lines[next]!.text.trimEnd().endsWith('*/}') ? next + 1 : at
  return at
}

/** U+FFFF, for a component that shows nothing, with the white space at an end of emphasis, which may have none. */
const NOTHING =
  /(?<![*_~])([*_~]{1,3})\uffff\1(?![*_~])|(?<=(?:^|[\s([])[*_~]{1,3})\uffff[ \t]+|[ \t]\uffff(?=[*_~]{1,3}(?:[^\w*_~]|$))|\uffff/g

/** Replaces the components within a line by their texts or links, and removes expressions from other tags and comments. */
export const withoutComponents = (text: string): string => {
  if (!text.includes('<') && !text.includes('{/*')) return text
  const openLinks: string[] = []
  const shown = outsideCode(text, (part) => {
    const source = part.replace(/\{\/\*.{0,2000}?\*\/\}/g, '')
    return replaceAt(source, /</g, (at) => {
      const tag = componentTagAt(source, at)
      const shown = tag && tagText(tag, source.slice(at, tag.end), openLinks)
      return tag && { text: shown || (tag.isSelfClosing ? '\uffff' : ''), end: tag.end }
    })
  })
  return shown.replace(NOTHING, '') + '</a>'.repeat(openLinks.length)
}

const tagText = (tag: ComponentTag, written: string, openLinks: string[]): string => {
  const { name, attributes, isClosing, isSelfClosing } = tag
  if (name === 'template') return '' // names a part of a component of Vue, whose text stays
  if (!/^[A-Z]/.test(name)) return written.includes('{') ? htmlTag(tag) : written
  if (isClosing) return name === 'Link' || (openLinks.at(-1) === name && openLinks.pop()) ? '</a>' : ''
  if (name === 'Link' && !isSelfClosing) return htmlTag({ ...tag, name: 'a' })
  const href = hrefOf(attributes)
  if (href && !isSelfClosing) {
    openLinks.push(name)
    return `<a href="${escapeUTF8(href)}">`
  }
  const source = attributes.get('src')
  if (source && isSelfClosing) return imageOf(attributes, source)
  const text = attributes.get('text')
  const label = text ?? attributes.get('title') ?? attributes.get('label') ?? ''
  return isSelfClosing ? linkTo(href, label) : (text ?? '')
}

const htmlTag = ({ name, isClosing, isSelfClosing, attributes }: ComponentTag): string => {
  if (isClosing) return `</${name}>`
  const written = [...attributes]
    .filter(([, value]) => value !== '')
    .map(([key, value]) => ` ${key === 'to' ? 'href' : key}="${escapeUTF8(value)}"`)
  return `<${name}${written.join('')}${isSelfClosing ? ' /' : ''}>`
}
