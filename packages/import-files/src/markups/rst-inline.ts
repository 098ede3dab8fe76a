import { codeSpan, escapeDestination, escapeText } from '@lectern/wiki/import/markdown'
import type { RstReferences, RstSection } from './markup.ts'

/** What a text of reStructuredText defines for its paragraphs. */
export type RstNames = ReturnType<typeof newNames>

export const newNames = (path: string, references: RstReferences | undefined) => ({
  path,
  /** Destinations of targets and titles of sections, by their name as `rstName` returns it. */
  targets: new Map<string, string>(),
  labels: new Map<string, RstSection>(),
  /** That of the first section. */
  title: null as string | null,
  references,
  /** Destinations of references without a name, in the order of the text. */
  anonymous: [] as string[],
  substitutions: new Map<string, string>(),
  /** How many footnotes with automatic numbers the text has referred to. */
  footnotes: 0,
  /** Characters that substitutions may still add. */
  left: 200_000,
})

/** The name of a target: case and white space do not count. */
export const rstName = (text: string): string =>
  text.replace(/\\(.)/g, '$1').replace(/\s+/g, ' ').trim().toLowerCase()

/** Lengths are bounded, so that the search for an end takes linear time. */
const BEFORE = /(?<=^|[\s'"([{<\-/:\u2018\u201c\u2019\u2013\u2014])/.source
const AFTER = /(?=$|[\s'")\]}>\-/:.,;!?\\\u2019\u201d\u2013\u2014])/.source
const INLINE = new RegExp(
  [
    /\\(?<escaped>[\s\S])/.source,
    /``(?<code>[^\0]{1,1000}?)``/.source,
    /(?::(?<role>[a-zA-Z][\w:+.-]{0,60}):)?`(?<quoted>(?:[^`\\]|\\[\s\S]){1,1000})`(?<reference>__?(?!\w))?(?::(?<after>[a-zA-Z][\w:+.-]{0,60}):)?/
      .source,
    `${BEFORE}\\*\\*(?=\\S)(?<strong>[^\\0]{0,600}?\\S)\\*\\*${AFTER}`,
    `${BEFORE}\\*(?=[^\\s*])(?<emphasis>[^*\\0]{0,600}?[^\\s*])\\*${AFTER}`,
    /\|(?<substitution>[^\s|](?:[^|\n]{0,100}[^\s|])?)\|_{0,2}/.source,
    /\[(?<footnote>[#*]|#?[A-Za-z0-9][\w.+-]{0,60})\]_(?!\w)/.source,
    /(?<url>(?:https?|ftp):\/\/[^\s<>"`|\\]{1,2000})/.source,
    /(?<![\w`])(?<word>[A-Za-z0-9](?:[\w.+-]{0,100}[A-Za-z0-9])?)_(?<twice>_?)(?![\w`])/.source,
  ].join('|'),
  'g',
)

const MAX_DEPTH = 4

export const rstInline = (text: string, names: RstNames, depth = 0): string => {
  const parts: string[] = []
  let from = 0
  for (const match of text.matchAll(INLINE)) {
    const written = convert(match[0], match.groups!, names, depth)
    if (written === null) continue
    parts.push(escapeText(text.slice(from, match.index)), written)
    from = match.index + match[0].length
  }
  return [...parts, escapeText(text.slice(from))].join('')
}

type Groups = Readonly<Record<string, string | undefined>>

