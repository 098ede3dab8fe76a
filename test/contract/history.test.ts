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

    it('locale: returns the page of that language', async () => {
      const { body, headers } = await test.get('/pages/tea/history?locale=ru')
      expect(ids(body)).to.deep.equal([testId(8)])
      expect(headers['content-language']).to.equal('ru')
    })

    it('before: returns only older edits, without those at that time', async () => {
      const { body } = await test.get('/pages/tea/history?before=2024-01-01T00:00:00.000002Z')
      expect(ids(body)).to.deep.equal([testId(1)])
    })

    it('200 without items before the first edit', async () => {
      const { status, body } = await test.get('/pages/tea/history?before=2000-01-01T00:00:00Z')
      expect(status).to.equal(200)
      expect(body).to.deep.equal({ items: [], next: '' })
    })

    it('404 for an unknown page and for a page that guests cannot see', async () => {
      for (const path of ['never', 'draft', 'deleted']) {
        const { status, body } = await test.get(`/pages/${path}/history`)
        expect(status, path).to.equal(404)
        expect(body.error.code).to.equal('not_found')
      }
      expect((await test.get('/pages/coffee/history?locale=ru')).status).to.equal(404)
    })
  })

  describe('limit', () => {
    withWorld(test, {
      pages: [
        {
          path: 'a/b',
          revisions: Array.from({ length: 201 }, (_, i) => ({
            id: testId(i),
            created_at: `2024-01-01T00:00:00.${String(i).padStart(6, '0')}Z`,
          })),
        },
      ],
    })

    it('the default is 50, and next is the created_at of the last item', async () => {
      const { body } = await test.get('/pages/a/b/history')
      expect(body.items).to.have.length(50)
      expect(body.next).to.equal('2024-01-01T00:00:00.000151Z')
      expect(body.next).to.equal(body.items[49].created_at)
    })

    it('accepts 1 to 200', async () => {
      expect((await test.get('/pages/a/b/history?limit=1')).body.items).to.have.length(1)
      const { body } = await test.get('/pages/a/b/history?limit=200')
      expect(body.items).to.have.length(200)
      expect(ids((await test.get(`/pages/a/b/history?before=${body.next}`)).body)).to.deep.equal([testId(0)])
    })

    it('400: limit 0 and 201, with the name of the parameter', async () => {
      for (const limit of ['0', '201', 'many']) {
        const { status, body } = await test.get(`/pages/a/b/history?limit=${limit}`)
        expect(status).to.equal(400)
        expect(body.error.message).to.match(/^limit: /)
      }
    })

    it('following next returns every edit once', async () => {
      const walked = await test.walk('/pages/a/b/history', 'before', 7)
      expect(walked.map(({ id }) => id)).to.deep.equal(Array.from({ length: 201 }, (_, i) => testId(200 - i)))
    })

    it('Link rel="next" works for a path written with a slash and with %2F', async () => {
      for (const address of ['/pages/a/b/history', '/pages/a%2Fb/history']) {
        const { headers } = await test.get(`${address}?limit=1`)
        const next = /<http:\/\/localhost:3000\/api\/v1([^>]+)>; rel="next"/.exec(String(headers.link))![1]!
        const { status, body } = await test.get(next)
        expect(status, next).to.equal(200)
        expect(ids(body)).to.deep.equal([testId(199)])
      }
    })
  })
})
