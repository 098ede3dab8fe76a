import { type Section, sectionsOf } from '@lectern/wiki/plain-text/sections'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Database } from '../src/db/database.ts'
import { indexWords, pageLexemes, positionsOf } from '../src/search/index/page-words.ts'
import { HEADING_END, SECTION_END } from '../src/search/index/parsed-pages.ts'
import { unstemmedLexemes } from '../src/search/lexemes.ts'
import { parseSearchQuery } from '../src/search/query/parse.ts'
import { loadPassages } from '../src/search/query/passages.ts'
import type { HitPassage } from '../src/search/query/results.ts'
import { tsvectorHex } from './support/searches.ts'

/** A stem for each word, without a database: `teas` is `tea`. */
const lexemesOf = (config: string, word: string) =>
  config === 'simple'
    ? unstemmedLexemes(word)
    : [
        word
          .normalize('NFD')
          .replace(/[\u0300-\u036f]/g, '')
          .normalize('NFC')
          .replace(/(?<=[a-z]{3})s$/, ''),
      ]

interface IndexedPage {
  title?: string
  sections: Section[]
  config?: string
  locale?: string
}

/** The row of a search for a page. */
const rowOf = ({ title = '', sections, config = 'english', locale = 'en' }: IndexedPage) => {
  const indexed = indexWords({ title, path: 'p', sections })
  const { occurrences } = pageLexemes(indexed, (word) => lexemesOf(config, word))
  const positions = tsvectorHex(
    Object.fromEntries(
      [...occurrences].map(([lexeme, found]) => [`Dg${lexeme}`, positionsOf(found).map((at) => at >> 2)]),
    ),
  )
  return { config, locale, starts: indexed.starts, positions, id: '1', body: '', isWhole: false }
}

const passagesOf = async (
  page: IndexedPage,
  q: string,
  weight?: (locale: string, lexemes: readonly string[]) => number,
): Promise<HitPassage[]> => {
  const stored = page.sections.map(({ heading, text }) => heading + HEADING_END + text)
  const database = {
    query: async (_: unknown, [, numbers]: [string[], string[]]) =>
      numbers.map((of, i) => ({
        n: i + 1,
        sections: of
          .slice(1, -1)
          .split(',')
          .map((n) => stored[Number(n) - 1])
          .join(SECTION_END),
      })),
  } as unknown as Database
  const row = rowOf(page)
  const body = stored.join(SECTION_END)
  const [passages, ...others] = await loadPassages(
    database,
    parseSearchQuery(q),
    [row, { ...row, body, isWhole: true }, { ...row, body: body.slice(0, 90) }] as never,
    lexemesOf,
    weight,
  )
  expect(others, 'a text, or its beginning, comes with the page').to.deep.equal([passages, passages])
  return passages!
}

const inText = (text: string, q: string, weight?: Parameters<typeof passagesOf>[2]) =>
  passagesOf({ sections: [{ heading: '', text }] }, q, weight)

const highlighted = (passages: readonly HitPassage[]) =>
  passages.flatMap(({ text, highlights }) => highlights.map(([start, end]) => text.slice(start, end)))

const characters = new Intl.Segmenter('und', { granularity: 'grapheme' })
const boundariesOf = (text: string) =>
  new Set([...characters.segment(text)].map(({ index }) => index).concat(text.length))

const piece = fc.constantFrom(
  'tea ',
  'Tea',
  'TEA, ',
  'leaf. ',
  '🍵',
  '👩‍👩‍👧‍👦',
  'お茶',
  '緑茶の木。',
  'น้ำชาเขียว',
  'ที่ ',
  'हिन्दी ',
  ' ',
  '\n',
  '\v',
  'ﬁne ',
  'İstanbul ',
  'ΣΑΣ ',
  'a'.repeat(400),
  'e\u0323\u0301 ',
  'ＴＥＡ ',
  'ﾊﾞ',
  'node.js',
  '한국어 ',
)
const anyText = fc
  .array(fc.oneof(piece, fc.string({ unit: 'grapheme', maxLength: 3 })), { maxLength: 150 })
  .map((pieces) =>
    pieces
      .join('')
      .replace(/[\0\u0001\u0002\r]/g, ' ')
      .toWellFormed()
      .normalize('NFC'),
  )

