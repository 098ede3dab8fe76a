import { inLanguage } from './language.js'
import { wordsOf } from './names.js'

/** A page with fewer headings has no table of contents. */
const HEADINGS_MIN = 2
/** A page with fewer headings has none where it would be above the text. */
const HEADINGS_ABOVE_MIN = 3
/** Headings that are listed by the number of their levels: two levels even if the list is long, more in a short one. */
const HEADINGS_MAX = [Number.POSITIVE_INFINITY, 1_000, 24, 24, 24]
const PLACES = ['upper', 'lower', 'lowest', 'lowest', 'lowest']

/**
 * The table of contents of a text. Undefined if there are too few headings.
 * @template {{ level: number }} Heading
 * @param {Heading[]} headings those that have an id
 * @returns {{ name: string, listed: (Heading & { place: 'upper' | 'lower' | 'lowest' })[] } | undefined} `name` is its class
 */
export const contentsOf = (headings) => {
  if (headings.length < HEADINGS_MIN) return undefined
  const levels = [...new Set(headings.map(({ level }) => level))].sort()
  const downTo = (last) => headings.filter(({ level }) => level <= last)
  const last = levels.findLast((level, i) => downTo(level).length <= HEADINGS_MAX[i])
  return {
    name: headings.length < HEADINGS_ABOVE_MIN ? 'contents few' : 'contents',
    listed: downTo(last).map((heading) => ({ ...heading, place: PLACES[levels.indexOf(heading.level)] })),
  }
}

/** The same as HTML. @param {string} html of an article @param {string} label in the language of the shell @returns {string} empty: there is none */
export const contentsHtml = (html, locale, label) => {
  const found = [...html.matchAll(/<h([2-6])\b[^>]*\bid="([^"]*)"[^>]*>(.*?)<\/h\1>/gs)]
  const contents = contentsOf(found.map(([, level, id, inner]) => ({ level: Number(level), id, inner })))
  if (!contents) return ''
  const items = contents.listed.map(
    ({ place, id, inner }) =>
      `<li class="${place}"><a href="#${id.replaceAll('%', '%25')}">${textOf(inner)}</a></li>`,
  )
  const { lang, dir } = inLanguage(locale)
  return `<nav class="${contents.name}" aria-label="${label}"><details><summary>${label}</summary><ul lang="${lang}" dir="${dir}">${items.join('')}</ul></details></nav>`
}

/** The text of HTML of the API, in which each `<` begins a tag; character references stay. Of a formula, what it is made from. */
const textOf = (html) =>
  html
    .replace(MATHML, '')
    .replace(/<sup\b.*?<\/sup>|<[^>]*>/gs, '')
    .trim()

const MATHML = /<semantics>(?:(?!<\/?semantics>).)*?(?=<annotation\b)/gs

/** A heading with which a text begins, also within boxes, and below the properties of a note. */
const FIRST_HEADING =
  /^((?:\s|<(?:div|section|header|center)\b[^>]*>|<table>\s*<tbody>(?:(?!<\/table>).)*<\/table>)*)<(h[1-6])\b(?:[^>]*\bid="([^"]*)")?[^>]*>(.*?)<\/\2>/s

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
  const isTaken = boxes.includes('<table>') ? isRepeated : isOwn || (heading !== '' && isRepeated)
  const rest = isTaken ? boxes.trimStart() + html.slice(whole.length) : html
  const down = 2 - Math.min(...levelsIn(rest))
  const body = rest.replace(
    /(<\/?h)([1-6])\b/g,
    (_, start, level) => `${start}${Math.min(6, Number(level) + down)}`,
  )
  return { heading: isTaken && words !== wanted ? heading : undefined, id: isTaken ? id : '', body }
}
