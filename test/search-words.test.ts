import { expect } from 'chai'
import fc from 'fast-check'
import { fold, foldWithOffsets, searchKey, withoutAccents } from '../src/search/folding.ts'
import { pageLexemes, toTsvector } from '../src/search/index/page-lexemes.ts'
import { pageLinks, type WrittenLink } from '../src/search/index/page-links.ts'
import { indexWords } from '../src/search/index/page-words.ts'
import { sectionsOf } from '../src/search/index/sections.ts'
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
  it('folds case and compatibility forms, and keeps accents for stemming', () => {
    expect(fold('ＴＥＡ ﬁne ΣΑΣ Café')).to.equal('tea fine σασ café')
  })

  it('removes accents: café becomes cafe, Ё becomes е, but й and が do not change', () => {
    expect(
      ['café', 'ёлка', 'йод', 'が', 'straße', 'нача́ло', 'ἀγορά'].map((word) => withoutAccents(fold(word))),
    ).to.deep.equal(['cafe', 'елка', 'йод', 'が', 'strasse', 'начало', 'αγορα'])
  })

  it('a title key contains only the words of the title; C++ and C# are not C', () => {
    expect(searchKey('The  Café, “Node.js”')).to.equal('the cafe node js')
    expect([searchKey('C++'), searchKey('C#'), searchKey('C')]).to.deep.equal(['c++', 'c#', 'c'])
  })

  it('offsets in any folded text lead to offsets in the original text', () => {
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
  it('terms with signs are words, in addition to their parts', () => {
    expect(
      textsOf('Use node.js, foo_bar, C++ (not C#) and --help on 192.168.0.1 or v20.6.0.', 'code'),
    ).to.deep.equal(['node.js', 'foo_bar', 'c++', 'c#', '--help', '192.168.0.1', '20.6.0'])
    expect(textsOf('node.js', 'word')).to.deep.equal(['node', 'js'])
    expect(textsOf('.env @types $HOME', 'code')).to.deep.equal(['.env', '@types', '$home'])
    expect(textsOf('a-b – c. Next', 'code')).to.deep.equal([])
  })

  it('scripts without spaces are split into pairs, so that search finds each part of a run', () => {
    expect(textsOf('緑茶のお茶')).to.deep.equal(['緑茶', '茶の', 'のお', 'お茶', '茶'])
    expect(textsOf('Green茶tea')).to.deep.equal(['green', '茶', 'tea'])
  })

  it('any part of a Thai sentence has its pairs, also if it begins between a letter and its marks', () => {
    const pairs = textsOf('น้ำชาเขียว')
    const letters = Array.from(fold('น้ำชาเขียว'))
    for (let i = 0; i + 1 < letters.length; i++) expect(pairs).to.include(letters[i]! + letters[i + 1]!)
  })

  it('words of any text have correct offsets', () => {
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

  it('10,000 repetitions of any sign give a bounded number of words', () => {
    for (const piece of ['-', '--a', '.a', '茶', 'a.b_', '"', 'é', '@$.', 'a'.repeat(100)])
      expect(wordsOf(fold(piece.repeat(10_000))).length).to.be.at.most(400_000)
  })
})

describe('search: queries', () => {
  it('contain words, phrases, exclusions and alternatives', () => {
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

  it('a double dash is text, a single dash excludes', () => {
    expect(parseSearchQuery('--help').groups[0]![0]).to.include({
      isExcluded: false,
      code: '--help',
      isSigned: true,
    })
    expect(parseSearchQuery('tea -help').groups[0]![1]).to.include({ isExcluded: true, code: null })
  })

  it('are read up to 256 characters and 24 words', () => {
    expect(parseSearchQuery(`${'a'.repeat(255)} bb`).groups.flat()).to.have.length(1)
    expect(parseSearchQuery(Array.from({ length: 100 }, (_, n) => n).join(' ')).groups.flat()).to.have.length(
      24,
    )
    expect(parseSearchQuery('茶'.repeat(200)).groups[0]![0]!.units).to.have.length(24)
  })

  it('a repeated word has no effect', () => {
    expect(parseSearchQuery('tea "tea" tea -milk -milk "tea cup" or tea tea').groups).to.deep.equal(
      parseSearchQuery('tea -milk "tea cup" or tea').groups,
    )
  })

  it('a query without words, or with exclusions only, is empty', () => {
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

  it('any query becomes quoted lexemes: it cannot contain operators of PostgreSQL', () => {
    fc.assert(
      fc.property(anyText, (typed) => {
        const { title, prominent, repeated, all, order, typos } = buildTsqueries(
          parseSearchQuery(typed),
          'g',
          (word) => [word],
        )
        for (const tsquery of [title, prominent, repeated, all, order, typos])
          expect((tsquery ?? '').replace(/'(?:[^'\\]|''|\\\\)*'/g, '')).to.match(/^[ ()&|!:*<>\d]*$/)
      }),
      { numRuns: 500 },
    )
  })
})

describe('search: words of a page', () => {
  const vector = (title: string, path: string, sections: { heading: string; text: string }[]) =>
    toTsvector(
      pageLexemes(indexWords({ title, path, sections }), (word) =>
        word === 'the' ? [] : [word.replace(/s$/, '')],
      ),
      'g',
    ).split(' ')

  it('have weights: in the title, in a heading or the path, twice or early, once', () => {
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

  it('stop words are indexed only in titles', () => {
    const found = vector('The Who', 'the-who', [{ heading: '', text: 'the band' }])
    expect(found.filter((entry) => entry.includes('the:'))).to.deep.equal(['Agthe:1A,4B,8'])
    expect(
      vector('Who', 'who', [{ heading: '', text: 'the band' }]).filter((entry) => entry.includes('the:')),
    ).to.deep.equal([])
  })

  it('two words that differ by one typo have a typo candidate in common', () => {
    for (const [typed, intended] of [
      ['sencah', 'sencha'],
      ['sench', 'sencha'],
      ['senncha', 'sencha'],
      ['sebcha', 'sencha'],
    ])
      expect(
        typoCandidates(typed!).some((candidate) => typoCandidates(intended!).includes(candidate)),
        typed,
      ).to.equal(true)
    expect(typoCandidates('v20')).to.deep.equal([])
  })

  it('the texts of links are keys of the pages to which they lead, but not of other sites', () => {
    const markdown =
      '[steam](steaming.md) [the *steaming* of `tea`](/ru/steaming) [steaming](steaming) [cup](cup) [![x](y.png)](pot) [out](https://x.example/y) ![image](a.png) [self](sencha)'
    const links: WrittenLink[] = []
    sectionsOf(markdown, (url, text) => links.push({ url, text: text?.() ?? null }))
    const found = pageLinks(markdown, links, { locale: 'en', path: 'sencha' }, new Set(['en', 'ru']))
    const rest = { isFirst: true, isRedirect: false }
    expect(found).to.deep.equal([
      { key: 'steam', locale: 'en', path: 'steaming', ...rest },
      { key: 'the steaming of tea', locale: 'ru', path: 'steaming', ...rest },
      { key: '', locale: 'en', path: 'cup', ...rest },
      { key: '', locale: 'en', path: 'pot', ...rest },
    ])
  })
})
