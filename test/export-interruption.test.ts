import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { UsageError } from '@lectern/wiki/errors'
import type { CompleteRevision } from '@lectern/wiki/records'
import { expect } from 'chai'
import type { Database } from '../src/db/database.ts'
import { exportNdjson } from '../src/export/ndjson.ts'
import { PageLines } from '../src/export/page-lines.ts'
import { createTemporaryFile, type TemporaryFile } from '../src/export/temporary-file.ts'
import type { ExportedPage } from '../src/read/snapshot.ts'
import { testDatabase } from './support/database.ts'
import { exportText, withFile } from './support/importing.ts'
import { makeWorld } from './support/world.ts'

describe('interrupted export', () => {
  let owner: Database
  before(async () => {
    owner = (await testDatabase()).owner
    await makeWorld({
      pages: Array.from({ length: 120 }, (_, i) => ({
        path: `p${i}`,
        revisions: [{ markdown: `Text ${i} é🍵` }],
      })),
    })
  })

  const filesBeside = (file: string) => readdir(dirname(file))
  const failureOf = (attempt: Promise<unknown>): Promise<Error> =>
    attempt.then(
      () => expect.fail('was exported'),
      (error: Error) => error,
    )

  for (const name of ['wiki.ndjson', 'wiki.ndjson.gz']) {
    it(`leaves no file and no temporary file; the next one writes the whole wiki: ${name}`, async () => {
      await withFile(name, undefined, async (file) => {
        const interruption = new Error('of the test')
        const onProgress = ({ pages }: { pages: number }) => {
          if (pages === 100) throw interruption
        }
        expect(await failureOf(exportNdjson(owner, file, { onProgress }))).to.equal(interruption)
        expect(await filesBeside(file)).to.deep.equal([])
        expect(await exportNdjson(owner, file)).to.deep.equal({ pages: 120, revisions: 120 })
        const bytes = await readFile(file)
        const text = name.endsWith('.gz') ? gunzipSync(bytes) : bytes
        expect(text.toString()).to.equal(await exportText(owner))
        expect(await filesBeside(file)).to.deep.equal([name])
      })
    })
  }

  it('keeps the older file', async () => {
    await withFile('wiki.ndjson', 'older', async (file) => {
      const onProgress = () => {
        throw new Error('of the test')
      }
      await failureOf(exportNdjson(owner, file, { onProgress }))
      expect(await readFile(file, 'utf8')).to.equal('older')
      expect(await filesBeside(file)).to.deep.equal(['wiki.ndjson'])
    })
  })

  const leftovers: [what: string, leave: (path: string) => Promise<void>][] = [
    [
      'a longer temporary file of a process that was killed',
      (path) => writeFile(path, 'x'.repeat(1_000_000)),
    ],
    ['a link to another file', (path) => symlink(`${dirname(path)}/other`, path)],
  ]
  for (const [what, leave] of leftovers) {
    it(`replaces ${what}`, async () => {
      await withFile('other', 'of somebody', async (other) => {
        const file = `${dirname(other)}/wiki.ndjson`
        await leave(`${file}.partial`)
        await exportNdjson(owner, file)
        expect(await readFile(file, 'utf8')).to.equal(await exportText(owner))
        expect(await readFile(other, 'utf8')).to.equal('of somebody')
        expect((await filesBeside(file)).sort()).to.deep.equal(['other', 'wiki.ndjson'])
      })
    })
  }

  it('says that a folder has the name of the temporary file, and keeps it', async () => {
    await withFile('wiki.ndjson', undefined, async (file) => {
      await mkdir(`${file}.partial`)
      const error = await failureOf(exportNdjson(owner, file))
      expect(error).to.be.instanceOf(UsageError)
      expect(error.message).to.match(
        /^Cannot write .*wiki\.ndjson: a folder has the name of its temporary file/,
      )
      expect(await filesBeside(file)).to.deep.equal(['wiki.ndjson.partial'])
    })
  })

  it('if another export to the same file begins, the first one fails, and leaves the file to the other', async () => {
    await withFile('wiki.ndjson', undefined, async (file) => {
      let other: TemporaryFile | undefined
      const connect = async () => {
        other = await createTemporaryFile(file)
        return owner.connect()
      }
      const error = await failureOf(exportNdjson({ ...owner, connect }, file))
      expect(error).to.be.instanceOf(UsageError)
      expect(error.message).to.include('Another export to').and.include(file)
      expect(await filesBeside(file)).to.deep.equal(['wiki.ndjson.partial'])
      await other!.handle.writeFile('of the other')
      await other!.finish()
      expect(await readFile(file, 'utf8')).to.equal('of the other')
      expect(await filesBeside(file)).to.deep.equal(['wiki.ndjson'])
    })
  })

  it('says that the connection to the database was lost', async () => {
    await withFile('wiki.ndjson', undefined, async (file) => {
      const onProgress = () => {
        throw new Error('Connection terminated unexpectedly')
      }
      const error = await failureOf(exportNdjson(owner, file, { onProgress }))
      expect(error).to.be.instanceOf(UsageError)
      expect(error.message).to.match(/^The connection to the database was lost: /)
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
