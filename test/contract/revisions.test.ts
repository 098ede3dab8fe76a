import { expect } from 'chai'
import { testId } from '../support/ids.ts'
import { withService, withWorld } from '../support/service.ts'

describe('GET /revisions/{id}', () => {
  const test = withService()
  withWorld(test, {
    pages: [
      {
        path: 'tea/green',
        locale: 'ru',
        revisions: [
          {
            id: testId(0xa),
            created_at: '2024-01-01T00:00:00.123456Z',
            title: 'First title',
            author: 'Grace',
            comment: 'begin',
            markdown: 'Чай *один*.',
          },
          { id: testId(11), created_at: '2024-01-02T00:00:00Z', status: 'pending', title: 'Waiting' },
          { id: testId(12), created_at: '2024-01-03T00:00:00Z', title: 'Now' },
          { id: testId(13), created_at: '2024-01-04T00:00:00Z', status: 'rejected' },
          { id: testId(14), created_at: '2024-01-05T00:00:00Z', status: 'draft' },
        ],
      },
      { path: 'draft', state: 'draft', revisions: [{ id: testId(20) }] },
      { path: 'deleted', state: 'deleted', revisions: [{ id: testId(21) }] },
    ],
  })

  it('returns an accepted edit with its text, and the current title and path of its page', async () => {
    const { status, body, headers } = await test.get('/revisions/00000000-0000-4000-8000-000000000010')
    expect(status).to.equal(200)
    expect(body).to.deep.equal({
      id: '00000000-0000-4000-8000-000000000010',
      created_at: '2024-01-01T00:00:00.123456Z',
      author: { name: 'Grace' },
      comment: 'begin',
      size: 18,
      page: {
        path: 'tea/green',
        title: 'Now',
        locale: 'ru',
        ns: 'main',
        url: 'https://ru.wiki.example/tea/green',
      },
      parent: null,
      markdown: 'Чай *один*.',
      license: 'https://license.example/',
    })
    expect(headers['content-language']).to.equal('ru')
  })

  it('format: only markdown, only html, or both', async () => {
    const html = (await test.get(`/revisions/${testId(10)}?format=html`)).body
    expect(html).not.to.have.property('markdown')
    expect(html.html).to.include('<em>один</em>')
    const both = (await test.get(`/revisions/${testId(10)}?format=both`)).body
    expect(both).to.include.keys('markdown', 'html')
    const markdown = (await test.get(`/revisions/${testId(10)}?format=markdown`)).body
    expect(markdown).not.to.have.property('html')
  })

  it('404 for everything except accepted edits of live pages, the same as for an unknown id', async () => {
    const never = await test.get(`/revisions/${testId(99)}`)
    expect(never.status).to.equal(404)
    expect(never.body.error.code).to.equal('not_found')
    for (const hidden of [11, 13, 14, 20, 21]) {
      const { status, text } = await test.get(`/revisions/${testId(hidden)}`)
      expect(status, String(hidden)).to.equal(404)
      expect(text).to.equal(never.text)
    }
  })

  it('404 for an empty id', async () => {
    expect((await test.get('/revisions/')).status).to.equal(404)
    expect((await test.get('/revisions')).status).to.equal(404)
  })
})