/** @returns null if it stays text */
const convert = (whole: string, groups: Groups, names: RstNames, depth: number): string | null => {
  const { escaped, code, quoted, strong, emphasis, substitution, footnote, url, word } = groups
  if (escaped !== undefined) return /\s/.test(escaped) ? '' : escapeText(escaped)
  if (code !== undefined) return codeSpan(code)
  if (quoted !== undefined) return quotedText(quoted, groups, names)
  if (strong !== undefined) return `**${escapeText(strong)}**`
  if (emphasis !== undefined) return `*${escapeText(emphasis)}*`
  if (substitution !== undefined) {
    const value = names.substitutions.get(rstName(substitution))
    if (value === undefined || depth === MAX_DEPTH || names.left < value.length) return null
    names.left -= value.length + 1
    return value.startsWith('![') ? value : rstInline(value, names, depth + 1)
  }
  if (footnote !== undefined)
    return `[^${/^[#*]$/.test(footnote) ? `auto${++names.footnotes}` : footnote.replace('#', '')}]`
  if (url !== undefined) {
    const [, plain = '', rest = ''] = /^(.*?)([.,:;!?')\]}]*)$/s.exec(whole)!
    return `<${plain}>${escapeText(rest)}`
  }
  const to = groups.twice ? names.anonymous.shift() : names.targets.get(rstName(word!))
  return to === undefined ? null : `[${escapeText(word!)}](${to})`
}

const TITLED = /^([\s\S]*?)\s*<([^<>]{1,1000})>$/

const quotedText = (quoted: string, groups: Groups, names: RstNames): string => {
  const { role = groups.after, reference } = groups
  if (role !== undefined) return roleText(role.toLowerCase().replace(/^.*:/, ''), quoted, names)
  const [, title, target = quoted] = TITLED.exec(quoted) ?? []
  if (reference === undefined) return `*${escapeText(withoutEscapes(title || quoted))}*`
  const text = escapeText(withoutEscapes(title || target))
  if (title !== undefined) {
    const to = target.endsWith('_') ? names.targets.get(rstName(target.slice(0, -1))) : destinationOf(target)
    if (title !== '' && to !== undefined && reference === '_') names.targets.set(rstName(title), to)
    return to === undefined ? text : `[${text}](${to})`
  }
  const to = reference === '__' ? names.anonymous.shift() : names.targets.get(rstName(quoted))
  return to === undefined ? text : `[${text}](${to})`
}

const withoutEscapes = (text: string): string => text.replace(/\\\s?/g, '')

/** The destination of a target: an address; a mail address gets its scheme. */
export const destinationOf = (target: string): string => {
  const url = withoutEscapes(target).replace(/\s+/g, '')
  return escapeDestination(/^[^\s@/:]+@[^\s@/:]+$/.test(url) ? `mailto:${url}` : url)
}

/** The text of a link to a page whose title is not known. */
export const pageLabel = (target: string): string =>
  target
    .replace(/\/index$/, '')
    .replace(/^.*\//, '')
    .replaceAll(/[-_]/g, ' ')

const roleText = (role: string, quoted: string, names: RstNames): string => {
  const [, title, target = quoted] = TITLED.exec(quoted) ?? []
  const text = escapeText(withoutEscapes(title || target))
  if (/^(?:strong|guilabel|menuselection)$/.test(role)) return `**${text}**`
  if (/^(?:emphasis|dfn|term|title)$/.test(role)) return `*${text}*`
  if (role === 'sub' || role === 'subscript') return `<sub>${text}</sub>`
  if (role === 'sup' || role === 'superscript') return `<sup>${text}</sup>`
  if (role === 'math') return `$${quoted}$`
  if (role === 'doc' || role === 'download') {
    const [document] = names.references?.documents(target) ?? []
    const label = title || (document?.title ?? pageLabel(target))
    return `[${escapeText(label)}](${document?.to ?? destinationOf(target)})`
  }
  if (role === 'ref') {
    const section = names.labels.get(rstName(target)) ?? names.references?.label(rstName(target))
    const label = escapeText(title ?? section?.title ?? target.replaceAll(/[-_]/g, ' '))
    return section?.to ? `[${label}](${section.to})` : label
  }
  if (role === 'pep' || role === 'rfc') return proposal(role, title, target.trim(), names.path)
  if (/^(?:abbr|any|numref|token|index|gh|issue|pr)$/.test(role)) return text
  return codeSpan(title ?? target.replace(/^!/, '').replace(/^~(?:.*\.)?/, ''))
}

const proposal = (role: 'pep' | 'rfc', title: string | undefined, target: string, path: string): string => {
  const [number = '', ...fragment] = target.split(/\s*(?=#)/)
  const base =
    role === 'rfc'
      ? `https://datatracker.ietf.org/doc/html/rfc${number}`
      : /(?:^|\/)pep-\d{4}$/.test(path)
        ? `pep-${number.padStart(4, '0')}`
        : `https://peps.python.org/pep-${number.padStart(4, '0')}/`
  return `[${escapeText(title ?? `${role.toUpperCase()} ${number}`)}](${escapeDestination(base + fragment.join(''))})`
}
