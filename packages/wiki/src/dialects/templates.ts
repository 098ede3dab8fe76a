import { isAlertType } from '../markup.ts'
import { attributesIn } from './attributes.ts'
import { alertLines, codeLines, detailsLines, type Place, sectionLines } from './blocks.ts'
import { type Container, markedContainer } from './containers.ts'
import { bodyOf, enclosedBlock, fenceAt, type Line, outsideCode, type ReadAhead, skipFence } from './lines.ts'

/** A shortcode of Hugo on one line: `{{< name parameters >}}`, `{{% /name %}}`. */
const SHORTCODE = /\{\{([<%])[ \t]*(\/?)[ \t]*(\w[\w./-]*)([^{}]{0,1000}?)(\/?)[ \t]*[>%]\}\}/
const SHORTCODES = new RegExp(SHORTCODE, 'g')
/** A shortcode that a text shows, because comment marks are around its name. */
const ESCAPED = /\{\{([<%])[ \t]*\/\*([^{}]{0,500}?)\*\/[ \t]*([>%])\}\}/g
/** Lines that the parameters of a shortcode or tag may take. */
const TEMPLATE_LINES = 30

/** Joins the lines of shortcodes and tags of Liquid that have several, of CriticMarkup (`marks`), and of objects in JSX (`mdx`). */
export const joinTemplates = (lines: readonly Line[], more?: 'marks' | 'mdx'): Line[] => {
  const known = more === 'mdx' ? [OBJECT] : more === 'marks' ? [SIGNS, MARKS] : [SIGNS]
  const [opening, closing] = [known.flatMap((one) => one.opening), known.flatMap((one) => one.closing)]
  /** Whether one has no end in the line. */
  const isOpen = (text: string): boolean => lastOf(text, opening) > lastOf(text, closing)
  const joined: Line[] = []
  for (let at = 0; at < lines.length; at++) {
    let { text } = lines[at]!
    const end = skipFence(lines, at, text, { lines: 0 })
    let next = at
    while (end === at && isOpen(text) && next + 1 < lines.length && next - at < TEMPLATE_LINES)
      text += ` ${lines[++next]!.text.trim()}`
    const isJoined = next > at && !isOpen(text)
    for (const line of isJoined ? [{ ...lines[at]!, text }] : lines.slice(at, end + 1)) joined.push(line)
    at = isJoined ? next : end
  }
  return joined
}

const SIGNS = { opening: ['{{<', '{%'], closing: ['>}}', '%}'] }
const OBJECT = { opening: ['={{'], closing: ['}}'] }
const MARKS = { opening: ['{>>', '{++', '{--'], closing: ['<<}', '++}', '--}'] }

const lastOf = (text: string, signs: readonly string[]): number =>
  Math.max(...signs.map((sign) => text.lastIndexOf(sign)))

const VALUE = /(?:^|[ \t])(?:"([^"]*)"|`([^`]*)`|([^\s"'`=]+))(?=[ \t]|$)/g

type Shortcode = ReturnType<typeof shortcodeOf>

const shortcodeOf = ([, , slash = '', name = '', written = '']: readonly string[]) => {
  const values = Array.from(written.matchAll(VALUE), ([, ...parts]) => parts.find(Boolean) ?? '')
  return { name: name.toLowerCase(), isClosing: slash === '/', parameters: attributesIn(written), values }
}

const ALERT =
  /^(?:alert|note|notice|info|tip|hint|warning|caution|danger|important|callout|admonition|pageinfo)$/

