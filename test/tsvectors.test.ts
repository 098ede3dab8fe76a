import { expect } from 'chai'
import { indexWords, pageLexemes, toTsvector } from '../src/search/index/page-words.ts'
import { Tsvectors } from '../src/search/index/tsvectors.ts'
import { testDatabase } from './support/database.ts'

describe('words of pages as tsvectors', () => {
  const lexemesOf = (title: string, text: string, stem = (word: string) => [word]) =>
    pageLexemes(indexWords({ title, path: 'a/b', sections: [{ heading: 'Water', text }] }), stem)

  /** Whether PostgreSQL reads the binary format, or the text in its place, as the same value as the text format. */
  const areEqual = async (pages: readonly ReturnType<typeof lexemesOf>[], tsvectors: Tsvectors) => {
    const { owner } = await testDatabase()
    const rows = await owner.query<{ equal: boolean }>(
      {
        name: 'words',
        text: `select coalesce(g.words || '', g.written::tsvector) = g.expected::tsvector
                        and length((coalesce(g.words || '', g.written::tsvector))::text) = length(g.expected::tsvector::text) as equal
                 from unnest($1::tsvector[], $2::text[], $3::text[]) as g (words, written, expected)`,
      },
      [tsvectors.array(), tsvectors.texts, pages.map((page) => toTsvector(page, 'g'))],
    )
    return rows.map(({ equal }) => equal)
  }
  const numbered = (count: number, letters: string) =>
    Array.from({ length: count }, (_, n) => `${letters}${n.toString(36)}`).join(' ')

  it('have the same lexemes, weights and positions as their text format', async () => {
    const pages = [
      lexemesOf('Sencha', 'sencha of water, Water and c++ in v1.2.3 --help @types a_b'),
      lexemesOf('お茶', 'お茶の木 Ёлка café 🍵 naïve ИГРА'),
      lexemesOf('', ''),
      // More positions than PostgreSQL stores, in one lexeme and after the last position.
      lexemesOf('tea', 'tea '.repeat(1000)),
      lexemesOf('tea', numbered(20_000, 'w')),
      // Several words with one lexeme: their positions alternate, and those after the last one are equal.
      lexemesOf('tea', 'leaf leaves leafs '.repeat(200), () => ['leaf', 'leav']),
      lexemesOf('tea', numbered(20_000, 'w'), () => ['w']),
    ]
    const tsvectors = new Tsvectors()
    for (const page of pages) expect(tsvectors.add(page, 'g')).to.equal(true)
    expect(tsvectors.texts).to.deep.equal(pages.map(() => null))
    expect(await areEqual(pages, tsvectors)).to.deep.equal(pages.map(() => true))
  })

  it('near the limit are sent as a text, because the binary format takes more; beyond it, they are refused', async () => {
    const near = lexemesOf('tea', numbered(65_000, 'water'))
    const beyond = lexemesOf('tea', numbered(90_000, 'water'))
    const small = lexemesOf('tea', 'water')
    const tsvectors = new Tsvectors()
    expect([small, near, beyond, small].map((page) => tsvectors.add(page, 'g'))).to.deep.equal([
      true,
      true,
      false,
      true,
    ])
    expect(tsvectors.texts.map((text) => text !== null)).to.deep.equal([false, true, false])
    expect(await areEqual([small, near, small], tsvectors)).to.deep.equal([true, true, true])
  })

  it('are refused exactly where PostgreSQL refuses them', async () => {
    const { owner } = await testDatabase()
    const isStored = (text: string) =>
      owner.query({ name: 'words', text: 'select length($1::text::tsvector)' }, [text]).then(
        () => true,
        (error: { code: string }) => error.code !== '54000',
      )
    // Each word takes two bytes more than the one before.
    for (const length of Array.from({ length: 12 }, (_, n) => 2 * n + 1)) {
      const page = lexemesOf('tea', `${numbered(71_369, 'water')} ${'x'.repeat(length)}`)
      expect(new Tsvectors().add(page, 'g'), `${length}`).to.equal(await isStored(toTsvector(page, 'g')))
    }
  })
})
