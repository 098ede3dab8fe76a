import { expect } from 'chai'
import { testId } from '../support/ids.ts'
import { withService, withWorld } from '../support/service.ts'

const ids = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id)

describe('GET /pages/{path}/history', () => {
  const test = withService()

  describe('accepted edits of a page, newest first', () => {
    withWorld(test, {
      pages: [
        {
          path: 'tea',
          revisions: [
            { id: testId(1), created_at: '2024-01-01T00:00:00.000001Z' },
            {
              id: testId(2),
              created_at: '2024-01-01T00:00:00.000002Z',
              comment: 'größer',
              markdown: 'größer',
            },
            { id: testId(3), created_at: '2024-01-02T00:00:00Z', status: 'pending' },
            { id: testId(4), created_at: '2024-01-03T00:00:00Z', status: 'rejected' },
            { id: testId(5), created_at: '2024-01-04T02:00:00+02:00', author: 'Grace' },
          ],
        },
        { path: 'coffee', revisions: [{ id: testId(9) }] },
        { path: 'tea', locale: 'ru', revisions: [{ id: testId(8) }] },
        { path: 'draft', state: 'draft' },
        { path: 'deleted', state: 'deleted' },
      ],
    })

    it('omits pending and rejected edits', async () => {
      const { status, body } = await test.get('/pages/tea/history')
      expect(status).to.equal(200)
      expect(ids(body)).to.deep.equal([testId(5), testId(2), testId(1)])
      expect(body.next).to.equal('')
    })

    it('an item has id, created_at, author, comment, size in bytes and url', async () => {
      const { body } = await test.get('/pages/tea/history')
      expect(body.items[1]).to.deep.equal({
        id: '00000000-0000-4000-8000-000000000002',
        created_at: '2024-01-01T00:00:00.000002Z',
        author: { name: 'Ada' },
        comment: 'größer',
        size: 8,
        url: 'http://localhost:3000/api/v1/revisions/00000000-0000-4000-8000-000000000002',
      })
      expect(body.items[0].created_at).to.equal('2024-01-04T00:00:00.000000Z')
    })

    it('include=parent: the accepted edit before each, and its size; null for the first', async () => {
      const { items } = (await test.get('/pages/tea/history?include=parent')).body
      const parents = items.map((item: Record<string, unknown>) => [item.parent, item.parent_size])
      expect(parents).to.deep.equal([
        [testId(2), 8],
        [testId(1), 12],
        [null, null],
      ])
      const part = (await test.get('/pages/tea/history?include=parent&limit=1')).headers.link
      expect(part).to.include('limit=1&include=parent&before=')
      const texts = (await test.get('/pages/tea/history?include=markdown,parent&limit=2')).body.items
      expect(texts[1]).to.include({ markdown: 'größer', parent: testId(1) })
      expect((await test.get('/pages/tea/history?include=links')).status).to.equal(400)
    })

    it('since and until: returns the edits of a period', async () => {
      const period = 'since=2024-01-01T00:00:00.000002Z&until=2024-01-04T00:00:00Z'
      expect(ids((await test.get(`/pages/tea/history?${period}`)).body)).to.deep.equal([testId(2)])
    })

    it('order=asc: returns the oldest edit first, also of a period', async () => {
      const first = async (query: string) =>
        ids((await test.get(`/pages/tea/history?order=asc${query}`)).body)
      expect(await first('')).to.deep.equal([testId(1), testId(2), testId(5)])
      expect(await first('&since=2024-01-01T00:00:00.000002Z')).to.deep.equal([testId(2), testId(5)])
      for (const end of ['until', 'before'])
        expect(await first(`&${end}=2024-01-01T00:00:00.000002Z`), end).to.deep.equal([testId(1)])
      expect(await first('&since=2025-01-01')).to.deep.equal([])
      expect((await test.get('/pages/never/history?order=asc')).status).to.equal(404)
      const after = `2024-01-01T00:00:00.000001Z_${testId(1)}`
      for (const query of [`after=${after}`, 'order=asc&after=2024-01-01', 'order=asc&after=tea_1']) {
        const { status, body } = await test.get(`/pages/tea/history?${query}`)
        const message = 'after: must be `next` of the previous response, with order=asc'
        expect([status, body.error.message], query).to.deep.equal([400, message])
      }
      const asBefore = await test.get(`/pages/tea/history?order=asc&before=${after}`)
      expect(asBefore.body.error.message).to.include('before: is the cursor of a list with order=asc')
    })
  })

  describe('Link', () => {
    withWorld(test, {
      pages: [
        {
          path: 'a/b',
          revisions: [1, 2, 3].map((i) => ({ id: testId(i), created_at: `2024-01-0${i}T00:00:00Z` })),
        },
      ],
    })

    it('Link rel="next" works for a path written with a slash and with %2F', async () => {
      for (const address of ['/pages/a/b/history', '/pages/a%2Fb/history']) {
        const { headers } = await test.get(`${address}?limit=1`)
        const next = /<http:\/\/localhost:3000\/api\/v1([^>]+)>; rel="next"/.exec(String(headers.link))![1]!
        const { status, body } = await test.get(next)
        expect(status, next).to.equal(200)
        expect(ids(body)).to.deep.equal([testId(2)])
      }
    })
  })
})
