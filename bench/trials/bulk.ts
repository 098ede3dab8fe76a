import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CORES } from '../machine.ts'
import { compiledPath, startScript } from '../servers.ts'
import { median } from '../statistics.ts'
import { onServer } from '../world/server.ts'
import type { Figure, Trial } from './trial.ts'

const PAGES = 10_000
const TEXT_BYTES = 4096
const DATABASE = 'lectern_bench_bulk'

const text = (id: number): string =>
  `# Page ${id}\n\nA text about page ${id}, with *marks* and [a link](page-${(id * 7) % PAGES}).\n\n`
    .repeat(60)
    .slice(0, TEXT_BYTES)

const wikiLines = (): string =>
  [
    { type: 'wiki', name: 'Bulk', default_locale: 'en', locales: [{ locale: 'en', name: 'English' }] },
    ...Array.from({ length: PAGES }, (_, id) => ({
      ...{ type: 'page', locale: 'en', path: `page-${id}`, state: 'live' },
      revisions: [
        {
          ...{ id: randomUUID(), created_at: '2024-01-01T00:00:00Z', author: 'Ada', comment: '' },
          ...{ status: 'accepted', title: `Page ${id}`, markdown: text(id), categories: [] },
        },
      ],
    })),
  ]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('')

interface Copy {
  requests: number
  pages: number
  /** The longest body. */
  bytes: number
  seconds: number
  paths: string[]
}

/** Reads the whole wiki by following `next`. */
const readLists = async (api: string, query: string): Promise<Copy> => {
  const started = performance.now()
  const copy: Copy = { requests: 0, pages: 0, bytes: 0, seconds: 0, paths: [] }
  for (let next = '', isFirst = true; isFirst || next !== ''; isFirst = false) {
    const response = await fetch(`${api}/pages?limit=200${query}&after=${encodeURIComponent(next)}`)
    if (!response.ok) throw new Error(`A list returned status ${response.status}`)
    const body = Buffer.from(await response.arrayBuffer())
    const part = JSON.parse(body.toString()) as { items: { path: string }[]; next: string }
    copy.requests += 1
    copy.pages += part.items.length
    copy.bytes = Math.max(copy.bytes, body.length)
    copy.paths.push(...part.items.map(({ path }) => path))
    next = part.next
  }
  return { ...copy, seconds: (performance.now() - started) / 1000 }
}

/** Reads the list of pages, then each page. */
const readPages = async (api: string): Promise<Copy> => {
  const started = performance.now()
  const list = await readLists(api, '')
  for (const path of list.paths) {
    const response = await fetch(`${api}/pages/${path}`)
    if (!response.ok) throw new Error(`A page returned status ${response.status}`)
    await response.json()
  }
  return {
    ...list,
    requests: list.requests + list.paths.length,
    seconds: (performance.now() - started) / 1000,
  }
}

/** Copies a wiki of 10,000 pages of 4 KB: by lists with `include=markdown`, and page by page, one request at a time. */
export const measureBulk: Trial = async (_, { server, rounds, say }) => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-bench-'))
  const file = join(folder, 'wiki.ndjson')
  await writeFile(file, wikiLines())
  const database = { DATABASE_URL: Object.assign(new URL(server), { pathname: `/${DATABASE}` }).href }
  await onServer(server, `drop database if exists ${DATABASE} with (force)`)
  await onServer(server, `create database ${DATABASE}`)
  try {
    for (const args of [['migrate'], ['import', 'ndjson', file]])
      await promisify(execFile)(process.execPath, [compiledPath('src/cli.js'), ...args], {
        env: { ...process.env, ...database },
      })
    const settings = { INTERNAL_PORT: '0', LOG_LEVEL: 'warn', RATE_LIMIT: '0', CACHE_SECONDS: '0' }
    const service = await startScript('src/cli.js', ['serve'], { ...settings, ...database }, CORES.all)
    const api = `${service.origin}/api/v1`
    try {
      const lists: Copy[] = []
      const pages: Copy[] = []
      for (let round = 0; round < rounds; round++) {
        lists.push(await readLists(api, '&include=markdown'))
        pages.push(await readPages(api))
        say(`  ${lists.at(-1)!.seconds.toFixed(1)} s by lists, ${pages.at(-1)!.seconds.toFixed(1)} s by page`)
      }
      return figuresOf(lists, pages)
    } finally {
      await service.stop()
    }
  } finally {
    await onServer(server, `drop database if exists ${DATABASE} with (force)`)
    await rm(folder, { recursive: true, force: true })
  }
}

const figuresOf = (lists: Copy[], pages: Copy[]): Figure[] => {
  const [list] = lists
  if (list!.pages !== PAGES) throw new Error(`The lists have ${list!.pages} pages`)
  const times = (copies: Copy[]) => copies.map(({ seconds }) => seconds.toFixed(1)).join(', ')
  return [
    {
      title: `requests for ${PAGES} pages of 4 KB, by lists`,
      ...{ unit: '', value: list!.requests, details: '', must: { atMost: 60 } },
    },
    {
      title: 'the longest body',
      ...{ unit: 'MiB', value: list!.bytes / 1024 / 1024, details: '', must: { atMost: 4 } },
    },
    {
      title: 'time page by page, divided by the time by lists',
      unit: '×',
      value: median(pages.map(({ seconds }, i) => seconds / lists[i]!.seconds)),
      details: `${times(pages)} s; ${times(lists)} s`,
      must: { atLeast: 20 },
    },
  ]
}
