import { makeHeadingIds } from '@lectern/wiki/dialects/slugs'
import { codeSpan, encodeDestination, escapeDestination, escapeText } from '@lectern/wiki/import/markdown'
import type { RstPicture, RstReferences, RstRole, RstSection } from './markup.ts'

/** Characters that definitions, and titles of other texts, may add to a text. */
export const ADDED_MAX = 400_000

/** What a text of reStructuredText defines for its paragraphs. */
export type RstNames = ReturnType<typeof newNames>

export const newNames = (path: string, references: RstReferences | undefined) => ({
  path,
  references,
  targets: new Map<string, string>(references?.definitions?.targets),
  substitutions: new Map<string, string | RstPicture>(references?.definitions?.substitutions),
  roles: new Map<string, RstRole>(references?.definitions?.roles),
  defaultRole: references?.definitions?.defaultRole ?? '',
  /** Sections, terms and citations, and other places, which have no title. */
  labels: new Map<string, RstSection>(),
  /** That of the first section. */
  title: null as string | null,
  /** Targets of references without a name, in the order of the text, and how many references there were. */
  anonymous: [] as string[],
  anonymousCount: 0,
  footnotes: new Set<string>(),
  /** How many footnotes with an automatic number or sign the text has referred to. */
  counts: { '#': 0, '*': 0 },
  /** Of `ADDED_MAX`. */
  left: ADDED_MAX,
})

/** The name of a target: case and white space do not count. */
export const rstName = (text: string): string =>
  text.replace(/\\(.)/g, '$1').replace(/\s+/g, ' ').trim().toLowerCase()

/** The id of a target. @see docutils, `make_id` */
export const rstId = (name: string): string =>
  makeHeadingIds('docutils')(name) || encodeDestination(name.replace(/\s/g, '-'))

export const anchorOf = (name: string): string => `<a name="${rstId(name)}"></a>`

/** The label of a footnote: those with automatic numbers and signs get one. @param counts of these so far */
export const footnoteLabel = (mark: string, counts: RstNames['counts']): string =>
  mark === '#' || mark === '*' ? `${mark === '#' ? 'auto' : 'sign'}${++counts[mark]}` : mark.replace('#', '')

