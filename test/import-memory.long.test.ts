import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { createGzip, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { environmentOf, lectern } from './support/cli.ts'
import { testDatabase } from './support/database.ts'
import { LONG_LIVED } from './support/engine.ts'
import { withFile } from './support/importing.ts'
import { rounds } from './support/rounds.ts'
import { clearWorld } from './support/world.ts'

/** bzip2 streams: the start of a dump up to a text, and 45 MB of the letter a. */
const BZIP2 = {
  head: Buffer.from(
    'QlpoOTFBWSZTWf4fk7AAABefgFAD9BcgAAQQN6/dwCAAhBoKntRiT9FHqNHpD0QEqnoaIT9JMCZBpjTVMtNjmsuZE1XEw7Ch5m6oZ8jF92WEbWUiFb7+cbCGiYayNlACLm8JASFPEQYvrPAapoWYoY4UcK1W/NzT6kXGgyA8vn+eMFqlHlmp04RSEZ0IHggSwMVkqIps3kiCkRHFJM53Yu5IpwoSH8PydgA=',
    'base64',
  ),
  letters: Buffer.from('QlpoOTFBWSZTWXB2BjoBWKsBIKAAEAAACCAAMMwFKaZSSFJsVJIUni7kinChIODsDHQ=', 'base64'),
}

/**
 * Prints the peak memory of the process, KB, when it ends. `resourceUsage` would count the memory of the process that
 * started it, too.
 */
const TELL = `data:text/javascript,${encodeURIComponent(
  'import{readFileSync}from"fs";process.on("exit",()=>process.stderr.write("\\nmaxRSS "+/VmHWM:\\s+(\\d+)/.exec(readFileSync("/proc/self/status","utf8"))[1]+"\\n"))',
)}`

/** 400 KB of text, different for each number; LECTERN_TEST_ROUNDS=3 makes a history of 72 MB of them. */
const textOf = (i: number): string => `${i} ${`Leaf ${i} of tea é. `.repeat(21_000)}`
const moment = (i: number): string => new Date(1.7e12 + i * 1000).toISOString().replace('.000', '')
const EDITS = rounds(60)

const written = async (file: string, isGzip: boolean, pieces: Iterable<string | Buffer>): Promise<void> => {
  const out = createWriteStream(file)
  const packed = isGzip ? createGzip({ level: 1 }) : undefined
  packed?.pipe(out)
  const into = packed ?? out
  for (const piece of pieces) {
    if (!into.write(piece)) await new Promise<void>((resolve) => into.once('drain', () => resolve()))
  }
  into.end()
  await finished(out)
}

const WIKI_LINE =
  '{"type":"wiki","name":"T","default_locale":"en","locales":[{"locale":"en","name":"English"}]}\n'

function* pageLine(): Generator<string> {
  yield `${WIKI_LINE}{"type":"page","locale":"en","path":"tea","state":"live","revisions":[`
  for (let i = 0; i < EDITS; i += 1) {
    const edit = {
      created_at: moment(i),
      author: 'Ada',
      status: 'accepted',
      title: 'Tea',
      markdown: textOf(i),
    }
    yield `${i === 0 ? '' : ','}${JSON.stringify(edit)}`
  }
  yield ']}\n'
}

function* dumpText(): Generator<string> {
  yield '<mediawiki version="0.11" xml:lang="en"><siteinfo><sitename>T</sitename><dbname>t</dbname></siteinfo>'
  yield '<page><title>Tea</title><ns>0</ns>'
  for (let i = 0; i < EDITS; i += 1) {
    yield `<revision><id>${i + 1}</id><timestamp>${moment(i)}</timestamp><contributor><username>A</username></contributor><text>${textOf(i)}</text></revision>`
  }
  yield '</page></mediawiki>\n'
}

function* repeated(first: Buffer, piece: Buffer, times: number): Generator<Buffer> {
  yield first
  for (let i = 0; i < times; i += 1) yield piece
}

/**
 * The process that imports, in the database of the tests: where that is the embedded one, another process has it, so
 * that what is measured is the import alone.
 */
describe('import: takes at most 400 MB of memory', () => {
  beforeEach(clearWorld)

  const imported = async (
    ...args: string[]
  ): Promise<{ status: number | null; megabytes: number; stderr: string }> => {
    const { place } = await testDatabase()
    const environment = { ...environmentOf(place), NODE_OPTIONS: `--import=${TELL}` }
    const { status, stderr } = await lectern(['import', ...args], environment, { nodeOptions: LONG_LIVED })
    return { status, stderr, megabytes: Number(/maxRSS (\d+)/.exec(stderr)?.[1]) / 1024 }
  }
  const isDone = ({ status, megabytes, stderr }: Awaited<ReturnType<typeof imported>>) => {
    expect(status, stderr).to.equal(0)
    expect(stderr).to.include(`${EDITS} edits (${EDITS} new, 0 changed)`)
    expect(megabytes).to.be.below(400)
  }
  const isRefused = (
    { status, megabytes, stderr }: Awaited<ReturnType<typeof imported>>,
    message: string,
  ) => {
    expect(status, stderr).to.equal(1)
    expect(stderr).to.include(`lectern: ${message}`).and.not.include('    at ')
    expect(megabytes).to.be.below(400)
  }

  it('for one line in a compressed file', () =>
    withFile('wiki.ndjson.gz', undefined, async (file) => {
      await written(file, true, pageLine())
      isDone(await imported('ndjson', file))
    }))

  it('for one page in a MediaWiki dump', () =>
    withFile('dump.xml', undefined, async (file) => {
      await written(file, false, dumpText())
      isDone(await imported('mediawiki', file))
    }))

  it('for gzip with a line of 300 MB, which it refuses while reading', () =>
    withFile('a.ndjson.gz', undefined, async (file) => {
      // Each part is a stream of its own, as `gzip` lets files be joined.
      const first = gzipSync('{"type":"page","revisions":[{"markdown":"')
      await written(file, false, repeated(first, gzipSync('a'.repeat(1e6)), 300))
      isRefused(await imported('ndjson', file), `${file}: Line 1: must have at most 58720256 bytes`)
    }))

  it('for bzip2 with a text of 450 MB, which it refuses while reading', () =>
    withFile('dump.xml.bz2', undefined, async (file) => {
      await written(file, false, repeated(BZIP2.head, BZIP2.letters, 10))
      isRefused(
        await imported('mediawiki', file),
        `${file}: Line 1: an element has more than 33554432 characters`,
      )
    }))
})
