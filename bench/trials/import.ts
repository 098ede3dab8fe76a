import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { own } from '../children.ts'
import { compiledPath } from '../servers.ts'
import { makePlan } from '../world/plan.ts'
import { onServer } from '../world/server.ts'
import { LOCALES } from '../world/words.ts'
import type { Figure, Trial } from './trial.ts'

const PAGES = 4000
const EDIT_BYTES = 2000
const DATABASE = 'lectern_bench_import'
const IMPORT_TIMEOUT = 900_000

/** A wiki in the interchange form whose edits have 2 KB each. */
function* lines(seed: number): Generator<string> {
  const plan = makePlan(seed, PAGES)
  const locales = LOCALES.map(({ locale, name }) => ({ locale, name }))
  yield JSON.stringify({ type: 'wiki', name: 'Bench Wiki', default_locale: 'en', locales })
  for (const category of plan.categories()) yield JSON.stringify(category)
  for (let id = 1; id <= PAGES; id += 1) {
    const page = plan.page(id)
    const { locale, path, state, title, categories } = page
    const revisions = [...plan.edits(page)].map(({ createdAt, markdown, ...edit }) => ({
      ...edit,
      created_at: createdAt,
      title,
      categories,
      markdown: ofBytes(markdown),
    }))
    yield JSON.stringify({ type: 'page', locale, path, state, revisions })
  }
}

const ofBytes = (markdown: string): string => {
  const repeated = Buffer.from(`${markdown}\n\n`.repeat(Math.ceil(EDIT_BYTES / markdown.length)))
  // A letter that is cut through would become three bytes of U+FFFD.
  return repeated
    .subarray(0, EDIT_BYTES)
    .toString()
    .replace(/\ufffd+$/, '')
}

/** Runs `lectern import` into a new database. @returns edits a second, as it says itself */
const importRate = async (server: string, args: string[]): Promise<{ rate: number; said: string }> => {
  const url = Object.assign(new URL(server), { pathname: `/${DATABASE}` }).href
  await onServer(server, `drop database if exists ${DATABASE} with (force)`)
  await onServer(server, `create database ${DATABASE}`)
  try {
    const run = (...command: string[]) => {
      const running = promisify(execFile)(process.execPath, [compiledPath('src/cli.js'), ...command], {
        env: { PATH: process.env.PATH, DATABASE_URL: url },
        timeout: IMPORT_TIMEOUT,
        maxBuffer: 1 << 24,
      })
      own(running.child)
      return running
    }
    await run('migrate')
    const said = (await run('import', ...args)).stderr.trim().split('\n').at(-1)!
    return { rate: Number(/(\d+) edits\/s/.exec(said)?.[1]), said }
  } finally {
    await onServer(server, `drop database if exists ${DATABASE} with (force)`)
  }
}

const figure = (title: string, atLeast: number, { rate, said }: { rate: number; said: string }): Figure => ({
  title,
  unit: 'edits/s',
  value: rate,
  details: said,
  must: { atLeast },
})

export const importing: Trial = async ({ plan }, { server, git, layout, say }) => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-bench-'))
  try {
    const file = join(folder, 'wiki.ndjson')
    await pipeline(
      Readable.from(lines(plan.seed), { objectMode: true }),
      async function* (source: AsyncIterable<string>) {
        for await (const line of source) yield `${line}\n`
      },
      createWriteStream(file),
    )
    const figures = [
      figure('import of ndjson, edits of 2 KB', 5000, await importRate(server, ['ndjson', file])),
    ]
    if (git === undefined) say('  without --git no import of a repository is measured')
    else {
      const layouts = layout.length > 0 ? ['--layout', ...layout] : []
      figures.push(
        figure('import of a git repository', 2000, await importRate(server, ['git', git, ...layouts])),
      )
    }
    return figures
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
