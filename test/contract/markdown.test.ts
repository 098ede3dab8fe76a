import { expect } from 'chai'
import { testId } from '../support/ids.ts'
import { withService, withWorld } from '../support/service.ts'

describe('Accept: text/markdown', () => {
  const test = withService()
  const markdown = '# Sencha\n\nSteamed *leaves*.\n\n## Use\n\nチャ\n'
  withWorld(test, {
    pages: [
      {
        path: 'sencha',
        revisions: [
          { id: testId(1), markdown: 'Old.' },
          { id: testId(2), created_at: '2024-01-02T00:00:00Z', markdown },
        ],
      },
      { path: 'long', revisions: [{ markdown: 'tea '.repeat(1_000) }] },
    ],
  })
  const ask = (path: string, accept = 'text/markdown', headers: Record<string, string> = {}) =>
    test.get(path, { headers: { Accept: accept, ...headers } })

  it('returns the Markdown of a page itself, with its URL and its license', async () => {
    const { status, headers, text } = await ask('/pages/sencha')
    expect(status).to.equal(200)
    expect(text).to.equal(markdown)
    expect(headers['content-type']).to.equal('text/markdown; charset=utf-8')
    expect(headers.link).to.equal(
      '<https://en.wiki.example/sencha>; rel="canonical", <https://license.example/>; rel="license"',
    )
    expect(headers['content-language']).to.equal('en')
    expect(headers['cache-control']).to.match(/^public, max-age=\d+$/)
    expect(headers['x-content-type-options']).to.equal('nosniff')
  })

  it('returns the Markdown of a revision, and of a section', async () => {
    const { text, headers } = await ask(`/revisions/${testId(1)}`)
    expect(text).to.equal('Old.')
    expect(headers.link).to.include('<https://en.wiki.example/sencha>; rel="canonical"')
    expect((await ask('/pages/sencha?section=use')).text).to.equal('## Use\n\nチャ\n')
  })

  it('sends only Markdown, whatever format and include say', async () => {
    expect((await ask('/pages/sencha?format=html&include=sections,html')).text).to.equal(markdown)
  })

  const MARKDOWN = [
    'text/markdown',
    'Text/Markdown; charset=UTF-8',
    'text/markdown; variant=GFM',
    'text/markdown, */*',
    'text/markdown, application/json',
    'text/markdown, text/html;q=0.9, application/json;q=0.8',
    'application/json;q=0.5, text/*',
    'application/json;q=0, */*',
  ]
  const JSON_TYPES = [
    '*/*',
    'application/json',
    'application/json, text/markdown',
    'application/json, text/markdown;q=0.9',
    'text/markdown;q=0',
    'text/markdown;q=0, */*',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
    'text/html',
    'text/markdownish',
    'nonsense',
    '',
  ]
  it('is negotiated by the weights of the client; JSON without a preference', async () => {
    for (const [types, expected] of [
      [MARKDOWN, 'text/markdown; charset=utf-8'],
      [JSON_TYPES, 'application/json; charset=utf-8'],
    ] as const)
      for (const accept of types)
        expect((await ask('/pages/sencha', accept)).headers['content-type'], accept).to.equal(expected)
  })

  it('Vary names Accept only where it is negotiated', async () => {
    for (const accept of ['text/markdown', '*/*'])
      for (const path of ['/pages/sencha', `/revisions/${testId(2)}`])
        expect((await ask(path, accept)).headers.vary, path).to.equal('Accept, Accept-Encoding')
    for (const path of ['/', '/pages', '/recent', '/search?q=tea', '/pages/sencha/history', '/openapi.json'])
      expect((await ask(path)).headers, path).to.include({
        vary: 'Accept-Encoding',
        'content-type': 'application/json; charset=utf-8',
      })
  })

  it('both representations are cached, with ETags of their own', async () => {
    const [json, text] = [await ask('/pages/sencha', '*/*'), await ask('/pages/sencha')]
    expect(json.headers.etag).to.not.equal(text.headers.etag)
    for (const [accept, { headers }, other] of [
      ['*/*', json, text],
      ['text/markdown', text, json],
    ] as const) {
      const same = await ask('/pages/sencha', accept, { 'If-None-Match': headers.etag! })
      expect(same.status).to.equal(304)
      expect(same.headers.vary).to.equal('Accept, Accept-Encoding')
      expect((await ask('/pages/sencha', accept, { 'If-None-Match': other.headers.etag! })).status).to.equal(
        200,
      )
    }
    expect((await ask('/pages/sencha', '*/*')).text).to.equal(json.text)
  })

  it('HEAD has the headers without the body, and long texts are compressed', async () => {
    const head = await test.get('/pages/long', { method: 'HEAD', headers: { Accept: 'text/markdown' } })
    expect(head.text).to.equal('')
    expect(head.headers).to.include({
      'content-type': 'text/markdown; charset=utf-8',
      'content-length': '4000',
    })
    const packed = await ask('/pages/long', 'text/markdown', { 'Accept-Encoding': 'gzip' })
    expect(packed.headers['content-encoding']).to.equal('gzip')
    expect(packed.text).to.equal('tea '.repeat(1_000))
  })

  it('errors stay JSON', async () => {
    for (const [path, status] of [
      ['/pages/never', 404],
      ['/pages/sencha?section=never', 404],
      ['/pages/sencha?format=never', 400],
      ['/pages/sencha?include=never', 400],
      ['/revisions/1', 400],
    ] as const) {
      const { headers, body, ...response } = await ask(path)
      expect(response.status, path).to.equal(status)
      expect(headers['content-type'], path).to.equal('application/json; charset=utf-8')
      expect(Object.keys(body.error)).to.deep.equal(['code', 'message'])
    }
  })
})
