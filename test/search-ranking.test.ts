import { expect } from 'chai'
import { makeScorer } from '../src/search/query/bm25.ts'
import { weighWords } from '../src/search/query/query-weights.ts'
import { relativesIn } from '../src/search/query/relatives.ts'
import { makeSearchLoader } from '../src/search/query/search.ts'
import { testDatabase } from './support/database.ts'
import { pageSpec, searchesOf, searchPath, tsvectorHex } from './support/searches.ts'
import { withService, withWorld } from './support/service.ts'

const filler = (words: number) =>
  'Nothing of it stands here at all, sentence after sentence. '.repeat(words / 10)

describe('ranking of search', () => {
  const test = withService()
  const { find, paths } = searchesOf(test)

  describe('pages with some of the words', () => {
    withWorld(test, {
      locales: ['en', 'zh'],
      pages: [
        ...Array.from({ length: 30 }, (_, n) =>
          pageSpec(`common-${n}`, `Number ${n}`, `Water. ${filler(20)}`),
        ),
        pageSpec('rare', 'Vessels', `The samovar. ${filler(20)}`),
        pageSpec('rare-long', 'Kitchens', `${filler(300)} The samovar. ${filler(300)}`),
        pageSpec('all', 'Everything', `${filler(900)} water ${filler(900)} samovar ${filler(900)} pressure`),
        pageSpec('titled', 'The gaiwan', `Porcelain. ${filler(20)}`),
        pageSpec('untitled', 'Porcelain', `A gaiwan. ${filler(20)}`),
        pageSpec('near', 'Leaves', `Rolled oolong ${filler(20)}`),
        pageSpec('far', 'Harvests', `Oolong, ${filler(20)} rolled`),
        pageSpec('strainer', 'Tools', `A strainer. ${filler(20)}`),
        pageSpec('caddy', 'Boxes', `A caddy. ${filler(20)}`),
        pageSpec('phrase', 'Milk', 'Tea with milk, and honey.'),
        pageSpec('template:saffron', 'Templates', 'Saffron.'),
        pageSpec('template-saffron', 'Spices', `Saffron. ${filler(300)}`),
        pageSpec('zh-1', '绿茶', '不发酵的茶叶，水温不宜过高。', 'zh'),
        pageSpec('zh-2', '红茶', '发酵的茶叶。', 'zh'),
      ],
    })

    it('follow the pages with all of them, and a rare word counts more than a common one', async () => {
      const found = await paths('water samovar porcelain', '&limit=50')
      expect(found).to.include.members(['rare', 'rare-long', 'all', 'common-3'])
      expect(found.indexOf('rare')).to.be.below(found.indexOf('common-3'))
    })

    it('a short page counts more than a long one', async () => {
      const found = await paths('samovar qqxzzyk', '&limit=50')
      expect(found.slice(0, 2)).to.deep.equal(['rare', 'rare-long'])
    })

    it('a word counts more in a title', async () => {
      expect((await paths('gaiwan qqxzzyk')).slice(0, 2)).to.deep.equal(['titled', 'untitled'])
    })

    it('of pages that match alike, templates come last, also short ones', async () => {
      expect(await paths('saffron')).to.deep.equal(['template-saffron', 'template:saffron'])
    })

    it('words that follow each other count more than words far apart', async () => {
      expect((await paths('rolled oolong qqxzzyk')).slice(0, 2)).to.deep.equal(['near', 'far'])
    })

    it('a word that is typed twice counts twice', async () => {
      expect((await paths('strainer caddy strainer'))[0]).to.equal('strainer')
      expect((await paths('strainer caddy caddy'))[0]).to.equal('caddy')
    })

    it('a long page that happens to contain every word does not hide better ones', async () => {
      const found = await paths('water samovar pressure', '&limit=50')
      expect(found).to.include.members(['all', 'rare'])
    })

    it('exclusions hold', async () => {
      expect(await paths('samovar qqxzzyk -kitchens')).to.deep.equal(['rare', 'all'])
      expect(await paths('honey qqxzzyk -"with milk"')).to.deep.equal([])
    })

    it('none follow a title as typed, a phrase, or alternatives that match', async () => {
      expect(await paths('Number 3')).to.deep.equal(['common-3'])
      expect(await paths('"samovar porcelain"')).to.deep.equal([])
      expect(await paths('gaiwan samovar or honey milk')).to.deep.equal(['phrase'])
    })

    it('if no page has the phrase and the other words, pages with some of them are found', async () => {
      expect(await paths('why samovar kitchens "porcelain water"')).to.include('rare')
      expect(await paths('is a samovar of the kitchens or of qqxzzyk')).to.include('rare')
      // A query of few words asks for the phrase.
      expect(await paths('samovar "porcelain water"')).to.deep.equal([])
    })

    it('Korean: of a query of several words, more pages are read than of a sentence without spaces', async () => {
      const { reader } = await testDatabase()
      const read: number[] = []
      const { load } = makeSearchLoader({
        ...reader,
        query: (statement, values) => {
          if (statement.name === 'search_matches') read.push(JSON.parse(values[0] as string).read)
          return reader.query(statement, values)
        },
      })
      for (const q of ['녹차를우리는물의온도', '녹차를 우리는 물의 온도'])
        await load({ q, locale: 'en', first: 1, offset: 0 })
      expect(read).to.deep.equal([40, 80])
    })

    it('Chinese: characters that stand together come first', async () => {
      expect(await paths('不发酵的茶', '&locale=zh')).to.deep.equal(['zh-1', 'zh-2'])
    })
  })

  describe('relatives of words', () => {
    withWorld(test, {
      locales: ['en', 'cs', 'zh'],
      pages: [
        pageSpec('botanist', 'Leaves', `A botanist. ${filler(20)}`),
        pageSpec('botanist-2', 'Leaves', `Of a botanist. ${filler(20)}`),
        pageSpec('botanical', 'Gardens', `It is botanical. ${filler(20)}`),
        pageSpec('botanical-2', 'Gardens', `They are botanical. ${filler(20)}`),
        pageSpec('bottle', 'Vessels', `A bottle, 10449. ${filler(20)}`),
        pageSpec('v1044', 'Releases', `Release 10449. ${filler(20)}`),
        pageSpec('cs-1', 'Listy', 'Čajovna stojí na kopci.', 'cs'),
        pageSpec('cs-2', 'Konvice', 'Jedna čajovna.', 'cs'),
        pageSpec('zh-1', '一', '巧克力在山上。', 'zh'),
        pageSpec('zh-2', '二', '茶壶在山上下。', 'zh'),
      ],
    })

    it('count less than the word, and other words with the same letters count nothing', async () => {
      const [botanical, botanist] = [
        ['botanical', 'botanical-2'],
        ['botanist', 'botanist-2'],
      ]
      const sorted = async (words: string) => {
        const found = await paths(words)
        return [found.slice(0, 2).sort(), found.slice(2).sort()]
      }
      expect(await sorted('botanical qqxzzyk')).to.deep.equal([botanical, botanist])
      expect(await sorted('botanist qqxzzyk')).to.deep.equal([botanist, botanical])
      expect(await paths('čajovnou qqxzzyk', '&locale=cs')).to.have.members(['cs-1', 'cs-2'])
    })

    it('exclusions hold for pages with relatives', async () => {
      expect(await paths('botanical qqxzzyk -leaves')).to.have.members(['botanical', 'botanical-2'])
    })

    it('numbers have none', async () => {
      expect(await paths('10448 qqxzzyk')).to.deep.equal([])
    })

    it('Chinese: a word of three characters does not count as two words', async () => {
      const { items } = await find('巧克力 茶壶', '&locale=zh')
      const [library, pot] = ['zh-1', 'zh-2'].map((path) => items.find((item) => item.path === path)!.score)
      expect(library! / pot!).to.be.below(1.6)
    })
  })

  describe('spelling', () => {
    withWorld(test, {
      locales: ['en', 'zh'],
      pages: [
        pageSpec('rolled', 'Kitchens', `The samovar. Rolled leaves. ${filler(20)}`),
        pageSpec('unfermented', 'Kitchens', `The samovar. Unfermented leaves. ${filler(20)}`),
        pageSpec('steamed', 'Leaves', `They are steamed. ${filler(20)}`),
        pageSpec('steaming', 'Leaves', `They are steaming. ${filler(20)}`),
        pageSpec('from', 'Pots', `Pour water from the pot. ${filler(20)}`),
        pageSpec('into', 'Pots', `Pour water into the pot. ${filler(20)}`),
        pageSpec('long-1', 'Boxes', `A caddy. ${filler(800)}`),
        pageSpec('long-2', 'Boxes', `A caddy. Unlacquered. ${filler(800)}`),
        ...Array.from({ length: 30 }, (_, n) => pageSpec(`f${n}`, `Number ${n}`, filler(20))),
      ],
    })

    it('a word that contains a word of the query counts, and the form that was typed more than others', async () => {
      expect(await paths('samovar fermented qqxzzyk')).to.deep.equal(['unfermented', 'rolled'])
      expect(await paths('steaming qqxzzyk')).to.deep.equal(['steaming', 'steamed'])
      expect(await paths('steamed qqxzzyk')).to.deep.equal(['steamed', 'steaming'])
    })

    it('the beginnings of long pages count', async () => {
      expect(await paths('caddy lacquered qqxzzyk')).to.deep.equal(['long-2', 'long-1'])
    })

    it('each part has the same order', async () => {
      const parts = [
        await paths('steaming qqxzzyk', '&limit=1'),
        await paths('steaming qqxzzyk', '&offset=1'),
      ]
      expect(parts).to.deep.equal([['steaming'], ['steamed']])
    })
  })

  describe('phrases of common words', () => {
    const later = (text: string) => `${filler(100)} ${text} ${filler(200)}`
    const once = { title: 'Page', markdown: later('Honey with cream.') }
    withWorld(test, {
      pages: [
        ...['a', 'b', 'c'].map((path) => ({ path, locale: 'en', revisions: [once, once] })),
        pageSpec('twice', 'Page', later('Cream and honey, cream and honey, cream honey.')),
        pageSpec('last', 'Page', later('Cream honey.')),
      ],
    })

    it('are looked for in pages that contain each word twice, then in those with the most revisions', async () => {
      const { reader } = await testDatabase()
      const found = async (ordered: number) => {
        const { load } = makeSearchLoader({
          ...reader,
          query: (statement, values) =>
            reader.query(
              statement,
              statement.name === 'search_matches'
                ? [JSON.stringify({ ...JSON.parse(values[0] as string), ranked: 1, ordered })]
                : values,
            ),
        })
        const { hits } = await load({ q: '"cream honey"', locale: 'en', first: 1, offset: 0 })
        const { hits: more } = await load({ q: '"cream honey"', locale: 'en', first: 1, offset: 1 })
        return [...hits, ...more].map(({ page }) => page.path)
      }
      expect(await found(1)).to.deep.equal(['twice'])
      expect(await found(5)).to.deep.equal(['twice', 'last'])
    })
  })

  describe('parts of the results', () => {
    withWorld(test, {
      pages: Array.from({ length: 420 }, (_, n) =>
        pageSpec(
          `p${n}`,
          n % 40 === 0 ? `Kettle and saucer ${n}` : `Page ${n}`,
          `${n % 2 ? 'A kettle. ' : ''}${n % 3 ? 'A saucer. ' : ''}${'word '.repeat(n % 11)}`,
        ),
      ),
    })

    it('neither overlap nor leave a gap, whatever their size, and scores fall from 1 to 0', async () => {
      const whole = await test.walk(searchPath('kettle saucer'), 'offset', 50)
      const order = whole.map(({ path }) => path)
      expect(new Set(order).size).to.equal(order.length)
      expect(order.length).to.be.at.least(160)
      const scores = whole.map(({ score }) => score as number)
      expect(scores).to.deep.equal([...scores].sort((a, b) => b - a))
      expect(scores.every((score) => score >= 0 && score <= 1)).to.equal(true)
      for (const [offset, limit] of [
        [0, 1],
        [5, 20],
        [159, 7],
        [140, 40],
      ])
        expect(await paths('kettle saucer', `&limit=${limit}&offset=${offset}`), `${offset}`).to.deep.equal(
          order.slice(offset, offset! + limit!),
        )
    })

    it('every page with all words is among the results', async () => {
      const found = new Set(
        (await test.walk(searchPath('kettle saucer'), 'offset', 50)).map(({ path }) => path),
      )
      for (let n = 1; n < 420; n += 6) expect(found.has(`p${n}`), `p${n}`).to.equal(true)
    })
  })

  describe('score and did_you_mean', () => {
    withWorld(test, {
      pages: [
        pageSpec('sencha', 'Sencha', 'Green.'),
        pageSpec('black', 'Black Tea', 'Oxidised leaves.'),
        pageSpec('leaves', 'Leaves', 'Of tea: green, white, and others of a plant.'),
        pageSpec('cups', 'Gaiwans, cups (all)', 'Without a handle.'),
        pageSpec('file', '0195-porcelain-saucers', 'White.'),
        pageSpec('kettle-10', 'Kettle 10.22.0', 'Boils.'),
        pageSpec('kettle-22', 'Kettle 22.10.0', 'Boils.'),
        {
          path: 'kinds',
          revisions: ['One.', 'Two.', 'Three.'].map((markdown, i) => ({
            title: 'Kinds of Sencha',
            markdown,
            created_at: `2024-01-01T00:00:0${i}Z`,
          })),
        },
      ],
    })

    it('a title as typed has the score 1', async () => {
      const { items } = await find('leaves')
      expect(items.map(({ path }) => path)).to.deep.equal(['leaves', 'black'])
      expect(items[0]!.score).to.equal(1)
      expect(items[1]!.score).to.be.within(0.4, 0.99)
    })

    it('a page without all words has a score below 0.4', async () => {
      const { items } = await find('oxidised zeppelin')
      expect(items.map(({ path }) => path)).to.deep.equal(['black'])
      expect(items[0]!.score).to.be.within(0.01, 0.39)
    })

    it('did_you_mean is the query with the words of the title', async () => {
      expect((await find('sencah')).did_you_mean).to.equal('Sencha')
      expect((await find('balck tea')).did_you_mean).to.equal('Black tea')
      expect((await find('giawans')).did_you_mean, 'without the comma after it').to.equal('Gaiwans')
      expect((await find('porcelian')).did_you_mean, 'of a file name').to.equal('porcelain')
    })

    it('did_you_mean corrects a word that no page has, beside words that pages have', async () => {
      const { items, did_you_mean } = await find('oxidised senhca')
      expect([items.map(({ path }) => path), did_you_mean]).to.deep.equal([['black'], 'oxidised Sencha'])
      expect((await find('oxidised giawans', '&limit=1&offset=1')).did_you_mean).to.equal('oxidised Gaiwans')
      expect(await find('oxidised zeppelin')).not.to.have.property('did_you_mean')
    })

    it('of titles of the same length, the one in which the last word stands first', async () => {
      expect(await paths('kettle 22')).to.deep.equal(['kettle-22', 'kettle-10'])
      expect(await paths('kettle 10')).to.deep.equal(['kettle-10', 'kettle-22'])
    })

    it('despite a typo, the shortest title comes first', async () => {
      expect((await find('sencah')).items.map(({ path }) => path)).to.deep.equal(['sencha', 'kinds'])
    })

    it('a response without a typo has no did_you_mean', async () => {
      for (const q of ['sencha', 'tea', 'tea zeppelin', 'qqxzzyk'])
        expect(await find(q), q).not.to.have.property('did_you_mean')
    })
  })
})

