import { Unavailable } from '@lectern/wiki/errors'
import { expect } from 'chai'
import type { ServingDatabase } from '../src/db/database.ts'
import { configurationTag, searchConfiguration } from '../src/search/configurations.ts'
import { reindex } from '../src/search/index/reindex.ts'
import { makeSearchLoader } from '../src/search/query/search.ts'
import { rowsOf, testDatabase } from './support/database.ts'
import { pageSpec, searchesOf } from './support/searches.ts'
import { withService, withWorld } from './support/service.ts'
import { importRecords, recordsOf } from './support/world.ts'

const twoLetters = (n: number): string => String.fromCharCode(97 + Math.floor(n / 26), 97 + (n % 26))

describe('search', () => {
  const test = withService()
  const { hits, paths } = searchesOf(test)
  const highlightsOf = ({ passages }: Awaited<ReturnType<typeof hits>>[number]) =>
    passages.flatMap(({ text, highlights }) => highlights.map(([start, end]) => text.slice(start, end)))

  describe('languages', () => {
    withWorld(test, {
      locales: ['en', 'ru', 'de', 'fr', 'tr', 'zh', 'ja', 'ko', 'th', 'uk'],
      pages: [
        pageSpec('brewing', 'Brewing', 'Pour the leaves gently, three times.'),
        pageSpec('zavarka', 'Заварка', 'Листья заливают водой. Ёлка у дома, чёрный чай.', 'ru'),
        pageSpec('haus', 'Teehäuser', 'Die Gärten der Häuser in Straßen.', 'de'),
        pageSpec('cafe', 'Le café', 'Les infusions préparées à l’été.', 'fr'),
        pageSpec('cay', 'Çay', 'Çaylar ısıtılır.', 'tr'),
        pageSpec('lucha', '绿茶', '绿茶是不发酵的茶叶，冲泡时水温不宜过高。', 'zh'),
        pageSpec('sencha', '煎茶', '煎茶は日本で最も飲まれている緑茶です。ｾﾝﾁｬ', 'ja'),
        pageSpec('nokcha', '녹차', '녹차는 발효시키지 않은 찻잎으로 만든다.', 'ko'),
        pageSpec('cha', 'ชาเขียว', 'ชาเขียวเป็นชาที่ไม่ผ่านการหมัก', 'th'),
        pageSpec('chai', 'Чай', 'Зелений чай їдять із сиром.', 'uk'),
      ],
    })

    for (const [locale, q, path] of [
      ['en', 'poured', 'brewing'],
      ['en', 'POURING', 'brewing'],
      ['ru', 'лист', 'zavarka'],
      ['ru', 'елка', 'zavarka'],
      ['ru', 'черный', 'zavarka'],
      ['de', 'haus', 'haus'],
      ['de', 'strasse', 'haus'],
      ['de', 'garten', 'haus'],
      ['fr', 'cafe', 'cafe'],
      ['fr', 'infusion préparée', 'cafe'],
      ['fr', 'ete', 'cafe'],
      ['tr', 'cay', 'cay'],
      ['zh', '不发酵的', 'lucha'],
      ['zh', '水温', 'lucha'],
      ['ja', '飲まれて', 'sencha'],
      ['ja', '緑茶', 'sencha'],
      ['ja', 'センチャ', 'sencha'],
      ['ja', '煎', 'sencha'],
      ['ko', '찻잎', 'nokcha'],
      ['th', 'ไม่ผ่าน', 'cha'],
      ['th', 'ผ่า', 'cha'],
      ['th', 'ชาเขียว', 'cha'],
      ['uk', 'зелений ЧАЙ', 'chai'],
    ] as const)
      it(`${locale}: ${q} finds ${path}, and highlights the match`, async () => {
        const [hit, ...others] = await hits(q, `&locale=${locale}`)
        expect(hit?.path).to.equal(path)
        expect(others).to.deep.equal([])
        if (q !== 'cafe') expect(highlightsOf(hit!)).not.to.deep.equal([])
      })

    it('all=true searches every language by its own rules, and ranks the hits together', async () => {
      expect(await paths('poured', '&all=true')).to.deep.equal(['brewing'])
      expect(await paths('лист', '&all=true')).to.deep.equal(['zavarka'])
      expect(await paths('чай', '&all=true')).to.deep.equal(['chai', 'zavarka'])
      expect(await paths('水温', '&all=true')).to.deep.equal(['lucha'])
    })
  })

  describe('queries', () => {
    withWorld(test, {
      pages: [
        pageSpec(
          'sencha',
          'Sencha',
          'A green tea of Japan.\n\n## Steaming\n\nThe leaves are steamed for a minute.',
        ),
        pageSpec('matcha', 'Matcha', 'Green powder of tea.'),
        pageSpec('black', 'Black tea', 'Oxidised leaves, with milk. See [the green one](sencha).'),
        pageSpec('the-who', 'The Who', 'A band.'),
        pageSpec(
          'code',
          'Tools',
          'Written in C++ and C#. Run `npm --help` or node.js at 192.168.0.1 with foo_bar.',
        ),
        pageSpec('plain-c', 'Plain', 'The language C, and help for bar and foo, node and js.'),
        pageSpec('template:infobox', 'Infobox', 'A template.'),
        pageSpec('guides/http/client', 'Talking to servers', 'Connections.'),
        pageSpec('v20', 'Node v20.6.0 (Current)', 'A release.'),
        pageSpec('list', 'Releases', 'Node v20.6.0 (Current), v20.5.0 (Current)'),
      ],
    })

    it('pages with all words come first, then pages with some of them', async () => {
      const found = await paths('green leaves')
      expect(found.slice(0, 2)).to.have.members(['sencha', 'black'])
      expect(found.slice(2)).to.deep.equal(['matcha'])
      expect((await paths('green powder'))[0]).to.equal('matcha')
    })

    it('if no page has all words, returns the pages with the words that say most', async () => {
      const found = await paths('green powder xylophone')
      expect(found[0]).to.equal('matcha')
      expect(found).to.include('sencha')
      expect(await paths('xylophone zeppelin')).to.deep.equal([])
    })

    it('pages with some of the words come in parts, and without excluded words', async () => {
      const all = await paths('green powder xylophone')
      expect(await paths('green powder xylophone', '&limit=1&offset=1')).to.deep.equal([all[1]])
      expect(await paths('green leaves', '&offset=5')).to.deep.equal([])
      expect(await paths('green xylophone -powder')).not.to.include('matcha')
    })

    it('"a phrase" finds the words in that order', async () => {
      expect(await paths('"green tea"')).to.deep.equal(['sencha'])
      expect(await paths('“green tea”')).to.deep.equal(['sencha'])
    })

    it('"a phrase" that no page contains finds nothing', async () => {
      expect(await paths('"powder green"')).to.deep.equal([])
      expect(await paths('-milk "powder green"')).to.deep.equal([])
      expect(await paths('"sencah tea"')).to.deep.equal([])
      expect(await paths('"green tea" xylophone')).to.deep.equal(['sencha'])
      expect(await paths('"powder green" tea')).to.deep.equal([])
    })

    it('-word excludes pages with the word', async () => {
      expect(await paths('tea -milk')).to.have.members(['sencha', 'matcha'])
      expect(await paths('tea -"green tea"')).to.have.members(['matcha', 'black'])
      expect(await paths('-milk')).to.deep.equal([])
    })

    it('or finds pages with either word', async () => {
      expect(await paths('powder or milk')).to.have.members(['matcha', 'black'])
    })

    it('finds a title by its beginning', async () => {
      expect(await paths('sen')).to.deep.equal(['sencha'])
      expect((await paths('black t'))[0]).to.equal('black')
    })

    it('finds a text by the beginning of a word, after titles, but not by a stop word or in a longer query', async () => {
      const found = await hits('pow')
      expect(found.map((hit) => [hit.path, hit.score, highlightsOf(hit)])).to.deep.equal([
        ['matcha', 0.4, ['powder']],
      ])
      expect(await paths('rel')).to.deep.equal(['list', 'v20'])
      expect(await paths('the')).to.deep.equal(['the-who'])
      for (const q of ['"pow"', '-pow', 'po', 'pow qqxzzyk']) expect(await paths(q), q).to.deep.equal([])
    })

    it('finds a title despite one typo', async () => {
      for (const q of ['sencah', 'sench', 'senchaa', 'semcha']) expect(await paths(q), q).to.include('sencha')
      expect(await paths('balck tea')).to.include('black')
    })

    it('finds paths, also with the prefix template:', async () => {
      expect((await paths('template:infobox'))[0]).to.equal('template:infobox')
      expect((await paths('guides/http/client'))[0]).to.equal('guides/http/client')
      expect(await paths('http client')).to.deep.equal(['guides/http/client'])
    })

    it('finds a page by the text of links to it', async () => {
      expect((await paths('the green one'))[0]).to.equal('sencha')
    })

    it('finds code and symbols: c++, c#, node.js, --help, foo_bar, 192.168.0.1', async () => {
      for (const q of ['c++', 'C#', '--help', 'foo_bar', '192.168.0.1', 'npm --help'])
        expect((await paths(q))[0], q).to.equal('code')
      for (const q of ['c++', 'C#', '--help']) expect(await paths(q), q).to.deep.equal(['code'])
      expect((await paths('node.js'))[0]).to.equal('code')
      expect(highlightsOf((await hits('c++'))[0]!)).to.deep.equal(['C++'])
      expect(highlightsOf((await hits('--help'))[0]!)).to.deep.equal(['--help'])
    })

    it('finds a version with or without its v, and ranks a title with it first', async () => {
      for (const q of ['v20.6.0', '20.6.0', 'node 20.6.0', 'Node v20.6.0 (Current)'])
        expect((await paths(q)).slice(0, 2), q).to.deep.equal(['v20', 'list'])
    })

    it('a query of stop words finds titles with these words', async () => {
      expect(await paths('the who')).to.deep.equal(['the-who'])
      expect(await paths('of')).to.deep.equal([])
    })

    it('no query is an error, also 10 KB of operators', async () => {
      const hostile = [
        "'", "''", '\\', '&', '|', '!', '!!', '<->', '<2>', ':*', ':A', 'a:*', "a' | 'b", '(', ')', '((((', '"', '"""', '-', '--', '-"',
        '- "', 'or', 'or or', '-or', '*', '%', '_', '$1', '{}', '{"a"}', '\u0001', '\u202e', '\ufffd', '🍵', '🍵 tea', 'a'.repeat(300),
        'tea-', '-tea-', 'tea & leaves', 'tea | leaves', '!tea', 'tea <-> leaves', "tea:*'", '\\\'tea', "' or 1=1 --", '</b>', '\u00ad', 'ー', '々', '\u0307',
        '"the"', '"the of"', '-"the"', '-"the of" tea', '"tea" or "the of"', '-the tea', 'ก', '่', '"ก ข"', 'က်', '@/', '@a/', '::', 'a::', 'a-b-c-d-e', '\u200c', 'ا\u200cب', 'צ"ל"צ', '🇯', '👩\u200d💻', '\ufe0f', '٣', 'aBcD',
      ] // biome-ignore format: one list
      for (const q of hostile) await hits(q)
      for (const piece of [
        '-',
        '"',
        '- ',
        '-"',
        '(',
        "'",
        '\\',
        '& ',
        '| ',
        '! ',
        '<->',
        'or ',
        '-a ',
        '"a ',
        'a.',
        'a_',
        '茶',
        '茶 ',
        ':* ',
      ]) {
        const q = encodeURIComponent(piece.repeat(Math.floor(10_000 / encodeURIComponent(piece).length)))
        expect((await test.get(`/search?q=${q}`)).status, piece).to.equal(200)
      }
    })
  })

  describe('phrases with stop words, signs and compounds', () => {
    withWorld(test, {
      locales: ['en', 'de', 'vi', 'fa', 'he'],
      pages: [
        pageSpec('honey', 'Honey', 'Sweet. Some take honey with milk.'),
        pageSpec('lemon', 'Lemon', 'Some take honey, not milk, with lemon.'),
        pageSpec('hamlet', 'Hamlet', 'To be, or not to be: that is the question.'),
        pageSpec(
          'long',
          'Lists',
          `${'the a '.repeat(400)} of the kettle with the lid. ${'the '.repeat(300)}`,
        ),
        pageSpec('help', 'Help', 'How to get help.'),
        pageSpec('options', 'Options of the program', 'Run it with --help, or see .env and std::vector.'),
        pageSpec(
          'modules',
          'Modules',
          'Install @scope/pkg-name and not scope or pkg. Call getElementById. 👍🏽',
        ),
        pageSpec('env', 'Env', 'A word. The vector of std. 🍵'),
        pageSpec('commit', 'Commit', 'Fixed by [fa9dd1e3c0](https://code.example/).'),
        pageSpec('commits', 'Commits', 'fa9dd1e3c0b4d6f8a0c2e4061728394a5b6c7d8e'),
        pageSpec('radio', 'Radio', 'The Wi-Fi of a hotel and an e-mail.'),
        pageSpec('net', 'Net', 'A WiFi network. Send an email.'),
        pageSpec('garten', 'Gärten', 'Die Bäume der Gaerten, und eine Straße.', 'de'),
        pageSpec('ma', 'Má', 'Má là mẹ. Số ٢٥.', 'vi'),
        pageSpec('mao', 'Ma', 'Ma quỷ.', 'vi'),
        pageSpec('he', 'תה', 'בבית של המשפחות שותים תה.', 'he'),
        pageSpec('fa', 'فارسی', 'می\u200cخواهم کتاب بخوانم', 'fa'),
      ],
    })

    it('a phrase contains its stop words, also if it is excluded', async () => {
      expect(await paths('"honey with milk"')).to.deep.equal(['honey'])
      expect(await paths('honey -"with milk"')).to.deep.equal(['lemon'])
      expect(await paths('milk -"not milk"')).to.deep.equal(['honey'])
      expect(await paths('"to be or not to be"')).to.deep.equal(['hamlet'])
      expect(await paths('"to be and not to be"')).to.deep.equal([])
    })

    it('a page with more stop words than PostgreSQL stores positions is found as if they were not in the phrase', async () => {
      expect(await paths('"kettle with the lid"')).to.deep.equal(['long'])
      expect(await paths('"kettle under the lid"')).to.deep.equal([])
    })

    it('a term with its signs is found as written, first', async () => {
      for (const [q, path] of [
        ['--help', 'options'],
        ['.env', 'options'],
        ['std::vector', 'options'],
        ['@scope/pkg-name', 'modules'],
        ['👍', 'modules'],
        ['🍵', 'env'],
      ] as const)
        expect((await paths(q))[0], q).to.equal(path)
      expect(await paths('element id')).to.deep.equal(['modules'])
    })

    it('a commit is found by its abbreviations, and they by it', async () => {
      for (const q of ['fa9dd1e3c0', 'fa9dd1e3c0b4', 'FA9DD1E3C0B4D6F8A0C2E4061728394A5B6C7D8E'])
        expect(await paths(q), q).to.have.members(['commit', 'commits'])
      for (const q of ['fa9dd1e3c1b4', 'fa9dd1e3c']) expect(await paths(q), q).to.deep.equal([])
    })

    it('words with and without a hyphen find each other', async () => {
      for (const q of ['wifi', 'wi-fi', 'WiFi', 'email', 'e-mail', 'E-mails'])
        expect(await paths(q), q).to.have.members(['radio', 'net'])
      for (const q of ['می\u200cخواهم', 'میخواهم', 'می خواهم', 'كتاب'])
        expect(await paths(q, '&locale=fa'), q).to.deep.equal(['fa'])
    })

    it('German umlauts are found by two letters, and the other way round', async () => {
      for (const q of ['gaerten', 'Gärten', 'garten', 'Baeume', 'strasse'])
        expect(await paths(q, '&locale=de'), q).to.deep.equal(['garten'])
    })

    it('Hebrew and Persian words are found without the words that are written together with them', async () => {
      for (const q of ['בית', 'הבית', 'משפחות', 'והמשפחות'])
        expect(await paths(q, '&locale=he'), q).to.deep.equal(['he'])
      expect(await paths('کتابها', '&locale=fa')).to.deep.equal(['fa'])
    })

    it('in a language without stems, both spellings match, and the one that was typed ranks first', async () => {
      expect(await paths('má', '&locale=vi')).to.have.members(['ma', 'mao'])
      expect(await paths('25', '&locale=vi')).to.deep.equal(['ma'])
    })

    it('every text search configuration of this PostgreSQL belongs to a language, and has a letter', async () => {
      const { owner } = await testDatabase()
      const rows = await owner.query<{ name: string }>(
        {
          name: 'configurations',
          text: "select cfgname::text as name from pg_ts_config where cfgnamespace = 'pg_catalog'::regnamespace",
        },
        [],
      )
      const used = new Set(Array.from({ length: 26 * 26 }, (_, n) => searchConfiguration(twoLetters(n))))
      const names = rows.map(({ name }) => name)
      expect(names.filter((name) => !used.has(name))).to.deep.equal([])
      expect(new Set(names.map(configurationTag)).size).to.equal(names.length)
    })
  })

  describe('ranking', () => {
    const filler = 'Words that say nothing of it, one after another. '.repeat(40)
    withWorld(test, {
      pages: [
        pageSpec('exact', 'Oolong', 'Half way.'),
        pageSpec('begins', 'Oolong of the mountains', 'High up.'),
        pageSpec('holds', 'All about oolong', 'Everything.'),
        pageSpec('section', 'Teapots', `${filler}\n\n## Oolong\n\nSmall pots.`),
        pageSpec('passing', 'Water', `${filler} Some use it for oolong. ${filler}`),
        pageSpec('long', 'Everything', `${filler.repeat(20)} oolong ${filler.repeat(20)} oolong`),
        pageSpec(
          'about',
          'Semi-oxidised',
          'An oolong is rolled. Each oolong is different; oolong keeps well.',
        ),
      ],
    })

    it('ranks an exact title first, then titles that begin with the words, titles that contain them, pages about them, pages that mention them', async () => {
      const found = await paths('oolong')
      expect(found.slice(0, 3)).to.deep.equal(['exact', 'begins', 'holds'])
      expect(found.slice(3, 5)).to.have.members(['section', 'about'])
      expect(found.slice(5)).to.have.members(['passing', 'long'])
    })

    it('a passage is from the section that matches, or from the beginning if only the title matches', async () => {
      const found = await hits('oolong')
      const passages = (path: string) => found.find((hit) => hit.path === path)!.passages
      expect(passages('section')).to.have.length(1)
      expect(passages('exact')).to.deep.equal([{ heading: '', text: 'Half way.', highlights: [] }])
      for (const { passages } of found) {
        expect(passages.length).to.be.within(1, 3)
        for (const { text } of passages) expect(text.length).to.be.at.most(300)
      }
      expect(highlightsOf(found.find(({ path }) => path === 'long')!)).to.include('oolong')
    })
  })

  describe('many matches', () => {
    withWorld(test, {
      pages: Array.from({ length: 700 }, (_, i) =>
        pageSpec(
          `p${i}`,
          i % 7 === 0 ? `Kettle ${i}` : `Page ${i}`,
          i % 3 === 0 ? '## Kettle\n\nHot.' : `Number ${i}: a kettle.`,
        ),
      ),
    })

    it('reads the pages that it returns, and no other', async () => {
      const { reader } = await testDatabase()
      const read: string[] = []
      const { load } = makeSearchLoader({
        ...reader,
        query: async (statement, values) => {
          const rows = await reader.query(statement, values)
          for (const row of rows as { id?: string | null; positions?: unknown }[])
            if (row.id && 'positions' in row) read.push(row.id)
          return rows
        },
      })
      // One word is answered by `search_matches`, several words by `search_hits`. The first 20 pages of a tail are read together.
      for (const q of ['kettle', 'hot number']) {
        read.length = 0
        const { hits, hasMore } = await load({ q, locale: 'en', first: 2, offset: 40 })
        expect(read, q).to.deep.equal(hits.map(({ page }) => page.id))
        expect(hits, q).to.have.length(2)
        expect(hasMore, q).to.equal(true)
      }
      const { hits, hasMore } = await load({ q: 'kettle', locale: 'en', first: 1, offset: 699 })
      expect([hits.length, hasMore]).to.deep.equal([1, false])
    })
  })

  describe('search index', () => {
    withWorld(test, {
      pages: [
        pageSpec('sencha', 'Sencha', 'Green. [Powder](matcha)'),
        pageSpec('matcha', 'Matcha', 'Ground.'),
      ],
    })

    const stored = () =>
      rowsOf(
        'select page_id, xmin::text, index_version, words::text, starts::text, body from wiki.live_search order by page_id',
      )

    it('an import indexes only the pages that changed', async () => {
      const before = await stored()
      await importRecords(
        recordsOf({
          pages: [
            pageSpec('sencha', 'Sencha', 'Green. [Powder](matcha)'),
            {
              path: 'matcha',
              revisions: [{ title: 'Matcha', markdown: 'Stone-ground.', created_at: '2025-01-01T00:00:00Z' }],
            },
          ],
        }),
      )
      const after = await stored()
      expect(after[0]).to.deep.equal(before[0])
      expect(after[1]!.xmin).not.to.equal(before[1]!.xmin)
    })

    it('lectern reindex indexes only the pages that another version of Lectern indexed', async () => {
      const { owner } = await testDatabase()
      const before = await stored()
      expect(await reindex(owner)).to.equal(0)
      await rowsOf(
        "update wiki.live_search set index_version = 0, words = '', body = '' where title_key = 'sencha'",
      )
      expect(await reindex(owner)).to.equal(1)
      const row = ({ xmin: _, ...rest }: Record<string, unknown>) => rest
      expect((await stored()).map(row)).to.deep.equal(before.map(row))
      expect(await reindex(owner, { all: true })).to.equal(2)
    })

    it('lectern reindex indexes a language again if its text search configuration changed', async () => {
      const { owner } = await testDatabase()
      await rowsOf("update wiki.locale set search_config = 'simple' where locale = 'en'")
      expect(await reindex(owner)).to.equal(0) // the configuration is english again, as in the index
      expect(await paths('greens')).to.deep.equal(['sencha'])
    })

    it('counts words from the second page on, numbers and codes from the third', async () => {
      await importRecords(
        recordsOf({
          pages: ['a', 'b', 'c'].map((path, n) =>
            pageSpec(path, path, `${n < 2 ? 'Steam and E0308' : ''} of 1970`),
          ),
        }),
      )
      await rowsOf('select wiki.count_search_words(1e9::bigint)')
      const counted = await rowsOf(
        "select word, pages from wiki.search_word where word in ('steam', 'e0308', '1970')",
      )
      expect(new Map(counted.map(({ word, pages }) => [word, pages]))).to.deep.equal(
        new Map([
          ['steam', 2],
          ['1970', 3],
        ]),
      )
    })
  })

  describe('search that takes too long', () => {
    it('is Unavailable, with a message that says what to do', async () => {
      const { reader } = await testDatabase()
      const cause = Object.assign(new Error('canceling statement'), { code: '57014' })
      const database: ServingDatabase = {
        ...reader,
        query: async (statement, values) => {
          if (statement.name === 'search_matches') throw new Unavailable(undefined, 1, cause)
          return reader.query(statement, values)
        },
      }
      const error = await makeSearchLoader(database)
        .load({ q: 'tea', locale: 'en', first: 1, offset: 0 })
        .catch((error: unknown) => error)
      expect(error).to.be.instanceOf(Unavailable)
      expect((error as Error).message).to.match(/fewer or rarer words/)
    })
  })
})
