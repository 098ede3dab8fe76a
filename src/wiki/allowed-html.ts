import { fileUrl, type LinkContext, linkTarget } from './references.ts'
import { rewriteSrcset } from './srcset.ts'

/** What is kept of an attribute's value; null leaves the attribute out, '' is an attribute without value. */
type Keep = (value: string, place: LinkContext) => string | null

/**
 * The whole tag as a guest gets it.
 * @param attributes as the parser read them: names in lower case, entities decoded
 * @returns attributes that are allowed, safe and, where they are addresses, absolute
 */
export const cleanAttributes = (
  tag: string,
  attributes: Record<string, string>,
  place: LinkContext,
): Record<string, string> => {
  const allowed = ATTRIBUTES.get(tag)
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(attributes)) {
    const result = (allowed?.get(name) ?? ANYWHERE.get(name))?.(value, place) ?? null
    if (result !== null) kept[name] = result
  }
  if (tag === 'a') finishLink(kept, place)
  if (tag === 'input') kept.disabled = ''
  if (tag === 'audio' || tag === 'video') kept.controls = ''
  return kept
}

const text: Keep = (value) => value
const present: Keep = () => ''
const matching =
  (pattern: RegExp): Keep =>
  (value) =>
    pattern.test(value) ? value : null
const oneOf =
  (...values: string[]): Keep =>
  (value) =>
    values.includes(value.toLowerCase()) ? value.toLowerCase() : null

const file: Keep = fileUrl
const files: Keep = (value, place) => rewriteSrcset(value, (address) => fileUrl(address, place))
const link: Keep = (value, place) => linkTarget(value, place)?.href ?? null
const length = matching(/^\d{1,5}%?$/)
const number = matching(/^-?\d{1,9}$/)
const span = matching(/^[1-9]\d{0,2}$/)
const anchor = matching(/^[^\s"'<>&=`]{1,300}$/)
const condition = matching(/^[\w\s().,:%+*/<>=-]{1,300}$/)
const align = oneOf('left', 'center', 'right')
const language: Keep = (value) => value.match(/(?<!\S)language-[\p{L}\p{N}_+#.-]{1,60}(?!\S)/u)?.[0] ?? null

type Names = Readonly<Record<string, Keep>>

const EDIT: Names = { cite: link, datetime: text }
const CELL: Names = { align, colspan: span, rowspan: span }
const MEDIA: Names = {
  src: file,
  controls: present,
  loop: present,
  muted: present,
  preload: oneOf('none', 'metadata'),
}
const SIZE: Names = { width: length, height: length }

/** Tags with attributes of their own. No style, no event handler, no name or id that a script could stumble on. */
const SPECIAL: Readonly<Record<string, Names>> = {
  // An `<a id>` becomes a name: good for links to it, invisible to scripts that look for globals.
  a: { href: link, name: anchor, id: anchor },
  audio: MEDIA,
  blockquote: { cite: link },
  code: { class: language },
  col: { span },
  colgroup: { span },
  del: EDIT,
  details: { open: present },
  div: { align },
  img: {
    src: file,
    srcset: files,
    sizes: condition,
    alt: text,
    loading: oneOf('lazy', 'eager'),
    align,
    ...SIZE,
  },
  input: { type: oneOf('checkbox'), checked: present },
  ins: EDIT,
  li: { value: number },
  ol: { start: number, reversed: present, type: matching(/^[1aAiI]$/) },
  p: { align },
  q: { cite: link },
  source: {
    src: file,
    srcset: files,
    sizes: condition,
    media: condition,
    type: matching(/^[\w/+.;=", -]{1,100}$/),
    ...SIZE,
  },
  table: { align },
  td: CELL,
  th: { ...CELL, scope: oneOf('row', 'col', 'rowgroup', 'colgroup') },
  time: { datetime: text },
  video: { ...MEDIA, poster: file, ...SIZE },
}

const PLAIN =
  `abbr address article aside b bdi bdo br caption cite dd dfn dl dt em figcaption figure footer header hr i kbd
  mark picture pre rp rt ruby s samp section small span strong sub summary sup tbody tfoot thead tr u ul var wbr`.split(
    /\s+/,
  )

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']

const ANYWHERE = new Map<string, Keep>(
  Object.entries({ dir: oneOf('ltr', 'rtl', 'auto'), lang: matching(/^[a-z0-9-]{1,35}$/i), title: text }),
)

const ATTRIBUTES = new Map(
  [...Object.entries(SPECIAL), ...HEADINGS.map((tag): [string, Names] => [tag, { id: anchor, align }])].map(
    ([tag, names]) => [tag, new Map(Object.entries(names))],
  ),
)

/** Tags that stay; of all others only the text does. */
export const ALLOWED_TAGS: readonly string[] = [...ATTRIBUTES.keys(), ...PLAIN]

/**
 * Tags whose text is not prose: code of scripts and styles, or fallbacks that a parser reads as text. What is never
 * closed is shown: see `raw-html.ts`.
 */
export const DROPPED_WITH_TEXT: readonly string[] =
  'script style textarea xmp iframe noembed noframes plaintext title'.split(' ')

/** Names of the attributes that `cleanAttributes` can give, by tag; `*` are those of every tag. */
export const ALLOWED_ATTRIBUTES: Readonly<Record<string, string[]>> = {
  '*': [...ANYWHERE.keys()],
  ...Object.fromEntries([...ATTRIBUTES].map(([tag, names]) => [tag, [...names.keys()]])),
  a: ['href', 'name', 'rel'],
  input: ['type', 'checked', 'disabled'],
}

/** No target: a reader's browser is theirs. External links pass on no reputation. */
const finishLink = (kept: Record<string, string>, place: LinkContext): void => {
  if (kept.id !== undefined) kept.name = kept.id
  delete kept.id
  if (kept.href !== undefined && linkTarget(kept.href, place)?.external) kept.rel = 'nofollow'
}
