import { Command, InvalidArgumentError } from 'commander'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { makeLoaders } from '../../src/read/loaders.ts'
import { searchKey } from '../../src/search/folding.ts'
import { quantile } from '../statistics.ts'
import { runSql } from '../world/fill.ts'
import { makeRandom } from '../world/random.ts'

/** Measures the lists whose cost must not grow with the wiki: links to a page, categories, and suggestions of titles. */

function whole(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('must be a whole number')
  return Number(text)
}

const options = new Command('npm run bench:lists --')
  .description('Measures links, categories and suggestions, one at a time, for English pages of a database.')
  .argument('<url>', 'address of a database that holds a world')
  .option('--titles <number>', 'titles whose prefixes are typed', whole, 1000)
  .option('--requests <number>', 'of each kind of list', whole, 1000)
  .option(
    '--repeat <number>',
    'times that each is repeated; the shortest counts, for a machine with other work',
    whole,
    1,
  )
  .parse()
const {
  titles: titleCount,
  requests,
  repeat,
} = options.opts<{ titles: number; requests: number; repeat: number }>()

const random = makeRandom(11)

interface Title {
  id: string
  title: string
  key: string
  score: number
}

const allTitles = async (owner: Database): Promise<Title[]> =>
  (
    await runSql(
      owner,
      `select s.page_id as id, l.title, s.title_key as key, s.score
         from wiki.live_search s join wiki.live_page l on l.id = s.page_id
        where s.locale = 'en' and l.ns = 'main' and s.title_key <> ''
          and not exists (select from wiki.live_link r where r.page_id = l.id and r.is_redirect)
        order by s.page_id`,
    )
  ).rows

/** Titles that readers look for: a page with twice as many edits is looked for twice as often. */
const popularTitles = (titles: readonly Title[]): Title[] => {
  const sums: number[] = []
  let sum = 0
  for (const { score } of titles) {
    sum += Math.expm1(score)
    sums.push(sum)
  }
  return Array.from({ length: titleCount }, (_, n) => {
    const wanted = random.of(n, 1) * sum
    let [low, high] = [0, sums.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (sums[middle]! > wanted) high = middle
      else low = middle + 1
    }
    return titles[low]!
  })
}

const anyTitles = (titles: readonly Title[]): Title[] =>
  Array.from({ length: titleCount }, (_, n) => titles[random.below(titles.length, n, 2)]!)

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** One letter swapped with the next, left out, added or replaced, at any place. */
const withTypo = (text: string, n: number): string => {
  const letters = Array.from(text)
  const at = random.below(letters.length, n, 3)
  const letter = LETTERS[random.below(26, n, 4)]!
  switch (random.below(4, n, 5)) {
    case 0:
      if (at + 1 < letters.length) letters.splice(at, 2, letters[at + 1]!, letters[at]!)
      break
    case 1:
      letters.splice(at, 1)
      break
    case 2:
      letters.splice(at, 0, letter)
      break
    default:
      letters[at] = letter
  }
  return letters.join('')
}

/** How many pages that begin with a text come before this one if the page with this title comes first, then those with most edits. */
const betterPages = async (owner: Database, { id, key, score }: Title, typed: string): Promise<number> => {
  if (key === typed) return 0
  const { rows } = await runSql(
    owner,
    `select count(*)::int as pages
       from (select from wiki.live_search
              where locale = 'en' and title_key >= $1 and title_key < $1 || chr(1114111)
                and (title_key = $1 or (score, -length(title_key), -page_id) > ($2::real, -length($3), -$4::bigint))
              limit 5) b`,
    [typed, score, key, id],
  )
  return rows[0].pages
}

const percent = (part: number, all: number): string => `${((100 * part) / all).toFixed(1)} %`
const ms = (times: readonly number[]): string =>
  `${quantile(times, 0.5).toFixed(2)} | ${quantile(times, 0.95).toFixed(2)} | ${quantile(times, 0.99).toFixed(2)}`
const print = (line: string): unknown => process.stdout.write(`${line}\n`)

