import { expect } from 'chai'
import fc from 'fast-check'
import { afterPosition, beforePosition, part, readAfter, readBefore } from '../src/rest/paging.ts'
import { parseInstant } from '../src/wiki/time.ts'

const moment = fc
  .record({
    seconds: fc.integer({ min: -62_135_596_800, max: 253_402_300_798 }),
    micros: fc.oneof(fc.nat(999_999), fc.constantFrom(0, 999_999)),
  })
  .map(
    ({ seconds, micros }) =>
      `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}Z`,
  )
const id = fc.oneof(
  fc.uuid(),
  fc.constantFrom('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
)

describe('positions in lists of edits', () => {
  it('are the plain created_at where the next item has another', () => {
    fc.assert(
      fc.property(moment, moment, id, id, (created_at, other, one, two) => {
        fc.pre(created_at !== other)
        const position = beforePosition({ id: one, created_at }, { id: two, created_at: other })
        expect(position).to.equal(created_at)
        expect(readBefore(position)).to.deep.equal({ before: created_at })
      }),
    )
  })

  it('carry the place too where the boundary parts items of one moment, and are read back exactly', () => {
    fc.assert(
      fc.property(moment, id, id, (created_at, one, two) => {
        const position = beforePosition({ id: one, created_at }, { id: two, created_at })
        expect(parseInstant(position), 'is an RFC 3339 date-time').not.to.equal(null)
        expect(readBefore(position)).to.deep.equal({ before: created_at, beforeId: one })
      }),
    )
  })

  it('compare as the list is ordered', () => {
    fc.assert(
      fc.property(moment, id, id, (created_at, one, two) => {
        const [a, b] = [one, two].map((each) =>
          beforePosition({ id: each, created_at }, { id: each, created_at }),
        )
        expect(a! < b!).to.equal(one < two)
        expect(created_at.slice(0, -1) <= a!).to.equal(true)
      }),
    )
  })

  it('are any RFC 3339 date-time: between two microseconds, all of the earlier one passes', () => {
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

  it('take a plus sign that a form decoder turned into a space', () => {
    expect(readBefore('2024-05-01T14:00:00 02:00')).to.deep.equal({ before: '2024-05-01T12:00:00.000000Z' })
  })

  it('that no id has are read as times', () => {
    expect(readBefore(`2024-05-01T12:00:00.123456${'9'.repeat(39)}Z`)).to.deep.equal({
      before: '2024-05-01T12:00:00.123457Z',
    })
  })

  it('are nothing else', () => {
    for (const text of ['yesterday', '2024-05-01', '2024-02-30T00:00:00Z', 'infinity', ''])
      expect(readBefore(text), text).to.equal(null)
  })
})

describe('positions in categories', () => {
  const key = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\u001f'))

  it('are the plain sort key, or sort key and path where the boundary parts equal ones', () => {
    fc.assert(
      fc.property(key, key, key, (sort_key, path, other) => {
        const last = { sort_key, page: { path } }
        expect(readAfter(afterPosition(last, { sort_key, page: { path: other } }))).to.deep.equal({
          after: sort_key,
          afterPath: path,
        })
        fc.pre(sort_key !== other)
        expect(readAfter(afterPosition(last, { sort_key: other, page: { path } }))).to.deep.equal({
          after: sort_key,
        })
      }),
    )
    expect(readAfter('')).to.deep.equal({})
  })
})

describe('a part of a list', () => {
  it('never exceeds its limit, and says where the next begins if there is one', () => {
    expect(part([1, 2, 3], 2, (last, following) => `${last} ${following}`)).to.deep.equal({
      items: [1, 2],
      next: '2 3',
    })
    expect(part([1, 2], 2, String)).to.deep.equal({ items: [1, 2], next: '' })
    expect(part([], 2, String)).to.deep.equal({ items: [], next: '' })
  })
})
