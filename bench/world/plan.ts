import type { CategoryRecord } from '@lectern/wiki/records'
import type { Timestamp } from '@lectern/wiki/time'
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

export interface PlannedRevision {
  id: string
  createdAt: Timestamp
  author: string
  comment: string
  status: 'accepted' | 'pending'
  markdown: string
}

/**
 * The content of a data set (a "world"), which depends only on its seed and its size. Nothing is stored: each part is
 * computed when it is needed, in any order.
 */
export interface Plan {
  seed: number
  pages: number
  page(id: number): PlannedPage
  /** Oldest first. */
  revisions(page: PlannedPage): Generator<PlannedRevision>
  categories(): CategoryRecord[]
}

/** Categories per language, and the maximum per page. A few categories have many pages, most have few. */
const CATEGORIES = 60
const CATEGORIES_OF_PAGE = 4
const AUTHORS = 800
const REVISIONS_MAX = 500

const FIRST_DAY = Date.UTC(2012, 0, 1)
const LAST_DAY = Date.UTC(2026, 0, 1)

const englishLocale = LOCALES[0]

/** Of ten pages, seven are English, two Russian and one Japanese. */
const localeOf = (id: number): WorldLocale => {
  const digit = id % 10
  if (digit < 7) return englishLocale
  return digit === 9 ? LOCALES[1] : LOCALES[2]
}

/** In every ten pages, one page of each language belongs to a group of translations. */
const groupOf = (id: number): string | null =>
  [6, 7, 9].includes(id % 10) ? `group-${Math.floor(id / 10)}` : null

const stateOf = (random: Random, id: number): PlannedPage['state'] => {
  const fraction = random.of(id, 1)
  if (fraction < 0.97) return 'live'
  return fraction < 0.99 ? 'draft' : 'deleted'
}

const pickWords = (random: Random, { words }: WorldLocale, count: number, ...key: number[]): string[] =>
  Array.from({ length: count }, (_, i) => words[random.below(words.length, ...key, i)]!)

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const makePlan = (seed: number, pages: number): Plan => {
  const random = makeRandom(seed)

  const nameOf = (id: number) => {
    const words = pickWords(random, localeOf(id), 2, id, 2)
    const prefix = id % 97 === 0 ? 'template:' : ''
    return {
      path: `${prefix}${words.join('-')}-${id.toString(36)}`,
      title: `${capitalize(words.join(' '))} ${id}`,
    }
  }
  const keyOf = (locale: WorldLocale, n: number) =>
    `${locale.words[n % locale.words.length]}-${Math.floor(n / locale.words.length)}`

  const categoriesOf = (id: number, title: string): PlannedPage['categories'] => {
    const count = random.below(CATEGORIES_OF_PAGE + 1, id, 3)
    const numbers = Array.from({ length: count }, (_, i) => Math.floor(CATEGORIES * random.of(id, 4, i) ** 3))
    return [...new Set(numbers)].map((n) => ({ key: keyOf(localeOf(id), n), sort_key: title.toLowerCase() }))
  }

  const blocksOf = textMaker(random, (locale, ...key) => {
    const target = 1 + random.below(pages, ...key)
    return localeOf(target) === locale ? nameOf(target).path : nameOf(1).path
  })

  /** Ascending times between the page's creation and the last day of the data set, microseconds since 1970. */
  const timesOf = (id: number, count: number): number[] => {
    const createdMs = FIRST_DAY + random.of(id, 5) * (LAST_DAY - FIRST_DAY) * 0.9
    const times = Array.from({ length: count }, (_, i) =>
      Math.floor((createdMs + random.of(id, 6, i) ** 2 * (LAST_DAY - createdMs)) * 1000),
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
    revisions: function* ({ id, title }) {
      const count = Math.min(REVISIONS_MAX, Math.max(1, Math.floor(Math.exp(1.1 + random.normal(id, 7)))))
      const blocks = blocksOf(localeOf(id), title, id)
      for (const [i, time] of timesOf(id, count).entries()) {
        yield {
          id: random.uuid(id, 8, i),
          createdAt: timestampFromMicroseconds(time),
          author: `Editor ${Math.floor(AUTHORS * random.of(id, 9, i) ** 2)}`,
          comment: i === 0 ? 'first text' : pickWords(random, englishLocale, 3, id, 10, i).join(' '),
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
          name: capitalize(keyOf(locale, n)),
        })),
      ),
  }
}

const timestampFromMicroseconds = (microseconds: number): Timestamp => {
  const fraction = String(microseconds % 1_000_000).padStart(6, '0')
  return `${new Date(Math.floor(microseconds / 1000)).toISOString().slice(0, 19)}.${fraction}Z`
}
