import type { Database } from '../../src/db/database.ts'
import type { SearchArguments } from '../../src/search/query/search.ts'
import { runSql } from '../world/fill.ts'
import { makeRandom } from '../world/random.ts'

/** Words of a world, for queries. */
export interface SpeedWords {
  /** The most common word first. */
  common: string[]
  /** Words that are neither common nor rare. */
  middling: string[]
  rare: string[]
  titles: string[]
  /** Japanese sentences. */
  sentences: string[]
}

/** About how many English pages the words are taken from. */
const SAMPLE = 2000
const COMMON_WORDS = 40

/** Words from the search index. Some are stems, which as a query find the same pages. */
export const loadSpeedWords = async (owner: Database): Promise<SpeedWords> => {
  const sample = `select words from wiki.live_search s
                   where locale = 'en' and hashint8(page_id) % greatest((select max(page_id) from wiki.live_search)::int / ${SAMPLE}, 1) = 0`
  const { rows } = await runSql(
    owner,
    `select substr(word, 3) as word, sum(ndoc)::int as pages
       from ts_stat($1) where word ~ '^[ABCD]g[a-z]{3,}$' group by 1 order by 2 desc, 1`,
    [sample],
  )
  const titles = await runSql(
    owner,
    `select title from wiki.live_page where locale = 'en' and ns = 'main' order by id % 7919, id limit 200`,
  )
  const japanese = await runSql(
    owner,
    `select substr(body, 200, 24) as sentence from wiki.live_search where locale = 'ja' and length(body) > 400 order by page_id % 7919, page_id limit 100`,
  )
  const words = rows.map(({ word }) => word)
  return {
    common: words.slice(0, COMMON_WORDS),
    middling: words.slice(COMMON_WORDS, 1000),
    rare: rows.filter(({ pages, word }) => pages === 1 && word.length > 10).map(({ word }) => word),
    titles: titles.rows.map(({ title }) => title),
    sentences: japanese.rows.map(({ sentence }) => sentence),
  }
}

const random = makeRandom(5)
const pick = <Item>(items: readonly Item[], ...key: number[]): Item =>
  items[random.below(items.length, ...key)]!

/** A query of many words, in a mixed order. */
const mixed = (
  words: SpeedWords,
  n: number,
  counts: { common: number; middling: number; rare: number },
): string =>
  (['common', 'middling', 'rare'] as const)
    .flatMap((kind, i) => Array.from({ length: counts[kind] }, (_, k) => pick(words[kind], n, i, k)))
    .map((word, i) => ({ word, order: random.of(n, 9, i) }))
    .sort((a, b) => a.order - b.order)
    .map(({ word }) => word)
    .join(' ')

/** The query number n of a kind. */
export type QueryOf = (words: SpeedWords, n: number) => Partial<SearchArguments> & { q: string }

export const SPEED_KINDS: Record<string, QueryOf> = {
  'a rare word': ({ rare }, n) => ({ q: pick(rare, n) }),
  'the most common word': ({ common }) => ({ q: common[0]! }),
  'a common word': ({ common }, n) => ({ q: pick(common, n) }),
  'three common words': (words, n) => ({ q: mixed(words, n, { common: 3, middling: 0, rare: 0 }) }),
  'six common words': (words, n) => ({ q: mixed(words, n, { common: 6, middling: 0, rare: 0 }) }),
  'a common and a rare word': (words, n) => ({ q: mixed(words, n, { common: 1, middling: 0, rare: 1 }) }),
  'a question of 15 words': (words, n) => ({ q: mixed(words, n, { common: 9, middling: 4, rare: 2 }) }),
  '15 common words': (words, n) => ({ q: mixed(words, n, { common: 15, middling: 0, rare: 0 }) }),
  '32 words': (words, n) => ({ q: mixed(words, n, { common: 16, middling: 13, rare: 3 }) }),
  'a Japanese sentence': ({ sentences }, n) => ({ q: pick(sentences, n), locale: 'ja' }),
  'a title': ({ titles }, n) => ({ q: pick(titles, n) }),
  'a title with a typo': ({ titles }, n) => ({ q: pick(titles, n).replace(/(.)(.)(?=.. )/, '$2$1') }),
  'a phrase of two common words': ({ common }, n) => ({ q: `"${pick(common, n, 1)} ${pick(common, n, 2)}"` }),
  'the beginning of a word': ({ middling }, n) => ({ q: pick(middling, n, 3).slice(0, 4) }),
  'words of which one occurs nowhere': ({ common }, n) => ({
    q: `${pick(common, n)} qqxzzyk ${pick(common, n, 2)}`,
  }),
  'a rare word, every language': ({ rare }, n) => ({ q: pick(rare, n), locale: null }),
  'three common words, every language': (words, n) => ({
    q: mixed(words, n, { common: 3, middling: 0, rare: 0 }),
    locale: null,
  }),
  'the most common word, offset 1000': ({ common }) => ({ q: common[0]!, offset: 1000 }),
  'three common words, offset 1000': (words, n) => ({
    q: mixed(words, n, { common: 3, middling: 0, rare: 0 }),
    offset: 1000,
  }),
}
