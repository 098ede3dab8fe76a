import { Command, InvalidArgumentError } from 'commander'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { makeSearchLoader, type SearchArguments } from '../../src/search/query/search.ts'
import { runSql } from '../world/fill.ts'
import { makeRandom } from '../world/random.ts'

/** Measures the latency of searches in data sets of different sizes: common and rare words, all languages, large offsets. */

interface Words {
  /** The most common word first. */
  common: string[]
  rare: string[]
  titles: string[]
}

function whole(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('must be a whole number')
  return Number(text)
}

const options = new Command('npm run bench:search-speed --')
  .description('Measures searches one at a time, the given databases by turns.')
  .argument('<url...>', 'addresses of databases that hold worlds, the smallest first')
  .option('--queries <number>', 'of each kind and database', whole, 60)
  .parse()
const { queries } = options.opts<{ queries: number }>()

/** About how many English pages the words are taken from. */
const SAMPLE = 2000

/** Words from the search index. Some are stems, which as a query find the same pages. */
const wordsIn = async (owner: Database): Promise<Words> => {
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
  return {
    common: rows.slice(0, 40).map(({ word }) => word),
    rare: rows.filter(({ pages, word }) => pages === 1 && word.length > 10).map(({ word }) => word),
    titles: titles.rows.map(({ title }) => title),
  }
}

const random = makeRandom(5)
const one = <Item>(items: readonly Item[], ...place: number[]): Item =>
  items[random.below(items.length, ...place)]!

type Kind = (words: Words, n: number) => Partial<SearchArguments> & { q: string }

const KINDS: Record<string, Kind> = {
  'a rare word': ({ rare }, n) => ({ q: one(rare, n) }),
  'the most common word': ({ common }) => ({ q: common[0]! }),
  'a common word': ({ common }, n) => ({ q: one(common, n) }),
  'three common words': ({ common }, n) => ({
    q: `${one(common, n, 1)} ${one(common, n, 2)} ${one(common, n, 3)}`,
  }),
  'a common and a rare word': ({ common, rare }, n) => ({ q: `${one(common, n)} ${one(rare, n)}` }),
  'a title': ({ titles }, n) => ({ q: one(titles, n) }),
  'a title with a slip': ({ titles }, n) => ({ q: one(titles, n).replace(/(.)(.)(?=.. )/, '$2$1') }),
  'a phrase of two common words': ({ common }, n) => ({ q: `"${one(common, n, 1)} ${one(common, n, 2)}"` }),
  'words of which one is nowhere': ({ common }, n) => ({
    q: `${one(common, n)} qqxzzyk ${one(common, n, 2)}`,
  }),
  'a rare word, every language': ({ rare }, n) => ({ q: one(rare, n), locale: null }),
  'the most common word, every language': ({ common }) => ({ q: common[0]!, locale: null }),
  'three common words, every language': ({ common }, n) => ({
    q: `${one(common, n, 1)} ${one(common, n, 2)} ${one(common, n, 3)}`,
    locale: null,
  }),
  'the most common word, offset 1000': ({ common }) => ({ q: common[0]!, offset: 1000 }),
  'three common words, offset 1000': ({ common }, n) => ({
    q: `${one(common, n, 1)} ${one(common, n, 2)} ${one(common, n, 3)}`,
    offset: 1000,
  }),
}

const at = (times: readonly number[], share: number): number =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]!

const places = options.args.map((databaseUrl) => ({ databaseUrl, dataDir: '' }))
const owners = await Promise.all(places.map((place) => openDatabase(place, 'owner')))
const readers = await Promise.all(places.map((place) => openDatabase(place, 'reader')))
try {
  const words = await Promise.all(owners.map(wordsIn))
  process.stdout.write(
    `| query | ${places.map(({ databaseUrl }) => new URL(databaseUrl).pathname.slice(1)).join(': p50, p95 | ')}: p50, p95 (ms) |\n|---|${'---:|'.repeat(places.length)}\n`,
  )
  for (const [name, kind] of Object.entries(KINDS)) {
    const times: number[][] = readers.map(() => [])
    // The first five queries are the warm-up.
    for (let n = -5; n < queries; n++) {
      for (const [i, reader] of readers.entries()) {
        const key = { locale: 'en', first: 21, offset: 0, ...kind(words[i]!, n + 10) }
        const started = performance.now()
        await makeSearchLoader(reader).load(key)
        if (n >= 0) times[i]!.push(performance.now() - started)
      }
    }
    process.stdout.write(
      `| ${name} | ${times.map((of) => `${at(of, 0.5).toFixed(1)}, ${at(of, 0.95).toFixed(1)}`).join(' | ')} |\n`,
    )
  }
} finally {
  for (const database of [...readers, ...owners]) await database.close()
}
