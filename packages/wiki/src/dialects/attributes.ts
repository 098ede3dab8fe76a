import { escapeUTF8 } from 'entities'
import { codeSpan, escapeText } from '../import/markdown.ts'
import { unescapeDestination } from '../links.ts'
import { formulaAt } from '../markup.ts'
import { replaceAt } from '../text.ts'
import { outsideCode } from './lines.ts'

/** One entry of a list of attributes: `#id`, `.class`, `key=value`, `data-key` or `:`-prefixed forms of kramdown; a word alone only after others. */
const ENTRY = `(?:(?=[a-z][\\w-]*[ \\t}])(?<=[^{:\\s][ \\t]+)[a-z][\\w-]*|data-[\\w-]+(?![\\w=-])|[#.][\\w:.\\u0080-\\uffff-]+(?![\\w:.\\u0080-\\uffff-])|[\\w:-]+=(?:"[^"{}]*"|'[^'{}]*'|[^\\s"'{}]+(?![^\\s"'{}]))|-)`
const LIST = `\\{:?[ \\t]*(?:${ENTRY}[ \\t]*){1,12}\\}`
const HEADING = new RegExp(`^([ \\t]*(?:>[ \\t]?)*#{1,6}[ \\t].*?)[ \\t]*(${LIST})[ \\t]*#*[ \\t]*$`)
const MDX_ID = /^([ \t]*#{1,6}[ \t].*?)[ \t]*\{\/\*[ \t]*#([\w:.\u0080-\uffff-]+)[ \t]*\*\/\}[ \t]*$/
const OPTIONS = '\\{::options[ \\t][^{}]*/\\}'
const WHOLE_LINE = new RegExp(`^[ \\t]*(?:>[ \\t]?)*(?:${LIST}|${OPTIONS})[ \\t]*$`)
/** Code, which can have other runs of backticks in it. */
const CODE = '(?<!`)(?<run>`+)(?!`).*?(?<!`)\\k<run>(?!`)'
/** A list after something in a line, or code, which stays, and a list after it. */
const AFTER_INLINE = new RegExp(
  `(${CODE})(?:${LIST})?|(?:(?<=[)\\]*_:])|(?<=</\\w{1,20}>)(?=\\{:))${LIST}`,
  'g',
)
/** Code, which stays, and a text in brackets with attributes, of Pandoc: `[Tea]{#tea}`. */
const SPAN = new RegExp(`${CODE}|(?<![\\]\\\\!])\\[([^[\\]\\n]*)\\](?=\\{[#.])(${LIST})`, 'g')
const AT_END = new RegExp(`[ \\t]+${LIST}[ \\t]*$`)
const ID = /#([\w:.\u0080-\uffff-]+)|(?:^|[\s{])id=["']?([\w:.-]+)/
/** Longer lines have no attributes, so that no expression works on them. */
const CHARACTERS_MAX = 2_000

/** Removes lists of attributes from a line, except the id of a heading: `{#id}` at its end. Null: the line was nothing else. */
export const withoutAttributes = (text: string): string | null => {
  if (!text.includes('{') || text.length > CHARACTERS_MAX) return text
  // The class of an alert of Wiki.js stays, for its quotation.
  if (WHOLE_LINE.test(text) && !text.includes('{.is-')) {
    const anchor = anchorOf(text)
    return anchor === '' ? null : `\n${anchor}\n`
  }
  const chosen = MDX_ID.exec(text)
  if (chosen) return `${chosen[1]} {#${chosen[2]}}`
  const heading = HEADING.exec(text)
  if (heading) {
    const id = ID.exec(heading[2]!)
    const shown = withoutInlineAttributes(heading[1]!)
    return id ? `${shown} {#${id[1] ?? id[2]}}` : shown
  }
  return withoutInlineAttributes(text).replace(AT_END, '')
}

const withoutInlineAttributes = (text: string): string => {
  const plain = text.replace(SPAN, (whole, _, shown, list) => (list ? anchorOf(list) + shown : whole))
  return plain.replace(AFTER_INLINE, (list, code = '') => code + anchorOf(list.slice(code.length)))
}

const anchorOf = (list: string): string => {
  const id = ID.exec(list)
  return id ? `<a name="${id[1] ?? id[2]}"></a>` : ''
}

/** The id at the end of a heading, as `withoutAttributes` leaves it. */
export const HEADING_ID = /(?<![ \t])[ \t]+\{#([\w:.\u0080-\uffff-]+)\}[ \t]*$/

const ATTRIBUTE = /([\w:-]+)[ \t\n]*=[ \t\n]*(?:"([^"]*)"|'([^']*)'|([^\s"'<>{}]+))/g

/** The attributes in a text such as `type="tip" title='A b' open`, by name in lower case. */
export const attributesIn = (text: string): Map<string, string> => {
  const found = new Map<string, string>()
  for (const [, name = '', double, single, bare] of text.slice(0, CHARACTERS_MAX).matchAll(ATTRIBUTE))
    found.set(name.toLowerCase(), double ?? single ?? bare ?? '')
  return found
}

/** The text of a picture, its size (Obsidian: `|450`), URL, title, size (Wiki.js: `=450x`), and attributes. */
const PICTURE =
  /!\[((?:[^[\]\\|\n]|\\[^|]){0,500})(?:\\?\|(\d{1,5})(?:x(\d{1,5}))?)?\]\([ \t]*(<[^<>\n]{1,1000}>|(?:[^\s()<]|\([^\s()]{0,200}\)){1,1000})(?:[ \t]+(?:"([^"\n]{0,300})"|'([^'\n]{0,300})'))?(?:[ \t]+=(\d{0,5}%?)x(\d{0,5}%?))?[ \t]*\)(\{[^{}\n]{1,500}\})?/g
const SIZE = /(?<![\w-])(width|height)[ \t]*[:=][ \t]*["']?(\d{1,5}%?)(?:px)?(?![\w.%])/g

/** Writes pictures with sizes in HTML. */
export const withImageSizes = (line: string): string =>
  line.includes('![') ? outsideCode(line, (part) => part.replace(PICTURE, sizedPicture)) : line

const sizedPicture = (whole: string, ...parts: string[]): string => {
  const [alt = '', wide, high, url = '', double, single, w, h, list = ''] = parts
  const listed = Object.fromEntries(Array.from(list.matchAll(SIZE), ([, ...pair]) => pair))
  const size = { width: w || wide || listed.width, height: h || high || listed.height }
  if (!size.width && !size.height) return whole
  const [src, text] = [url, alt].map((one) => escapeUTF8(unescapeDestination(one)))
  const attributes = Object.entries({ title: double ?? single, ...size })
  const written = attributes.map(([name, value]) => (value ? ` ${name}="${escapeUTF8(value)}"` : ''))
  // A tag that is alone on its line would begin a block of HTML.
  return `<img src="${src}" alt="${text}"${written.join('')}><!-- -->`
}

/** `Caps lock`, from `caps-lock`. */
export const capitalized = (text: string): string =>
  text.slice(0, 1).toUpperCase() + text.slice(1).replaceAll('-', ' ')

const keyOf = (key: string): string => `<kbd>${capitalized(key.replaceAll('"', ''))}</kbd>`

/** `==text==`, of Obsidian and pymdownx. */
export const withHighlights = (text: string): string =>
  text.replace(/==(?=\S)([^=\n]{1,1000}?)==/g, '<mark>$1</mark>')

const NAME = /^([ \t]*)(#{1,6}[ \t]+)?<!--[ \t]*md:(?:option|setting)[ \t]+([\w+:.*-]{1,200})[ \t]*-->[ \t]*$/

/** A comment that Material shows as an icon. Before text, it would begin a block of HTML. */
const BADGE = /<!--[ \t]*md:(?:version|default|flag)\b[^<>\n]{0,200}-->[ \t]+(?=\S)/g

/** Shows the name in a comment of Material, `<!-- md:setting config.cache -->`. Links lead to that of a heading by itself. */
const withNames = (text: string): string =>
  text
    .replace(BADGE, '')
    .replace(NAME, (_, indent: string, heading: string | undefined, name: string) =>
      heading === undefined
        ? `${indent}\`${name}\`<a name="+${name}"></a>`
        : `${indent}${heading}\`${name}\` {#${name}}\n\n[${name}]: #${name}\n`,
    )

/** An abbreviation, or a snippet whose file is missing: MkDocs shows neither. */
const HIDDEN = /^\*\[[^\]]{1,100}\]:|^[ \t]*-{1,10}8<-{1,10}[ \t]+(["'])[^"'\n]{1,500}\1[ \t]*$/
/** With a plus before another icon, which would begin a list. */
const ONE_ICON = /:(?:material|fontawesome|octicons|simple)-[a-z0-9-]{1,100}:[ \t]?(?:\+[ \t](?=:[a-z]+-))?/
  .source
/** With the dash after those at the beginning of an item, which would begin another one. */
const ICON = new RegExp(`(?<=^[ \\t]{0,40}[-*+][ \\t]{1,4})(?:${ONE_ICON}){1,9}[-–—][ \\t]|${ONE_ICON}`, 'gm')
const KEYS = /\+\+([a-z0-9-]{1,20}(?:\+(?:[a-z0-9-]{1,20}|"[^"]{1,20}"))*)\+\+/gi
const KEY = /"[^"]+"|[^+"]+/g
/** CriticMarkup: `{--a--}`, `{++a++}`, `{==a==}`, `{~~a~>b~~}`, and remarks of editors, which readers do not see. */
const CRITIC =
  /`+[^`]*`+|\{>>(?:[^{]|\{(?!>>))*?<<\}|\{(--|\+\+|==)((?:[^{]|\{(?!\1)){1,1000}?)\1\}|\{~~((?:[^~]|~(?!>)){0,1000})~>((?:[^~]|~(?!~\})){0,1000})~~\}/g
const CRITIC_TAGS: Readonly<Record<string, string>> = { '--': 'del', '++': 'ins', '==': 'mark' }
const CODE_LANGUAGE = /^(`+ ?)(?:#!|:::)[\w+#.-]{1,50}[ \t]+(?=[^`\s])/

/** Writes formulas in the form that no other mark changes, `` $`x^2`$ ``: `$x^2$`, and `\(x^2\)` of arithmatex. */
export const withQuotedFormulas = (text: string): string =>
  outsideCode(text, (part) =>
    replaceAt(part, /\$|\\\(/g, (at) => {
      const { tex, isDisplayed, end } = formulaAt(part, at) ?? { tex: '', end: at }
      if (tex === '' || isDisplayed || /[$`]/.test(tex)) return null
      return { text: `$\`${tex}\`$${/^\p{L}/u.test(part.slice(end, end + 2)) ? '<!-- -->' : ''}`, end }
    }),
  )

/** A formula of Obsidian with what is before it, not in a `\text{…}` of another one. */
const VAULT_FORMULA =
  /(^|[^$\\])\$(?<!\{[^{}$]{0,100}\$)(?![\s$])((?:[^$\\`\n]|\\[^`\n]){1,4000})(?<!\s)\$(?![\d$])/g
const WORD = /^[\p{L}\p{N}/=@#%&]/u

/** Quotes formulas in which, or beside which, other dialects would see prices and words: `$n S dl$`. */
export const withVaultFormulas = (text: string): string =>
  outsideCode(text, (part) =>
    part.replace(VAULT_FORMULA, (whole, before: string, tex: string, at: number) => {
      if (formulaAt(part, at + before.length)) return whole
      const [start, end] = [before, part.slice(at + whole.length)].map((one) =>
        WORD.test(one) ? '<!-- -->' : '',
      )
      return `${before}${start}$\`${tex}\`$${end}`
    }),
  )

/** Replaces the marks of pymdownx and Material in a line by what they show. */
export const withoutInlineMarks = (text: string): string => {
  if (HIDDEN.test(text)) return ''
  const code = text.replace(CRITIC, (one, mark, content, before, after) => {
    if (mark) return `<${CRITIC_TAGS[mark]}>${content}</${CRITIC_TAGS[mark]}>`
    if (one.startsWith('`')) return one.replace(CODE_LANGUAGE, '$1')
    return before === undefined ? '' : `<del>${before}</del><ins>${after}</ins>`
  })
  return outsideCode(withNames(code), (part) =>
    withHighlights(
      part
        .replace(ICON, '')
        .replace(KEYS, (_, keys: string) => keys.replace(KEY, keyOf))
        .replace(/\^\^(?=\S)([^^\n]{1,1000}?)\^\^/g, '<ins>$1</ins>')
        .replace(/(?<![\^[\\])\^(?!\^)([^\s^[\]]{1,200})\^(?!\^)/g, '<sup>$1</sup>')
        .replace(/(?<![~\\])~(?!~)([^\s~/]{1,200})~(?!~)/g, '<sub>$1</sub>'),
    ),
  )
}

/** Frames within a line are links. */
export const withFrameLinks = (text: string): string =>
  outsideCode(text, (part) => part.replace(FRAME, frameLink))
const FRAME = /<iframe(?=\s)(?:(?!\ssrc=)[^<>])*\ssrc=(["'])([^"'<>]+)\1[^<>]*>(?:[^<>]*<\/iframe>)?/gi
const frameLink = (frame: string, _: string, source: string): string =>
  `<a href="${source}">${/\stitle="([^"]+)"/.exec(frame)?.[1] ?? source}</a>`

/** HTML of a component of Astro, alone on its line. */
export const SET_HTML = /^[ \t]*<\w+ set:html=\{(["'`])((?:(?!\1)[^\\]|\\.)*)\1\}[ \t]*\/>[ \t]*$/
const LITERAL_CHILD =
  /(?<![\\={$])(?:<code>)?\{[ \t]?(?:`((?:[^`\\\n]|\\.){1,500})`|(["'])((?:(?!\2)[^\\\n]|\\.){0,500})\2)[ \t]?\}(?:<\/code>)?|`+[^`]*`+/g

/** Literals of MDX within a line: a template is code, a string text, or HTML. */
export const withLiterals = (line: string): string => {
  if (SET_HTML.test(line)) return decodedText(line.replace(SET_HTML, '$2'))
  return line.replace(LITERAL_CHILD, (whole, template?: string, _?: string, text?: string) =>
    template ? codeSpan(decodedText(template)) : text === undefined ? whole : escapeText(decodedText(text)),
  )
}

/** What a literal of JavaScript, without its quotes, says. */
export const decodedText = (literal: string): string =>
  literal.replace(/\\(.)/gs, (_, sign: string) => sign.replace('n', '\n').replace('t', '\t'))
