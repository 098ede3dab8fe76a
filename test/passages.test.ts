import { expect } from 'chai'
import fc from 'fast-check'
import { cutExcerpt } from '../src/search/query/excerpt.ts'
import { findMatches, patternsOf, tokenizeText } from '../src/search/query/matches.ts'
import { parseSearchQuery } from '../src/search/query/parse.ts'

const piece = fc.constantFrom(
  'tea ',
  'Tea',
  'TEA, ',
  'leaf ',
  '🍵',
  '🍵🍵🍵',
  'お茶',
  '緑茶の木',
  ' ',
  '\n',
  'ﬁne ',
  'İstanbul ',
  'ΣΑΣ ',
  'a'.repeat(400),
  'é ',
  'ＴＥＡ ',
  'ﾊﾞ',
  'node.js',
)
const body = fc.array(piece, { maxLength: 200 }).map((pieces) => pieces.join('').normalize('NFC'))
const unchanged = (word: string) => [word]

const passage = (text: string, q: string) => {
  const patterns = patternsOf(parseSearchQuery(q), unchanged)
  return cutExcerpt(
    text,
    findMatches(tokenizeText(text, patterns, false, 100_000), patterns, (word) => [word.text]),
  )
}
const shown = (text: string, q: string) => {
  const { text: cut, highlights } = passage(text, q)
  return highlights.map(([start, end]) => cut.slice(start, end))
}

describe('passages', () => {
  it('have at most 300 code units of the section, whole characters, and exact highlights in order', () => {
    fc.assert(
      fc.property(
        body,
        fc.constantFrom('tea', 'お茶', '茶の木', 'fine', 'σας', 'バ', 'node.js tea'),
        (text, q) => {
          const { text: cut, highlights } = passage(text, q)
          expect(cut.length).to.be.at.most(300)
          expect(cut.isWellFormed()).to.equal(true)
          expect(text).to.include(cut)
          let last = -1
          for (const [start, end] of highlights) {
            expect(start).to.be.above(last)
            expect(end).to.be.above(start).and.at.most(cut.length)
            const highlighted = cut.slice(start, end)
            expect(highlighted.isWellFormed()).to.equal(true)
            expect(highlighted.normalize('NFKC').toLowerCase()).to.match(
              /tea|お茶|茶の木|fine|σα[σς]|バ|node|js/,
            )
            last = end
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  it('have the same highlights whether all words of a text are read, or only words that may match', () => {
    const letters = fc.string({
      unit: fc.constantFrom('t', 'e', 'a', 'T', '1', ' ', '.', '-', '_'),
      maxLength: 60,
    })
    fc.assert(
      fc.property(letters, fc.constantFrom('tea', 't', 'te', 'tea eat', '1', 'tea1 a'), (text, q) => {
        const patterns = patternsOf(parseSearchQuery(q), unchanged)
        const spans = (everyWord: boolean) =>
          findMatches(tokenizeText(text, patterns, everyWord, 100_000), patterns, (word) => [word.text])
        expect(spans(false)).to.deep.equal(spans(true))
      }),
      { numRuns: 1000 },
    )
  })

  it('show the first match, wherever it is', () => {
    fc.assert(
      fc.property(
        fc.nat(2000),
        fc.nat(2000),
        fc.constantFrom('🍵', 'a ', '茶', 'word '),
        (before, after, filling) => {
          const text = `${filling.repeat(before)} tea ${filling.repeat(after)}`
          expect(shown(text, 'tea')).to.deep.equal(['tea'])
        },
      ),
    )
  })

  it('show the part of the text with the most different words', () => {
    const text = `green ${'lorem '.repeat(100)}black ${'lorem '.repeat(100)}green and black tea`
    expect(shown(text, 'green black tea')).to.deep.equal(['green', 'black', 'tea'])
  })

  it('are the whole section if it is short', () => {
    expect(passage('Green tea.', 'tea')).to.deep.equal({ text: 'Green tea.', highlights: [[6, 9]] })
  })

  it('begin and end between words', () => {
    const { text } = passage(`${'lorem '.repeat(100)}tea ${'ipsum '.repeat(100)}`, 'tea')
    expect(text)
      .to.match(/^lorem /)
      .and.match(/ipsum$/)
  })

  it('highlight a phrase as one match, or its words if they do not follow each other', () => {
    expect(shown('Tea, green. Green tea!', '"green tea"')).to.deep.equal(['Green tea'])
    expect(shown('Tea, green.', '"green tea"')).to.deep.equal(['Tea', 'green'])
  })

  it('highlight terms with their signs, and parts of runs without spaces', () => {
    expect(shown('C, C++ and node.js', 'c++ node.js')).to.deep.equal(['C++', 'node.js'])
    expect(shown('日本の緑茶の木', '緑茶の')).to.deep.equal(['緑茶の'])
    expect(shown('お茶と茶', '茶')).to.deep.equal(['茶', '茶'])
    expect(shown('ＴＥＡ and ﬁne', 'tea fine')).to.deep.equal(['ＴＥＡ', 'ﬁne'])
  })
})
