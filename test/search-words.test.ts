import { expect } from 'chai'
import fc from 'fast-check'
import { fold, foldWithOffsets, searchKey, withoutAccents } from '../src/search/folding.ts'
import { indexWords, pageLexemes } from '../src/search/index/page-words.ts'
import { parseSearchQuery } from '../src/search/query/parse.ts'
import { buildTsqueries } from '../src/search/query/tsquery-builder.ts'
import { eachWord, type TextWord, takesPosition, wordsOf } from '../src/search/words.ts'
import { toTsvector } from './support/searches.ts'

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

  it('a digit of any script is the digit of ASCII', () => {
    for (let code = 0x80; code <= 0x1fbff; code++) {
      const digit = String.fromCodePoint(code)
      if (/^\p{Nd}$/u.test(digit)) expect(fold(digit), code.toString(16)).to.match(/^[0-9]$/)
    }
    expect(fold('٢٠٢٥ ۱۲ १२३ ๒๕๖๘ ２０')).to.equal('2025 12 123 2568 20')
  })

  it('spellings of a word in one language are equal without accents', () => {
    const key = (word: string) => withoutAccents(fold(word.normalize('NFC')))
    for (const [word, ...others] of [
      ['हिन्दी', 'हिंदी', 'हिँदी'],
      ['ज़रूरत', 'जरूरत'],
      ['إسلام', 'اسلام', 'إِسْلام', 'اســلام'],
      ['مدرسة', 'مدرسه'],
      ['على', 'علي'],
      ['کتاب', 'كتاب'],
      ['یک', 'يك'],
      ['שָׁלוֹם', 'שלום'],
      ['ISITILIR', 'ısıtılır', 'isitilir'],
      ['İSTANBUL', 'istanbul'],
      ['hòa', 'hoà', 'HOA'],
    ])
      for (const other of others) expect(key(other), word).to.equal(key(word!))
    expect(key('जन्म')).not.to.equal(key('जंम'))
  })

  it('a word without accents has none to remove', () => {
    fc.assert(
      fc.property(anyText, (typed) => {
        const plain = withoutAccents(fold(typed.toWellFormed().normalize('NFC')))
        expect(withoutAccents(plain)).to.equal(plain)
      }),
      { numRuns: 500 },
    )
    for (let code = 0x80; code <= 0x2fff; code++) {
      const plain = withoutAccents(fold(String.fromCodePoint(code).normalize('NFC')))
      expect(withoutAccents(plain), code.toString(16)).to.equal(plain)
    }
  })

  it('removing accents of any word gives a word in NFC without Latin accents, also if the word was not in NFC', () => {
    const marks = fc.string({
      unit: fc.constantFrom(
        ...'eиеれ가',
        '\u0301',
        '\u0306',
        '\u0308',
        '\u3099',
        '\u11a8',
        '\u0bbe',
        '\u0bc6',
        '\u0323',
      ),
      maxLength: 6,
    })
    fc.assert(
      fc.property(fc.oneof(marks, anyText), (typed) => {
        const plain = withoutAccents(fold(typed.toWellFormed().normalize('NFC')))
        expect(plain).to.equal(plain.normalize('NFC'))
        if (!/[\u0400-\u04ff]/.test(plain)) expect(plain.normalize('NFD')).not.to.match(/[\u0300-\u036f]/)
      }),
      { numRuns: 1000 },
    )
    expect(withoutAccents('\u1100\u1161')).to.equal('가')
    expect(withoutAccents('e\u0323\u0301я')).to.equal('e\u0323\u0301я'.normalize('NFC'))
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
  it('scripts without spaces are split into pairs, so that search finds each part of a run', () => {
    expect(textsOf('緑茶のお茶')).to.deep.equal(['緑茶', '茶の', 'のお', 'お茶', '茶'])
    expect(textsOf('Green茶tea')).to.deep.equal(['green', '茶', 'tea'])
  })

  it('a syllable is one character of such a run: any part of a text that begins and ends between syllables has its pairs', () => {
    const sentences = [
      ['น้ำ', 'ชา', 'เขี', 'ย', 'ว', 'ไม่', 'ผ่า', 'น'], // Thai
      ['ພາ', 'ສາ', 'ລາ', 'ວ', 'ແມ່', 'ນ'], // Lao
      ['ព្រះ', 'រា', 'ជា', 'ណា', 'ច', 'ក្រ', 'ក', 'ម្ពុ', 'ជា'], // Khmer
      ['သ', 'တင်း', 'စာ', 'များ', 'ကို', 'ဖတ်'], // Burmese
    ]
    for (const syllables of sentences) {
      const pairs = textsOf(syllables.join(''))
      expect(pairs).to.deep.equal(syllables.map((syllable, i) => syllable + (syllables[i + 1] ?? '')))
      for (let from = 0; from < syllables.length - 1; from++)
        expect(pairs).to.include.members(textsOf(syllables.slice(from).join('')).slice(0, -1))
    }
    expect(textsOf('ស្រុក\u200bខ្មែរ')).to.deep.equal(textsOf('ស្រុកខ្មែរ'))
  })

  it('words of any text have correct offsets', () => {
    fc.assert(
      fc.property(anyText, (typed) => {
        const text = fold(typed.toWellFormed().normalize('NFC'))
        for (const { text: word, start, end, kind } of wordsOf(text)) {
          expect(end).to.be.above(start).and.at.most(text.length)
          if (takesPosition(kind))
            expect(text.slice(start, end).startsWith(word.toWellFormed())).to.equal(true)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('words at some positions of any text are the same as among all its words', () => {
    fc.assert(
      fc.property(anyText, fc.array(fc.nat(20), { maxLength: 5 }), (typed, positions) => {
        const text = fold(typed.toWellFormed().normalize('NFC'))
        const found: TextWord[] = []
        const count = eachWord(
          text,
          (word, position, start, end, kind) => found.push({ text: word, position, start, end, kind }),
          undefined,
          (position) => positions.includes(position),
        )
        const wanted = (words: readonly TextWord[]) =>
          words.filter(({ position }) => positions.includes(position))
        expect(wanted(found)).to.deep.equal(wanted(wordsOf(text)))
        expect(count).to.equal(eachWord(text, () => {}))
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
    expect(parseSearchQuery('grep -v').groups[0]![1]).to.include({ isExcluded: false, code: '-v' })
    expect(parseSearchQuery('茶 -牛').groups[0]![1]).to.include({ isExcluded: true })
  })

  it('are read up to 512 characters and 64 words', () => {
    expect(parseSearchQuery(`${'a'.repeat(511)} bb`).groups.flat()).to.have.length(1)
    expect(parseSearchQuery(Array.from({ length: 100 }, (_, n) => n).join(' ')).groups.flat()).to.have.length(
      64,
    )
    expect(parseSearchQuery('茶'.repeat(200)).groups[0]![0]!.units).to.have.length(64)
  })

  it('with a sign alone are not compared with titles, which lack it; others are', () => {
    for (const q of ['--help', '.env', '@types', '$HOME']) expect(parseSearchQuery(q).key, q).to.equal(null)
    expect(parseSearchQuery('c++').key).to.equal('c++')
    expect(parseSearchQuery('the --help option').key).to.equal('the help option')
  })

  it('a quotation mark within a Hebrew word does not begin a phrase', () => {
    const [term, ...others] = parseSearchQuery('צה"ל').groups.flat()
    expect(others).to.deep.equal([])
    expect(term).to.include({ isQuoted: false })
    expect(term!.joined).to.include({ text: 'צהל' })
  })

  it('a repeated word is one term, which has the number of its times', () => {
    const shortOf = (typed: string) =>
      parseSearchQuery(typed).groups.map((terms) =>
        terms.map(({ units, times }) => `${units.map(({ text }) => text).join(' ')} ${times}`),
      )
    expect(shortOf('tea "tea" tea -milk -milk "tea cup"')).to.deep.equal([['tea 3', 'milk 2', 'tea cup 1']])
    expect(shortOf('tea tea milk or tea tea')).to.deep.equal([['tea 2', 'milk 1'], ['tea 2']])
  })

  it('or is a word of a query with more than six words', () => {
    const groups = (typed: string) => parseSearchQuery(typed).groups.length
    expect(groups('green tea or dark tea')).to.equal(2)
    expect(groups('do you drink green tea or dark tea')).to.equal(1)
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
        const { lexemes, beginnings, ...tsqueries } = buildTsqueries(parseSearchQuery(typed), {
          tag: 'g',
          lexemes: (word) => [word],
        })
        for (const tsquery of Object.values(tsqueries))
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
})
