import { parseInstant, timestampAfter, timestampFromInstant, timestampFromPostgres } from '@lectern/wiki/time'
import { expect } from 'chai'
import fc from 'fast-check'
import { rounds } from '../../../test/support/rounds.ts'

const FIRST = -62_135_596_800n * 1_000_000n
const LAST = 253_402_300_799_999_999n

/** Days from 0001-01-01 to the start of a year in the proleptic Gregorian calendar, computed without `Date`. */
const daysBefore = (year: bigint): bigint => {
  const past = year - 1n
  return past * 365n + past / 4n - past / 100n + past / 400n
}
const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const lengths = (year: number) => [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Microseconds since 1970. */
const microsOf = (year: number, month: number, day: number, seconds: number, micros: number): bigint => {
  const inYear = lengths(year)
    .slice(0, month - 1)
    .reduce((sum, length) => sum + length, 0)
  const days = daysBefore(BigInt(year)) - daysBefore(1970n) + BigInt(inYear + day - 1)
  return (days * 86_400n + BigInt(seconds)) * 1_000_000n + BigInt(micros)
}
const microsOfTimestamp = (timestamp: string): bigint => {
  const [year, month, day, hour, minute, second, micros] = timestamp.match(/\d+/g)!.map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return microsOf(year, month, day, hour * 3600 + minute * 60 + second, micros)
}

const two = (number: number) => String(number).padStart(2, '0')

const dateTime = fc
  .record({
    year: fc.integer({ min: 1, max: 9999 }),
    month: fc.integer({ min: 1, max: 12 }),
    dayOf: fc.nat(30),
    seconds: fc.nat(86_399),
    fraction: fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 12 }),
    offset: fc.option(fc.integer({ min: -1439, max: 1439 })),
    lower: fc.boolean(),
  })
  .map(({ year, month, dayOf, seconds, fraction, offset, lower }) => {
    const day = 1 + (dayOf % lengths(year)[month - 1]!)
    const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':')
    const zone =
      offset === null
        ? 'Z'
        : `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`
    const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${clock}${fraction === '' ? '' : `.${fraction}`}${zone}`
    const micros = Number(fraction.padEnd(6, '0').slice(0, 6))
    return {
      text: lower ? text.toLowerCase() : text,
      micros: microsOf(year, month, day, seconds, micros) - BigInt(offset ?? 0) * 60_000_000n,
    }
  })

describe('timestamps', () => {
  it('keep the microsecond of a date-time with any offset, case and number of digits', () => {
    fc.assert(
      fc.property(dateTime, ({ text, micros }) => {
        const timestamp = timestampFromInstant(parseInstant(text)!)
        expect(timestamp).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
        const expected = micros < FIRST ? FIRST : micros > LAST ? LAST : micros
        expect(microsOfTimestamp(timestamp)).to.equal(expected)
      }),
      { numRuns: rounds(500) },
    )
  })

  it('sort as strings in the order of time', () => {
    fc.assert(
      fc.property(dateTime, dateTime, (one, other) => {
        const [a, b] = [
          timestampFromInstant(parseInstant(one.text)!),
          timestampFromInstant(parseInstant(other.text)!),
        ]
        expect(a < b).to.equal(microsOfTimestamp(a) < microsOfTimestamp(b))
      }),
    )
  })

  it('timestampAfter is one microsecond later', () => {
    fc.assert(
      fc.property(dateTime, ({ text, micros }) => {
        const next = microsOfTimestamp(timestampAfter(parseInstant(text)!))
        if (micros >= FIRST && micros < LAST) expect(next).to.equal(micros + 1n)
      }),
    )
    expect(timestampAfter(parseInstant('2023-12-31T23:59:59.999999Z')!)).to.equal(
      '2024-01-01T00:00:00.000000Z',
    )
    expect(timestampAfter(parseInstant('9999-12-31T23:59:59.999999Z')!)).to.equal(
      '9999-12-31T23:59:59.999999Z',
    )
  })

  const REFUSED = `2024-02-30T00:00:00Z|2023-02-29T00:00:00Z|1900-02-29T00:00:00Z|2024-04-31T00:00:00Z
2024-00-01T00:00:00Z|2024-13-01T00:00:00Z|2024-01-00T00:00:00Z|2024-01-01T24:00:00Z
2024-01-01T00:60:00Z|2024-01-01T00:00:61Z|2024-01-01T00:00:00|2024-01-01T00:00Z|2024-01-01
2024-01-01 00:00:00Z|2024-01-01T00:00:00.Z|2024-01-01T00:00:00,1Z|2024-01-01T00:00:00+24:00
2024-01-01T00:00:00+0100|2024-01-01T00:00:00+01|24-01-01T00:00:00Z|+002024-01-01T00:00:00Z
 2024-01-01T00:00:00Z|２０２４-01-01T00:00:00Z|now|infinity|`.split(/[|\n]/)
  for (const text of [...REFUSED, '2024-01-01T00:00:00Z\n', '']) {
    it(`refuse ${JSON.stringify(text)}`, () => {
      expect(parseInstant(text)).to.equal(null)
    })
  }

  for (const [text, expected] of [
    ['2000-02-29T12:00:00Z', '2000-02-29T12:00:00.000000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000000Z'],
    ['0099-01-01T00:00:00Z', '0099-01-01T00:00:00.000000Z'],
    ['0000-06-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
    ['2024-01-01T00:00:00-00:00', '2024-01-01T00:00:00.000000Z'],
    ['1969-12-31T23:59:59.999999999Z', '1969-12-31T23:59:59.999999Z'],
  ] as const) {
    it(`parse ${text} as ${expected}`, () => {
      expect(timestampFromInstant(parseInstant(text)!)).to.equal(expected)
    })
  }

  it('convert the output of PostgreSQL, as text and in JSON, with any number of digits', () => {
    for (const fraction of ['', '.1', '.12', '.123', '.1234', '.12345', '.123456']) {
      const expected = `2024-05-01T12:34:56.${fraction.slice(1).padEnd(6, '0')}Z`
      expect(timestampFromPostgres(`2024-05-01 12:34:56${fraction}+00`)).to.equal(expected)
      expect(timestampFromPostgres(`2024-05-01T12:34:56${fraction}+00:00`)).to.equal(expected)
    }
    expect(timestampFromPostgres('0001-01-01 00:00:00.000001+00')).to.equal('0001-01-01T00:00:00.000001Z')
  })
})
