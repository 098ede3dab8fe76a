import { expect } from 'chai'
import { testId } from '../support/ids.ts'
import { withService, withWorld } from '../support/service.ts'
import { importRecords, recordsOf } from '../support/world.ts'

const member = (path: string, key: string, sortKey?: string, more: object = {}) => ({
  path,
  revisions: [
    { title: path, categories: [{ key, ...(sortKey === undefined ? {} : { sort_key: sortKey }) }] },
  ],
  ...more,
})
const paths = (body: { items: { path: string }[] }) => body.items.map(({ path }) => path)
const keys = (body: { items: { key: string; pages: number }[] }) =>
  body.items.map(({ key, pages }) => `${key} ${pages}`)

describe('GET /categories/{key} and GET /categories', () => {
  const test = withService()

  describe('pages of a category', () => {
    withWorld(test, {
      categories: [
        { locale: 'en', key: 'green-tea', name: 'Green tea' },
        { locale: 'ru', key: 'green-tea', name: 'Зелёный чай' },
        { locale: 'en', key: 'empty', name: 'Empty' },
      ],
      pages: [
        member('assam', 'Black'),
        member('pu-erh', '\u{1f375}'),
        member('fullwidth', '\uff5e'),
        { path: 'category:Black', revisions: [{ title: 'Black teas' }] },
        {
          path: 'sencha',
          revisions: [
            {
              id: testId(1),
              created_at: '2024-05-01T12:34:56.123456Z',
              title: 'Sencha',
              categories: [{ key: 'green-tea', sort_key: 'b' }],
            },
          ],
        },
        member('Matcha', 'green-tea'),
        member('gyokuro', 'green-tea', 'B'),
        member('template:tea', 'green-tea', '\uff5e'),
        member('longjing', 'green-tea', '\u{1f375}'),
        member('draft', 'green-tea', 'a', { state: 'draft' }),
        member('deleted', 'green-tea', 'a', { state: 'deleted' }),
        {
          path: 'left',
          revisions: [
            { categories: [{ key: 'green-tea' }] },
            { created_at: '2025-01-01T00:00:00Z', categories: [] },
            { created_at: '2025-01-02T00:00:00Z', status: 'pending', categories: [{ key: 'waiting' }] },
          ],
        },
        {
          path: 'joins-later',
          revisions: [
            {},
            { created_at: '2025-01-01T00:00:00Z', status: 'pending', categories: [{ key: 'green-tea' }] },
          ],
        },
        member('сенча', 'green-tea', 'с', { locale: 'ru' }),
        member('loose', 'unnamed'),
        member('nested', 'a/b'),
        member('accent', 'th\u00e9'),
        member('hidden', 'secret', 'x', { state: 'draft' }),
        member('gone', 'secret', 'x', { state: 'deleted' }),
        { path: 'category:described', revisions: [{ title: 'Described' }] },
      ],
    })

    it('sorts by the bytes of sort keys; the default sort key is the folded title', async () => {
      const { status, body } = await test.get('/categories/green-tea')
      expect(status).to.equal(200)
      expect(paths(body)).to.deep.equal(['gyokuro', 'sencha', 'Matcha', 'template:tea', 'longjing'])
      const sortKeys = body.items.map((item: { sort_key: string }) => item.sort_key)
      expect(sortKeys).to.deep.equal(['B', 'b', 'matcha', '\uff5e', '\u{1f375}'])
      expect(body.next).to.equal('')
    })

    it('returns items of a page list with sort_key, and the category', async () => {
      const { body, headers } = await test.get('/categories/green-tea')
      expect(body.items[1]).to.deep.equal({
        path: 'sencha',
        title: 'Sencha',
        locale: 'en',
        ns: 'main',
        url: 'https://en.wiki.example/sencha',
        revision: {
          id: '00000000-0000-4000-8000-000000000001',
          created_at: '2024-05-01T12:34:56.123456Z',
          author: { name: 'Ada' },
        },
        sort_key: 'b',
      })
      expect(body.category).to.deep.equal({
        key: 'green-tea',
        name: 'Green tea',
        url: 'https://en.wiki.example/category:green-tea',
      })
      expect(headers['content-language']).to.equal('en')
    })

    it('locale: returns the category of that language', async () => {
      const { body } = await test.get('/categories/green-tea?locale=ru')
      expect(paths(body)).to.deep.equal(['сенча'])
      expect(body.category.name).to.equal('Зелёный чай')
      expect(body.category.url).to.equal('https://ru.wiki.example/category:green-tea')
    })

    it('after: continues after the last sort key of the previous response', async () => {
      expect(paths((await test.get('/categories/green-tea?after=b&limit=1')).body)).to.deep.equal(['Matcha'])
      expect((await test.get('/categories/green-tea?limit=2')).body.next).to.equal('b')
      expect((await test.get('/categories/green-tea?after=%F0%9F%8D%B5')).body.items).to.deep.equal([])
    })

    it('include=total: how many pages the whole list has, in every part, and of those that guests see', async () => {
      const green = '/categories/green-tea?include='
      expect((await test.get(`${green}total`)).body.total).to.equal(5)
      expect((await test.get(`${green}total&limit=1&after=b`)).body.total).to.equal(5)
      expect((await test.get(`${green}total&locale=ru`)).body.total).to.equal(1)
      expect((await test.get('/categories/empty?include=total')).body.total).to.equal(0)
      const { body } = await test.get(`${green}total,summary&limit=1`)
      expect(body).to.have.property('total', 5)
      expect(body.items[0]).to.have.property('summary')
      expect((await test.get(`${green}summary`)).body).not.to.have.property('total')
    })

    it('include=total: no other list has it, because it would have to count', async () => {
      for (const path of ['/pages', '/recent', '/changes', '/search?q=tea']) {
        const { status, body } = await test.get(`${path}${path.includes('?') ? '&' : '?'}include=total`)
        expect(status, path).to.equal(400)
        expect(body.error.message).to.match(/^include: must be one of markdown, html, /)
      }
    })

    it('200 without items for an empty category', async () => {
      const { status, body } = await test.get('/categories/empty')
      expect(status).to.equal(200)
      expect(body).to.deep.equal({
        items: [],
        next: '',
        category: { key: 'empty', name: 'Empty', url: 'https://en.wiki.example/category:empty' },
      })
    })

    it('a page category:<key> defines the category and its name', async () => {
      const { status, body } = await test.get('/categories/described')
      expect(status).to.equal(200)
      expect(body.category.name).to.equal('Described')
    })

    it('a category without a page has its key as name', async () => {
      expect((await test.get('/categories/unnamed')).body.category.name).to.equal('unnamed')
    })

    it('404 for an unknown category, also if only hidden pages use it', async () => {
      const never = await test.get('/categories/never')
      expect(never.status).to.equal(404)
      expect(never.body.error.code).to.equal('not_found')
      expect((await test.get('/categories/secret')).text).to.equal(never.text)
      expect((await test.get('/categories/empty?locale=ru')).status).to.equal(404)
    })

    it('404 names at most three live keys that may be meant', async () => {
      const plain = 'There is no such category in this language (en)'
      for (const [key, hint] of [
        ['never', '.'],
        ['empti', '.'],
        ['gren-tea', '. Did you mean green-tea?'],
        ['Green%20Tea', '. Did you mean green-tea?'],
        ['category:green-tea', '. Did you mean green-tea?'],
        ['green-tea/pages', '. Did you mean green-tea?'],
        ['black', '. Did you mean Black?'],
        ['teas', '. Did you mean Black?'],
        ['tea', '. Did you mean Black, green-tea?'],
        ['blac', '. Did you mean Black?'],
      ]) {
        const { status, body } = await test.get(`/categories/${key}`)
        expect([status, body.error.message], key).to.deep.equal([404, plain + hint])
      }
    })

    it('a key can contain a slash, and is normalized to NFC', async () => {
      for (const key of ['a/b', 'a%2Fb']) {
        expect(paths((await test.get(`/categories/${key}`)).body)).to.deep.equal(['nested'])
      }
      expect(paths((await test.get('/categories/the%CC%81')).body)).to.deep.equal(['accent'])
    })

    it('404 for an empty key', async () => {
      expect((await test.get('/categories/')).status).to.equal(404)
    })

    it('GET /categories: lists those with live pages, by the bytes of their keys, with how many', async () => {
      const { status, body, headers } = await test.get('/categories')
      expect(status).to.equal(200)
      expect(headers['content-language']).to.equal('en')
      expect(body.items[0]).to.deep.equal({
        key: 'Black',
        name: 'Black teas',
        url: 'https://en.wiki.example/category:Black',
        pages: 1,
      })
      expect(keys(body)).to.deep.equal([
        ...['Black 1', 'a/b 1', 'green-tea 5', 'th\u00e9 1', 'unnamed 1', '\uff5e 1', '\u{1f375} 1'],
      ])
      expect(body.items[2].name).to.equal('Green tea')
      expect(body.next).to.equal('')
      expect(keys((await test.get('/categories?locale=ru')).body)).to.deep.equal(['green-tea 1'])
    })

    it('GET /categories: next is the last key, and any text is accepted after which the list continues', async () => {
      expect((await test.get('/categories?limit=2')).body.next).to.equal('a/b')
      expect((await test.get('/categories?after=zzz')).status).to.equal(200)
    })
  })

  describe('a wiki that changes', () => {
    const inTwo = { path: 'both', revisions: [{ categories: [{ key: 'a' }, { key: 'b' }] }] }
    withWorld(test, { pages: [member('one', 'a'), member('two', 'a'), inTwo] })

    it('counts pages that are withdrawn, edited or return', async () => {
      const listed = async (...pages: Parameters<typeof recordsOf>[0]['pages'] & object) => {
        await importRecords(recordsOf({ pages }))
        test.service.invalidate()
        return keys((await test.get('/categories')).body)
      }
      expect(await listed()).to.deep.equal(['a 3', 'b 1'])
      expect(await listed({ ...inTwo, state: 'draft' })).to.deep.equal(['a 2'])
      const edited = { created_at: '2025-01-01T00:00:00Z', categories: [{ key: 'c' }] }
      expect(await listed({ path: 'one', revisions: [edited] })).to.deep.equal(['a 1', 'c 1'])
      expect(await listed({ path: 'two', state: 'deleted', revisions: [] })).to.deep.equal(['c 1'])
      expect(await listed(inTwo)).to.deep.equal(['a 1', 'b 1', 'c 1'])
    })
  })
})
