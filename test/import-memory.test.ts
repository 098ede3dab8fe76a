import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { createGzip, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { environmentOf, lectern } from './support/cli.ts'
import { testDatabase } from './support/database.ts'
import { LONG_LIVED } from './support/engine.ts'
import { withHistory } from './support/fast-import.ts'
import { withFile } from './support/importing.ts'
import { FakeMediawiki } from './support/mediawiki-api.ts'
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

function* repeated(
  first: string | Buffer,
  piece: string | Buffer,
  times: number,
): Generator<string | Buffer> {
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

  it('for a git repository with many edits of a file of 400 KB', async () => {
    const commits = function* () {
      for (let i = 0; i < EDITS; i += 1) yield { 'tea.md': textOf(i) }
    }
    await withHistory(commits(), async (folder) => isDone(await imported('git', folder)))
  })

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

  it('for one page of a MediaWiki, from its API', async () => {
    const wiki = new FakeMediawiki()
    await wiki.start()
    // MediaWiki itself limits a response to 8 MB.
    wiki.textsPerResponse = 20
    const revisions = Array.from({ length: EDITS }, (_, i) => ({ id: i + 1, at: moment(i), text: textOf(i) }))
    wiki.pages = [{ id: 1, title: 'Tea', revisions }]
    try {
      isDone(await imported('mediawiki', wiki.url))
    } finally {
      await wiki.stop()
    }
  })

  const zeros = Buffer.alloc(1e6)
  const bombs: [what: string, name: string, first: string, piece: string | Buffer, message: string][] = [
    ['bytes that are no JSON', 'a.ndjson.gz', '', zeros, 'Line 1: must have at most 8388608 bytes besides'],
    [
      'one edit',
      'a.ndjson.gz',
      '{"type":"page","revisions":[{"markdown":"',
      'a'.repeat(1e6),
      'Line 1: revisions[0]: must be at most 58720256 bytes',
    ],
    [
      'one edit of small values',
      'a.ndjson.gz',
      '{"type":"page","revisions":[{"categories":[',
      '{},'.repeat(3e5),
      'Line 1: revisions[0]: must have at most 1048576 bytes besides its strings',
    ],
  ]
  for (const [what, name, first, piece, message] of bombs) {
    it(`for gzip with 300 MB of ${what}, which it refuses while reading`, () =>
      withFile(name, undefined, async (file) => {
        // Each part is a stream of its own, as `gzip` lets files be joined.
        await written(file, false, repeated(gzipSync(first), gzipSync(piece), 300))
        isRefused(await imported('ndjson', file), message)
      }))
  }

  it('for bzip2 with a text of 450 MB, which it refuses while reading', () =>
    withFile('dump.xml.bz2', undefined, async (file) => {
      await written(file, false, repeated(BZIP2.head, BZIP2.letters, 10))
      isRefused(await imported('mediawiki', file), 'Line 1: an element has more than 33554432 characters')
    }))
})
