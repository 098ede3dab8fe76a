import { ALLOWED_MATHML, matching } from './allowed-mathml.ts'
import { linkedFile } from './files/references.ts'
import { fileUrl, type LinkContext, type LinkedFile, linkTarget } from './references.ts'
import { rewriteSrcset } from './srcset.ts'

/** Sanitizes the value of an attribute. Null removes the attribute; '' is an attribute without a value. */
type Sanitizer = (value: string, context: LinkContext) => string | null

/** The allowed and safe attributes of a tag; URLs are absolute. @param attributes names in lower case, entities decoded */
export const cleanAttributes = (tag: string, attributes: Record<string, string>, context: LinkContext) => {
  const allowed = ATTRIBUTES.get(tag)
  const sanitized: Record<string, string> = {}
  let isExternal = false
  for (const [name, value] of Object.entries(attributes)) {
    if (tag === 'a' && name === 'href') {
      const target = fileTarget(value, context) ?? linkTarget(value, context)
      if (target) sanitized.href = target.href
      isExternal = target?.external === true
      continue
    }
    const result = (allowed?.get(name) ?? GLOBAL_ATTRIBUTES.get(name))?.(value, context) ?? null
    if (result !== null) sanitized[name] = result
  }
  if (tag === 'a') finishLink(sanitized, isExternal)
  if (tag === 'img') finishPicture(sanitized, linkedFile(attributes.src ?? '', context.files))
  if (tag === 'input') sanitized.disabled = ''
  if (tag === 'audio' || tag === 'video') sanitized.controls = ''
  return sanitized
}

const text: Sanitizer = (value) => value
const flag: Sanitizer = () => ''
const oneOf =
  (...values: string[]): Sanitizer =>
  (value) =>
    values.includes(value.toLowerCase()) ? value.toLowerCase() : null

