import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { killOnExit } from '../children.ts'
import { compiledPath } from '../servers.ts'
import { makePlan, type Plan } from '../world/plan.ts'
import { onServer } from '../world/server.ts'
import { LOCALES } from '../world/words.ts'
import type { Figure, Trial } from './trial.ts'

const PAGES = 4000
const REVISION_BYTES = 2000
const DATABASE = 'lectern_bench_import'
const IMPORT_TIMEOUT = 900_000

/** The lines of a wiki in NDJSON. Each revision has 2 KB of Markdown. */
function* wikiLines(plan: Plan): Generator<string> {
  const locales = LOCALES.map(({ locale, name }) => ({ locale, name }))
  yield JSON.stringify({ type: 'wiki', name: 'Bench Wiki', default_locale: 'en', locales })
  for (const category of plan.categories()) yield JSON.stringify(category)
  for (let id = 1; id <= plan.pages; id += 1) {
    const page = plan.page(id)
    const { locale, path, state, title, categories } = page
    const revisions = [...plan.revisions(page)].map(({ createdAt, markdown, ...revision }) => ({
      ...revision,
      created_at: createdAt,
      title,
      categories,
      markdown: withLength(markdown),
    }))
    yield JSON.stringify({ type: 'page', locale, path, state, revisions })
  }
}

const withLength = (markdown: string): string => {
  const repeated = Buffer.from(`${markdown}\n\n`.repeat(Math.ceil(REVISION_BYTES / markdown.length)))
  // If the cut is inside a character, `toString` puts U+FFFD in its place, which has three bytes.
  return repeated
    .subarray(0, REVISION_BYTES)
    .toString()
    .replace(/\ufffd+$/, '')
}

/** Writes a wiki as NDJSON. @returns the file */
export const writeWiki = async (file: string, plan: Plan): Promise<string> => {
  await pipeline(
    Readable.from(wikiLines(plan), { objectMode: true }),
    async function* (source: AsyncIterable<string>) {
      for await (const line of source) yield `${line}\n`
    },
    createWriteStream(file),
  )
  return file
}

/** The last line of an import's output, and the revisions per second that it reports. */
interface ImportResult {
  rate: number
  summary: string
}

/** Runs `lectern import` into a new database. */
const runTimedImport = async (server: string, args: string[]): Promise<ImportResult> => {
  const url = Object.assign(new URL(server), { pathname: `/${DATABASE}` }).href
  await onServer(server, `drop database if exists ${DATABASE} with (force)`)
  await onServer(server, `create database ${DATABASE}`)
  try {
    const run = (...command: string[]) => {
      const result = promisify(execFile)(process.execPath, [compiledPath('src/cli.js'), ...command], {
        env: { PATH: process.env.PATH, DATABASE_URL: url },
        timeout: IMPORT_TIMEOUT,
        maxBuffer: 1 << 24,
      })
      killOnExit(result.child)
      return result
    }
    await run('migrate')
    const summary = (await run('import', ...args)).stderr.trim().split('\n').at(-1)!
    return { rate: Number(/(\d+) (?:edits|revisions)\/s/.exec(summary)?.[1]), summary }
  } finally {
    await onServer(server, `drop database if exists ${DATABASE} with (force)`)
  }
}

const makeFigure = (title: string, atLeast: number, { rate, summary }: ImportResult): Figure => ({
  title,
  unit: 'revisions/s',
  value: rate,
  details: summary,
  must: { atLeast },
})

export const measureImport: Trial = async ({ plan }, { server, git, layout, say }) => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-bench-'))
  try {
    const file = await writeWiki(join(folder, 'wiki.ndjson'), makePlan(plan.seed, PAGES))
    const figures = [
      makeFigure('import of ndjson, revisions of 2 KB', 5000, await runTimedImport(server, ['ndjson', file])),
    ]
    if (git === undefined) say('  the import of a git repository is skipped; --git names one')
    else {
      const layoutArguments = layout.length > 0 ? ['--layout', ...layout] : []
      figures.push(
        makeFigure(
          'import of a git repository',
          2000,
          await runTimedImport(server, ['git', git, ...layoutArguments]),
        ),
      )
    }
    return figures
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
