import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { runLectern, runToEnd } from './imports/programs.ts'
import { runLoad } from './load.ts'
import { startScript } from './servers.ts'
import { ratios, type Summary } from './statistics.ts'
import { onServer } from './world/server.ts'

/**
 * Measures files, by turns with the least that can be done: an import of 1,000 pictures with reading their objects from git
 * and writing them with COPY; and a cached picture with the same response from memory.
 */

const PICTURES = 1_000
const PICTURE_BYTES = 100_000
const ROUNDS = 5
const DATABASE = 'lectern_bench_files'
const server = process.env.BENCH_DATABASE_URL ?? ''
const databaseUrl = Object.assign(new URL(server), { pathname: `/${DATABASE}` }).href

/** The beginning of a PNG of 640 × 480 pixels. */
const PNG_HEAD = Buffer.from('89504e470d0a1a0a0000000d4948445200000280000001e00802000000', 'hex')

const pictureBytes = (): Buffer => Buffer.concat([PNG_HEAD, randomBytes(PICTURE_BYTES)])

/** A repository with a page for every ten pictures. @param shows whether the pages show them */
const makeRepository = (folder: string, pictures: readonly Buffer[], shows: boolean): void => {
  mkdirSync(folder)
  for (const [i, data] of pictures.entries()) writeFileSync(join(folder, `${i}.png`), data)
  for (let page = 0; page < pictures.length / 10; page++) {
    const names = Array.from({ length: 10 }, (_, i) => `![](${page * 10 + i}.png)`).map((picture) =>
      shows ? picture : `\`${picture}\``,
    )
    writeFileSync(join(folder, `page-${page}.md`), names.join('\n\n'))
  }
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { stdio: 'ignore' })
  git('init')
  git('add', '.')
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@tea.example', 'commit', '-m', 'Pictures')
}

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}

const importSeconds = async (folder: string): Promise<number> => {
  await onServer(server, `drop database if exists ${DATABASE} with (force)`)
  await onServer(server, `create database ${DATABASE}`)
  await runLectern(databaseUrl, 'migrate')
  return secondsOf(() => runLectern(databaseUrl, 'import', 'git', folder, '--yes'))
}

/** Reads the objects of the pictures, and copies their rows into a table with the same columns and indexes. */
const floorSeconds = async (repository: string, file: string, input: string): Promise<number> => {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const rows = 'copy (select * from wiki.live_blob_part) to stdout (format binary)'
  await pipeline(client.query(copyTo(rows)), createWriteStream(file))
  await client.query('create table bench_copy (like wiki.live_blob_part including all)')
  const seconds = await secondsOf(async () => {
    await runToEnd('git', ['-C', repository, 'cat-file', '--batch', '--buffer'], { input })
    await pipeline(
      createReadStream(file, { highWaterMark: 1 << 18 }),
      client.query(copyFrom('copy bench_copy from stdin (format binary)')),
    )
  })
  await client.query('drop table bench_copy')
  await client.end()
  return seconds
}

const requestsPerSecond = async (origin: string, path: string): Promise<number> => {
  const { requests, seconds, httpErrors } = await runLoad({
    origin,
    requests: [{ path }],
    connections: 16,
    seconds: 3,
  })
  if (httpErrors > 0) throw new Error(`${origin}${path} answers with errors.`)
  return requests / seconds
}

const comparePicture = async (path: string): Promise<Summary> => {
  const environment = { INTERNAL_PORT: '0', RATE_LIMIT: '0', MEDIA_RATE_LIMIT: '0', LOG_LEVEL: 'silent' }
  const lectern = await startScript('src/cli.js', ['serve'], { ...environment, DATABASE_URL: databaseUrl })
  const bare = await startScript('bench/peers/bare.js', [], { BENCH_ORIGIN: lectern.origin })
  const [ours, least]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await requestsPerSecond(lectern.origin, path))
    least.push(await requestsPerSecond(bare.origin, path))
  }
  await Promise.all([lectern.stop(), bare.stop()])
  return ratios(ours, least)
}

const show = (what: string, { median, min, max }: Summary): void => {
  process.stdout.write(`${what}: ${median.toFixed(2)} (${min.toFixed(2)} to ${max.toFixed(2)})\n`)
}

const folder = await mkdtemp(join(tmpdir(), 'lectern-bench-'))
try {
  const small = Buffer.concat([PNG_HEAD, randomBytes(4_000)])
  const pictures = [small, ...Array.from({ length: PICTURES - 1 }, pictureBytes)]
  const [shown, unused] = [join(folder, 'shown'), join(folder, 'unused')]
  makeRepository(shown, pictures, true)
  makeRepository(unused, pictures, false)
  const listed = execFileSync('git', ['-C', shown, 'ls-tree', '-r', 'HEAD'], { encoding: 'utf8' })
  const input = [...listed.matchAll(/blob (\w+)\t.*\.png$/gm)].map(([, blob]) => `${blob}\n`).join('')
  const [whole, more, least]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < ROUNDS; round++) {
    const without = await importSeconds(unused)
    whole.push(await importSeconds(shown))
    more.push(whole.at(-1)! - without)
    least.push(await floorSeconds(shown, join(folder, 'rows'), input))
  }
  show('import with 1,000 pictures, to git cat-file and copy', ratios(whole, least))
  show('what the pictures add to an import, to git cat-file and copy', ratios(more, least))
  const hash = createHash('sha256').update(small).digest('hex')
  show('cached picture of 4 KB, to node:http from memory', await comparePicture(`/media/${hash}/0.png`))
} finally {
  await rm(folder, { recursive: true })
  await onServer(server, `drop database if exists ${DATABASE} with (force)`)
}