export const INLINE_TARGET = /(?<![\w`:])_`(?<target>[^`]{1,300})`(?!_)/
/** Lengths are bounded, so that the search for an end takes linear time. */
const BEFORE = /(?<=^|[\s'"([{<\-/:\u2018\u201c\u2019\u2013\u2014])/.source
const AFTER = /(?=$|[\s'")\]}>\-/:.,;!?\\\u2019\u201d\u2013\u2014])/.source
const INLINE = new RegExp(
  [
    /\\(?<escaped>[\s\S])/.source,
    /``(?<code>[^\0]{1,1000}?)``(?!`)/.source,
    INLINE_TARGET.source,
    /(?::(?<role>[a-zA-Z][\w:+.-]{0,60}):)?`(?<quoted>(?:[^`\\]|\\[\s\S]){1,1000})`(?<reference>__?(?!\w))?(?::(?<after>[a-zA-Z][\w:+.-]{0,60}):)?/
      .source,
    `${BEFORE}\\*\\*(?=\\S)(?<strong>[^\\0]{0,600}?\\S)\\*\\*${AFTER}`,
    `${BEFORE}\\*(?=[^\\s*])(?!(?<="\\*)")(?<emphasis>[^*\\0]{0,600}?[^\\s*])\\*${AFTER}`,
    /\|(?<substitution>[^\s|](?:[^|\n]{0,100}[^\s|])?)\|(?<linked>_{0,2})/.source,
    /\[(?<footnote>[#*]|#?[A-Za-z0-9][\w.+-]{0,60})\]_(?!\w)/.source,
    /(?<url>(?:https?|ftp):\/\/[^\s<>"`|\\]{1,2000})/.source,
    /(?<![\w`])(?<word>[A-Za-z0-9](?:[\w.+-]{0,100}[A-Za-z0-9])?)_(?<twice>_?)(?![\w`])/.source,
  ].join('|'),
  'g',
)

const MAX_DEPTH = 4
/** What a text writes beyond so many characters for each of its own comes from definitions. */
const WRITTEN_PER_CHARACTER = 4

export const rstInline = (text: string, names: RstNames, depth = 0): string => {
  const parts: string[] = []
  let from = 0
  // Sphinx writes dashes for hyphens.
  const dash = (hyphens: string) => (names.references === undefined ? hyphens : hyphens === '--' ? '–' : '—')
  const plain = (end?: number) => escapeText(text.slice(from, end).replace(/(?<!-)---?(?!-)/g, dash))
  for (const match of text.matchAll(INLINE)) {
    const written = convert(match[0], match.groups!, names, depth)
    if (written === null) continue
    names.left -= Math.max(0, written.length - WRITTEN_PER_CHARACTER * match[0].length)
    parts.push(plain(match.index), written)
    from = match.index + match[0].length
  }
  return [...parts, plain()].join('')
}

type Groups = Readonly<Record<string, string | undefined>>

/** @returns null if it stays text */
const convert = (whole: string, groups: Groups, names: RstNames, depth: number): string | null => {
  const { escaped, code, target, quoted, strong, emphasis, substitution, footnote, url, word } = groups
  if (escaped !== undefined) return /\s/.test(escaped) ? '' : escapeText(escaped)
  if (code !== undefined) return codeSpan(code)
  if (target !== undefined) return anchorOf(target) + escapeText(target)
  if (strong !== undefined) return `**${escapeText(withoutEscapes(strong))}**`
  if (emphasis !== undefined) return `*${escapeText(withoutEscapes(emphasis))}*`
  if (url !== undefined) {
    const [, plain = '', rest = ''] = /^(.*?)([.,:;!?')\]}]*)$/s.exec(whole)!
    return `<${plain}>${escapeText(rest)}`
  }
  if (names.left <= 0) return null
  if (quoted !== undefined) return quotedText(quoted, groups, names)
  if (substitution !== undefined) return substituted(substitution, groups.linked!, names, depth)
  if (footnote !== undefined) return footnoteReference(footnote, names)
  const to = groups.twice ? nextAnonymous(names) : namedTarget(word!, names)
  return to === undefined ? null : `[${escapeText(word!)}](${to})`
}

const substituted = (written: string, linked: string, names: RstNames, depth: number): string | null => {
  const name = rstName(written)
  const value = names.substitutions.get(name)
  if (value === undefined) return /^(?:version|release|today)$/.test(name) ? `*${name}*` : null
  if (typeof value !== 'string') return pictureOf(value, names)
  if (depth === MAX_DEPTH || names.left < value.length) return null
  names.left -= value.length + 1
  const text = rstInline(value, names, depth + 1)
  const to = linked === '_' ? namedTarget(name, names) : linked === '__' ? nextAnonymous(names) : undefined
  return to === undefined ? text : `[${text}](${to})`
}

const footnoteReference = (mark: string, names: RstNames): string | null => {
  const label = footnoteLabel(mark, names.counts)
  if (names.footnotes.has(label)) return `[^${label}]`
  const citation = sectionOf(`[${rstName(mark)}]`, names)
  return citation ? `[\\[${escapeText(mark)}\\]](${citation.to})` : /\w/.test(mark) ? `\\[${mark}\\]` : null
}

/** A section, an object, a term or a citation of the text, or of another text of the site. */
const sectionOf = (label: string, { labels, references }: RstNames): RstSection | undefined =>
  labels.get(label) ?? references?.label(label)

/** A target that leads to another one: `.. _tea: green_`. */
const ALIAS = /^(?:`([^`]+)`|([^`:/]+))_$/

/** The destination of a target as it is written; undefined if it leads to one that does not exist, or to itself. */
export const resolvedTarget = (written: string, names: RstNames, steps = 5): string | undefined => {
  const alias = ALIAS.exec(written)?.slice(1).find(Boolean)
  if (alias === undefined) return destinationOf(written)
  return steps === 0 ? undefined : namedTarget(alias, names, steps - 1)
}

const namedTarget = (text: string, names: RstNames, steps?: number): string | undefined => {
  const written = names.targets.get(rstName(text))
  return written === undefined ? undefined : resolvedTarget(written, names, steps)
}

const nextAnonymous = (names: RstNames): string | undefined => {
  const written = names.anonymous[names.anonymousCount++]
  return written === undefined ? undefined : resolvedTarget(written, names)
}

const TITLED = /^([\s\S]*?)\s*<([^<>]{1,1000})>$/

const quotedText = (quoted: string, groups: Groups, names: RstNames): string => {
  const { role = groups.after, reference } = groups
  const [, title, target = quoted] = TITLED.exec(quoted) ?? []
  const text = escapeText(withoutEscapes(title || target))
  if (role !== undefined || reference === undefined) {
    const own = role ?? names.defaultRole
    return own === '' ? `*${text}*` : roleText(own.toLowerCase().replace(/^.*:/, ''), quoted, names)
  }
  const isNamed = reference === '_'
  const named = () => (isNamed ? namedTarget(quoted, names) : nextAnonymous(names))
  const to = title === undefined ? named() : resolvedTarget(target, names)
  if (title && to !== undefined && isNamed) names.targets.set(rstName(title), to)
  return to === undefined ? text : `[${text}](${to})`
}

const withoutEscapes = (text: string): string => text.replace(/\\(?:\s|$|(\S))/g, '$1')

/** The destination of a target: an address; a mail address gets its scheme. */
export const destinationOf = (target: string): string => {
  const url = withoutEscapes(target).replace(/\s+/g, '')
  return escapeDestination(/^[^\s@/:]+@[^\s@/:]+$/.test(url) ? `mailto:${url}` : url)
}

const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/** A picture, with its width if it is a number of pixels or a share, and with its link. */
export const pictureOf = ({ argument, options }: RstPicture, names: RstNames): string => {
  const [alt, source] = [options.get('alt') ?? '', destinationOf(argument.replace(/\.\*$/, '.svg'))]
  const [, width] = /^(\d{1,5}%?)(?: ?px)?$/.exec(options.get('width') ?? '') ?? []
  const sized = `<img src="${source}" alt="${attribute(alt)}" width="${width}">`
  const image = width === undefined ? `![${escapeText(alt)}](${source})` : sized
  const to = names.left > 0 && resolvedTarget(options.get('target') ?? '', names)
  if (!to) return image
  names.left -= to.length
  return `[${image}](${to})`
}

/** The text of a link to a page whose title is not known. */
export const pageLabel = (target: string): string =>
  target
    .replace(/\/index$/, '')
    .replace(/^.*\//, '')
    .replaceAll(/[-_]/g, ' ')

const BOLD = /^(?:strong|guilabel|menuselection|program|command)$/
const ITALIC = /^(?:emphasis|dfn|title|title-reference|t|manpage|mimetype|mailheader|newsgroup)$/
const PLAIN = /^(?:|abbr|token|index|eq|any|gh|issue|pr)$/
const LITERAL = /^(?:code|literal|file|samp|regexp|makevar)$/

/** The label of a term of a glossary, after which a key for its order can follow. */
export const termLabel = (line: string): string => `term ${rstName(line.split(' : ')[0]!)}`

const roleText = (name: string, quoted: string, names: RstNames): string => {
  const { base: role, url, caption } = { base: name, ...names.roles.get(name) }
  const [, title, target = quoted] = TITLED.exec(quoted) ?? []
  const text = escapeText(withoutEscapes(title || target))
  const filled = (pattern: string) => pattern.replace('%s', () => target)
  if (url !== undefined)
    return `[${escapeText(title ?? filled(caption || url))}](${destinationOf(filled(url))})`
  if (BOLD.test(role)) {
    const isMenu = /^(?:guilabel|menuselection)$/.test(role)
    const menu = quoted.replace(/\s*-->\s*/g, ' \u2023 ').replace(/&(&|(?=\S))/g, '$1')
    return `**${escapeText(withoutEscapes(isMenu ? menu : quoted))}**`
  }
  if (ITALIC.test(role)) return `*${text}*`
  if (/^(?:kbd|sub(?:script)?|sup(?:erscript)?)$/.test(role))
    return `<${role.slice(0, 3)}>${text}</${role.slice(0, 3)}>`
  if (role === 'math') return `$${quoted}$`
  // Code of HTML and of other formats, as in the directive of this name.
  if (role === 'raw') return ''
  if (role === 'doc' || role === 'download') {
    const [document] = names.references?.documents(target) ?? []
    const label = title || (document?.title ?? pageLabel(target))
    return `[${escapeText(label)}](${document?.to ?? destinationOf(target)})`
  }
  if (role === 'ref' || role === 'numref' || role === 'term') {
    const isTerm = role === 'term'
    const section = sectionOf(isTerm ? termLabel(target) : rstName(target), names)
    const label = escapeText(title ?? section?.title ?? (isTerm ? target : target.replaceAll(/[-_]/g, ' ')))
    const shown = isTerm ? `*${label}*` : label
    return section?.to ? `[${shown}](${section.to})` : shown
  }
  if (role === 'pep' || role === 'rfc') return proposal(role, title, target.trim(), names.path)
  const [, short, long = ''] = (role === 'abbr' && /^(.*?)\s*\((.*)\)$/s.exec(quoted)) || []
  if (short !== undefined) return `<abbr title="${attribute(long)}">${escapeText(short)}</abbr>`
  if (LITERAL.test(role)) return codeSpan(withoutEscapes(quoted))
  if (PLAIN.test(role)) return text
  // Names of objects: with `~`, the last part.
  const object = target.replace(/^[!.]+/, '').replace(/^~(?:.*\.)?/, '')
  const isCall = /^(?:func|meth|function|method)$/.test(role) && !object.endsWith(')')
  return codeSpan(title ?? `${object}${isCall ? '()' : ''}`)
}

const proposal = (role: 'pep' | 'rfc', title: string | undefined, target: string, path: string): string => {
  const [number = '', ...fragment] = target.split(/\s*(?=#)/)
  const name = `pep-${number.padStart(4, '0')}`
  const pep = /(?:^|\/)pep-\d{4}$/.test(path) ? name : `https://peps.python.org/${name}/`
  const base = role === 'rfc' ? `https://datatracker.ietf.org/doc/html/rfc${number}` : pep
  return `[${escapeText(title ?? `${role.toUpperCase()} ${number}`)}](${escapeDestination(base + fragment.join(''))})`
}