describe('passages', () => {
  it('of any text: at most three of at most 300 code units, whole characters, exact highlights in order, no overlap', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyText,
        anyText,
        fc.constantFrom(
          'tea',
          'お茶',
          '茶',
          '茶の木',
          'fine',
          'σας',
          'バ',
          'node.js tea',
          'น้ำชา',
          'हिन्दी',
          '"tea leaf"',
        ),
        async (first, second, q) => {
          const sections = [
            { heading: '', text: first },
            { heading: 'Tea', text: second },
          ]
          const passages = await passagesOf({ sections }, q)
          expect(passages.length).to.be.at.most(3)
          const places = new Map<string, [number, number][]>()
          for (const { heading, text, highlights } of passages) {
            expect(text.length).to.be.within(1, 300)
            expect(text.isWellFormed()).to.equal(true)
            const whole = (heading === '' ? first : second).replace(/[\v\f]/g, '\n')
            const at = whole.indexOf(text)
            expect(at).to.be.at.least(0)
            places.set(heading, [...(places.get(heading) ?? []), [at, at + text.length]])
            const boundaries = boundariesOf(text)
            let last = -1
            for (const [start, end] of highlights) {
              expect(start).to.be.above(last)
              expect(end).to.be.above(start).and.at.most(text.length)
              expect([boundaries.has(start), boundaries.has(end)]).to.deep.equal([true, true])
              expect(text.slice(start, end).normalize('NFKC').toLowerCase()).to.match(
                /tea|お|茶|の|木|fine|σα[σς]|バ|node|js|น|ช|हिन्दी/,
              )
              last = end
            }
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('highlight the same words of an ASCII text as of the same text with another letter', async () => {
    const letters = fc.string({ unit: fc.constantFrom(...'teaT1 .-_+#@'), maxLength: 60 })
    const terms = fc.constantFrom(
      'tea',
      't',
      'eat tea',
      '1',
      'tea1 a',
      't.a',
      'a++',
      '--t',
      '@a',
      'e#',
      '"t a"',
    )
    await fc.assert(
      fc.asyncProperty(letters, terms, async (text, q) => {
        const [ascii] = await inText(text, q)
        const [other] = await inText(`${text} é`, q)
        expect(ascii?.highlights ?? []).to.deep.equal(other!.highlights)
      }),
      { numRuns: 400 },
    )
  })

  it('show the first match, wherever it is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(2000),
        fc.nat(2000),
        fc.constantFrom('🍵', 'a ', '茶', 'word ', 'ไทย'),
        async (before, after, filling) => {
          const text = `${filling.repeat(before)} tea ${filling.repeat(after)}`
          expect(highlighted(await inText(text, 'tea'))).to.deep.equal(['tea'])
        },
      ),
      { numRuns: 50 },
    )
  })

  it('are the whole section if it is short', async () => {
    const passages = await inText('Green tea.', 'tea')
    expect(passages).to.deep.equal([{ heading: '', text: 'Green tea.', highlights: [[6, 9]] }])
  })

  it('show the most different words first, and prefer those near each other', async () => {
    const filling = 'lorem '.repeat(100)
    const [first] = await inText(`green ${filling}black ${filling}green and black tea`, 'green black tea')
    expect(highlighted([first!])).to.deep.equal(['green', 'black', 'tea'])
    const [near] = await inText(
      `green one two three four tea. ${filling}. A green tea. ${filling}`,
      'green tea',
    )
    expect(near!.text).to.match(/^A green tea\. lorem/)
    const [pair] = await inText(
      `Green a a tea a black. ${filling}. Green tea a a a black. ${filling}`,
      'green tea black',
    )
    expect(pair!.text).to.match(/^Green tea a a a black\./)
  })

  it('show rare words rather than several common ones', async () => {
    const text = `the of ${'lorem '.repeat(100)}oolong ${'lorem '.repeat(100)}`
    const weight = (_: string, [lexeme]: readonly string[]) => (lexeme === 'oolong' ? 5 : 1)
    expect(highlighted(await inText(text, 'the of oolong', weight)).slice(0, 1)).to.deep.equal(['oolong'])
  })

  it('after the first show other words before the same again, and leave out what says much less', async () => {
    const filling = 'lorem '.repeat(100)
    const text = `green tea. ${filling}green tea again. ${filling}black. ${filling}`
    const shown = (await inText(text, 'green black tea')).map((passage) => highlighted([passage]))
    expect(shown).to.deep.equal([['green', 'tea'], ['black'], ['green', 'tea']])
    const six = `a1 b1 c1 d1 e1 f1. ${filling}a1. ${filling}`
    expect(await inText(six, 'a1 b1 c1 d1 e1 f1')).to.have.length(1)
  })

  it('begin at a sentence that begins near, and end with one', async () => {
    const sentence = 'Lorem ipsum dolor sit amet, e.g. consectetur adipiscing elit. '
    const [{ text }] = (await inText(
      `${sentence.repeat(10)}We drink tea. ${sentence.repeat(10)}`,
      'tea',
    )) as [HitPassage]
    expect(text)
      .to.match(/^We drink tea\. Lorem/)
      .and.match(/elit\.$/)
    const [japanese] = await inText(
      `${'名前はまだ無い。'.repeat(40)}私は緑茶を飲む。${'名前はまだ無い。'.repeat(60)}`,
      '緑茶',
    )
    expect(japanese!.text)
      .to.match(/^私は緑茶を飲む。/)
      .and.match(/無い。$/)
    const [hindi] = await inText(
      `${'यह एक वाक्य है। '.repeat(30)}चाय गरम है। ${'यह एक वाक्य है। '.repeat(30)}`,
      'चाय',
    )
    expect(hindi!.text).to.match(/^चाय गरम है।/)
    const german = 'Die Ernte begann im Mai. Sie dauerte bis zum 12. Oktober 2015. Dann kam Tee. '
    const [date] = await inText(`${german}${sentence.repeat(10)}`.repeat(2), 'oktober')
    expect(date!.text).to.match(/^Sie dauerte bis zum 12\. Oktober 2015\. Dann/)
    const [year] = await inText(`${german}${sentence.repeat(10)}`.repeat(2), 'tee')
    expect(year!.text).to.match(/^Dann kam Tee\./)
  })

  it('begin earlier near the end of a text, so that they are as long as elsewhere', async () => {
    const sentence = 'Lorem ipsum dolor sit amet, e.g. consectetur adipiscing elit. '
    const [sentences] = await inText(`${sentence.repeat(20)}We drink tea.`, 'tea')
    expect(sentences!.text).to.equal(`${sentence.repeat(4)}We drink tea.`)
    const [words] = await inText(`${'lorem '.repeat(200)}tea`, 'tea')
    expect(words!.text).to.equal(`${'lorem '.repeat(49)}tea`)
  })

  it('begin and end between words where no sentence begins near, also in Thai and in an address', async () => {
    const [{ text }] = (await inText(`${'lorem '.repeat(100)}tea ${'ipsum '.repeat(100)}`, 'tea')) as [
      HitPassage,
    ]
    expect(text)
      .to.match(/^lorem /)
      .and.match(/ipsum$/)
    const words = ['ภาษา', 'ไทย', 'เป็น', 'ภาษา', 'ที่', 'มี', 'ระดับ', 'เสียง']
    const thai = words.join('').repeat(20)
    const whole = new Set<number>()
    for (const { index } of new Intl.Segmenter('th', { granularity: 'word' }).segment(thai)) whole.add(index)
    const [passage] = await inText(`${thai}🍵${thai}`, '🍵 ระดับ')
    const at = `${thai}🍵${thai}`.indexOf(passage!.text)
    expect(at === 0 || whole.has(at)).to.equal(true)
  })

  it('begin and end with a line of code, which keeps its line ends', async () => {
    const code = Array.from({ length: 40 }, (_, i) => `const value${i} = await read(input[${i}]. next())`)
    code[20] = 'const pot = await brew(oolong). now()'
    const [section] = sectionsOf(`Text.\n\n\`\`\`\n${code.join('\n')}\n\`\`\`\n`)
    const [{ text, highlights }] = (await passagesOf({ sections: [section!] }, 'oolong')) as [HitPassage]
    const lines = text.split('\n')
    expect(lines[0]).to.equal(code[20])
    expect(code).to.include.members(lines)
    expect(text.slice(...highlights[0]!)).to.equal('oolong')
  })

  it('show the section of a heading, and the beginning of the page if only the title matches', async () => {
    const sections = [
      { heading: '', text: 'About pots.' },
      { heading: 'Oolong', text: '' },
      { heading: 'Half way', text: 'It is half oxidized.' },
    ]
    expect((await passagesOf({ sections }, 'oolong')).map(({ text }) => text)).to.deep.equal([
      'It is half oxidized.',
    ])
    const titled = await passagesOf({ title: 'Puer', sections }, 'puer')
    expect(titled).to.deep.equal([{ heading: '', text: 'About pots.', highlights: [] }])
  })

  it('do not overlap each other', async () => {
    const text = `${'lorem '.repeat(20)}green ${'lorem '.repeat(33)}black ${'lorem '.repeat(33)}white ${'lorem '.repeat(20)}`
    const passages = await inText(text, 'green black white')
    expect(highlighted(passages).sort()).to.deep.equal(['black', 'green', 'white'])
    expect(passages.reduce((sum, { text }) => sum + text.length, 0)).to.be.at.most(text.length)
  })
})

