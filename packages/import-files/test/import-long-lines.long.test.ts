import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { gzipSync } from 'node:zlib'
import { LongLineParser } from '@lectern/import-files/ndjson/lines'
import { openNdjsonSource } from '@lectern/import-files/ndjson/source'
import type { ImportRecord, PageRecord } from '@lectern/wiki/records'
import { expect } from 'chai'
import fc from 'fast-check'
import { failureOf } from '../../../test/support/failures.ts'
import {
  asLine,
  ID_1,
  ID_2,
  ID_3,
  linesOfFile,
  PAGE,
  parseText,
  revision,
  WIKI,
  withFile,
} from '../../../test/support/importing.ts'

/** With these bounds, every line is long, and every revision is a record. */
const SMALL_BOUNDS = { whole: 10, batch: 1, revision: 1000, structure: 200 }

const read = (
  content: string | Uint8Array,
  bounds: Partial<typeof SMALL_BOUNDS> = {},
  name = 'wiki.ndjson',
) =>
  withFile(name, content, async (file) => {
    const records: ImportRecord[] = []
    const source = await openNdjsonSource(file, { ...SMALL_BOUNDS, ...bounds })
    for await (const record of source.records) records.push(asLine(record))
    return records
  })

/** Joins the records of each page. Fields of the last record win. */
const joinRecords = (records: ImportRecord[]): ImportRecord[] => {
  const pages = new Map<string, PageRecord>()
  const all: ImportRecord[] = []
  for (const record of records) {
    const before = record.type === 'page' && pages.get(`${record.locale} ${record.path}`)
    if (before)
      Object.assign(before, record, { revisions: [...before.revisions, ...(record as PageRecord).revisions] })
    else {
      if (record.type === 'page') pages.set(`${record.locale} ${record.path}`, record)
      all.push(record)
    }
  }
  return all
}

const page = {
  ...PAGE,
  translation_group: 'tea',
  revisions: [
    revision({ id: ID_1, markdown: 'a ] } , [ { "b" \\" "revisions":[ \u2028 é茶🍵' }),
    revision({ id: ID_2, categories: [{ key: 'a,]}' }, { key: '[' }] }),
    revision({ id: ID_3, markdown: '\\' }),
  ],
}

const text = JSON.stringify(page)

const spillFiles = async (): Promise<string[]> =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('lectern-import-'))