const file: Sanitizer = (value, context) => fileTarget(value, context)?.href ?? fileUrl(value, context)
const files: Sanitizer = (value, context) => rewriteSrcset(value, (reference) => file(reference, context))
const link: Sanitizer = (value, context) => linkTarget(value, context)?.href ?? null
const length = matching(/^\d{1,5}%?$/)
const number = matching(/^-?\d{1,9}$/)
const span = matching(/^[1-9]\d{0,2}$/)
const anchor = matching(/^[^\s"'<>&=`]{1,300}$/)
const condition = matching(/^[\w\s().,:%+*/<>=-]{1,300}$/)
const align = oneOf('left', 'center', 'right')
const language: Sanitizer = (value) =>
  value.match(/(?<!\S)language-[\p{L}\p{N}_+#.-]{1,60}(?!\S)/u)?.[0] ?? null

/** Classes that style sheets know from GitHub, and no others: an alert, its title, a list of footnotes, a table of contents; tabs, cards, links to missing pages. */
const alert = matching(/^markdown-alert(?: markdown-alert-[a-z]{3,9}){1,2}$/)
const footnoteId = matching(/^fn:[1-9]\d{0,6}$/)

type AttributeSanitizers = Readonly<Record<string, Sanitizer>>

const EDIT_MARK: AttributeSanitizers = { cite: link, datetime: text }
const CELL: AttributeSanitizers = { align, colspan: span, rowspan: span }
const PRELOAD = oneOf('none', 'metadata')
const MEDIA: AttributeSanitizers = { src: file, controls: flag, loop: flag, muted: flag, preload: PRELOAD }
const SIZE: AttributeSanitizers = { width: length, height: length }
const PICTURE: AttributeSanitizers = { src: file, srcset: files, sizes: condition, ...SIZE }

/** Tags with specific attributes: no style, no event handler, and no name or id that could clobber a global variable. */
const TAGS_WITH_ATTRIBUTES: Readonly<Record<string, AttributeSanitizers>> = {
  // The id of `<a>` becomes a name: links to it work, but it does not define a global variable.
  a: { href: link, name: anchor, id: anchor, class: oneOf('unwritten') },
  audio: MEDIA,
  blockquote: { cite: link, class: alert },
  code: { class: language },
  col: { span },
  colgroup: { span },
  del: EDIT_MARK,
  details: { open: flag },
  div: { align, class: (value) => (value === 'grid cards' ? 'card-grid' : null) },
  dt: { id: anchor },
  img: { ...PICTURE, alt: text, loading: oneOf('lazy', 'eager'), align },
  input: { type: oneOf('checkbox'), checked: flag },
  ins: EDIT_MARK,
  li: { value: number, id: footnoteId },
  nav: { class: oneOf('table-of-contents') },
  ol: { start: number, reversed: flag, type: matching(/^[1aAiI]$/) },
  p: { align, class: oneOf('markdown-alert-title') },
  q: { cite: link },
  section: { class: oneOf('footnotes', 'tab', 'card', 'card-grid') },
  summary: { class: oneOf('markdown-alert-title') },
  source: { ...PICTURE, media: condition, type: matching(/^[\w/+.;=", -]{1,100}$/) },
  table: { align },
  td: CELL,
  th: { ...CELL, scope: oneOf('row', 'col', 'rowgroup', 'colgroup') },
  time: { datetime: text },
  video: { ...MEDIA, poster: file, ...SIZE },
}

const TAGS_WITHOUT_ATTRIBUTES =
  `abbr address article aside b bdi bdo br caption cite dd dfn dl em figcaption figure footer header hr i kbd
  mark picture pre rp rt ruby s samp small span strong sub sup tbody tfoot thead tr u ul var wbr`.split(/\s+/)

const GLOBAL_ATTRIBUTES = new Map<string, Sanitizer>(
  Object.entries({ dir: oneOf('ltr', 'rtl', 'auto'), lang: matching(/^[a-z0-9-]{1,35}$/i), title: text }),
)

const ATTRIBUTES = new Map(
  [
    ...Object.entries<AttributeSanitizers>(ALLOWED_MATHML),
    ...Object.entries(TAGS_WITH_ATTRIBUTES),
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => [tag, { id: anchor, align }] as const),
  ].map(([tag, names]) => [tag, new Map(Object.entries(names))]),
)

/** Tags that remain. Of other tags, only the text remains. */
export const ALLOWED_TAGS: readonly string[] = [...ATTRIBUTES.keys(), ...TAGS_WITHOUT_ATTRIBUTES]

/** Elements that are removed with their content, which parsers read as text. `raw-html.ts` shows unclosed ones as text. */
export const DROPPED_WITH_TEXT: readonly string[] =
  'script style textarea xmp iframe noembed noframes plaintext title'.split(' ')

/** AttributeSanitizers of the attributes that `cleanAttributes` can return, by tag. `*` applies to every tag. */
export const ALLOWED_ATTRIBUTES: Readonly<Record<string, string[]>> = {
  '*': [...GLOBAL_ATTRIBUTES.keys()],
  ...Object.fromEntries([...ATTRIBUTES].map(([tag, names]) => [tag, [...names.keys()]])),
  a: ['href', 'name', 'rel', 'class'],
  input: ['type', 'checked', 'disabled'],
}

/** A link to a file leads to its bytes. The fragment stays: `tea.pdf#page=3`. */
const fileTarget = (url: string, context: LinkContext): { href: string; external: boolean } | null => {
  const linked = linkedFile(url, context.files)
  if (linked === undefined) return null
  const hash = url.indexOf('#')
  return { href: hash < 0 ? linked.url : new URL(url.slice(hash), linked.url).href, external: false }
}

/** A picture of the wiki gets its size, so that the text does not jump when it is shown; an author's size counts more. */
const finishPicture = (sanitized: Record<string, string>, linked: LinkedFile | undefined): void => {
  if (linked === undefined) return
  const { width, height } = linked
  if (width !== null && height !== null && sanitized.width === undefined && sanitized.height === undefined)
    Object.assign(sanitized, { width: String(width), height: String(height) })
  sanitized.loading ??= 'lazy'
}

/** Links get no `target`: readers decide where links open. External links get `rel=nofollow`: spam gains nothing. (D26) */
const finishLink = (sanitized: Record<string, string>, isExternal: boolean): void => {
  if (sanitized.id !== undefined) {
    sanitized.name = sanitized.id
    delete sanitized.id
  }
  if (isExternal) sanitized.rel = 'nofollow'
}