describe('highlights', () => {
  it('a phrase is one match, and nothing but the phrase is highlighted', async () => {
    expect(highlighted(await inText('Tea, green. Green tea!', '"green tea"'))).to.deep.equal(['Green tea'])
    expect(highlighted(await inText('Tea, green.', '"green tea"'))).to.deep.equal([])
    expect(highlighted(await inText('Tea, green.', 'green tea'))).to.deep.equal(['Tea', 'green'])
  })

  it('terms with their signs, and parts of runs without spaces', async () => {
    expect(highlighted(await inText('C, C++ and node.js', 'c++ node.js'))).to.deep.equal(['C++', 'node.js'])
    expect(highlighted(await inText('Say --help, not help', '--help'))).to.deep.equal(['--help'])
    expect(highlighted(await inText('日本の緑茶の木', '緑茶の'))).to.deep.equal(['緑茶の'])
    expect(highlighted(await inText('お茶と茶', '茶'))).to.deep.equal(['茶', '茶'])
    expect(highlighted(await inText('ＴＥＡ and ﬁne', 'tea fine'))).to.deep.equal(['ＴＥＡ', 'ﬁne'])
    expect(highlighted(await inText('café teas', 'cafe tea'))).to.deep.equal(['café', 'teas'])
  })

  it('common words are not highlighted beside a much rarer one, but alone or as one of two words they are', async () => {
    const weight = (_: string, [lexeme]: readonly string[]) => (lexeme === 'चाय' ? 4 : 0.5)
    expect(highlighted(await inText('चाय के लिए पानी', 'चाय के लिए', weight))).to.deep.equal(['चाय'])
    expect(highlighted(await inText('चाय के लिए पानी', 'के', weight))).to.deep.equal(['के'])
    expect(highlighted(await inText('चाय के लिए पानी', 'चाय के', weight))).to.deep.equal(['चाय', 'के'])
  })

  it('Thai letters keep their vowels and tone marks', async () => {
    for (const q of ['น้', 'ำช', '้ำ', 'น้ำชา']) {
      const passages = await inText('ดื่มน้ำชาเขียว', q)
      for (const { text, highlights } of passages)
        for (const offset of highlights.flat()) expect(boundariesOf(text).has(offset)).to.equal(true)
    }
  })

  it('in scripts without spaces are whole words, unless the query is a part of one', async () => {
    // กอด has its first two syllables in the middle of แอลกอฮอล์, another word.
    const text = 'แอลกอฮอล์ของคริสตจักรและรถยนต์'
    expect(highlighted(await inText(text, 'คริสตจักร'))).to.deep.equal(['คริสตจักร'])
    expect(highlighted(await inText(text, 'กอด คริสตจักร รถยนต์'))).to.deep.equal(['คริสตจักร', 'รถยนต์'])
    expect(highlighted(await inText(text, 'กอ'))).to.deep.equal(['กอ'])
  })

  it('where a page has a word with its accents, other words without them are not shown', async () => {
    const vietnamese = (text: string, q: string) =>
      passagesOf({ sections: [{ heading: '', text }], config: 'simple', locale: 'vi' }, q)
    const text = 'Nhiều người uống trà. Bao nhiêu là đủ?'
    expect(highlighted(await vietnamese(text, 'nhiêu'))).to.deep.equal(['nhiêu'])
    expect(highlighted(await vietnamese(text, 'nhieu'))).to.deep.equal(['Nhiều', 'nhiêu'])
    expect(highlighted(await vietnamese(text, 'trá'))).to.deep.equal(['trà'])
  })

  it('there are none where another version of the program counted the words of a text', async () => {
    const database = {
      query: async () => [{ n: 1, sections: `${HEADING_END}water leaf pot and a cup` }],
    } as unknown as Database
    const row = rowOf({ sections: [{ heading: '', text: 'one two tea four' }] }) as never
    const [passages] = await loadPassages(database, parseSearchQuery('tea'), [row], lexemesOf)
    expect(passages).to.deep.equal([{ heading: '', text: 'water leaf pot and a cup', highlights: [] }])
  })
})
