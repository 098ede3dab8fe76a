import { appendFile, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import type { Database } from '../src/db/database.ts'
import { UsageError } from '../src/errors.ts'
import { type ExportOptions, type ExportSummary, exportNdjson } from '../src/export/ndjson.ts'
import { PageLines } from '../src/export/page-lines.ts'
import { folderError } from '../src/export/partial.ts'
import type { ExportedPage } from '../src/read/snapshot.ts'
import type { CompleteRevision } from '../src/write/records.ts'
import { testDatabase } from './support/database.ts'
import { exportText, importText, withFile } from './support/importing.ts'
import { clearWorld, importRecords, makeWorld, type PageSpec, recordsOf } from './support/world.ts'

/** What ends an export of a test half-way. */
class Enough extends Error {}

const numbered = (i: number): string => `p${String(i).padStart(3, '0')}`
const page = (i: number, more: Partial<PageSpec> = {}): PageSpec => ({
  path: numbered(i),
  revisions: [{ id: `11111111-1111-4111-8111-${String(i).padStart(12, '0')}`, markdown: `Text ${i} é🍵` }],
  ...more,
})
const PAGES = Array.from({ length: 230 }, (_, i) => page(i))

/** Several times what is read at once, in parts of that. */
const inParts: ExportOptions = { partPages: 50 }

describe('an interrupted export', () => {
  let owner: Database
  before(async () => {
    owner = (await testDatabase()).owner
  })
  beforeEach(() => makeWorld({ pages: PAGES }))

  /** Ends it when so many pages are written. */
  const interrupt = async (file: string, pages: number, options: ExportOptions = {}): Promise<void> => {
    const ended = exportNdjson(owner, file, {
      ...inParts,
      ...options,
      onProgress: (so) => {
        if (so.pages >= pages) throw new Enough()
      },
    })
    expect(await ended.catch((error: unknown) => error)).to.be.instanceOf(Enough)
  }
  const goOn = (file: string, options: ExportOptions = {}): Promise<ExportSummary> =>
    exportNdjson(owner, file, { ...inParts, ...options })
  const filesBeside = (file: string) => readdir(dirname(file))

  for (const name of ['wiki.ndjson', 'wiki.ndjson.gz']) {
    it(`goes on where it stopped, and gives the bytes of one that was not interrupted: ${name}`, async () => {
      await withFile(name, undefined, async (file) => {
        const straight = join(dirname(file), `straight-${name}`)
        await goOn(straight)
        await interrupt(file, 100)
        await interrupt(file, 150)
        expect(await goOn(file)).to.deep.equal({ pages: 230, revisions: 230, keptPages: 150 })
        expect((await readFile(file)).equals(await readFile(straight))).to.equal(true)
        expect(await filesBeside(file)).to.have.members([name, `straight-${name}`])
      })
    })
  }

  it('that was killed while it wrote goes on from what was whole', async () => {
    await withFile('wiki.ndjson', undefined, async (file) => {
      await interrupt(file, 100)
      await appendFile(join(`${file}.partial`, 'data'), '{"type":"page","loc')
      await appendFile(join(`${file}.partial`, 'parts'), '{"after":["en","p099"],"to":["en"')
      await interrupt(file, 150)
      await appendFile(join(`${file}.partial`, 'parts'), '{"after":')
      expect((await goOn(file)).reusedPages).to.equal(150)
      expect(await readFile(file, 'utf8')).to.equal(await exportText(owner))
    })
  })

  it('whose data is not all on the disk takes only the parts that are', async () => {
    await withFile('wiki.ndjson', undefined, async (file) => {
      await interrupt(file, 100)
      const part = { after: ['en', 'p099'], to: ['en', 'p149'], pages: 50, revisions: 50, print: '' }
      const entry = { ...part, offset: 1_000_000, length: 10 }
      await appendFile(join(`${file}.partial`, 'parts'), `${JSON.stringify(entry)}\n`)
      expect((await goOn(file)).reusedPages).to.equal(100)
      expect(await readFile(file, 'utf8')).to.equal(await exportText(owner))
    })
  })

  const changes: [what: string, kept: number, change: () => Promise<unknown>][] = [
    [
      'a text under the id that it had',
      150,
      () =>
        importRecords(
          recordsOf({ pages: [page(60, { revisions: [{ ...page(60).revisions![0], markdown: 'new' }] })] }),
        ),
    ],
    ['a page more', 150, () => importRecords(recordsOf({ pages: [{ path: 'p060a' }] }))],
    ['a page before all', 150, () => importRecords(recordsOf({ pages: [{ path: 'a' }] }))],
    ['a state', 150, () => importRecords(recordsOf({ pages: [page(120, { state: 'deleted' })] }))],
    [
      'a page behind what was written',
      200,
      () => importRecords(recordsOf({ pages: [page(201), { path: 'z' }] })),
    ],
    ['the name of the wiki', 200, () => importRecords(recordsOf({ name: 'Other' }))],
    [
      'many pages within one part, more than one part holds',
      150,
      () =>
        importRecords(recordsOf({ pages: Array.from({ length: 120 }, (_, i) => ({ path: `p060-${i}` })) })),
    ],
    [
      'everything',
      0,
      async () => {
        await clearWorld()
        await importRecords(recordsOf({ pages: [{ path: 'p010', locale: 'ru' }, { path: 'p100' }] }))
      },
    ],
  ]
  for (const [what, kept, change] of changes) {
    it(`writes anew what has changed since, and that alone: ${what}`, async () => {
      await withFile('wiki.ndjson', undefined, async (file) => {
        await interrupt(file, 200)
        await change()
        expect((await goOn(file)).reusedPages).to.equal(kept)
        expect(await readFile(file, 'utf8')).to.equal(await exportText(owner))
        expect(await filesBeside(file)).to.deep.equal(['wiki.ndjson'])
      })
    })
  }

  it('loses nothing when it is interrupted again while a part is written anew', async () => {
    await withFile('wiki.ndjson', undefined, async (file) => {
      await interrupt(file, 200)
      const many = Array.from({ length: 120 }, (_, i) => ({ path: `p060-${i}` }))
      await importRecords(recordsOf({ pages: many }))
      await interrupt(file, 100)
      expect((await goOn(file)).reusedPages).to.equal(200)
      expect(await readFile(file, 'utf8')).to.equal(await exportText(owner))
    })
  })

  it('gives a compressed file that imports as the wiki is now, when that has changed', async () => {
    await withFile('wiki.ndjson.gz', undefined, async (file) => {
      await interrupt(file, 200)
      await importRecords(recordsOf({ pages: [{ path: 'p060a' }, page(120, { state: 'draft' })] }))
      await goOn(file)
      const now = await exportText(owner)
      expect(gunzipSync(await readFile(file)).toString()).to.equal(now)
      await clearWorld()
      await importText(owner, await readFile(file))
      expect(await exportText(owner)).to.equal(now)
    })
  })

  it('takes nothing of an export of another form', async () => {
    await withFile('wiki.ndjson', undefined, async (file) => {
      await interrupt(file, 100, { view: 'guest' })
      await interrupt(file, 100, { gzip: true })
      expect((await goOn(file)).reusedPages).to.equal(0)
      expect(await readFile(file, 'utf8')).to.equal(await exportText(owner))
    })
  })

  it('keeps two exports to one file apart: the second is refused, the first goes on', async () => {
    await withFile('wiki.ndjson', undefined, async (file) => {
      let second: Promise<unknown> | undefined
      await exportNdjson(owner, file, {
        onProgress: () => {
          second ??= exportNdjson(owner, file).catch((error: unknown) => error)
        },
      })
      const refused = await second
      expect(refused).to.be.instanceOf(UsageError)
      expect((refused as Error).message)
        .to.include('Another process is exporting to')
        .and.include(file)
      expect(await readFile(file, 'utf8')).to.equal(await exportText(owner))
      await goOn(file)
      expect(await filesBeside(file)).to.deep.equal(['wiki.ndjson'])
    })
  })

  it('says where it stopped, and that the same command goes on, when the database went away', async () => {
    await withFile('wiki.ndjson', undefined, async (file) => {
      const ended = await exportNdjson(owner, file, {
        ...inParts,
        onProgress: () => {
          throw new Error('Connection terminated unexpectedly')
        },
      }).catch((error: unknown) => error)
      expect(ended).to.be.instanceOf(UsageError)
      expect((ended as Error).message).to.match(
        /^The database went away: .*\. What is written so far is in .*wiki\.ndjson\.partial: the same command goes on/,
      )
    })
  })

  const reasonOf = async (attempt: Promise<unknown>): Promise<string> => {
    const error = await attempt.catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(UsageError)
    return (error as Error).message
  }

  it('that finds a file where its folder should be says that it is in the way, and leaves it', async () => {
    await withFile('wiki.ndjson.partial', 'of an earlier Lectern', async (inTheWay) => {
      expect(await reasonOf(goOn(inTheWay.replace(/\.partial$/, '')))).to.equal(
        `${inTheWay} is in the way: an export needs a folder of this name for what it has written so far. Rename or remove it, or give the export another name.`,
      )
      expect(await readFile(inTheWay, 'utf8')).to.equal('of an earlier Lectern')
    })
  })

  it('that finds a link to nowhere where its folder should be says that it is in the way', async () => {
    await withFile('wiki.ndjson', undefined, async (file) => {
      await symlink('nowhere', `${file}.partial`)
      expect(await reasonOf(goOn(file))).to.include(`${file}.partial is in the way`)
    })
  })

  it('whose folder holds a folder where its data should be names the file that cannot be written', async () => {
    await withFile('wiki.ndjson', undefined, async (file) => {
      await mkdir(join(`${file}.partial`, 'parts'), { recursive: true })
      expect(await reasonOf(goOn(file)))
        .to.include(`${file} cannot be written`)
        .and.include(join(`${file}.partial`, 'parts'))
    })
  })

  for (const [what, error, expected] of [
    [
      'not writable',
      { code: 'EACCES', syscall: 'access' },
      'w.partial cannot be written: permission is denied. Make it writable for this user, or remove it to begin the export anew.',
    ],
    [
      'made by another user',
      { code: 'EACCES', syscall: 'connect' },
      'w.partial cannot be written: permission is denied. Make it writable for this user, or remove it to begin the export anew.',
    ],
    [
      'on a file system without sockets',
      { code: 'EPERM', syscall: 'listen' },
      'w.partial is on a file system without sockets (EPERM), and an export needs one to keep a second export out. Export to a local disk and copy the file.',
    ],
    [
      'on a file system without hard links',
      { code: 'ENOTSUP', syscall: 'link' },
      'w.partial is on a file system without sockets (ENOTSUP), and an export needs one to keep a second export out. Export to a local disk and copy the file.',
    ],
  ] as const) {
    it(`whose folder is ${what} says what to do`, () => {
      const told = folderError('w.partial', Object.assign(new Error('of the system'), error))
      expect(told).to.be.instanceOf(UsageError)
      expect((told as Error).message).to.equal(expected)
    })
  }

  it('leaves errors of its folder that say enough as they are', () => {
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'listen' })
    expect(folderError('w.partial', full)).to.equal(full)
  })

  it('leaves no folder behind where there is none for the file', async () => {
    await withFile('x', undefined, async (file) => {
      await mkdir(file)
      expect(await goOn(join(file, 'none', 'wiki.ndjson')).catch((error: unknown) => error)).to.be.instanceOf(
        UsageError,
      )
      expect(await readdir(file)).to.deep.equal([])
    })
  })
})

