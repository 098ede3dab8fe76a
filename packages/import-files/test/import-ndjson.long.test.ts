import { ImportError } from '@lectern/wiki/errors'
import { expect } from 'chai'
import { testDatabase } from '../../../test/support/database.ts'
import { failureOf } from '../../../test/support/failures.ts'
import {
  CATEGORY,
  exportText,
  ID_1,
  ID_2,
  ID_3,
  importText,
  linesOfFile,
  PAGE,
  page,
  revision,
  storedContent,
  storedRows,
  WIKI,
} from '../../../test/support/importing.ts'
import { withService } from '../../../test/support/service.ts'
import { clearWorld } from '../../../test/support/world.ts'

const { owner } = await testDatabase()

describe('import ndjson: into the database', () => {
  const test = withService()
  beforeEach(clearWorld)

  const importing = async (...records: unknown[]) => {
    const summary = await importText(owner, linesOfFile(...records))
    test.service.invalidate()
    return summary
  }
  const paths = async (query = '') =>
    (await test.get(`/pages${query}`)).body.items.map((item: { path: string }) => item.path)
  const history = async (path: string) =>
    (await test.get(`/pages/${path}/history`)).body.items.map((item: { comment: string }) => item.comment)

  it('stores nothing of a file with an invalid line after thousands of valid lines', async () => {
    await importing(WIKI, page('old'))
    const before = await storedRows(owner)
    const many = Array.from({ length: 1100 }, (_, i) => page(`new-${i}`))
    const error = await failureOf(
      importing({ ...WIKI, name: 'Another' }, CATEGORY, page('old', { state: 'deleted' }), ...many, {
        ...PAGE,
        state: 'x',
      }),
    )
    expect(error.message).to.equal('Line 1104: state: must be "live", "draft" or "deleted"')
    expect(await storedRows(owner)).to.deep.equal(before)
  })

  it('writes no row if the same file is imported again', async () => {
    const records = [
      WIKI,
      CATEGORY,
      page('a', { translation_group: 'a' }),
      page('a', { locale: 'ru', translation_group: 'a' }),
      page('template:b'),
      page('category:green-tea'),
      page('hidden', { state: 'draft' }),
      page('gone', { state: 'deleted' }),
      page('waiting', {
        revisions: [
          revision({ id: ID_1 }),
          revision({ id: ID_2, status: 'pending', created_at: '2025-01-01T00:00:00Z' }),
        ],
      }),
      page('never', { locale: 'de', revisions: [revision({ status: 'draft' })] }),
      page('empty', { revisions: [] }),
      page('japanese', { locale: 'ja', revisions: [revision({ markdown: 'お茶の木' })] }),
    ]
    await importing(...records)
    const before = await storedRows(owner)
    await importing(...records)
    expect(await storedRows(owner)).to.deep.equal(before)
  })

  it('stores the same for any order of the lines', async () => {
    const many = Array.from({ length: 510 }, (_, i) => page(`p${i}`, i % 7 === 0 ? { state: 'draft' } : {}))
    const records = [
      WIKI,
      CATEGORY,
      ...many,
      page('new', { locale: 'de' }),
      page('never', { locale: 'fr', revisions: [revision({ status: 'pending' })] }),
    ]
    await importing(...records)
    const before = await storedContent(owner)
    await clearWorld()
    await importing(...records.toReversed())
    expect(await storedContent(owner)).to.deep.equal(before)
  })

  describe('ids', () => {
    const ids = async (path = 'sencha') =>
      (await test.get(`/pages/${path}/history`)).body.items.map((item: { id: string }) => item.id)

    it('are derived if absent: UUIDv5, the same in every import', async () => {
      await importing(WIKI, PAGE)
      expect(await ids()).to.deep.equal(['1dcc247f-6efe-5897-9af8-77695a54142f'])
    })

    it('are derived from page, language, time and text, and from nothing else', async () => {
      const first = async (record: object) => {
        await clearWorld()
        await importing(WIKI, record)
        const [found] = (await test.get('/recent')).body.items
        return found.id as string
      }
      const id = await first(PAGE)
      const edited = (rest: object) => ({ ...PAGE, revisions: [revision(rest)] })
      expect(await first(edited({ author: 'Bob', comment: '', title: 'X', categories: [] }))).to.equal(id)
      expect(await first(edited({ created_at: '2024-05-01T14:34:56.123456+02:00' }))).to.equal(id)
      const others = [
        await first({ ...PAGE, path: 'other' }),
        await first({ ...PAGE, locale: 'ru' }),
        await first(edited({ created_at: '2024-05-01T12:34:56.123457Z' })),
        await first(edited({ markdown: 'Another text' })),
      ]
      expect(new Set([id, ...others]).size).to.equal(5)
    })

    it('identify an edit, so that a second import updates it', async () => {
      await importing(WIKI, PAGE)
      const summary = await importing(WIKI, {
        ...PAGE,
        revisions: [revision({ author: 'Bob', title: 'Green' })],
      })
      expect(summary).to.include({ newRevisions: 0, changedRevisions: 1 })
      const { body } = await test.get('/pages/sencha')
      expect(body).to.deep.include({ title: 'Green' })
      expect(body.revision.author.name).to.equal('Bob')
    })

    for (const [name, between] of [
      ['two lines', 0],
      ['two parts of a long file', 600],
    ] as const) {
      it(`of edits of two pages must differ, and the error names the line: ${name}`, async () => {
        const filling = Array.from({ length: between }, (_, i) => page(`p${i}`))
        const error = await failureOf(
          importing(
            WIKI,
            page('a', { revisions: [revision({ id: ID_1 })] }),
            ...filling,
            page('b', { revisions: [revision({ id: ID_1.toUpperCase() })] }),
          ),
        )
        expect(error).to.be.instanceOf(ImportError)
        expect(error.message).to.equal(
          `Line ${3 + between}: revisions[].id: ${ID_1} is already the id of a revision of the page a (en); ids must be unique`,
        )
        expect(await exportText(owner)).to.equal('')
      })
    }

    it('of edits of two pages must differ across files, too, if the second one is not the whole wiki', async () => {
      await importing(WIKI, page('a', { revisions: [revision({ id: ID_1, status: 'draft' })] }))
      const before = await exportText(owner)
      const error = await failureOf(importing(page('b', { revisions: [revision({ id: ID_1 })] })))
      expect(error.message)
        .to.match(/^Line 1: revisions\[\]\.id: 1{8}.* the page a \(en\)/)
        .and.include('Only a file of the whole wiki')
      expect(await exportText(owner)).to.equal(before)
    })

    for (const between of [0, 600])
      it(`of edits of two pages must differ in a file that moves them, with ${between} pages between`, async () => {
        await importing(WIKI, page('a', { revisions: [revision({ id: ID_1 })] }))
        const before = await exportText(owner)
        const filling = Array.from({ length: between }, (_, i) => page(`p${i}`))
        for (const [first, second] of [
          ['b', 'c'],
          ['a', 'b'],
          ['b', 'a'],
        ] as const) {
          const pageOf = (path: string) => page(path, { revisions: [revision({ id: ID_1 })] })
          const error = await failureOf(importing(WIKI, pageOf(first), ...filling, pageOf(second)))
          expect(error.message).to.match(
            new RegExp(`^Line ${3 + between}: revisions.*1 is already the id of .* page ${first} `),
          )
          expect(await exportText(owner)).to.equal(before)
        }
      })
  })

  describe('two lines for one page', () => {
    const first = page('tea', {
      translation_group: 'x',
      revisions: [revision({ id: ID_1, comment: 'one', created_at: '2024-01-01T00:00:00Z' })],
    })
    const second = page('tea', {
      revisions: [revision({ id: ID_2, comment: 'two', created_at: '2024-01-02T00:00:00Z' })],
    })

    it('are one page with the edits of both', async () => {
      await importing(WIKI, second, first)
      expect(await paths()).to.deep.equal(['tea'])
      expect(await history('tea')).to.deep.equal(['two', 'one'])
    })

    it('store the state of the later line', async () => {
      await importing(WIKI, first, { ...second, state: 'deleted' })
      expect(await paths()).to.deep.equal([])
      await importing({ ...second, state: 'deleted' }, first)
      expect(await paths()).to.deep.equal(['tea'])
    })

    it('store the later version of an edit that both contain', async () => {
      await importing(WIKI, first, { ...first, revisions: [{ ...first.revisions[0], comment: 'later' }] })
      expect(await history('tea')).to.deep.equal(['later'])
    })
  })

  describe('changes between two imports', () => {
    const edits = (...statuses: string[]) =>
      page('tea', {
        revisions: statuses.map((status, i) =>
          revision({
            id: [ID_1, ID_2, ID_3][i],
            status,
            comment: `${i}`,
            title: `Title ${i}`,
            markdown: `Leaf${i}`,
            categories: [{ key: `key-${i}` }],
            created_at: `2024-01-0${i + 1}T00:00:00Z`,
          }),
        ),
      })
    const found = async (word: string) => (await test.get(`/search?q=${word}`)).body.items.length
    const seen = async () => {
      const { status, body } = await test.get('/pages/tea')
      return status === 200 ? body.title : status
    }

    it('a page is deleted, and comes back', async () => {
      await importing(WIKI, CATEGORY, edits('accepted', 'accepted'))
      await importing({ ...edits(), state: 'deleted' })
      expect([await seen(), await found('Leaf1'), await paths()]).to.deep.equal([404, 0, []])
      expect((await test.get('/recent')).body.items).to.deep.equal([])
      expect((await test.get(`/revisions/${ID_1}`)).status).to.equal(404)
      expect((await test.get('/categories/key-1')).status).to.equal(404)
      await importing(edits())
      expect([await seen(), await found('Leaf1'), await history('tea')]).to.deep.equal([
        'Title 1',
        1,
        ['1', '0'],
      ])
    })

    it('a pending edit is accepted: title, text, categories and search follow', async () => {
      await importing(WIKI, edits('accepted', 'pending'))
      expect([await seen(), await found('Leaf0'), await found('Leaf1')]).to.deep.equal(['Title 0', 1, 0])
      await importing(edits('accepted', 'accepted'))
      expect([await seen(), await found('Leaf0'), await found('Leaf1')]).to.deep.equal(['Title 1', 0, 1])
      expect(
        (await test.get('/pages/tea')).body.categories.map(({ key }: { key: string }) => key),
      ).to.deep.equal(['key-1'])
    })

    it('an accepted edit is rejected: the edit before it is shown again', async () => {
      await importing(WIKI, edits('accepted', 'accepted'))
      await importing(edits('accepted', 'rejected'))
      expect([await seen(), await history('tea'), await found('Leaf1')]).to.deep.equal(['Title 0', ['0'], 0])
      expect((await test.get(`/revisions/${ID_2}`)).status).to.equal(404)
    })

    it('an older edit is added: the page does not change, its history grows', async () => {
      await importing(WIKI, {
        ...edits('accepted', 'accepted'),
        revisions: [edits('accepted', 'accepted').revisions[1]],
      })
      await importing(edits('accepted'))
      expect([await seen(), await history('tea')]).to.deep.equal(['Title 1', ['1', '0']])
    })

    it('an edit that the second file lacks stays', async () => {
      await importing(WIKI, edits('accepted', 'accepted'))
      await importing({ ...edits(), revisions: [] })
      expect(await history('tea')).to.deep.equal(['1', '0'])
    })

    it('a text changes under the same id: search finds the new text', async () => {
      await importing(WIKI, edits('accepted'))
      await importing(
        page('tea', { revisions: [{ ...edits('accepted').revisions[0], markdown: 'Blossom' }] }),
      )
      expect([await found('Leaf0'), await found('Blossom')]).to.deep.equal([0, 1])
    })
  })

  describe('categories', () => {
    const sortKeys = async () =>
      (await test.get('/categories/green-tea')).body.items.map((item: { sort_key: string }) => item.sort_key)

    it('sort by the title, case-folded and NFKC, without a sort key', async () => {
      await importing(
        WIKI,
        page('a', { revisions: [revision({ title: 'ＴＥＡ ﬁne Äß' })] }),
        page('b', {
          revisions: [revision({ title: 'Zoo', categories: [{ key: 'green-tea', sort_key: 'Given' }] })],
        }),
      )
      expect(await sortKeys()).to.deep.equal(['Given', 'tea fine äß'])
    })

    it('accept a title whose folded form is longer than a sort key', async () => {
      await importing(WIKI, page('a', { revisions: [revision({ title: '\ufdfa'.repeat(340) })] }))
      const [sortKey] = await sortKeys()
      expect(Buffer.byteLength(sortKey)).to.be.within(1017, 1020)
      expect('\ufdfa'.repeat(340).normalize('NFKC').startsWith(sortKey)).to.equal(true)
      const exported = await exportText(owner)
      await importText(owner, exported)
      expect(await exportText(owner)).to.equal(exported)
    })

    it('that an edit names twice count once, with the last sort key', async () => {
      const categories = [
        { key: 'green-tea', sort_key: 'b' },
        { key: 'green-tea', sort_key: 'a' },
      ]
      await importing(WIKI, page('a', { revisions: [revision({ categories })] }))
      expect(await sortKeys()).to.deep.equal(['a'])
    })

    it('have the last of two names', async () => {
      await importing(WIKI, CATEGORY, { ...CATEGORY, name: 'Grüner Tee' }, page('a'))
      expect((await test.get('/categories/green-tea')).body.category.name).to.equal('Grüner Tee')
    })
  })

  describe('languages', () => {
    const locales = async () =>
      (await test.get('/')).body.locales.map(({ locale }: { locale: string }) => locale)

    it('are added for live pages, with their own names', async () => {
      await importing(WIKI, page('tee', { locale: 'de' }))
      expect((await test.get('/')).body.locales.map(({ name }: { name: string }) => name)).to.deep.equal([
        'Deutsch',
        'English',
        'Русский',
      ])
      expect(await paths('?locale=de')).to.deep.equal(['tee'])
    })

    it('are not added for hidden pages', async () => {
      await importing(
        page('a', { locale: 'de', state: 'draft' }),
        page('b', { locale: 'fr', state: 'deleted' }),
        page('c', { locale: 'it', revisions: [revision({ status: 'pending' })] }),
        page('d', { locale: 'es', revisions: [] }),
        { ...CATEGORY, locale: 'pl' },
        WIKI,
      )
      expect(await locales()).to.deep.equal(['en', 'ru'])
    })

    it('are removed if the wiki no longer names them and no live page uses them', async () => {
      await importing(WIKI, page('чай', { locale: 'ru' }))
      const english = { ...WIKI, locales: [{ locale: 'en', name: 'Englisch' }] }
      await importing(english)
      expect(await locales()).to.deep.equal(['en', 'ru'])
      await importing(english, page('чай', { locale: 'ru', state: 'deleted' }))
      expect(await locales()).to.deep.equal(['en'])
      expect((await test.get('/pages?locale=ru')).status).to.equal(400)
    })

    it('have the names of the wiki record, before or after its pages', async () => {
      const german = { ...WIKI, locales: [...WIKI.locales, { locale: 'de', name: 'Hochdeutsch' }] }
      const many = Array.from({ length: 510 }, (_, i) => page(`p${i}`, { locale: 'de' }))
      await importing(...many, german)
      expect((await test.get('/')).body.locales[0]).to.include({ locale: 'de', name: 'Hochdeutsch' })
    })

    it('are added by pages without a wiki record', async () => {
      await importing(page('tee', { locale: 'de' }), page('чай', { locale: 'ru' }))
      expect((await test.get('/')).body).to.include({ name: 'A wiki', locale: 'de' })
      expect(await paths('?locale=ru')).to.deep.equal(['чай'])
      await importing(WIKI)
      expect((await test.get('/')).body).to.include({ name: 'Tea Wiki', locale: 'en' })
    })
  })

  describe('texts that are difficult to index', () => {
    const letters = (count: number, letter: (i: number) => string) =>
      Array.from({ length: count }, (_, i) => letter(i)).join('')
    let state = 1n
    /** Pseudorandom numbers, the same every time. */
    const scattered = () => {
      state = BigInt.asUintN(64, state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n)
      return Number(state >> 33n)
    }

    const texts: [string, string][] = [
      ['a million letters without a space', 'a'.repeat(1_000_000)],
      [
        '400,000 different Chinese characters',
        letters(400_000, () => String.fromCharCode(0x4e00 + (scattered() % 20_000))),
      ],
      ['20,000 addresses', letters(20_000, (i) => `https://x${scattered()}.example/a/${i} `)],
      ['60,000 different words', letters(60_000, () => `w${scattered()} `)],
      ['compound words', letters(40_000, (i) => `a${i}-b${i} `)],
      ['emoji', '🍵'.repeat(200_000)],
    ]
    for (const [name, markdown] of texts) {
      it(`are stored completely: ${name}`, async () => {
        await importing(
          WIKI,
          page('long', { revisions: [revision({ title: 'long', markdown })] }),
          page('short'),
        )
        expect((await test.get('/pages/long')).body.markdown).to.equal(markdown)
        expect(
          (await test.get('/search?q=long')).body.items.map((hit: { path: string }) => hit.path),
        ).to.deep.equal(['long'])
      })
    }
  })
})
