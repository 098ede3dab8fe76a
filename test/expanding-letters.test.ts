import { byteLength, nfc, sortKeyOf } from '@lectern/wiki/text'
import { expect } from 'chai'
import type { ServingDatabase } from '../src/db/database.ts'
import { searchKey } from '../src/search/folding.ts'
import { parseSearchQuery } from '../src/search/query/parse.ts'
import { rowsOf } from './support/database.ts'
import { withService, withWorld } from './support/service.ts'
import { clearWorld, makeWorld } from './support/world.ts'

/** The functions that normalize texts before they are compared. Some of them make texts longer. */
const FORMS: Record<string, (text: string) => string> = {
  NFC: (text) => text.normalize('NFC'),
  NFD: (text) => text.normalize('NFD'),
  NFKC: (text) => text.normalize('NFKC'),
  NFKD: (text) => text.normalize('NFKD'),
  'lower case': (text) => text.toLowerCase(),
  'upper case': (text) => text.toUpperCase(),
  folding: searchKey,
  words: (text) => ' '.repeat(searchKey(text).split(' ').length - 1),
}

/** For each function, the three letters of Unicode that it makes the longest. */
const expandingLetters = (): string[] => {
  const longest = new Map(Object.keys(FORMS).map((form) => [form, [] as { letter: string; times: number }[]]))
  for (let code = 0; code <= 0x10ffff; code++) {
    const letter = String.fromCodePoint(code)
    if (/[\p{Cn}\p{Co}\p{Cs}]/u.test(letter)) continue // unassigned, private or half: six of seven
    for (const [form, apply] of Object.entries(FORMS)) {
      const times = apply(letter).length / letter.length
      const best = longest.get(form)!
      if (times <= Math.max(1, best[2]?.times ?? 0)) continue
      best.push({ letter, times })
      best.sort((a, b) => b.times - a.times)
      best.length = Math.min(best.length, 3)
    }
  }
  return [...new Set([...longest.values()].flat().map(({ letter }) => letter))]
}

const LETTERS = expandingLetters()
/** Marks that normalization sorts, in a time that grows with the square of their number. */
const MARKS = ['\u0301\u0316', '\u05b0\u0301', 'a\u0301', 'a\u0323\u0307']
const PIECES = [...LETTERS, ...MARKS].flatMap((piece) => [piece, `${piece} `, `"${piece}" or `, `-${piece} `])

describe('letters that become several letters when they are folded', () => {
  it('include a letter that becomes eighteen letters, and one that becomes four words', () => {
    expect(Math.max(...LETTERS.map((letter) => letter.normalize('NFKC').length))).to.equal(18)
    expect(Math.max(...LETTERS.map((letter) => searchKey(letter).split(' ').length))).to.equal(4)
  })

  it('a query has at most 64 words, and a key of 1,024 characters', () => {
    for (const piece of PIECES) {
      const { groups, key } = parseSearchQuery(piece.repeat(4_000))
      const shown = JSON.stringify(piece)
      expect(groups.flat().flatMap(({ units }) => units).length, shown).to.be.at.most(64)
      expect((key ?? '').length, shown).to.be.at.most(1024)
    }
  })

  it('the title key and the derived sort key of any title have at most 1,020 bytes', () => {
    for (const piece of PIECES) {
      const title = piece.repeat(1_020).slice(0, 1_020)
      expect(byteLength(searchKey(title)), JSON.stringify(piece)).to.be.at.most(1_020)
      expect(byteLength(sortKeyOf(title)), JSON.stringify(piece)).to.be.at.most(1_020)
    }
  })
})

