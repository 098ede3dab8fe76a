import { readLines } from '@lectern/import-files/ndjson/lines'
import { openNdjsonSource } from '@lectern/import-files/ndjson/source'
import type { ImportRecord, PageRecord } from '@lectern/wiki/records'
import { expect } from 'chai'
import fc from 'fast-check'
import { failureOf } from '../../../test/support/failures.ts'
import { linesOfFile, PAGE, revision, WIKI, withFile } from '../../../test/support/importing.ts'

const BOUNDS = { bytes: 8 * 1024 * 1024, values: 100 }

const read = (content: string, bounds: Partial<typeof BOUNDS> = {}) =>
  withFile('wiki.ndjson', content, async (file) => {
    const records: ImportRecord[] = []
    const source = await openNdjsonSource(file, { ...BOUNDS, ...bounds })
    for await (const record of source.records) records.push(record)
    return records
  })

const linesIn = async (chunks: AsyncIterable<Buffer>, bounds = BOUNDS) => {
  const lines: { number: number; bytes: Buffer }[] = []
  for await (const line of readLines(chunks, bounds)) lines.push(line)
  return lines
}

describe('import ndjson: long lines', () => {
  it('a page of more than a batch becomes several records with some of its revisions each', async () => {
    const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(1_500_000))
    const page = { ...PAGE, revisions: texts.map((markdown) => revision({ markdown })) }
    const pages = (await read(linesOfFile(WIKI, page))).slice(1) as PageRecord[]
    expect(pages.map(({ revisions }) => revisions.length)).to.deep.equal([2, 2])
    expect(pages.flatMap(({ revisions }) => revisions.map(({ markdown }) => markdown))).to.deep.equal(texts)
    for (const one of pages) expect(one).to.include({ path: PAGE.path, hasAllRevisions: true })
  })

  it('are the same in whatever chunks their bytes arrive, and end at LF only', async () => {
    const texts = ['{"a":"é\u2028茶🍵"}', '', 'a\r', 'last']
    const bytes = Buffer.from(texts.join('\n'))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
        const ends = [...cuts.sort((a, b) => a - b), bytes.length]
        const chunks = (async function* () {
          for (const [i, end] of ends.entries()) yield bytes.subarray(ends[i - 1] ?? 0, end)
        })()
        const lines = await linesIn(chunks)
        expect(lines.map((line) => line.bytes.toString())).to.deep.equal(texts)
        expect(lines.map(({ number }) => number)).to.deep.equal([1, 2, 3, 4])
      }),
    )
  })

  it('too many bytes are refused before the line ends', async () => {
    const endless = async function* () {
      yield Buffer.from('\n')
      for (;;) yield Buffer.alloc(1000, 'x')
    }
    const error = await failureOf(linesIn(endless(), { bytes: 5000, values: 1 }))
    expect(error.message).to.equal(
      'Line 2: must have at most 5000 bytes. Divide the revisions of a page among several lines.',
    )
  })

  it('too many values are refused; signs in texts count nothing', async () => {
    const markdown = `${'[{,:'.repeat(100)}"\\"\\\\${','.repeat(100)}`
    const page = { ...PAGE, revisions: [revision({ markdown })] }
    expect(await read(linesOfFile(page))).to.have.lengthOf(1)
    const categories = Array.from({ length: 40 }, (_, i) => ({ key: `k${i}` }))
    const large = { ...PAGE, revisions: [revision({ categories })] }
    expect((await failureOf(read(linesOfFile(WIKI, large)))).message).to.equal(
      'Line 2: must have at most 100 values. Divide the revisions of a page among several lines.',
    )
  })
})
