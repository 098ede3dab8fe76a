import { expect } from 'chai'
import fc from 'fast-check'
import { fold, foldWithOffsets, searchKey, withoutAccents } from '../src/search/folding.ts'
import { linkedPages } from '../src/search/index/page-links.ts'
import { indexWords, toTsvector } from '../src/search/index/page-words.ts'
import { typoCandidates } from '../src/search/lexemes.ts'
import { parseSearchQuery } from '../src/search/query/parse.ts'
import { buildTsqueries } from '../src/search/query/tsquery-builder.ts'
import { wordsOf } from '../src/search/words.ts'

const textsOf = (text: string, kind?: string) =>
  wordsOf(fold(text.normalize('NFC')))
    .filter((word) => kind === undefined || word.kind === kind)
    .map((word) => word.text)

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      ...'お茶の木ก้ำชา안녕',
      'İ',
      'ß',
      'Σ',
      'ﾊﾞ',
      'ﬁ',
      'Ａ',
      'é',
      'e\u0301',
      '🍵',
      '-',
      '_',
      '.',
      ' ',
    ),
    fc.string({ unit: 'binary', maxLength: 1 }),
  ),
  maxLength: 60,
})

describe('search: folding', () => {
  it('case and compatibility forms do not matter; accents are left for the stems', () => {
    expect(fold('ＴＥＡ ﬁne ΣΑΣ Café')).to.equal('tea fine σασ café')
  })

  it('without accents: café is cafe, Ё is е; й stays й, and が stays が', () => {
    expect(
      ['café', 'ёлка', 'йод', 'が', 'straße', 'нача́ло', 'ἀγορά'].map((word) => withoutAccents(fold(word))),
    ).to.deep.equal(['cafe', 'елка', 'йод', 'が', 'strasse', 'начало', 'αγορα'])
  })

  it('a title is compared by its words; C++ and C# are not C', () => {
    expect(searchKey('The  Café, “Node.js”')).to.equal('the cafe node js')
    expect([searchKey('C++'), searchKey('C#'), searchKey('C')]).to.deep.equal(['c++', 'c#', 'c'])
  })

  it('places of a folded text lead back to the text, whatever it holds', () => {
    fc.assert(
      fc.property(anyText, (typed) => {
        const text = typed.toWellFormed().normalize('NFC')
        const { text: folded, originalOffset } = foldWithOffsets(text)
        expect(folded).to.equal(fold(text))
        let last = 0
        for (let at = 0; at <= folded.length; at++) {
          expect(originalOffset(at)).to.be.at.least(last).and.at.most(text.length)
          last = originalOffset(at)
        }
        expect(originalOffset(folded.length)).to.equal(text.length)
      }),
      { numRuns: 500 },
    )
  })
})