describe('long runs of combining marks', () => {
  it('runs of up to 256 marks are normalized; longer runs stay unchanged', () => {
    const mixed = (marks: number) => `a${'\u0301\u0316'.repeat(marks / 2)}`
    expect(nfc(mixed(256)))
      .to.equal(mixed(256).normalize('NFC'))
      .and.not.to.equal(mixed(256))
    expect(nfc(mixed(258))).to.equal(mixed(258))
    for (const marks of [30, 256, 258, 5_000])
      for (const text of [mixed(marks), '\u0344'.repeat(marks), '\u{1d160}'.repeat(marks)])
        expect(nfc(nfc(text))).to.equal(nfc(text))
  })
})

describe('searches for expanding letters', () => {
  /** The parameters that were sent to the database since the last reset. */
  const sentParameters = { strings: 0, characters: 0 }
  const count = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) count(one)
    else if (typeof value === 'string') {
      sentParameters.strings += 1
      sentParameters.characters += value.length
    }
  }
  const counting = (database: ServingDatabase): ServingDatabase => ({
    ...database,
    query: (statement, values) => {
      count(values)
      return database.query(statement, values)
    },
  })
  const test = withService({}, { wrap: counting })
  withWorld(test, {
    pages: [
      { path: 'tea', revisions: [{ title: 'Tea', markdown: 'Leaves in water. \ufdfa' }] },
      { path: '\ufdfa', revisions: [{ title: '\ufdfa'.repeat(300), markdown: '\ufdfa'.repeat(20_000) }] },
    ],
  })

  const encoded = (text: string): string => {
    let result = ''
    for (const character of text) {
      const next = encodeURIComponent(character)
      if (result.length + next.length > 14_000) break
      result += next
    }
    return result
  }

  it('send the database at most twenty times the characters of the longest ordinary search', async () => {
    const work = async (q: string) => {
      Object.assign(sentParameters, { strings: 0, characters: 0 })
      const { status } = await test.get(`/search?q=${q}&all=true`)
      expect(status, q.slice(0, 60)).to.equal(200)
      return { ...sentParameters }
    }
    const words = Array.from({ length: 24 }, (_, n) => `${String.fromCharCode(97 + n)}bcdefgh`).join('%20')
    const ordinary = await work(words)
    for (const piece of PIECES) {
      const { strings, characters } = await work(encoded(piece.repeat(2_000)))
      expect(strings, JSON.stringify(piece)).to.be.at.most(2 * ordinary.strings + 400)
      expect(characters, JSON.stringify(piece)).to.be.at.most(20 * ordinary.characters)
    }
  })

  it('find the page with such a title', async () => {
    const { body } = await test.get(`/search?q=${encodeURIComponent('\ufdfa')}`)
    expect(body.items.map(({ path }: { path: string }) => path)).to.include('\ufdfa')
  })
})

describe('imports of expanding letters', () => {
  after(clearWorld)

  it('accept titles, paths, keys, sort keys and texts of links of the maximal length', async () => {
    /** Letters whose folded forms differ, so that nothing is compressed away. */
    const various: string[] = []
    for (let code = 0xfb50; code < 0xfdfc; code++) various.push(String.fromCodePoint(code))
    for (let code = 0x3300; code < 0x33ff; code++) various.push(String.fromCodePoint(code))
    const mixed = (count: number, step: number) =>
      Array.from({ length: count }, (_, n) => various[(n * step + 7) % various.length]).join('')
    await makeWorld({
      pages: Array.from({ length: 20 }, (_, n) => ({
        path: mixed(170, 2 * n + 1),
        revisions: [
          {
            title: mixed(340, 2 * n + 3),
            markdown: `[${mixed(120, 2 * n + 1)}](${encodeURIComponent('\ufdfa').repeat(20)}${n}) ${mixed(20_000, 3)}`,
            categories: [{ key: mixed(85, 2 * n + 1), sort_key: mixed(340, 2 * n + 1) }, { key: `k${n}` }],
          },
        ],
      })),
    })
    const counts =
      'select (select count(*)::int from wiki.live_search) as pages, (select count(*)::int from wiki.live_link) as links'
    expect(await rowsOf(counts)).to.deep.equal([{ pages: 20, links: 20 }])
  })
})
