import { nameToEmoji } from 'gemoji'
import { matchAt } from './inline-html.ts'

/** Constructs of Markdown dialects that rendering, plain text and links have in common. */

/** The id of a heading that a link by name means, in which `_` can be a space. */
export const headingIdOf = (text: string): string => slugOf(text.replaceAll('_', ' '))

/** The id of a heading in rendered Markdown. @see GitHub's slugs, which marked's plugin creates */
export const slugOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')

/** A line that stands for the contents of the page, in the spellings of Wiki.js, Gollum, GitLab, Azure and Typora. */
export const TABLE_OF_CONTENTS = /^(?:\[\[_?toc_?\]\]|\[toc\]|\$\{toc\}|\$<toc>)$/i

/** The first line of an alert, after the marks of its quotation: type, metadata of Obsidian, mark of folding, title. */
export const ALERT =
  /^\[!(\p{L}[\p{L}\p{N}_-]{1,30})(?:\|[^\]\n]{0,100})?\]([+-]?)(?:[ \t\u00a0]+|$|(?=\n))/iu

/** Classes for the block before, as Wiki.js writes them: `{.is-info}`. */
export const CLASSES = /^\{(?:\.[a-z][\w-]{0,60}[ \t]*){1,10}\}$/i

export const FENCE = /^(?:`{3,}(?=[^`]*$)|~{3,})/

/** Whether a line, without white space around it, is the one after the code block of a fence. */
export const isFenceEnd = (line: string, fence: string): boolean =>
  line.startsWith(fence) && line.replaceAll(fence[0]!, '') === ''

export const FOOTNOTE = /^\[\^([^\s[\]]{1,100})\]:[ \t]*/
export const FOOTNOTE_REFERENCE = /\[\^([^\s[\]]{1,100})\]/y

export const DEFINITION_MARK = /^:[ \t]+(?=\S)/

/**
 * A link to a page by its name: `[[Green tea#Steaming|how to steam]]`. `name`: the path or title of a page; empty for a
 * link within the page. `heading`: the text of a heading of the page; empty if there is none.
 */
export type Wikilink = NonNullable<ReturnType<typeof wikilinkAt>>