describe('scores of BM25', () => {
  const word = (text: string, rest = {}) => ({
    ...{
      lexemes: [text],
      anywhere: text,
      prominent: text,
      share: 1,
      isAlternative: false,
      place: 0,
      term: 0,
      isPair: false,
      times: 1,
    },
    ...rest,
  })
  const language = { locale: 'en', config: 'english', pages: 1000, counted: 1000, meanLength: 100 }

  it('a word has the weight ln(1 + (N - n + 0.5) / (n + 0.5)), by the counted pages', () => {
    const [rare, common] = weighWords([word('rare'), word('common')], language, (_, lexeme) => ({
      pages: lexeme === 'common' ? 600 : 0,
    }))
    expect(rare!.idf).to.be.closeTo(Math.log(1 + 999.5 / 1.5), 1e-9)
    expect(common!.idf).to.be.closeTo(Math.log(1 + 400.5 / 600.5), 1e-9)
    const [sampled] = weighWords([word('common')], { ...language, pages: 100_000 }, () => ({ pages: 600 }))
    expect(sampled).to.deep.include({ idf: common!.idf, pages: 60_000 })
  })

  it('a word counts more if it occurs more often, whether or not its positions count; of its lexemes, the most frequent', () => {
    for (const kind of [{}, { isPair: true }, { isAlternative: true, place: null }]) {
      const [one] = weighWords([word('tea', { ...kind, lexemes: ['tea', 'teas'] })], language, () => ({
        pages: 10,
      }))
      const { score, highest } = makeScorer([one!], 100)
      const count = (words: Record<string, number[]>) =>
        score(['1', 'en', 0, 100, false, tsvectorHex(words)]) * highest
      expect(count({ Dgtea: [3] })).to.be.closeTo(one!.idf * (1 / 2.2), 1e-9)
      expect(count({ Bgtea: [3, 9, 12] })).to.be.closeTo(one!.idf * (3 / 4.2), 1e-9)
      expect(count({ Cgteas: [7, 8], Dgtea: [3] })).to.be.closeTo(one!.idf * (2 / 3.2), 1e-9)
      expect(count({ Agtea: [3], Cgteas: [7, 8] })).to.be.closeTo(one!.idf * (2 / 3.2 + 0.2), 1e-9)
    }
  })
})