/** A shortcode that stands alone on its line, with its content if it has an end. */
export const shortcodeAt = (lines: readonly Line[], at: number, ahead: ReadAhead): Container | null => {
  const start = lines[at]!
  const match = /^[ \t]*\{\{[<%]/.test(start.text) ? SHORTCODE.exec(start.text) : null
  if (match === null || match.index !== start.text.indexOf('{{')) return null
  const code = shortcodeOf(match)
  if (code.isClosing) return null
  const place = { start, indent: start.text.slice(0, match.index) }
  const end = match.index + match[0].length
  const name = match[3]!.replace(/\W/g, '\\$&')
  const marks = new RegExp(
    `\\{\\{[<%][ \\t]*(/)?[ \\t]*${name}(?![\\w./-])[^{}]{0,1000}?[>%](?<!/[ \\t]*.)\\}\\}`,
    'gi',
  )
  const block = match[5] === '/' ? null : enclosedBlock(lines, at, end, marks, ahead)
  // One without parameters that ends in its line is part of a paragraph, or of HTML.
  if (block === null || (block.line === at && !match[4]!.trim() && !ALERT.test(code.name))) return null
  const { parameters, values } = code
  const isPane = /^tab(?:pane|s)$/.test(code.name)
  const isTab = code.name === 'tab' && match[1] === '<'
  const isCode = /^code(?:$|-|block)/.test(code.name) && !block.body.some(({ text }) => fenceAt(text))
  const isText = match[1] !== '<' || isPane || ALERT.test(code.name) || DETAILS.test(code.name)
  const hasCode = isTab || isCode || !(isText || block.body.some(({ text }) => NO_CODE.test(text)))
  const written = parameters.get('lang') ?? parameters.get('codelang')
  const named = hasCode ? written : undefined
  const language = code.name === 'highlight' ? (values[0] ?? '') : (named ?? (isCode ? '' : undefined))
  if (isPane && /^[\w+#-]+$/.test(written ?? '') && parameters.get('text') !== 'true')
    for (const [i, { text, number }] of block.body.entries())
      block.body[i] = { text: text.replace(BARE_TAB, `$1 lang="${written}"`), number }
  if (language === undefined) return markedContainer(block, (body) => writeShortcode(place, code, body))
  const content = codeLines(start, language, bodyOf(block.body))
  return markedContainer({ ...block, body: [] }, () => writeShortcode(place, code, content))
}

const DETAILS = /^(?:details|expand|collapse|accordion)$/
/** A fence, or a shortcode with content: not in code. */
const NO_CODE = /^[ \t]*(?:`{3}|~{3}|\{\{[<%][ \t]*\/)/
/** A tab that names no language. */
const BARE_TAB = /^([ \t]*\{\{<[ \t]*tab)(?=[ \t])(?![^{}]*\b(?:code)?lang=)/

const writeShortcode = (place: Place, code: Shortcode, body: Line[]): Line[] => {
  const { name, parameters } = code
  const [first = ''] = code.values
  const title = parameters.get('title') ?? parameters.get('header') ?? parameters.get('name') ?? ''
  const color = parameters.get('color') ?? parameters.get('type') ?? first
  if (ALERT.test(name)) return alertLines(place, [color, name].find(isAlertType) ?? 'note', title, body)
  if (DETAILS.test(name)) return detailsLines(place, title || (parameters.get('summary') ?? first), body)
  return sectionLines(place, name, /^(?:tab|card|cardpane|step)$/.test(name) ? title || first : '', body)
}

export const withoutShortcodes = (text: string): string =>
  text.replace(SHORTCODES, (...match) => shortcodeText(shortcodeOf(match))).replace(ESCAPED, '{{$1$2$3}}')

/** Whether a shortcode without content shows nothing, because only the site knows its text. */
export const hasLostShortcode = (text: string): boolean => {
  const codes = Array.from(text.matchAll(SHORTCODES), shortcodeOf)
  const closed = new Set(codes.flatMap(({ name, isClosing }) => (isClosing ? name : [])))
  return codes.some((code) => !closed.has(code.name) && !ALERT.test(code.name) && shortcodeText(code) === '')
}

const NAME_IN_BRACKETS = /(?<!\\)\[\[(?=[^[\]\n]{1,1000}\]\](?![([\]]))/g

/** Escapes `[[a]]`, which is text where no link is by name. */
export const withoutWikilinks = (text: string): string =>
  text.includes('[[') ? outsideCode(text, (part) => part.replace(NAME_IN_BRACKETS, '\\$&')) : text

const shortcodeText = ({ name, isClosing, parameters, values }: Shortcode): string => {
  const [first = ''] = values
  if (isClosing) return ''
  if (name === 'figure' || name === 'img' || name === 'image' || name === 'imgproc') {
    const source = parameters.get('src') ?? parameters.get('link') ?? first
    const text = parameters.get('alt') ?? parameters.get('caption') ?? parameters.get('title') ?? ''
    return source === '' ? '' : `![${text}](<${source}>)`
  }
  if (name === 'ref' || name === 'relref') return parameters.get('path') ?? first
  if (name === 'youtube') return `<https://www.youtube.com/watch?v=${parameters.get('id') ?? first}>`
  return parameters.get('text') ?? ''
}

/** An include of a Markdown file is here only if the import did not find it. */
const tagOfLiquid = (tag: string, name: string, value: string): string => {
  if (name.startsWith('include') && /\.(?:md|markdown)\b/.test(value)) return tag
  if (name === 'link') return `/${value.trim().replace(/^\//, '')}`
  const attributes = attributesIn(value)
  if (name === 'embed') return `<${attributes.get('url')}>`
  if (name === 'file') return `[${attributes.get('src')}](<${attributes.get('src')}>)`
  return name === 'post_url' ? `/_posts/${value.trim()}` : ''
}

const LIQUID_TAG = /\{%-?[ \t]*(\w[\w-]*)[ \t]*((?:[^%]|%(?!\})){0,500}?)-?%\}/
const LIQUID_TAGS = new RegExp(LIQUID_TAG, 'g')
const LIQUID_URL =
  /\{\{-?[ \t]*['"]([^'"{}]*)['"][ \t]*\|[ \t]*(?:relative_url|absolute_url|url)[ \t]*-?\}\}/g
const LIQUID_BASE = /\{\{-?[ \t]*(?:site\.(?:baseurl|url)|\w[\w.]*\([^{}\n]{0,500}\))[ \t]*-?\}\}/g

/** Blocks of GitBook and of plugins of Jekyll: hints, and what shows its content, with a title if it has one. */
const GITBOOK_BLOCK = /^(?:hint|tabs?|code|stepper|step|columns?|content-ref|updates?)$/

/** `{% highlight ruby %}`, `{% set code %}` before what shows it, blocks of GitBook, and what shows nothing: comments, loops over data of the site, all branches but the first. */
export const liquidBlockAt = (lines: readonly Line[], at: number, ahead: ReadAhead): Container | null => {
  const start = lines[at]!
  const match = /^[ \t]*\{%/.test(start.text) ? LIQUID_TAG.exec(start.text) : null
  const [tag = '', name = '', value = ''] = match ?? []
  const isContent = GITBOOK_BLOCK.test(name)
  const isHidden = /^(?:highlight|comment|for|set|capture|else|elsif)$/.test(name)
  if (!match || !(isContent || isHidden)) return null
  const ofBlock = name.startsWith('els') ? '(?:if|unless)' : name
  const marks = new RegExp(`\\{%-?[ \\t]*(end)?${ofBlock}\\b[^%]{0,500}%\\}`, 'g')
  const block = enclosedBlock(lines, at, match.index + tag.length, marks, ahead)
  if (block === null) return null
  const place = { start, indent: start.text.slice(0, match.index) }
  if (isContent) return markedContainer(block, (body) => contentLines(place, name, value, body))
  const [first = ''] = value.trim().split(/\s/)
  const [, variable, ofVariable] = SHOWN_CODE.exec(lines[block.line + 1]?.text ?? '') ?? []
  const isShown = name === 'set' && variable === first
  const language = name === 'highlight' ? first.replace(/["']/g, '') : isShown ? ofVariable : undefined
  if (language === undefined) return markedContainer({ ...block, body: [] }, () => [])
  const code = block.body.map(({ text, number }) => ({ text: text.replace(RAW, ''), number }))
  const shown = [{ ...start, text: '' }, ...codeLines(start, language, code, place.indent)]
  return markedContainer({ ...block, body: [], line: block.line + Number(isShown) }, () => shown)
}

/** What shows the block before it: `{{ code | highlight("yaml") | safe }}`. */
const SHOWN_CODE = /^[ \t]*\{\{-?[ \t]*(\w+)[ \t]*\|[ \t]*highlight\(["']([\w+#-]*)["']\)/
const RAW = /\{%-?[ \t]*(?:end)?raw[ \t]*-?%\}/g

const contentLines = (place: Place, name: string, value: string, body: Line[]): Line[] => {
  const attributes = attributesIn(value)
  const title = attributes.get('title') ?? ''
  // Plugins of Jekyll write `{% tab 'Title' %}`.
  const [, , quoted = ''] = (name === 'tab' && /^(['"])(.*?)\1/.exec(value)) || []
  if (name !== 'hint') return sectionLines(place, name, title || quoted, body)
  return alertLines(place, attributes.get('style') ?? 'info', title, body)
}

/** Replaces what stands for the address of a Jekyll site, and what makes addresses in it, by a path from its root; macros by nothing. */
const withoutLiquidAddresses = (text: string): string =>
  text.replace(LIQUID_URL, '$1').replace(LIQUID_BASE, '')

/** Replaces the tags of Liquid within a line by what they show: links to pages and posts, addresses. Comments (`{# a #}`, not `{#id}`) show nothing. */
export const withoutLiquid = (text: string): string =>
  /\{[%{#]/.test(text)
    ? outsideCode(text, (part) =>
        withoutLiquidAddresses(part.replace(COMMENT, '').replace(ELSE, '').replace(LIQUID_TAGS, tagOfLiquid)),
      )
    : text

const COMMENT = /\{#(?=[-\s])(?:[^#{]|#(?!\})|\{(?!#)){0,1000}#\}/g

/** In a line, further branches up to the end of their condition. */
const ELSE =
  /\{%-?[ \t]*els(?:e|if)\b(?:[^{]|\{(?!%-?[ \t]*(?:if|unless|case|for|end)\b)){0,1000}(?=\{%-?[ \t]*end(?:if|unless)\b)/g

const FILE_TEMPLATE = /^\{(?:\{[<%][ \t]*(?:rel)?ref|%-?[ \t]*(?:link|post_url))\b/

/** The destination that a template of Hugo or Jekyll writes; null if there is no template. */
export const templateDestination = (written: string): { destination: string; isFile: boolean } | null => {
  if (!written.startsWith('{')) return null
  const address = withoutLiquidAddresses(written)
  const isFile = FILE_TEMPLATE.test(address)
  const destination = isFile ? withoutLiquid(withoutShortcodes(address)) : `/${address.replace(/^\/+/, '')}`
  return !isFile && address.startsWith('{') ? null : { destination, isFile }
}
