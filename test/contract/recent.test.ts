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

    it('200 without items before the first edit', async () => {
      const { body } = await test.get('/recent?before=0001-01-01T00:00:00Z')
      expect(body).to.deep.equal({ items: [], next: '' })
    })
  })
})