describe('lines of a page', () => {
  const revision = (text: string) => ({
    id: text,
    created_at: '',
    author: '',
    comment: '',
    status: 'accepted' as const,
    title: '',
    markdown: text,
    categories: [],
  })
  const one = { type: 'page' as const, locale: 'en', path: 'a', state: 'live' as const }
  const linesOfPage = (head: ExportedPage, revisions: CompleteRevision[], bytes?: number): string[] => {
    const lines = new PageLines(head, bytes)
    const full = revisions.map((one) => lines.add(one)).filter((line) => line !== null)
    return [...full, lines.end()]
  }

  it('are one, the same as the whole record, where that is short enough', () => {
    for (const revisions of [[], [revision('a')], [revision('a'), revision('é🍵')]]) {
      const whole = { ...one, revisions }
      expect(linesOfPage(one, revisions)).to.deep.equal([`${JSON.stringify(whole)}\n`])
    }
  })

  it('are several, each with some of the edits, where one would be longer than an import takes', () => {
    const revisions = ['a', 'b', 'c'.repeat(1000), 'd', 'e'].map(revision)
    const lines = linesOfPage(one, revisions, 400).map((line) => JSON.parse(line))
    expect(lines.map((line) => line.revisions.map(({ id }: { id: string }) => id[0]))).to.deep.equal([
      ['a', 'b'],
      ['c'],
      ['d', 'e'],
    ])
    for (const { revisions: _, ...page } of lines) expect(page).to.deep.equal(one)
  })
})
