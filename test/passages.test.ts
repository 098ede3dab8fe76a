import { expect } from 'chai'
import fc from 'fast-check'
import { candidateWords, lexemePrefixes, passageOf } from '../src/data/passages.ts'

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
  'e\u0301 ',
  'ＴＥＡ ',
)
const body = fc.array(piece, { maxLength: 200 }).map((pieces) => pieces.join(''))
const isTea = (word: string) => word === 'tea'

describe('passages', () => {
  it('are at most 300 code units of the section as it stands, whole letters, with exact highlights in order', () => {
    fc.assert(
      fc.property(body, fc.subarray(['お茶', '茶の', '緑']), (text, runs) => {
        const passage = passageOf({ heading: 'H', body: text }, isTea, runs)
        expect(passage.text.length).to.be.at.most(300)
        expect(passage.text.isWellFormed()).to.equal(true)
        expect(text).to.include(passage.text)
        let last = -1
        for (const [start, end] of passage.highlights) {
          expect(start).to.be.above(last)
          expect(end).to.be.above(start).and.at.most(passage.text.length)
          const shown = passage.text.slice(start, end).normalize('NFKC').toLowerCase()
          expect(shown).to.match(/tea|お茶|茶の|緑/)
          expect(passage.text.slice(start, end).isWellFormed()).to.equal(true)
          last = end
        }
      }),
      { numRuns: 500 },
    )
  })

  it('show the first match, wherever it stands', () => {
    fc.assert(
      fc.property(
        fc.nat(2000),
        fc.nat(2000),
        fc.constantFrom('🍵', 'a ', '茶', 'word '),
        (before, after, filling) => {
          const text = `${filling.repeat(before)} tea ${filling.repeat(after)}`
          const { text: shown, highlights } = passageOf({ heading: '', body: text }, isTea, [])
          expect(highlights.map(([start, end]) => shown.slice(start, end))).to.deep.equal(['tea'])
        },
      ),
    )
  })

  it('are the section itself when it is short', () => {
    expect(passageOf({ heading: 'Steaming', body: 'Green tea.' }, isTea, [])).to.deep.equal({
      heading: 'Steaming',
      text: 'Green tea.',
      highlights: [[6, 9]],
    })
  })

  it('begin and end between words where one is near', () => {
    const text = `${'lorem '.repeat(100)}tea ${'ipsum '.repeat(100)}`
    const { text: shown } = passageOf({ heading: '', body: text }, isTea, [])
    expect(shown)
      .to.match(/^lorem /)
      .and.match(/ipsum$/)
  })

  it('highlight runs of scripts without spaces inside longer ones; those that touch are one', () => {
    expect(
      passageOf({ heading: '', body: '緑茶のお茶' }, () => false, ['緑茶', 'の', '茶']).highlights,
    ).to.deep.equal([
      [0, 3],
      [4, 5],
    ])
  })

  it('ask of PostgreSQL only words that could match', () => {
    expect(lexemePrefixes("'green' | 'tea'")).to.deep.equal(new Set(['gre', 'tea']))
    expect(
      candidateWords(
        [{ heading: '', body: 'Greens, teas and leaves; Green greens' }],
        new Set(['gre', 'tea']),
      ),
    ).to.deep.equal(['greens', 'teas', 'green'])
  })
})
