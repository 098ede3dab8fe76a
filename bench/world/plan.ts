import type { Timestamp } from '../../src/wiki/time.ts'
import type { CategoryRecord } from '../../src/write/records.ts'
import { makeRandom, type Random } from './random.ts'
import { textMaker } from './text.ts'
import { LOCALES, type WorldLocale } from './words.ts'

export interface PlannedPage {
  /** From 1. */
  id: number
  locale: string
  path: string
  title: string
  state: 'live' | 'draft' | 'deleted'
  translationGroup: string | null
  categories: { key: string; sort_key: string }[]
}

export interface PlannedEdit {
  id: string
  createdAt: Timestamp
  author: string
  comment: string
  status: 'accepted' | 'pending'
  markdown: string
}

/** What a world of a seed and a size holds; nothing of it is kept, everything can be asked for in any order. */
export interface Plan {
  seed: number
  pages: number
  page(id: number): PlannedPage
  /** Oldest first. */
  edits(page: PlannedPage): Generator<PlannedEdit>
  categories(): CategoryRecord[]
}

/** Categories of a language, and at most of a page. A few hold many pages, most hold few. */
const CATEGORIES = 60
const CATEGORIES_OF_PAGE = 4
const AUTHORS = 800
const EDITS_MAX = 500

const FIRST = Date.UTC(2012, 0, 1)
const LAST = Date.UTC(2026, 0, 1)

const englishLocale = LOCALES[0]

/** Seven of ten pages are English, two Russian, one Japanese. */
const localeOf = (id: number): WorldLocale => {
  const turn = id % 10
  if (turn < 7) return englishLocale
  return turn === 9 ? LOCALES[1] : LOCALES[2]
}

/** One page of each language in every ten are translations of each other. */
const groupOf = (id: number): string | null =>
  [6, 7, 9].includes(id % 10) ? `group-${Math.floor(id / 10)}` : null

const stateOf = (random: Random, id: number): PlannedPage['state'] => {
  const drawn = random.of(id, 1)
  if (drawn < 0.97) return 'live'
  return drawn < 0.99 ? 'draft' : 'deleted'
}

const wordsAt = (random: Random, { words }: WorldLocale, count: number, ...place: number[]): string[] =>
  Array.from({ length: count }, (_, i) => words[random.below(words.length, ...place, i)]!)

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const makePlan = (seed: number, pages: number): Plan => {
  const random = makeRandom(seed)

  const nameOf = (id: number) => {
    const words = wordsAt(random, localeOf(id), 2, id, 2)
    const prefix = id % 97 === 0 ? 'template:' : ''
    return {
      path: `${prefix}${words.join('-')}-${id.toString(36)}`,
      title: `${capitalised(words.join(' '))} ${id}`,
    }
  }
  const keyOf = (locale: WorldLocale, n: number) =>
    `${locale.words[n % locale.words.length]}-${Math.floor(n / locale.words.length)}`

  const categoriesOf = (id: number, title: string): PlannedPage['categories'] => {
    const count = random.below(CATEGORIES_OF_PAGE + 1, id, 3)
    const numbers = Array.from({ length: count }, (_, i) => Math.floor(CATEGORIES * random.of(id, 4, i) ** 3))
    return [...new Set(numbers)].map((n) => ({ key: keyOf(localeOf(id), n), sort_key: title.toLowerCase() }))
  }

  const textOf = textMaker(random, (locale, ...place) => {
    const target = 1 + random.below(pages, ...place)
    return localeOf(target) === locale ? nameOf(target).path : nameOf(1).path
  })

  /** Microseconds since 1970, ascending, between a page's first day and the last of all. */
  const timesOf = (id: number, count: number): number[] => {
    const born = FIRST + random.of(id, 5) * (LAST - FIRST) * 0.9
    const times = Array.from({ length: count }, (_, i) =>
      Math.floor((born + random.of(id, 6, i) ** 2 * (LAST - born)) * 1000),
    )
    return times.sort((a, b) => a - b)
  }

  return {
    seed,
    pages,
    page: (id) => {
      const { path, title } = nameOf(id)
      return {
        id,
        locale: localeOf(id).locale,
        path,
        title,
        state: stateOf(random, id),
        translationGroup: groupOf(id),
        categories: categoriesOf(id, title),
      }
    },
    edits: function* ({ id, title }) {
      const count = Math.min(EDITS_MAX, Math.max(1, Math.floor(Math.exp(1.1 + random.normal(id, 7)))))
      const blocks = textOf(localeOf(id), title, id)
      for (const [i, time] of timesOf(id, count).entries()) {
        yield {
          id: random.uuid(id, 8, i),
          createdAt: momentOf(time),
          author: `Editor ${Math.floor(AUTHORS * random.of(id, 9, i) ** 2)}`,
          comment: i === 0 ? 'first text' : wordsAt(random, englishLocale, 3, id, 10, i).join(' '),
          status: i > 0 && random.of(id, 11, i) < 0.03 ? 'pending' : 'accepted',
          markdown: blocks.slice(0, Math.ceil(blocks.length * (0.3 + (0.7 * (i + 1)) / count))).join('\n\n'),
        }
      }
    },
    categories: () =>
      LOCALES.flatMap((locale) =>
        Array.from({ length: CATEGORIES }, (_, n) => ({
          type: 'category' as const,
          locale: locale.locale,
          key: keyOf(locale, n),
          name: capitalised(keyOf(locale, n)),
        })),
      ),
  }
}

const momentOf = (microseconds: number): Timestamp => {
  const rest = String(microseconds % 1_000_000).padStart(6, '0')
  return `${new Date(Math.floor(microseconds / 1000)).toISOString().slice(0, 19)}.${rest}Z`
}
