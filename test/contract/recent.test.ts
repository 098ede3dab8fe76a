import { expect } from 'chai'
import { testId } from '../support/ids.ts'
import { withService, withWorld } from '../support/service.ts'

const ids = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id)

describe('GET /recent', () => {
  const test = withService()

  describe('accepted edits of the whole wiki', () => {
    withWorld(test, {
      pages: [
        {
          path: 'tea',
          revisions: [
            { id: testId(1), created_at: '2024-01-01T00:00:00Z', title: 'Old' },
            { id: testId(4), created_at: '2024-01-04T00:00:00.000001Z', title: 'Tea', comment: 'rename' },
            { id: testId(6), created_at: '2024-01-06T00:00:00Z', status: 'pending', title: 'Waiting' },
          ],
        },
        { path: 'чай', locale: 'ru', revisions: [{ id: testId(3), created_at: '2024-01-03T00:00:00Z' }] },
        { path: 'module:kettle', revisions: [{ id: testId(2), created_at: '2024-01-02T00:00:00Z' }] },
        { path: 'draft', state: 'draft', revisions: [{ id: testId(7), created_at: '2024-01-07T00:00:00Z' }] },
        {
          path: 'gone',
          state: 'deleted',
          revisions: [{ id: testId(8), created_at: '2024-01-08T00:00:00Z' }],
        },
      ],
    })

    it('returns edits of all languages and namespaces, newest first, without pending edits and hidden pages', async () => {
      const { status, body, headers } = await test.get('/recent')
      expect(status).to.equal(200)
      expect(ids(body)).to.deep.equal([testId(4), testId(3), testId(2), testId(1)])
      expect(body.next).to.equal('')
      expect(headers).not.to.have.property('content-language')
    })

    it('an item is that of a history, with the current title and path of its page', async () => {
      const { body } = await test.get('/recent')
      expect(body.items[0]).to.deep.equal({
        id: '00000000-0000-4000-8000-000000000004',
        created_at: '2024-01-04T00:00:00.000001Z',
        author: { name: 'Ada' },
        comment: 'rename',
        size: 12,
        url: 'http://localhost:3000/api/v1/revisions/00000000-0000-4000-8000-000000000004',
        page: { path: 'tea', title: 'Tea', locale: 'en', ns: 'main', url: 'https://en.wiki.example/tea' },
      })
      expect(body.items[3].page.title).to.equal('Tea')
      expect(body.items[2].page.ns).to.equal('module')
    })

    it('locale: returns only that language; the default is all languages, whatever the host', async () => {
      const russian = await test.get('/recent?locale=ru')
      expect(ids(russian.body)).to.deep.equal([testId(3)])
      expect(russian.headers['content-language']).to.equal('ru')
      const called = await test.get('/recent', { headers: { Host: 'ru.wiki.example' } })
      expect(ids(called.body)).to.deep.equal([testId(4), testId(3), testId(2), testId(1)])
    })

    it('before: returns only older edits, without those at that time, also with locale', async () => {
      const { body } = await test.get('/recent?before=2024-01-03T00:00:00Z')
      expect(ids(body)).to.deep.equal([testId(2), testId(1)])
      const english = await test.get('/recent?locale=en&before=2024-01-04T00:00:00.000001Z')
      expect(ids(english.body)).to.deep.equal([testId(2), testId(1)])
    })

    it('since and until: returns the edits of a period, from its first moment on, without its last', async () => {
      const [second, fourth] = ['2024-01-02T00:00:00Z', '2024-01-04T00:00:00.000001Z']
      const listed = async (query: string) => ids((await test.get(`/recent?${query}`)).body)
      expect(await listed(`since=${second}&until=${fourth}`)).to.deep.equal([testId(3), testId(2)])
      expect(await listed('since=2024-01-02T00:00:00.0000001Z')).to.deep.equal([testId(4), testId(3)])
      expect(await listed(`until=2024-01-02T02:00:00%2B02:00`)).to.deep.equal([testId(1)])
      expect(await listed(`since=${second}&before=2024-01-03T00:00:00Z`)).to.deep.equal([testId(2)])
      expect(await listed(`since=${second}&locale=en`)).to.deep.equal([testId(4), testId(2)])
      expect(await listed(`since=${second}&ns=main`)).to.deep.equal([testId(4), testId(3)])
      expect(await listed('since=&until=')).to.have.length(4)
      expect(await listed(`since=${fourth}&until=${second}`)).to.deep.equal([])
    })

    it('since and until: the next part is of the same period', async () => {
      const first = await test.get('/recent?since=2024-01-02T00:00:00Z&until=2024-01-04T00:00:00Z&limit=1')
      expect(ids(first.body)).to.deep.equal([testId(3)])
      expect(first.headers.link).to.include(
        'limit=1&since=2024-01-02T00%3A00%3A00.000000Z&until=2024-01-04T00%3A00%3A00.000000Z&before=2024-01-03T00%3A00%3A00.000000Z>; rel="next"',
      )
      const { body } = await test.get(
        `/recent?since=2024-01-02T00:00:00Z&until=2024-01-04T00:00:00Z&limit=1&before=${first.body.next}`,
      )
      expect([ids(body), body.next]).to.deep.equal([[testId(2)], ''])
    })

    it('since, until, before: a date is its midnight in UTC', async () => {
      const { body } = await test.get('/recent?since=2024-01-02&until=2024-01-04')
      expect(ids(body)).to.deep.equal([testId(3), testId(2)])
      for (const end of ['until', 'before'])
        expect(ids((await test.get(`/pages/tea/history?${end}=2024-01-02`)).body)).to.deep.equal([testId(1)])
    })

    it('400: the message tells what is wrong with a time', async () => {
      const must =
        'must be a date such as 2026-05-01, or an RFC 3339 date-time such as 2026-05-01T12:34:56.123456Z'
      const zone = 'lacks a time zone: add Z for UTC, or an offset such as +02:00'
      const never = 'has a date, time or offset that does not exist'
      for (const [query, message] of [
        ['since=2024-1-2&until=now', `since: ${must}; until: ${must}`],
        ['since=2024-13-01', `since: ${never}`],
        ['since=2024-02-30&until=2024-02-30T00:00:00Z', `since: ${never}; until: ${never}`],
        ['until=2024-01-01T00:00:00%2B25:00', `until: ${never}`],
        ['since=2024-01-01T00:00:00&until=2024-01-01T00:00', `since: ${zone}; until: ${zone}`],
        ['before=2024-01-01T00:00:00.5', `before: ${zone}`],
        ['before=2024-1-1', `before: ${must}`],
      ]) {
        const { status, body } = await test.get(`/recent?${query}`)
        expect([status, body.error.message], query).to.deep.equal([400, message])
      }
    })

    it('include=parent: the accepted edit before each, and its size', async () => {
      const all = (await test.get('/recent?include=parent')).body.items
      const plain = (await test.get('/recent')).body.items
      expect(all).to.deep.equal(
        plain.map((item: { id: string }) => ({
          ...item,
          ...(item.id === testId(4)
            ? { parent: testId(1), parent_size: 12 }
            : { parent: null, parent_size: null }),
        })),
      )
      const both = await test.get('/recent?limit=1&include=parent,markdown,summary')
      expect(both.body.items[0]).to.deep.include({ ...all[0], markdown: 'Text of tea.' })
      expect(both.headers.link).to.include('include=markdown%2Csummary%2Cparent&before=')
    })
  })

  describe('author and ns: edits by an author, of pages of a namespace', () => {
    const at = (n: number) => `2024-01-01T00:00:${String(n).padStart(2, '0')}Z`
    const edit = (n: number, author: string, time = n) => ({ id: testId(n), author, created_at: at(time) })
    withWorld(test, {
      pages: [
        { path: 'tea', revisions: [edit(1, 'Ada'), edit(2, 'Bo'), { ...edit(3, 'Ada'), status: 'pending' }] },
        { path: 'template:a', revisions: [edit(4, 'Ada'), edit(5, 'Cy O')] },
        { path: 'category:tea', revisions: [edit(6, 'Ada')] },
        { path: 'чай', locale: 'ru', revisions: [edit(7, 'Ada'), edit(8, 'ada')] },
        { path: 'template:б', locale: 'ru', revisions: [edit(9, 'Bo')] },
        { path: 'draft', state: 'draft', revisions: [edit(10, 'Ada')] },
        { path: 'template:gone', state: 'deleted', revisions: [edit(11, 'Ada')] },
        // Edits of one time, of two languages, after all others.
        ...Array.from({ length: 12 }, (_, i) => ({
          path: `module:${i}`,
          locale: i % 3 ? 'en' : 'ru',
          revisions: [edit(20 + i, i % 2 ? 'Tie' : 'Other', 30), edit(40 + i, 'Tie', 31)],
        })),
      ],
    })
    const listed = async (query: string) => ids((await test.get(`/recent?${query}`)).body)
    const numbered = (...numbers: number[]) => numbers.map((n) => testId(n))

    it('author: by the exact name, newest first, of accepted edits of live pages', async () => {
      expect(await listed('author=Ada')).to.deep.equal(numbered(7, 6, 4, 1))
      expect(await listed('author=Cy%20O')).to.deep.equal(numbered(5))
      for (const none of ['Nobody', 'ADA', 'Ad', 'A%25', 'Cy'])
        expect((await test.get(`/recent?author=${none}`)).body, none).to.deep.equal({ items: [], next: '' })
      expect(await listed('author=')).to.deep.equal(await listed(''))
    })

    it('Prefer: handling=strict: 400 for an author without accepted edits, with the one who is near', async () => {
      const strict = { headers: { Prefer: 'handling=strict' } }
      for (const path of ['/recent', '/recent.atom'])
        for (const [author, hint] of [
          ['BO', '. Did you mean Bo?'],
          ['Cyo', '. Did you mean Cy O?'],
          ['Nobody', ''],
        ]) {
          const plain = await test.get(`${path}?author=${author}`)
          expect([plain.status, plain.headers.vary]).to.deep.equal([200, 'Accept-Encoding, Prefer'])
          const { status, body, headers } = await test.get(`${path}?author=${author}`, strict)
          expect([status, body.error.message]).to.deep.equal([400, `author: does not exist${hint}`])
          expect(headers).to.include({
            'lectern-invalid-parameters': 'author',
            'preference-applied': 'handling=strict',
          })
        }
      // An author of other pages is known.
      const { status, body } = await test.get('/recent?author=ada&locale=en', strict)
      expect([status, body.items]).to.deep.equal([200, []])
    })

    it('ns: pages of that namespace; none is left out', async () => {
      expect(await listed('ns=template')).to.deep.equal(numbered(9, 5, 4))
      expect(await listed('ns=category')).to.deep.equal(numbered(6))
      expect(await listed('ns=main')).to.deep.equal(numbered(8, 7, 2, 1))
      expect(await listed('ns=page_template')).to.deep.equal([])
    })

    it('both, with locale and before; an item is the same as without them', async () => {
      expect(await listed('author=Ada&ns=template')).to.deep.equal(numbered(4))
      expect(await listed('author=Ada&locale=ru')).to.deep.equal(numbered(7))
      expect(await listed('ns=template&locale=en')).to.deep.equal(numbered(5, 4))
      expect(await listed(`author=Ada&before=${at(6)}`)).to.deep.equal(numbered(4, 1))
      const { items } = (await test.get('/recent')).body
      const { body, headers } = await test.get('/recent?author=Bo&ns=main&locale=en&include=markdown')
      const { markdown, ...item } = body.items[0]
      expect(item).to.deep.equal(items.find(({ id }: { id: string }) => id === testId(2)))
      expect(markdown).to.be.a('string')
      expect(headers['content-language']).to.equal('en')
    })

    it('parts continue exactly, also among edits that have the same time', async () => {
      const all = (await listed('limit=200&ns=module')).sort()
      expect(all).to.have.length(24)
      for (const limit of [1, 2, 5, 7]) {
        const walked = ids({ items: await test.walk('/recent?ns=module', 'before', limit) })
        expect(walked, String(limit)).to.deep.equal(await listed('ns=module'))
        const tied = ids({ items: await test.walk('/recent?author=Tie', 'before', limit) })
        expect(tied, String(limit)).to.deep.equal(await listed('author=Tie'))
        expect(new Set(tied).size).to.equal(18)
      }
    })
  })
})
