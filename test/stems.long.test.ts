import { expect } from 'chai'
import { loadStems, type QueryStems, stemCacheSize } from '../src/search/stems.ts'

const LANGUAGES = Array.from({ length: 28 }, (_, n) => `language_${n}`)

describe('stem cache', () => {
  let queriedWords = 0
  const query: QueryStems = async ([, words]) => {
    queriedWords += words.length
    return words.map((word, i) => ({ n: i + 1, stems: word.slice(0, -1) }))
  }
  const words = (from: number, count: number, length = 12) =>
    Array.from({ length: count }, (_, n) =>
      Array.from({ length }, (_, i) =>
        String.fromCharCode(97 + (Math.floor((from + n) / 26 ** i) % 26)),
      ).join(''),
    )
  beforeEach(() => {
    queriedWords = 0
  })

  it('has at most 64 MB in all languages together, plus one batch, and contains the words that were just loaded', async () => {
    let most = 0
    for (let n = 0; n < 12; n++) {
      const batch = words(n * 2_000, 2_000)
      for (const language of LANGUAGES) {
        const lexemes = await loadStems(query, new Map([[language, batch]]))
        expect(lexemes(language, batch[0]!)).to.deep.equal([batch[0]!.slice(0, -1)])
        expect(lexemes(language, batch.at(-1)!)).to.deep.equal([batch.at(-1)!.slice(0, -1)])
        most = Math.max(most, stemCacheSize().bytes)
      }
    }
    expect(queriedWords, 'each as written and without accents').to.equal(2 * 12 * 28 * 2_000)
    expect(most)
      .to.be.above(60 * 1024 * 1024)
      .and.below(66 * 1024 * 1024)
    expect(stemCacheSize().words).to.be.below(500_000)
  })

  it('keeps the words of a load that runs while another load empties the cache', async () => {
    let respond = () => {}
    const responded = new Promise<void>((resolve) => {
      respond = resolve
    })
    const slowQuery: QueryStems = async (values) => {
      await responded
      return query(values)
    }
    const slowLoad = loadStems(slowQuery, new Map([['language_1', ['saucer']]]))
    for (let n = 0; n < 35; n++)
      await loadStems(query, new Map([[`language_${n % 28}`, words(n * 10_000, 10_000, 20)]]))
    respond()
    expect((await slowLoad)('language_1', 'saucer')).to.deep.equal(['sauce'])
    expect(stemCacheSize().bytes).to.be.below(70 * 1024 * 1024)
  })
})