/** `[[1]](url)` and `[[x][y]]` are links of Markdown and Org. */
const WIKILINK = /!?\[\[(?!\s)([^[\]\n|]{1,500}?)(?:\\?\|([^[\]\n]{0,500}))?\]\](?!\()/y
const LETTER = /[\p{L}\p{N}]/u

/** The link that begins with the brackets, or with the `!` of an embedded page, at a position. */
export const wikilinkAt = (text: string, at: number) => {
  const match = matchAt(WIKILINK, text, at)
  if (match === null || text[at - 1] === '[' || match[1]!.endsWith(' ') || !LETTER.test(match[1]!))
    return null
  const [, target = '', written = ''] = match
  const hash = target.indexOf('#')
  const name = (hash < 0 ? target : target.slice(0, hash)).trim()
  // A heading in a heading, `#A#B`, is the last one. A block of Obsidian is `#^id`.
  const last = hash < 0 ? '' : target.slice(target.lastIndexOf('#') + 1).trim()
  const heading = last.replace(/^\^/, '')
  const label =
    written.trim() ||
    [name, last === heading || name === '' ? last : ''].filter((part) => part !== '').join(' > ')
  return { name: name.replace(/\.md$/i, ''), heading, label, end: WIKILINK.lastIndex }
}

const NAMES_MAX = 1_000
const NAME = /\[\[(?!\s)([^[\]\n|#]{1,500})/g

/** The names of pages in the links of a text, each once. Some may be in code, where they are no links. */
export const wikilinkNames = (markdown: string): string[] => {
  if (!markdown.includes('[[')) return []
  const names = new Set<string>()
  for (const [, name = ''] of markdown.matchAll(NAME)) {
    names.add(name.replace(/\\$/, '').trim().replace(/\.md$/i, ''))
    if (names.size === NAMES_MAX) break
  }
  return [...names].filter((name) => LETTER.test(name))
}

export type Formula = NonNullable<ReturnType<typeof formulaAt>>

/** Characters of a formula. A longer one stays text. */
const TEX_CHARACTERS = 4_000

/** Of arithmatex, in the dialect that knows it. */
const ROUND = /\\\(((?:[^$`\\\n]|\\[^()\n]){1,4100})\\\)/y
const QUOTED = /\$`([^`$]+)`\$/y
/** Up to the next dollar sign without a backslash before it, and not over an empty line. */
const DOUBLE = /\$\$((?:[^$\\\n]|\\[\s\S]|\n(?![ \t]*\n)){1,4100})\$\$/y
const SINGLE = /\$((?:[^$\\\n]|\\[\s\S]|\n(?![ \t]*\n)){1,4100})\$/y
/** Beside a formula in one line: not a letter, except of scripts without spaces. */
const NOT_BEFORE = /[\p{L}\p{N}$\\/=@#%&]/u
const NOT_AFTER = /[\p{L}\p{N}$]/u
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** Signs that prices and names of variables do not have. */
const TEX_SIGN = /\\[a-z]|[\^_={}<>+*/|]/i
/** A price and a word, or a word of several letters beside a space. */
const PROSE = /^\d[\d.,]*[kmb]?\s+\p{L}{2,}|(?:^|\s)\p{L}{2,}\s|\s\p{L}{2,}(?:$|\s)/iu

/**
 * The formula that begins with the dollar sign at a position: `$x^2$`, `` $`x^2`$ `` (GitHub, GitLab) or `$$x^2$$`. As in Pandoc, no
 * white space is inside `$`, and no digit follows; as in GitHub, no letter is beside it. Prices and words without signs of TeX stay text.
 * Takes linear time for all dollar signs of a text. (D124) @param before the character before it, if the text does not begin with it
 */
export const formulaAt = (text: string, at: number, before = text[at - 1]) => {
  const isDisplayed = text[at + 1] === '$'
  const isRound = text[at] === '\\'
  const pattern = isRound ? ROUND : isDisplayed ? DOUBLE : text[at + 1] === '`' ? QUOTED : SINGLE
  const tex = matchAt(pattern, text, at)?.[1]
  if (tex === undefined || tex.length > TEX_CHARACTERS || tex.trim() === '') return null
  const end = pattern.lastIndex
  if (!isDisplayed && (isAmong(NOT_BEFORE, before) || (!isRound && isAmong(NOT_AFTER, text[end]))))
    return null
  // Brackets of prose can be escaped, too.
  if (isRound && !TEX_SIGN.test(tex) && /\p{L}{3}/u.test(tex)) return null
  if (pattern === SINGLE) {
    if (tex.trim() !== tex) return null
    if (!TEX_SIGN.test(tex) && (PROSE.test(tex) || (/^\d/.test(tex) && /[-–—]/.test(before ?? ''))))
      return null
  }
  return { tex: tex.trim(), isDisplayed, end }
}

const isAmong = (signs: RegExp, sign = ' '): boolean => signs.test(sign) && !WITHOUT_SPACES.test(sign)

const DISPLAYED = / {0,3}\$\$((?:[^$\\]|\\[\s\S]|\$(?!\$)){1,4100})\$\$[ \t]*(?:\n|$)/y

/** The displayed formula whose lines begin at a position. It may contain empty lines. */
export const displayedFormulaAt = (text: string, at: number): Formula | null => {
  const tex = matchAt(DISPLAYED, text, at)?.[1]?.trim()
  if (tex === undefined || tex === '' || tex.length > TEX_CHARACTERS) return null
  return { tex, isDisplayed: true, end: DISPLAYED.lastIndex }
}

const CODE = /:([a-z0-9_+-]{1,40}):(?![\p{L}\p{N}:])/uy
const WORD = /[\p{L}\p{N}:]/u

/** The name on GitHub. Elsewhere, who does something stands first: `:man_raising_hand:`, or `person` for anybody. */
const emojiName = (name: string): string | undefined =>
  [name, name.replace(/^(man|woman)_(.+)$/, '$2_$1'), name.replace(/^person_/, '')].find((one) =>
    Object.hasOwn(nameToEmoji, one),
  )

/** The emoji whose code begins at a position: `:tea:`, but not within `12:100:30`. @param before as above */
export const emojiAt = (text: string, at: number, before = text[at - 1]) => {
  const code = matchAt(CODE, text, at)?.[1]
  const name = code && emojiName(code)
  if (!name) return null
  if (before !== undefined && WORD.test(before)) return null
  return { emoji: nameToEmoji[name]!, name, end: CODE.lastIndex }
}

/** The kinds of GitHub, which style sheets know, some with a look after them, for the types of alerts of all tools. */
const KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    note: 'note info information seealso',
    'note quote': 'quote cite',
    'note example': 'example',
    'note todo': 'todo',
    tip: 'tip hint abstract summary tldr',
    'tip success': 'success check done',
    important: 'important question help faq',
    warning: 'warning attention',
    caution: 'caution danger error failure fail missing',
    'caution bug': 'bug',
  }).flatMap(([kind, types]) => types.split(' ').map((type) => [type, kind])),
)

export const isAlertType = (type: string): boolean => KINDS.has(type.toLowerCase())

/** Its kind, and perhaps its look. Types that nobody knows are notes. */
export const alertKind = (type: string): string => KINDS.get(type) ?? 'note'