const measureSuggestions = async (owner: Database, reader: Database): Promise<void> => {
  const { suggest } = makeLoaders(reader)
  const ranked = async (q: string, id: string) => {
    let time = Number.POSITIVE_INFINITY
    let rank = -1
    for (let n = 0; n < repeat; n++) {
      const started = performance.now()
      const found = await suggest.load({ q, locale: 'en', first: 10 })
      time = Math.min(time, performance.now() - started)
      rank = found.findIndex(({ page }) => page.id === id)
    }
    return { rank, time }
  }
  const isShown = (rank: number) => rank >= 0 && rank < 5
  const titles = await allTitles(owner)
  print(
    '| titles | typed | p50 (ms) | p95 | p99 | among the first 5 from the 6th letter on | at most, in the order of edits |',
  )
  print('|---|---|---:|---:|---:|---:|---:|')
  for (const [name, sample] of [
    ['looked for, in proportion to edits', popularTitles(titles)],
    [
      'of the 20,000 pages with most edits',
      anyTitles([...titles].sort((a, b) => b.score - a.score).slice(0, 20_000)),
    ],
    ['any', anyTitles(titles)],
  ] as const) {
    const times: Record<'prefix' | 'typo', number[]> = { prefix: [], typo: [] }
    const shown = { prefix: 0, typo: 0, possible: 0, all: 0 }
    const slow: { q: string; time: number }[] = []
    for (const [n, title] of sample.entries()) {
      const letters = Array.from(title.title)
      for (let length = 1; length <= letters.length; length++) {
        const q = letters.slice(0, length).join('')
        const exact = await ranked(q, title.id)
        times.prefix.push(exact.time)
        slow.push({ q, time: exact.time })
        if (length < 6) continue
        const typo = await ranked(withTypo(q, 1000 * n + length), title.id)
        times.typo.push(typo.time)
        shown.all += 1
        if (isShown(exact.rank)) shown.prefix += 1
        if (isShown(typo.rank)) shown.typo += 1
        if ((await betterPages(owner, title, searchKey(q))) < 5) shown.possible += 1
      }
    }
    print(
      `| ${name} | each prefix | ${ms(times.prefix)} | ${percent(shown.prefix, shown.all)} | ${percent(shown.possible, shown.all)} |`,
    )
    print(
      `| ${name} | from the 6th letter on, with a typo | ${ms(times.typo)} | ${percent(shown.typo, shown.all)} | |`,
    )
    const slowest = slow.sort((a, b) => b.time - a.time).slice(0, 5)
    print(`\nSlowest: ${slowest.map(({ q, time }) => `"${q}" ${time.toFixed(1)}`).join(', ')}\n`)
  }
}

const measureLists = async (owner: Database, reader: Database): Promise<void> => {
  const { linksTo, linksFrom, categories } = makeLoaders(reader)
  const { rows } = await runSql(
    owner,
    `select locale, path, count(*)::int as links from wiki.live_link where is_first
      group by locale, path order by 3 desc limit 1`,
  )
  const [{ locale, path, links }] = rows
  const paths: string[] = (
    await runSql(
      owner,
      `select page_path as path from wiki.live_link where locale = $1 and path = $2 and is_first order by md5(page_path) limit $3`,
      [locale, path, requests],
    )
  ).rows.map((row: { path: string }) => row.path)
  const list = { locale, path, first: 51 }
  const kinds: Record<string, (n: number) => Promise<unknown>> = {
    [`links to a page with ${links} of them, the beginning`]: () => linksTo.load(list),
    'the same, from anywhere': (n) =>
      linksTo.load({ ...list, afterLocale: locale, afterPath: paths[n % paths.length]! }),
    'the same, 200 pages from anywhere': (n) =>
      linksTo.load({ ...list, first: 201, afterLocale: locale, afterPath: paths[n % paths.length]! }),
    'the same, only templates': () => linksTo.load({ ...list, ns: 'template' }),
    'links from a page': (n) => linksFrom.load({ ...list, path: paths[n % paths.length]! }),
    'categories, the beginning': () => categories.load({ locale, first: 51 }),
    'categories, 200 from anywhere': (n) =>
      categories.load({ locale, first: 201, after: `category-${random.below(30_000, n, 6)}` }),
  }
  print('| list | p50 (ms) | p95 | p99 |\n|---|---:|---:|---:|')
  for (const [name, request] of Object.entries(kinds)) {
    const times: number[] = []
    for (let n = -10; n < requests; n++) {
      let time = Number.POSITIVE_INFINITY
      for (let i = 0; i < repeat; i++) {
        const started = performance.now()
        await request(n + 10)
        time = Math.min(time, performance.now() - started)
      }
      if (n >= 0) times.push(time)
    }
    print(`| ${name} | ${ms(times)} |`)
  }
  print('')
}

const place = { databaseUrl: options.args[0]!, dataDir: '' }
const owner = await openDatabase(place, 'owner')
const reader = await openDatabase(place, 'reader')
try {
  await measureLists(owner, reader)
  await measureSuggestions(owner, reader)
} finally {
  for (const database of [reader, owner]) await database.close()
}