describe('import ndjson: long lines', () => {
  it('gives the same page as a line that is parsed at once', async () => {
    const records = await read(linesOfFile(WIKI, page))
    expect(records.map((record) => (record.type === 'page' ? record.revisions.length : 0))).to.deep.equal([
      0, 1, 1, 1,
    ])
    expect(joinRecords(records)).to.deep.equal(await parseText(linesOfFile(WIKI, page)))
  })

  it('accepts fields in any order, and leaves no temporary file', async () => {
    const { type, locale, path, state, translation_group, revisions } = page
    for (const record of [
      { revisions, state, type, locale, path, translation_group },
      { locale, path, revisions, state, translation_group, type },
      { type, locale, path, state, revisions, translation_group },
    ]) {
      expect(joinRecords(await read(linesOfFile(record)))).to.deep.equal(await parseText(linesOfFile(page)))
    }
    expect(await spillFiles()).to.deep.equal([])
  })

  it('puts fields after the revisions into the last record', async () => {
    const { revisions, translation_group: _, ...head } = page
    const records = await read(linesOfFile({ ...head, revisions, translation_group: 'late' }))
    expect((records.at(-1) as PageRecord).translation_group).to.equal('late')
  })

  it('accepts no revisions, white space and a byte order mark', async () => {
    for (const line of [
      JSON.stringify({ ...PAGE, revisions: [] }),
      text.replace('"revisions":[', '"revisions" :\t[  '),
      `\ufeff  ${text}  `,
    ]) {
      expect(joinRecords(await read(`${line}\n`))).to.deep.equal(await parseText(`${line}\n`))
    }
  })

  it('is split independently of the chunks in which its bytes arrive', () => {
    const bytes = Buffer.from(JSON.stringify(page))
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
        const parser = new LongLineParser(1, SMALL_BOUNDS)
        const found: unknown[] = []
        let start = 0
        for (const cut of [...cuts.sort((a, b) => a - b), bytes.length]) {
          for (const { value } of parser.read(bytes.subarray(start, cut))) found.push(value)
          start = cut
        }
        expect(found).to.deep.equal(page.revisions)
        expect(parser.end()).to.deep.equal({ ...page, revisions: [0, 0, 0] })
      }),
    )
  })

  it('is refused exactly if a line that is parsed at once is refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(text.length - 1),
        fc.constantFrom('', ',', ']', '}', '[', '{', '"', ':', ' ', '0', '\\'),
        fc.boolean(),
        async (at, letter, isInserted) => {
          const line = text.slice(0, at) + letter + text.slice(isInserted ? at : at + 1)
          const [long, whole] = await Promise.all([
            read(`${line}\n`, { revision: 10_000, structure: 10_000 }).then(
              joinRecords,
              (error: Error) => error,
            ),
            parseText(`${line}\n`).catch((error: Error) => error),
          ])
          expect(long instanceof Error, `${line}\n${String(long)}\n${String(whole)}`).to.equal(
            whole instanceof Error,
          )
          if (!(long instanceof Error)) expect(long).to.deep.equal(whole)
        },
      ),
      { numRuns: 400 },
    )
  })

  const withRevisions = (...revisions: object[]) => JSON.stringify({ ...PAGE, revisions })
  const many = Array.from({ length: 200 }, () => 1)
  const invalidLines: [what: string, line: string, message: string][] = [
    [
      ...(['an edit', withRevisions(revision({}), revision({}), revision({ created_at: 'now' }))] as const),
      'revisions[2].created_at: must be an RFC 3339 date-time with at most six digits of a second',
    ],
    ['a field before the edits', JSON.stringify({ ...page, path: '' }), 'path: must not be empty'],
    ['a field after the edits', JSON.stringify({ ...page, more: 1 }), 'the line: has an unknown field, more'],
    [
      'another type',
      JSON.stringify({ ...WIKI, revisions: [1] }),
      'the line: has an unknown field, revisions',
    ],
    ['two fields with edits', text.replace(/}$/, ',"revisions":[]}'), 'revisions: must occur only once'],
    ['two paths', text.replace(/}$/, ',"path":"b"}'), 'path: must occur only once'],
    ['a missing end', text.slice(0, -1), 'not JSON'],
    ['an end within an edit', text.slice(0, -30), 'not JSON'],
    ['a missing edit', text.replace('"revisions":[', '"revisions":[,'), 'not JSON'],
    ['a superfluous comma', JSON.stringify(PAGE).replace(/]}$/, ',]}'), 'not JSON'],
    [
      ...(['a long edit', withRevisions(revision({}), revision({ markdown: 'x'.repeat(1000) }))] as const),
      'revisions[1] and the fields beside it: must be at most 1000 bytes',
    ],
    [
      ...(['an edit of too many small values', withRevisions(revision({ categories: many }))] as const),
      'revisions[0] and the fields beside it: must have at most 200 values and signs',
    ],
    [
      ...(['too much besides the edits', JSON.stringify({ ...PAGE, path: 'x'.repeat(1000) })] as const),
      'revisions[0] and the fields beside it: must be at most 1000 bytes',
    ],
  ]
  for (const [what, line, message] of invalidLines) {
    it(`refuses an invalid line, and names the line and the field: ${what}`, async () => {
      const error = await failureOf(read(`${line}\n`))
      if (message === 'not JSON') expect(error.message).to.match(/^Line 1: not JSON: /)
      else expect(error.message).to.equal(`Line 1: ${message}`)
      expect(await spillFiles()).to.deep.equal([])
    })
  }

  it('refuses bytes that are not UTF-8, inside and outside an edit', async () => {
    for (const field of ['"author":"', '"path":"']) {
      const index = text.indexOf(field) + field.length
      const bytes = Buffer.concat([
        Buffer.from(text.slice(0, index)),
        Buffer.from([0xe9]),
        Buffer.from(text.slice(index)),
      ])
      expect((await failureOf(read(bytes))).message).to.equal('Line 1: not UTF-8')
    }
  })

  it('is read from gzip, and counts as one line', async () => {
    const records = await read(gzipSync(linesOfFile(WIKI, page, WIKI)), {}, 'wiki.ndjson.gz')
    expect(joinRecords(records)).to.deep.equal(await parseText(linesOfFile(WIKI, page, WIKI)))
    const error = await failureOf(
      read(gzipSync(linesOfFile(WIKI, page, { type: 'x' })), {}, 'wiki.ndjson.gz'),
    )
    expect(error.message).to.match(/^Line 3: /)
  })
})
