import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CORES, cpuSeconds } from '../machine.ts'
import { compiledPath, type Server, startScript } from '../servers.ts'
import { median, quantile } from '../statistics.ts'
import { makeRandom } from '../world/random.ts'
import { onServer } from '../world/server.ts'
import { textMaker } from '../world/text.ts'
import { LOCALES } from '../world/words.ts'
import type { Figure, Trial } from './trial.ts'

const PAGES = 10_000
const TEXT_BYTES = 4096
const DATABASE = 'lectern_bench_bulk'

/** Each text compresses like English, because the words have their frequencies. */
const random = makeRandom(1)
const [english] = LOCALES
const makeText = textMaker(random, (_, ...key) => `page-${random.below(PAGES, ...key)}`)

const text = (id: number): string => {
  let blocks = ''
  for (let n = 0; blocks.length < TEXT_BYTES; n++)
    blocks += `${makeText(english, `Page ${id}`, id + n * PAGES).join('\n\n')}\n\n`
  return blocks.slice(0, TEXT_BYTES)
}

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

type Encoding = 'gzip' | 'identity'
/** Node's fetch asks for gzip unless it is told otherwise. */
const ENCODINGS: Encoding[] = ['gzip', 'identity']
/** How many pages of each list are read by themselves, and their share. */
const SINGLE_PAGES = 20
const LIST_PAGES = 200

/** Milliseconds for 200 pages, as one list, page by page, and page by page with eight requests at a time. */
interface Times {
  list: number[]
  pages: number[]
  concurrentPages: number[]
}

interface Part {
  items: { path: string; markdown: string }[]
  next: string
}

/** One copy of the wiki by lists, whose pages are also read by themselves, list by list, so that noise affects both. */
interface Copy {
  requests: number
  pages: number
  /** The longest body. */
  bytes: number
  times: Times
  /** CPU seconds of the service for all lists, and for the pages that were read by themselves. */
  listCpu: number
  pageCpu: number
}

const readCopy = async (service: Server, encoding: Encoding): Promise<Copy> => {
  const api = `${service.origin}/api/v1`
  const get = async (path: string) => {
    const response = await fetch(api + path, { headers: { 'Accept-Encoding': encoding } })
    if (!response.ok) throw new Error(`${path} returned status ${response.status}`)
    return Buffer.from(await response.arrayBuffer())
  }
  const readPages = async (paths: readonly string[], atOnce: number) => {
    const left = [...paths]
    const readOn = async () => {
      for (let path = left.pop(); path !== undefined; path = left.pop())
        JSON.parse((await get(`/pages/${path}`)).toString())
    }
    await Promise.all(Array.from({ length: atOnce }, readOn))
  }
  const times: Times = { list: [], pages: [], concurrentPages: [] }
  const copy = { requests: 0, pages: 0, bytes: 0, times, listCpu: 0, pageCpu: 0 }
  for (let next = '', isFirst = true; isFirst || next !== ''; isFirst = false) {
    const cpu = cpuSeconds(service.pids())
    const startedAt = performance.now()
    const body = await get(`/pages?limit=${LIST_PAGES}&include=markdown&after=${encodeURIComponent(next)}`)
    const part = JSON.parse(body.toString()) as Part
    times.list.push(performance.now() - startedAt)
    const cpuOfPages = cpuSeconds(service.pids())
    copy.listCpu += cpuOfPages - cpu
    copy.requests += 1
    copy.pages += part.items.length
    copy.bytes = Math.max(copy.bytes, body.length)
    next = part.next

    const paths = part.items.slice(0, SINGLE_PAGES).map(({ path }) => path)
    const scale = LIST_PAGES / SINGLE_PAGES
    const pagesAt = performance.now()
    await readPages(paths, 1)
    times.pages.push((performance.now() - pagesAt) * scale)
    copy.pageCpu += (cpuSeconds(service.pids()) - cpuOfPages) * scale
    const concurrentAt = performance.now()
    await readPages(paths, 8)
    times.concurrentPages.push((performance.now() - concurrentAt) * scale)
  }
  return copy
}

/** Copies a wiki of 10,000 pages of 4 KB: by lists with `include=markdown`, and page by page. */
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
    const service = await startScript(
      'src/cli.js',
      ['serve'],
      { ...settings, ...database },
      { cores: CORES.all },
    )
    try {
      for (const encoding of ENCODINGS) await readCopy(service, encoding) // warms up
      const copies: Record<Encoding, Copy[]> = { gzip: [], identity: [] }
      for (let round = 0; round < rounds; round++)
        for (const encoding of ENCODINGS) {
          const copy = await readCopy(service, encoding)
          copies[encoding].push(copy)
          say(`  ${encoding}: ${median(copy.times.list).toFixed(1)} ms a list`)
        }
      return [
        ...sizeFigures(copies.identity[0]!),
        ...ENCODINGS.flatMap((encoding) => timeFigures(encoding, copies[encoding])),
      ]
    } finally {
      await service.stop()
    }
  } finally {
    await onServer(server, `drop database if exists ${DATABASE} with (force)`)
    await rm(folder, { recursive: true, force: true })
  }
}

const sizeFigures = ({ requests, pages, bytes }: Copy): Figure[] => {
  if (pages !== PAGES) throw new Error(`The lists have ${pages} pages`)
  return [
    {
      title: `requests for ${PAGES} pages of 4 KB, by lists`,
      ...{ unit: '', value: requests, details: '', must: { atMost: 60 } },
    },
    {
      title: 'the longest body',
      ...{ unit: 'MiB', value: bytes / 1024 / 1024, details: '', must: { atMost: 4 } },
    },
  ]
}

/** A tenth of the measurements are faster: those that other programs on the machine disturb least. */
const QUIET_SHARE = 0.1

const timeFigures = (encoding: Encoding, copies: Copy[]): Figure[] => {
  const timesOf = (name: keyof Times) => copies.flatMap(({ times }) => times[name])
  const ratioOf = (name: keyof Times, share: number) =>
    quantile(timesOf(name), share) / quantile(timesOf('list'), share)
  const timeFigure = (title: string, name: keyof Times): Figure => ({
    ...{ title: `${encoding}: ${title}, divided by the time by lists`, unit: '×' },
    value: ratioOf(name, QUIET_SHARE),
    details: `p10 ${quantile(timesOf(name), QUIET_SHARE).toFixed(0)} and ${quantile(timesOf('list'), QUIET_SHARE).toFixed(1)} ms for 200 pages; at the median ${ratioOf(name, 0.5).toFixed(1)} ×`,
    must: { atLeast: 20 },
  })
  return [
    timeFigure('time page by page', 'pages'),
    timeFigure('time page by page, eight requests at a time', 'concurrentPages'),
    {
      ...{ title: `${encoding}: CPU time of the service page by page, divided by that by lists`, unit: '×' },
      value: median(copies.map(({ listCpu, pageCpu }) => pageCpu / listCpu)),
      details: copies.map(({ listCpu }) => `${((1000 * listCpu) / PAGES).toFixed(3)} ms a page`).join(', '),
      must: { atLeast: 20 },
    },
  ]
}
