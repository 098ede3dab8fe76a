import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { withImportedWiki } from './imported-wiki.ts'
import { type JudgeOptions, judgeWiki } from './judge-wiki.ts'
import { comparedWith, grouped, type Outcome, qualityTable } from './quality-report.ts'

/** Measures the quality of Lectern's search beside BM25 on the same pages. */

const program = new Command('npm run bench:search --')
  .description(
    'Judges search by nDCG@10, beside BM25 on the same pages. Without a URL, it imports each collection that bench:search-collect made into an embedded database, and answers its judged queries.',
  )
  .argument('[url]', 'URL of a database that holds a wiki')
  .option('--sets <folder>', 'the collections, if no URL is given', 'search-sets')
  .option(
    '--judged <file>',
    'judged queries for the database, NDJSON or NDJSON compressed with gzip (default: titles, headings and links of the wiki)',
  )
  .option('--most <number>', 'queries of each kind and language', whole, 300)
  .option('--kinds <kinds...>', 'only these kinds of queries')
  .option('--locales <locales...>', 'only these languages')
  .option(
    '--worst <number>',
    'print so many queries of each kind and language that BM25 answers better',
    whole,
    0,
  )
  .option('--json <file>', 'write the result of each query there')
  .option('--against <file>', 'compare with the results of another build, as --json wrote them')
  .parse()
const options = program.opts<
  JudgeOptions & { sets: string; worst: number; json?: string; against?: string }
>()

function whole(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('must be a whole number')
  return Number(text)
}

const JUDGED = '.judged.ndjson.gz'

/** Outcomes of all collections in a folder. */
const judgeCollections = async (folder: string): Promise<Outcome[]> => {
  const names = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith(JUDGED))
    .map((name) => name.slice(0, -JUDGED.length))
  if (names.length === 0)
    program.error(
      `${folder} has no collections. Make them with npm run bench:search-collect, or pass the URL of a database.`,
    )
  const outcomes: Outcome[] = []
  for (const name of names) {
    process.stderr.write(`${name}\n`)
    const judged = join(folder, `${name}${JUDGED}`)
    const judge = (dataDir: string) => judgeWiki({ dataDir }, { ...options, judged })
    outcomes.push(...(await withImportedWiki(join(folder, `${name}.ndjson.gz`), judge)))
  }
  return outcomes
}

/** The queries that BM25 answers better, of each kind and language those that lose most first. */
const worstLines = (outcomes: readonly Outcome[]): string[] =>
  [...grouped(outcomes, ({ kind, locale }) => `${kind} ${locale}`).values()].flatMap((group) =>
    group
      .filter(({ lectern, language }) => lectern < language)
      .sort((a, b) => a.lectern - a.language - (b.lectern - b.language))
      .slice(0, options.worst)
      .map(
        ({ kind, locale, q, lectern, language }) =>
          `${kind} ${locale} ${lectern.toFixed(2)} < ${language.toFixed(2)}: ${q}`,
      ),
  )

const [url] = program.args
const outcomes = url
  ? await judgeWiki({ databaseUrl: url, dataDir: '' }, options)
  : await judgeCollections(options.sets)
const before = options.against ? (JSON.parse(readFileSync(options.against, 'utf8')) as Outcome[]) : undefined
const lines = [
  ...qualityTable(outcomes, before),
  ...(before ? ['', ...comparedWith(outcomes, before, options.worst)] : []),
  ...worstLines(outcomes),
]
process.stdout.write(`${lines.join('\n')}\n`)
if (options.json)
  await writeFile(options.json, `[\n${outcomes.map((outcome) => JSON.stringify(outcome)).join(',\n')}\n]\n`)
