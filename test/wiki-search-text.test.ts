import { expect } from 'chai'
import fc from 'fast-check'
import { indexText, readQuery } from '../src/wiki/search-text.ts'

const CJK = fc.string({ unit: fc.constantFrom(...'お茶の木緑抹'), minLength: 1, maxLength: 12 })
const typed = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '-',
      '--',
      '"',
      ' ',
      'tea',
      '茶',
      'の',
      '\ud83c',
      '\u0000',
      'ＴＥＡ',
      'or',
      '\u202e',
      '&',
      '|',
      '!',
      '<->',
      "'",
      '\\',
      ':*',
    ),
    fc.string({ unit: 'binary', maxLength: 1 }),
  ),
  maxLength: 200,
})
const words = (text: string): string[] => text.split(/\s+/).filter(Boolean)

describe('search text', () => {
  it('holds scripts without spaces as pairs, so that each run of a text is found in it as a phrase', () => {
    fc.assert(
      fc.property(CJK, fc.nat(11), fc.nat(11), (run, from, length) => {
        const letters = Array.from(run)
        const part = letters.slice(from % letters.length, (from % letters.length) + 1 + length).join('')
        const phrase = words(readQuery(part).websearch.replaceAll('"', ' '))
        const indexed = words(indexText(run))
        const isThere = Array.from(indexed.keys()).some((at) =>
          phrase.every((word, i) => word === indexed[at + i]),
        )
        expect(
          isThere || (phrase.length === 1 && indexed.some((word) => word.startsWith(phrase[0]!))),
          `${part} in ${run}`,
        ).to.equal(true)
      }),
    )
  })

  it('leaves words between spaces as they are, folded', () => {
    expect(words(indexText('Green ＴＥＡ: 茶 and お茶'))).to.deep.equal([
      'green',
      'tea:',
      '茶',
      'and',
      'お茶',
      '茶',
    ])
  })

  it('keeps marks with their letters in Thai', () => {
    expect(words(indexText('ชาไทย'))).to.deep.equal(['ชา', 'าไ', 'ไท', 'ทย', 'ย'])
    expect(words(indexText('น้ำชา')).every((pair) => !/^\p{M}/u.test(pair))).to.equal(true)
  })

  it('makes of whatever is typed a query without what PostgreSQL cannot take', () => {
    fc.assert(
      fc.property(typed, (text) => {
        const { websearch, title } = readQuery(text)
        for (const made of [websearch, title]) {
          expect(made.isWellFormed()).to.equal(true)
          expect(made).not.to.match(/\p{Cc}/u)
        }
        expect(websearch).not.to.match(/--/)
        expect(websearch).not.to.match(/(^|\s)-(\s|$)/)
      }),
      { numRuns: 1000 },
    )
  })

  it('looks at 256 characters and 24 terms, and at no more', () => {
    expect(readQuery(`${'a'.repeat(300)} b`).websearch).to.equal('a'.repeat(256))
    expect(words(readQuery('a '.repeat(100)).websearch)).to.have.length(24)
    expect(readQuery(`${'a'.repeat(255)}🍵`).websearch.isWellFormed()).to.equal(true)
  })

  it('is empty where nothing is left', () => {
    for (const text of ['', '   ', '\u0000\u202e', '----', '- - -'])
      expect(readQuery(text).websearch, JSON.stringify(text)).to.equal('')
  })

  it('keeps phrases and exclusions', () => {
    expect(readQuery('"green tea" -black').websearch).to.equal('"green tea" -black')
    expect(readQuery('緑茶').websearch).to.equal('"緑茶"')
    expect(words(readQuery('tea-茶-の-green').websearch)).to.deep.equal(['tea', '"茶"', '"の"', 'green'])
    expect(readQuery('-緑茶の').websearch).to.equal('-"緑茶 茶の"')
  })
})