describe('search: words of a text', () => {
  it('terms with signs stand whole beside their words', () => {
    expect(
      textsOf('Use node.js, foo_bar, C++ (not C#) and --help on 192.168.0.1 or v20.6.0.', 'code'),
    ).to.deep.equal(['node.js', 'foo_bar', 'c++', 'c#', '--help', '192.168.0.1', '20.6.0'])
    expect(textsOf('node.js', 'word')).to.deep.equal(['node', 'js'])
    expect(textsOf('.env @types $HOME', 'code')).to.deep.equal(['.env', '@types', '$home'])
    expect(textsOf('a-b – c. Next', 'code')).to.deep.equal([])
  })

  it('scripts without spaces are cut into pairs, so that each part of a run is found in it', () => {
    expect(textsOf('緑茶のお茶')).to.deep.equal(['緑茶', '茶の', 'のお', 'お茶', '茶'])
    expect(textsOf('Green茶tea')).to.deep.equal(['green', '茶', 'tea'])
  })

  it('a part of a Thai sentence is found wherever it is cut, within a letter and its marks too', () => {
    const pairs = textsOf('น้ำชาเขียว')
    const letters = Array.from(fold('น้ำชาเขียว'))
    for (let i = 0; i + 1 < letters.length; i++) expect(pairs).to.include(letters[i]! + letters[i + 1]!)
  })

  it('words know their places, whatever the text holds', () => {
    fc.assert(
      fc.property(anyText, (typed) => {
        const text = fold(typed.toWellFormed().normalize('NFC'))
        for (const { text: word, start, end, kind } of wordsOf(text)) {
          expect(end).to.be.above(start).and.at.most(text.length)
          if (kind !== 'code') expect(text.slice(start, end).startsWith(word.toWellFormed())).to.equal(true)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('10 KB of anything is read in time linear in its length', () => {
    for (const piece of ['-', '--a', '.a', '茶', 'a.b_', '"', 'é', '@$.', 'a'.repeat(100)])
      expect(wordsOf(fold(piece.repeat(10_000))).length).to.be.at.most(400_000)
  })
})

describe('search: what is typed', () => {
  it('words, phrases, exclusions and alternatives', () => {
    const { groups } = parseSearchQuery('green "black tea" -milk or café')
    expect(
      groups.map((terms) =>
        terms.map(({ isExcluded, units }) => [isExcluded, ...units.map(({ text }) => text)]),
      ),
    ).to.deep.equal([
      [
        [false, 'green'],
        [false, 'black', 'tea'],
        [true, 'milk'],
      ],
      [[false, 'café']],
    ])
  })

  it('a double dash is text, a single one excludes', () => {
    expect(parseSearchQuery('--help').groups[0]![0]).to.include({
      isExcluded: false,
      code: '--help',
      isSigned: true,
    })
    expect(parseSearchQuery('tea -help').groups[0]![1]).to.include({ isExcluded: true, code: null })
  })

  it('256 characters and 24 words are looked at, and no more', () => {
    expect(parseSearchQuery(`${'a'.repeat(255)} bb`).groups.flat()).to.have.length(1)
    expect(parseSearchQuery(Array.from({ length: 100 }, (_, n) => n).join(' ')).groups.flat()).to.have.length(
      24,
    )
    expect(parseSearchQuery('茶'.repeat(200)).groups[0]![0]!.units).to.have.length(24)
  })

  it('a word that is typed again asks nothing new', () => {
    expect(parseSearchQuery('tea "tea" tea -milk -milk "tea cup" or tea tea').groups).to.deep.equal(
      parseSearchQuery('tea -milk "tea cup" or tea').groups,
    )
  })

  it('nothing is left of what holds no word, or excludes only', () => {
    for (const typed of [
      '',
      ' ',
      '----',
      '""',
      '- - -',
      '-tea',
      '&|!:*()<->',
      '\u0000\u202e',
      '-"green tea"',
    ])
      expect(parseSearchQuery(typed).groups, JSON.stringify(typed)).to.deep.equal([])
  })

  it('whatever is typed becomes lexemes between quotes: no operator of PostgreSQL is ever passed on', () => {
    fc.assert(
      fc.property(anyText, (typed) => {
        const { title, prominent, repeated, all, order, typos } = buildTsqueries(
          parseSearchQuery(typed),
          'g',
          (word) => [word],
        )
        for (const asked of [title, prominent, repeated, all, order, typos])
          expect((asked ?? '').replace(/'(?:[^'\\]|''|\\\\)*'/g, '')).to.match(/^[ ()&|!:*<>\d]*$/)
      }),
      { numRuns: 500 },
    )
  })
})

describe('search: words of a page', () => {
  const vector = (title: string, path: string, sections: { heading: string; text: string }[]) =>
    toTsvector(indexWords({ title, path, sections }), 'g', (word) =>
      word === 'the' ? [] : [word.replace(/s$/, '')],
    ).split(' ')

  it('say how much the page speaks of them: title, heading or path, twice or early, once', () => {
    const text = `${'x '.repeat(60)}leaf leaf water`
    const found = vector('Sencha', 'drinks/green', [{ heading: 'Steaming', text }])
    const levelOf = (word: string) => found.find((entry) => entry.slice(2).startsWith(`${word}:`))?.[0]
    expect(['sencha', 'green', 'steaming', 'drink', 'leaf', 'water'].map(levelOf)).to.deep.equal([
      'A',
      'B',
      'B',
      'C',
      'C',
      'D',
    ])
  })

  it('stop words are kept in titles only', () => {
    const found = vector('The Who', 'the-who', [{ heading: '', text: 'the band' }])
    expect(found.filter((entry) => entry.includes('the:'))).to.deep.equal(['Agthe:1A,4B,8'])
    expect(
      vector('Who', 'who', [{ heading: '', text: 'the band' }]).filter((entry) => entry.includes('the:')),
    ).to.deep.equal([])
  })

  it('two words that differ by a slip have something in common', () => {
    for (const [typed, meant] of [
      ['sencah', 'sencha'],
      ['sench', 'sencha'],
      ['senncha', 'sencha'],
      ['sebcha', 'sencha'],
    ])
      expect(
        typoCandidates(typed!).some((slip) => typoCandidates(meant!).includes(slip)),
        typed,
      ).to.equal(true)
    expect(typoCandidates('v20')).to.deep.equal([])
  })

  it('links name other pages by what their paths do not say; what leads elsewhere names none', () => {
    const found = linkedPages(
      '[steam](steaming.md) [the steaming of tea](/ru/steaming) [steaming](steaming) [out](https://x.example/y) ![image](a.png) [self](sencha)',
      { locale: 'en', path: 'sencha' },
      new Set(['en', 'ru']),
    )
    expect(found).to.deep.equal([
      { key: 'steam', locale: 'en', path: 'steaming' },
      { key: 'the steaming of tea', locale: 'ru', path: 'steaming' },
    ])
  })
})
