import { appendFile, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import type { Database } from '../src/db/database.ts'
import { UsageError } from '../src/errors.ts'
import { type ExportOptions, type ExportSummary, exportNdjson } from '../src/export/ndjson.ts'
import { PageLines } from '../src/export/page-lines.ts'
import { folderError } from '../src/export/partial.ts'
import type { ExportedPage } from '../src/read/export-rows.ts'
import type { CompleteRevision } from '../src/write/records.ts'
import { testDatabase } from './support/database.ts'
import { exportText, importText, withFile } from './support/importing.ts'
import { clearWorld, importRecords, makeWorld, type PageSpec, recordsOf } from './support/world.ts'

/** Thrown by a test to interrupt an export. */
class Interruption extends Error {}

const numbered = (i: number): string => `p${String(i).padStart(3, '0')}`
const page = (i: number, more: Partial<PageSpec> = {}): PageSpec => ({
  path: numbered(i),
  revisions: [{ id: `11111111-1111-4111-8111-${String(i).padStart(12, '0')}`, markdown: `Text ${i} é🍵` }],
  ...more,
})
const PAGES = Array.from({ length: 230 }, (_, i) => page(i))

/** `PAGES` are several times what the export reads at once. */
const inParts: ExportOptions = { partPages: 50 }

describe('interrupted export', () => {
  let owner: Database
  before(async () => {
    owner = (await testDatabase()).owner
  })
  beforeEach(() => makeWorld({ pages: PAGES }))

  /** Interrupts the export after a number of pages. */
  const interrupt = async (file: string, pages: number, options: ExportOptions = {}): Promise<void> => {
    const ended = exportNdjson(owner, file, {
      ...inParts,
      ...options,
      onProgress: (progress) => {
        if (progress.pages >= pages) throw new Interruption()
      },
    })
    expect(await ended.catch((error: unknown) => error)).to.be.instanceOf(Interruption)
  }
  const resume = (file: string, options: ExportOptions = {}): Promise<ExportSummary> =>
    exportNdjson(owner, file, { ...inParts, ...options })
  const filesBeside = (file: string) => readdir(dirname(file))

  for (const name of ['wiki.ndjson', 'wiki.ndjson.gz']) {
    it(`continues where it stopped, and gives the bytes of an uninterrupted export: ${name}`, async () => {
      await withFile(name, undefined, async (file) => {
        const straight = join(dirname(file), `straight-${name}`)
        await resume(straight)
        await interrupt(file, 100)
        await interrupt(file, 150)
        expect(await resume(file)).to.deep.equal({ pages: 230, revisions: 230, reusedPages: 150 })
        expect((await readFile(file)).equals(await readFile(straight))).to.equal(true)
        expect(await filesBeside(file)).to.have.members([name, `straight-${name}`])
      })
    })
  }

  it('continues after the last complete part if the process was killed while writing', async () => {
    await withFile('wiki.ndjson', undefined, async (file) => {
      await interrupt(file, 100)
      await appendFile(join(`${file}.partial`, 'data'), '{"type":"page","loc')
      await appendFile(join(`${file}.partial`, 'parts'), '{"after":["en","p099"],"to":["en"')
      await interrupt(file, 150)
      await appendFile(join(`${file}.partial`, 'parts'), '{"after":')
      expect((await resume(file)).reusedPages).to.equal(150)
      expect(await readFile(file, 'utf8')).to.equal(await exportText(owner))
    })
  })

  it('reuses only parts whose data is on the disk', async () => {
    await withFile('wiki.ndjson', undefined, async (file) => {
      await interrupt(file, 100)
      const part = { after: ['en', 'p099'], to: ['en', 'p149'], pages: 50, revisions: 50, digest: '' }
      const entry = { ...part, offset: 1_000_000, length: 10 }
      await appendFile(join(`${file}.partial`, 'parts'), `${JSON.stringify(entry)}\n`)
      expect((await resume(file)).reusedPages).to.equal(100)
      expect(await readFile(file, 'utf8')).to.equal(await exportText(owner))
    })
  })

  const changes: [what: string, reused: number, change: () => Promise<unknown>][] = [
    [
      'a text of a revision that keeps its id',
      150,
      () =>
        importRecords(
          recordsOf({ pages: [page(60, { revisions: [{ ...page(60).revisions![0], markdown: 'new' }] })] }),
        ),
    ],
    ['an added page', 150, () => importRecords(recordsOf({ pages: [{ path: 'p060a' }] }))],
    ['an added first page', 150, () => importRecords(recordsOf({ pages: [{ path: 'a' }] }))],
    [
      'the state of a page',
      150,
      () => importRecords(recordsOf({ pages: [page(120, { state: 'deleted' })] })),
    ],
    [
      'pages after the completed parts',
      200,
      () => importRecords(recordsOf({ pages: [page(201), { path: 'z' }] })),
    ],
    ['the name of the wiki', 200, () => importRecords(recordsOf({ name: 'Other' }))],
    [
      'more pages within one part than a part holds',
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
  for (const [what, reused, change] of changes) {
    it(`writes only the changed parts again: ${what}`, async () => {
      await withFile('wiki.ndjson', undefined, async (file) => {
        await interrupt(file, 200)
        await change()
        expect((await resume(file)).reusedPages).to.equal(reused)
        expect(await readFile(file, 'utf8')).to.equal(await exportText(owner))
        expect(await filesBeside(file)).to.deep.equal(['wiki.ndjson'])
      })
    })
  }

  it('loses nothing if it is interrupted again while it rewrites a part', async () => {
    await withFile('wiki.ndjson', undefined, async (file) => {
      await interrupt(file, 200)
      const many = Array.from({ length: 120 }, (_, i) => ({ path: `p060-${i}` }))
      await importRecords(recordsOf({ pages: many }))
      await interrupt(file, 100)
      expect((await resume(file)).reusedPages).to.equal(200)
      expect(await readFile(file, 'utf8')).to.equal(await exportText(owner))
    })
  })

  it('gives a valid compressed file of the changed wiki', async () => {
    await withFile('wiki.ndjson.gz', undefined, async (file) => {
      await interrupt(file, 200)
      await importRecords(recordsOf({ pages: [{ path: 'p060a' }, page(120, { state: 'draft' })] }))
      await resume(file)
      const now = await exportText(owner)
      expect(gunzipSync(await readFile(file)).toString()).to.equal(now)
      await clearWorld()
      await importText(owner, await readFile(file))
      expect(await exportText(owner)).to.equal(now)
    })
  })

  it('reuses no part of an export with other options', async () => {
    await withFile('wiki.ndjson', undefined, async (file) => {
      await interrupt(file, 100, { view: 'guest' })
      await interrupt(file, 100, { gzip: true })
      expect((await resume(file)).reusedPages).to.equal(0)
      expect(await readFile(file, 'utf8')).to.equal(await exportText(owner))
    })
  })

  it('refuses a second export to the same file; the first continues', async () => {
    await withFile('wiki.ndjson', undefined, async (file) => {
      let second: Promise<unknown> | undefined
      await exportNdjson(owner, file, {
        onProgress: () => {
          second ??= exportNdjson(owner, file).catch((error: unknown) => error)
        },
      })
      const error = await second
      expect(error).to.be.instanceOf(UsageError)
      expect((error as Error).message)
        .to.include('Another process is exporting to')
        .and.include(file)
      expect(await readFile(file, 'utf8')).to.equal(await exportText(owner))
      await resume(file)
      expect(await filesBeside(file)).to.deep.equal(['wiki.ndjson'])
    })
  })

  it('says how to continue if the connection to the database was lost', async () => {
    await withFile('wiki.ndjson', undefined, async (file) => {
      const ended = await exportNdjson(owner, file, {
        ...inParts,
        onProgress: () => {
          throw new Error('Connection terminated unexpectedly')
        },
      }).catch((error: unknown) => error)
      expect(ended).to.be.instanceOf(UsageError)
      expect((ended as Error).message).to.match(
        /^The connection to the database was lost: .*\. The export so far is in .*wiki\.ndjson\.partial\. Run the same command again/,
      )
    })
  })

  const reasonOf = async (attempt: Promise<unknown>): Promise<string> => {
    const error = await attempt.catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(UsageError)
    return (error as Error).message
  }

  it('refuses to replace a file that has the name of its folder', async () => {
    await withFile('wiki.ndjson.partial', 'of an earlier Lectern', async (existing) => {
      expect(await reasonOf(resume(existing.replace(/\.partial$/, '')))).to.equal(
        `${existing} is not a folder, but the export needs a folder of this name for its parts. Rename or remove it, or export to another file.`,
      )
      expect(await readFile(existing, 'utf8')).to.equal('of an earlier Lectern')
    })
  })

  it('refuses to replace a dangling link that has the name of its folder', async () => {
    await withFile('wiki.ndjson', undefined, async (file) => {
      await symlink('nowhere', `${file}.partial`)
      expect(await reasonOf(resume(file))).to.include(`${file}.partial is not a folder`)
    })
  })

  it('names the file if its folder contains a folder instead of the data', async () => {
    await withFile('wiki.ndjson', undefined, async (file) => {
      await mkdir(join(`${file}.partial`, 'parts'), { recursive: true })
      expect(await reasonOf(resume(file)))
        .to.include(`Cannot write ${file}`)
        .and.include(join(`${file}.partial`, 'parts'))
    })
  })

  for (const [what, error, expected] of [
    [
      'not writable',
      { code: 'EACCES', syscall: 'access' },
      'Cannot write w.partial: permission denied. Make it writable for this user, or remove it to start the export again.',
    ],
    [
      'owned by another user',
      { code: 'EACCES', syscall: 'connect' },
      'Cannot write w.partial: permission denied. Make it writable for this user, or remove it to start the export again.',
    ],
    [
      'on a file system without sockets',
      { code: 'EPERM', syscall: 'listen' },
      'The file system of w.partial does not support sockets (EPERM). An export uses a socket to lock its file against a second export. Export to a local disk and copy the file.',
    ],
    [
      'on a file system without hard links',
      { code: 'ENOTSUP', syscall: 'link' },
      'The file system of w.partial does not support sockets (ENOTSUP). An export uses a socket to lock its file against a second export. Export to a local disk and copy the file.',
    ],
  ] as const) {
    it(`explains what to do if its folder is ${what}`, () => {
      const explained = folderError('w.partial', Object.assign(new Error('of the system'), error))
      expect(explained).to.be.instanceOf(UsageError)
      expect((explained as Error).message).to.equal(expected)
    })
  }

  it('returns other errors of its folder unchanged', () => {
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'listen' })
    expect(folderError('w.partial', full)).to.equal(full)
  })

  it('leaves no folder behind if the folder of the file does not exist', async () => {
    await withFile('x', undefined, async (file) => {
      await mkdir(file)
      expect(
        await resume(join(file, 'none', 'wiki.ndjson')).catch((error: unknown) => error),
      ).to.be.instanceOf(UsageError)
      expect(await readdir(file)).to.deep.equal([])
    })
  })
})

describe('PageLines', () => {
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

  it('writes a short page as one line, the whole record', () => {
    for (const revisions of [[], [revision('a')], [revision('a'), revision('é🍵')]]) {
      const whole = { ...one, revisions }
      expect(linesOfPage(one, revisions)).to.deep.equal([`${JSON.stringify(whole)}\n`])
    }
  })

  it('writes a long page as several lines with some of its revisions each', () => {
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
