import { matchAt } from '../inline-html.ts'

/** A link to a page by its name: `[[Green tea#Steaming|how to steam]]`. */
export interface Wikilink {
  /** The path or title of a page; empty for a link within the page. */
  name: string
  /** The text of a heading of the page; empty if there is none. */
  heading: string
  /** The text to show. */
  label: string
  /** Offset after its brackets. */
  end: number
}

/** `[[1]](url)` and `[[x][y]]` are links of Markdown and Org. */
const WIKILINK = /!?\[\[(?!\s)([^[\]\n|]{1,500}?)(?:\\?\|([^[\]\n]{0,500}))?\]\](?![(\]])/y
const LETTER = /[\p{L}\p{N}]/u

/** The link that begins with the brackets, or with the `!` of an embedded page, at a position. */
export const wikilinkAt = (text: string, at: number): Wikilink | null => {
  const match = matchAt(WIKILINK, text, at)
  if (match === null || text[at - 1] === '[' || match[1]!.endsWith(' ') || !LETTER.test(match[1]!))
    return null
  const [, target = '', written = ''] = match
  const hash = target.indexOf('#')
  const name = (hash < 0 ? target : target.slice(0, hash)).trim()
  // A heading in a heading, `#A#B`, is the last one. A block of Obsidian, `#^id`, has no id in the HTML.
  const last = hash < 0 ? '' : target.slice(target.lastIndexOf('#') + 1).trim()
  const heading = last.startsWith('^') ? '' : last
  const label = written.trim() || [name, heading].filter((part) => part !== '').join(' > ')
  return { name: name.replace(/\.md$/i, ''), heading, label, end: WIKILINK.lastIndex }
}

/** Names in links that are looked up for one text. */
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
