import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { killOnExit } from '../children.ts'
import { CORES, residentMb } from '../machine.ts'
import { compiledPath, type Server, startScript } from '../servers.ts'
import { quantile } from '../statistics.ts'
import { makePlan, type Plan } from '../world/plan.ts'
import { onServer } from '../world/server.ts'
import { writeWiki } from './import.ts'
import type { Figure, Trial } from './trial.ts'

/** Pages that are there before the import, and that readers read. */
const READ_PAGES = 3000
/** With these, a wiki of the plan has about 100,000 revisions. */
const IMPORTED_PAGES = 22_000
const REQUESTS_PER_SECOND = 20
/** How long readers read before the import, milliseconds: it fills caches, and shows what is usual. */
const BEFORE_MS = 8000
/** Requests that are not counted, because caches fill meanwhile. */
const WARM_UP = 60
const DATABASE = 'lectern_bench_readers'

type Environment = Record<string, string>

const runCommand = async (args: string[], environment: Environment): Promise<void> => {
  const child = spawn(process.execPath, [compiledPath('src/cli.js'), ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  killOnExit(child)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`lectern ${args[0]} ended with ${code}`)
}

interface Response {
  startedAt: number
  ms: number
  isOk: boolean
}

/** Requests different pages and histories, as many in each second whether the server keeps up or not. */
class Readers {
  readonly responses: Response[] = []
  readonly #origin: string
  readonly #paths: string[]
  readonly #pending = new Set<Promise<void>>()
  #isStopped = false
  readonly #running: Promise<void>

  constructor(origin: string, plan: Plan) {
    this.#origin = origin
    this.#paths = Array.from({ length: READ_PAGES }, (_, i) => plan.page(i + 1))
      .filter(({ state, path }) => state === 'live' && !path.includes(':'))
      .map(({ locale, path }, i) => {
        const page = `/api/v1/pages/${encodeURIComponent(path)}`
        return [`${page}?locale=${locale}`, `${page}/history?locale=${locale}`][i % 2]!
      })
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
    await Promise.all(this.#pending)
  }

  async #run(): Promise<void> {
    const began = performance.now()
    for (let i = 0; !this.#isStopped; i += 1) {
      const request = this.#read(this.#paths[i % this.#paths.length]!)
      this.#pending.add(request)
      void request.then(() => this.#pending.delete(request))
      await wait(Math.max(0, began + ((i + 1) * 1000) / REQUESTS_PER_SECOND - performance.now()))
    }
  }

  async #read(path: string): Promise<void> {
    const startedAt = performance.now()
    const status = await fetch(this.#origin + path).then(
      async (response) => {
        await response.arrayBuffer()
        return response.status
      },
      () => 0,
    )
    this.responses.push({ startedAt, ms: performance.now() - startedAt, isOk: status === 200 })
  }
}

const percentiles = (responses: Response[]): string => {
  const times = responses.map(({ ms }) => ms)
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(times, share).toFixed(0))
  return `p50 ${p50} ms, p99 ${p99} ms, maximum ${Math.max(...times).toFixed(0)} ms`
}

const measureImport = async (
  title: string,
  plan: Plan,
  server: Server,
  args: string[],
  environment: Environment,
): Promise<Figure[]> => {
  const readers = new Readers(server.origin, plan)
  await wait(BEFORE_MS)
  const memoryBefore = residentMb(server.pids())
  let memory = memoryBefore
  const sampling = setInterval(() => {
    memory = Math.max(memory, residentMb(server.pids()))
  }, 100)
  const began = performance.now()
  await runCommand(['import', ...args], environment)
  const ended = performance.now()
  clearInterval(sampling)
  await readers.stop()
  const during = readers.responses.filter(({ startedAt }) => startedAt >= began && startedAt < ended)
  const before = readers.responses.filter(({ startedAt }) => startedAt < began).slice(WARM_UP)
  const errors = during.filter(({ isOk }) => !isOk).length
  const details = `${percentiles(during)}; before: ${percentiles(before)}; ${during.length} requests; memory ${memoryBefore.toFixed(0)} → ${memory.toFixed(0)} MB; the import took ${((ended - began) / 1000).toFixed(0)} s`
  return [
    {
      title: `p99 of readers during ${title}`,
      unit: 'ms',
      value: quantile(
        during.map(({ ms }) => ms),
        0.99,
      ),
      details,
      must: { atMost: 250 },
    },
    {
      title: `errors of readers during ${title}`,
      unit: '%',
      value: (100 * errors) / during.length,
      details: '',
      must: { atMost: 0 },
    },
  ]
}

/** Measures what readers of a running service notice of an import by another process. */
export const measureReaders: Trial = async (world, { server, git, layout, say }) => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-bench-'))
  const plan = makePlan(world.plan.seed, IMPORTED_PAGES)
  const small = await writeWiki(join(folder, 'small.ndjson'), makePlan(plan.seed, READ_PAGES))
  const large = await writeWiki(join(folder, 'large.ndjson'), plan)
  const imports: [string, string[]][] = [['an import of NDJSON', ['ndjson', large]]]
  if (git === undefined) say('  the import of a git repository is skipped; --git names one')
  else {
    const layoutArguments = layout.length > 0 ? ['--layout', ...layout] : []
    imports.unshift(['an import of a git repository', ['git', git, '--source', 'git', ...layoutArguments]])
  }
  const databaseUrl = Object.assign(new URL(server), { pathname: `/${DATABASE}` }).href
  await onServer(server, `drop database if exists ${DATABASE} with (force)`)
  await onServer(server, `create database ${DATABASE}`)
  const figures: Figure[] = []
  try {
    for (const [kind, database] of [
      ['embedded', { DATA_DIR: join(folder, 'data') }],
      ['PostgreSQL', { DATABASE_URL: databaseUrl }],
    ] as [string, Environment][]) {
      if ('DATABASE_URL' in database) await runCommand(['migrate'], database)
      await runCommand(['import', 'ndjson', small], database)
      const settings = { INTERNAL_PORT: '0', LOG_LEVEL: 'warn', RATE_LIMIT: '0', ...database }
      const service = await startScript('src/cli.js', ['serve'], settings, { cores: CORES.all })
      try {
        for (const [title, args] of imports)
          figures.push(...(await measureImport(`${title} (${kind})`, plan, service, args, database)))
      } finally {
        await service.stop()
      }
    }
    return figures
  } finally {
    await onServer(server, `drop database if exists ${DATABASE} with (force)`)
    await rm(folder, { recursive: true, force: true })
  }
}
