import { expect } from 'chai'
import fc from 'fast-check'
import { categoryCursor, readAfter, readBefore } from '../src/rest/routes/shared/paging.ts'

describe('readBefore', () => {
  it('accepts any RFC 3339 date-time; between two microseconds, the edits of the earlier one are included', () => {
    expect(readBefore('2024-05-01T12:00:00.1234561Z')).to.deep.equal({
      before: '2024-05-01T12:00:00.123457Z',
    })
    expect(readBefore('2024-05-01T12:00:00.1234560000Z')).to.deep.equal({
      before: '2024-05-01T12:00:00.123456Z',
    })
    expect(readBefore('2024-05-01T12:00:00.9999999Z')).to.deep.equal({
      before: '2024-05-01T12:00:01.000000Z',
    })
    expect(readBefore('2024-05-01t14:00:00+02:00')).to.deep.equal({ before: '2024-05-01T12:00:00.000000Z' })
  })

  it('treats whole milliseconds that are no multiple of ten as a possible position', () => {
    for (const same of [
      '2024-05-01T12:00:00.123Z',
      '2024-05-01T12:00:00.123000Z',
      '2024-05-01T12:00:00.123000000Z',
      '2024-05-01T14:00:00.123000+02:00',
      '2024-05-01T14:00:00.123000 02:00',
      `2024-05-01T12:00:00.123${'0'.repeat(42)}Z`,
    ])
      expect(readBefore(same), same).to.deep.equal({ cursor: '2024-05-01T12:00:00.123000Z' })
    expect(readBefore('2024-05-01T12:00:00.120Z')).to.deep.equal({ before: '2024-05-01T12:00:00.120000Z' })
    expect(readBefore('2024-05-01T12:00:00.123001Z')).to.deep.equal({ before: '2024-05-01T12:00:00.123001Z' })
    expect(readBefore('2024-05-01T12:00:00.1229995Z')).to.deep.equal({
      before: '2024-05-01T12:00:00.123000Z',
    })
  })

  it('reads a space as a plus sign that a form decoder changed', () => {
    expect(readBefore('2024-05-01T14:00:00 02:00')).to.deep.equal({ before: '2024-05-01T12:00:00.000000Z' })
  })

  it('returns null for other text', () => {
    for (const text of ['yesterday', '2024-05-01', '2024-02-30T00:00:00Z', 'infinity', ''])
      expect(readBefore(text), text).to.equal(null)
  })
})

describe('categoryCursor', () => {
  const key = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\u001f'))

  it('is the sort key, or sort key and path if the next page has the same sort key', () => {
    fc.assert(
      fc.property(key, key, key, (sort_key, path, other) => {
        const last = { sort_key, page: { path } }
        expect(readAfter(categoryCursor(last, { sort_key, page: { path: other } }))).to.deep.equal({
          after: sort_key,
          afterPath: path,
        })
        fc.pre(sort_key !== other)
        expect(readAfter(categoryCursor(last, { sort_key: other, page: { path } }))).to.deep.equal({
          after: sort_key,
        })
      }),
    )
    expect(readAfter('')).to.deep.equal({})
  })
})