describe('relatives of the words of a query', () => {
  const language = { locale: 'es', config: 'spanish', pages: 100, counted: 100, meanLength: 10 }
  const word = (place: number, lexemes: string[]) => ({
    ...{ lexemes, anywhere: lexemes.join(), prominent: '', share: 1, isAlternative: false },
    ...{ place, term: place, isPair: false, times: 1, idf: 3, pages: 5 },
  })
  const neighbours = ['trabaja', 'trabajos', 'trabajoso', 'tren'].map((word) => ({ word, pages: 2 }))
  const relativesOf = (words: string[][]) =>
    relativesIn(language, {
      words: new Map([[language, words.map((lexemes, i) => word(i, lexemes))]]),
      countOf: (_, lexeme) => ({ pages: 5, neighbours: lexeme === 'trabaj' ? neighbours : [] }),
    })

  it('are the words with the same beginning, together as one word; no word has those of another', () => {
    const lexemes = ['trabaja', 'trabajos', 'trabajoso']
    expect(relativesOf([['trabaj']]).map((one) => one.lexemes)).to.deep.equal([lexemes])
    expect(relativesOf([['trabaj', 'trabajari'], ['trabaj']]).map((one) => one.lexemes)).to.deep.equal([
      lexemes,
    ])
    expect(relativesOf([['trabaj'], ['trabaja']]).map((one) => one.lexemes)).to.deep.equal([lexemes.slice(1)])
  })
})
