import { writeFile } from 'node:fs/promises'
import { Command, InvalidArgumentError } from 'commander'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { makeSearchLoader } from '../../src/search/query/search.ts'
import { type Judged, judgedQueries } from './judged.ts'

/** Measures the quality of search with queries derived from a wiki's own titles, headings and links. */

const FOUND = 10

interface Outcome extends Judged {
  /** Rank of the first relevant page, from 1. 0 if the first ten results have no relevant page. */
  place: number
  /** Recall at 10: relevant pages among the first ten results, divided by the number that could be there. */
  recall: number
}

const options = new Command('npm run bench:search --')
  .description(
    'Judges search by queries made of an imported wiki: mean reciprocal rank, and recall among the first ten.',
  )
  .argument('<url>', 'address of the database that holds the wiki')
  .option('--most <number>', 'queries of a kind and a language', whole, 300)
  .option('--misses <number>', 'print so many queries of each kind whose page was not first', whole, 0)
  .option('--json <file>', 'write the figures there')
  .parse()
const { most, misses, json } = options.opts<{ most: number; misses: number; json?: string }>()

function whole(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('must be a whole number')
  return Number(text)
}

const grouped = <Item>(items: Item[], keyOf: (item: Item) => string): Map<string, Item[]> => {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    groups.set(key, groups.get(key) ?? [])
    groups.get(key)!.push(item)
  }
  return groups
}

/** At most `most` queries of each kind and language, spread evenly over all queries. */
const sampled = (all: Judged[]): Judged[] => {
  const groups = grouped(all, ({ kind, locale }) => `${kind} ${locale}`)
  return [...groups.values()].flatMap((group) =>
    group.length <= most
      ? group
      : Array.from({ length: most }, (_, i) => group[Math.floor((i * group.length) / most)]!),
  )
}

const judge = async (database: Database, judged: Judged): Promise<Outcome> => {
  const hits = await makeSearchLoader(database).load({
    q: judged.q,
    locale: judged.locale,
    first: FOUND,
    offset: 0,
  })
  const isRight = hits.map(({ page }) => judged.right.has(page.id))
  return {
    ...judged,
    place: isRight.indexOf(true) + 1,
    recall: isRight.filter(Boolean).length / Math.min(judged.right.size, FOUND),
  }
}

const mean = (values: number[]): number => values.reduce((a, b) => a + b, 0) / values.length

const figuresOf = (outcomes: Outcome[]) => ({
  queries: outcomes.length,
  mrr: mean(outcomes.map(({ place }) => (place === 0 ? 0 : 1 / place))),
  recall: mean(outcomes.map(({ recall }) => recall)),
})

const place = { databaseUrl: options.args[0]!, dataDir: '' }
const owner = await openDatabase(place, 'owner')
const database = await openDatabase(place, 'reader')
try {
  const client = await owner.connect()
  const all = await judgedQueries(client).finally(() => client.release())
  const outcomes: Outcome[] = []
  for (const judged of sampled(all)) outcomes.push(await judge(database, judged))
  const lines = ['| kind | language | queries | MRR | recall at 10 |', '|---|---|---:|---:|---:|']
  const figures: Record<string, ReturnType<typeof figuresOf>> = {}
  for (const [kind, ofKind] of grouped(outcomes, (outcome) => outcome.kind)) {
    const byLocale = [...grouped(ofKind, ({ locale }) => locale)]
    for (const [locale, group] of [['all', ofKind] as const, ...byLocale]) {
      const found = figuresOf(group)
      figures[`${kind} ${locale}`] = found
      lines.push(
        `| ${kind} | ${locale} | ${found.queries} | ${found.mrr.toFixed(3)} | ${found.recall.toFixed(3)} |`,
      )
    }
    const missed = ofKind.filter((outcome) => outcome.place !== 1).slice(0, misses)
    for (const { locale, q, place } of missed)
      process.stderr.write(`${kind} ${locale} ${place || '-'}: ${q}\n`)
  }
  process.stdout.write(`${lines.join('\n')}\n`)
  if (json) await writeFile(json, `${JSON.stringify(figures, null, 2)}\n`)
} finally {
  await database.close()
  await owner.close()
}
