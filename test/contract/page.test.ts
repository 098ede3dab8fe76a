import { expect } from 'chai'
import { testId } from '../support/ids.ts'
import { withService, withWorld } from '../support/service.ts'

describe('GET /pages/{path}', () => {
  const test = withService()

  describe('a page with all its fields', () => {
    withWorld(test, {
      categories: [{ locale: 'en', key: 'green-tea', name: 'Green tea' }],
      pages: [
        {
          path: 'sencha',
          translation_group: 'sencha',
          revisions: [
            { id: testId(1), created_at: '2024-05-01T12:34:56.123456Z', title: 'Old', markdown: 'Old' },
            {
              id: testId(2),
              created_at: '2024-05-01T12:34:56.123457Z',
              author: 'Ada Lovelace',
              title: 'Sencha',
              markdown: '# Sencha\n\nSteamed *leaves*.\r\n',
              categories: [{ key: 'green-tea' }, { key: 'a/b' }],
            },
            {
              id: testId(3),
              created_at: '2024-05-02T00:00:00Z',
              title: 'Waiting title',
              markdown: 'Waiting text',
              status: 'pending',
              categories: [{ key: 'waiting' }],
            },
          ],
        },
        {
          path: 'сенча',
          locale: 'ru',
          translation_group: 'sencha',
          revisions: [
            { title: 'Сенча' },
            { status: 'pending', created_at: '2025-01-01T00:00:00Z', title: 'X' },
          ],
        },
        { path: 'черновик', locale: 'ru', translation_group: 'sencha', state: 'draft' },
      ],
    })

    it('returns its last accepted edit, categories, translations, Markdown and license', async () => {
      const { status, body, headers } = await test.get('/pages/sencha')
      expect(status).to.equal(200)
      expect(body).to.deep.equal({
        path: 'sencha',
        title: 'Sencha',
        locale: 'en',
        url: 'https://en.wiki.example/sencha',
        revision: {
          id: '00000000-0000-4000-8000-000000000002',
          created_at: '2024-05-01T12:34:56.123457Z',
          author: { name: 'Ada Lovelace' },
        },
        categories: [
          { key: 'a/b', name: 'a/b', url: 'https://en.wiki.example/category:a/b' },
          { key: 'green-tea', name: 'Green tea', url: 'https://en.wiki.example/category:green-tea' },
        ],
        translations: [
          {
            locale: 'ru',
            title: 'Сенча',
            url: 'https://ru.wiki.example/%D1%81%D0%B5%D0%BD%D1%87%D0%B0',
          },
        ],
        markdown: '# Sencha\n\nSteamed *leaves*.\r\n',
        license: 'https://license.example/',
      })
      expect(headers['content-language']).to.equal('en')
      expect(headers.link).to.equal('<https://license.example/>; rel="license"')
    })

    it('format: the default is markdown', async () => {
      expect((await test.get('/pages/sencha?format=markdown')).text).to.equal(
        (await test.get('/pages/sencha')).text,
      )
    })

    it('format=html: html without markdown', async () => {
      const { body } = await test.get('/pages/sencha?format=html')
      expect(body).not.to.have.property('markdown')
      expect(body.html).to.include('<em>leaves</em>')
    })

    it('format=both: html and markdown', async () => {
      const { body } = await test.get('/pages/sencha?format=both')
      expect(body.markdown).to.equal('# Sencha\n\nSteamed *leaves*.\r\n')
      expect(body.html).to.include('<em>leaves</em>')
    })

    it('400: an unknown format, with the name of the parameter', async () => {
      for (const format of ['HTML', 'text', '', 'html,markdown']) {
        const { status, body } = await test.get(`/pages/sencha?format=${format}`)
        expect(status, format).to.equal(400)
        expect(body.error.message).to.match(/^format: .*markdown, html, both/)
      }
    })

    it('locale: returns the page of that language', async () => {
      const { body, headers } = await test.get(`/pages/${encodeURIComponent('сенча')}?locale=ru`)
      expect(body.title).to.equal('Сенча')
      expect(body.locale).to.equal('ru')
      expect(body.translations).to.deep.equal([
        { locale: 'en', title: 'Sencha', url: 'https://en.wiki.example/sencha' },
      ])
      expect(headers['content-language']).to.equal('ru')
    })

    it('404 for a page of another language', async () => {
      const { status, body } = await test.get('/pages/sencha?locale=ru')
      expect(status).to.equal(404)
      expect(body.error.code).to.equal('not_found')
    })
  })

  describe('404 for what guests cannot see, the same as for what does not exist', () => {
    withWorld(test, {
      pages: [
        { path: 'live' },
        { path: 'draft', state: 'draft' },
        { path: 'deleted', state: 'deleted' },
        { path: 'waiting', revisions: [{ status: 'pending' }] },
        { path: 'rejected', revisions: [{ status: 'rejected' }] },
        { path: 'empty', revisions: [] },
      ],
    })

    it('404 for an unknown page', async () => {
      const never = await test.get('/pages/never')
      expect(never.status).to.equal(404)
      for (const path of ['draft', 'deleted', 'waiting', 'rejected', 'empty']) {
        const { status, text } = await test.get(`/pages/${path}`)
        expect(status, path).to.equal(404)
        expect(text, path).to.equal(never.text)
      }
    })
  })

  describe('paths', () => {
    withWorld(test, {
      pages: [
        { path: 'a/b' },
        { path: 'a' },
        { path: 'a/history' },
        { path: 'history' },
        { path: 'a//b' },
        { path: '/lead' },
        { path: 'trail/' },
        { path: '.' },
        { path: 'a/../b' },
        { path: 'template:card' },
        { path: 'category:tea' },
        { path: 'caf\u00e9' },
        { path: '100% + 1?#&=' },
        { path: '\u{1f375}' },
        { path: 'Case' },
        { path: 'o\'clock "<b>' },
      ],
    })

    const titleAt = async (address: string) => (await test.get(`/pages/${address}`)).body.title

    it('/pages/a/b and /pages/a%2Fb are the same page', async () => {
      expect(await titleAt('a/b')).to.equal('a/b')
      expect(await titleAt('a%2Fb')).to.equal('a/b')
      expect(await titleAt('a%2fb')).to.equal('a/b')
    })

    it('a page whose path ends in /history is at %2Fhistory', async () => {
      expect(await titleAt('a%2Fhistory')).to.equal('a/history')
      expect((await test.get('/pages/a/history')).body.items).to.have.length(1)
      expect((await test.get('/pages/a/history/history')).body.items).to.have.length(1)
      expect((await test.get('/pages/a%2Fhistory/history')).body.items).to.have.length(1)
      expect(await titleAt('history')).to.equal('history')
      expect((await test.get('/pages/history/history')).body.items).to.have.length(1)
    })

    it('slashes and dots are never collapsed or redirected', async () => {
      for (const path of ['a//b', '/lead', 'trail/', '.', 'a/../b'])
        expect(await titleAt(path)).to.equal(path)
      expect((await test.get('/pages/a/')).status).to.equal(404)
    })

    it('a path can have a namespace prefix', async () => {
      for (const address of ['template:card', 'template%3Acard']) {
        expect(await titleAt(address)).to.equal('template:card')
      }
      expect(await titleAt('category:tea')).to.equal('category:tea')
    })

    it('paths are compared after normalization to NFC', async () => {
      expect(await titleAt('cafe%CC%81')).to.equal('caf\u00e9')
      expect(await titleAt('caf%C3%A9')).to.equal('caf\u00e9')
    })

    it('paths are case-sensitive', async () => {
      expect((await test.get('/pages/case')).status).to.equal(404)
    })

    it('a path can contain any character, and its url is absolute and leads to it', async () => {
      for (const path of ['100% + 1?#&=', '\u{1f375}', 'o\'clock "<b>']) {
        const { body } = await test.get(`/pages/${encodeURIComponent(path)}`)
        expect(body.path).to.equal(path)
        expect(decodeURIComponent(new URL(body.url).pathname)).to.equal(`/${path}`)
      }
    })

    it('a plus in a path is a plus; only in a query is it a space', async () => {
      expect(await titleAt('100%25%20+%201%3F%23&=')).to.equal('100% + 1?#&=')
    })

    it('404 for an empty path', async () => {
      const { status, body } = await test.get('/pages/')
      expect(status).to.equal(404)
      expect(body.error.code).to.equal('not_found')
    })
  })
})
