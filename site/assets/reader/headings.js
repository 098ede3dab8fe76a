import { wordsOf } from './names.js'

/** The text of HTML of the API, in which each `<` begins a tag; character references stay. */
const textOf = (html) => html.replace(/<sup\b.*?<\/sup>|<[^>]*>/gs, '').trim()

/** A heading with which a text begins, also within boxes. */
const FIRST_HEADING =
  /^((?:\s|<(?:div|section|header|center)\b[^>]*>)*)<(h[1-6])\b(?:[^>]*\bid="([^"]*)")?[^>]*>(.*?)<\/\2>/s

const levelsIn = (html) => [...html.matchAll(/<h([1-6])\b/g)].map(([, level]) => Number(level))

/**
 * The heading of a page, and the HTML of its text below. A text can begin with its own heading: that is the heading of the
 * page if it stands above all others, and is of the first level or says what the title says. A heading that only repeats the
 * title is left out. The headings of the text begin with the second level.
 * @param {string} title
 * @param {string} html of the API
 * @returns {{ heading?: string, id: string, body: string }} `heading` is HTML without tags; absent: the title
 */
export const withoutHeading = (title, html) => {
  const [whole = '', boxes = '', tag = '', id = '', inner = ''] = FIRST_HEADING.exec(html) ?? []
  const heading = inner.includes('<img') ? '' : textOf(inner)
  const isRepeated = heading.toLowerCase() === title.toLowerCase()
  const [words, wanted] = [wordsOf(heading.replace(/&#?\w+;/g, '')), wordsOf(title)]
  const isAbove = levelsIn(html.slice(whole.length)).every((level) => level > Number(tag[1]))
  const isOwn = heading !== '' && isAbove && (tag === 'h1' || (wanted !== '' && words.includes(wanted)))
  const isTaken = isOwn || (heading !== '' && isRepeated)
  const rest = isTaken ? boxes.trimStart() + html.slice(whole.length) : html
  const down = 2 - Math.min(...levelsIn(rest))
  const body = rest.replace(
    /(<\/?h)([1-6])\b/g,
    (_, start, level) => `${start}${Math.min(6, Number(level) + down)}`,
  )
  return { heading: isTaken && words !== wanted ? heading : undefined, id: isTaken ? id : '', body }
}
