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
        ns: 'main',
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
            path: 'сенча',
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

    it('format: markdown (the default), html, or both', async () => {
      const { text } = await test.get('/pages/sencha?format=markdown')
      expect(text).to.equal((await test.get('/pages/sencha')).text)
      const html = (await test.get('/pages/sencha?format=html')).body
      expect(html).not.to.have.property('markdown')
      expect(html.html).to.include('<em>leaves</em>')
      const both = (await test.get('/pages/sencha?format=both')).body
      expect(both.markdown).to.equal('# Sencha\n\nSteamed *leaves*.\r\n')
      expect(both.html).to.include('<em>leaves</em>')
    })

    it('locale: returns the page of that language', async () => {
      const { body, headers } = await test.get(`/pages/${encodeURIComponent('сенча')}?locale=ru`)
      expect(body.title).to.equal('Сенча')
      expect(body.locale).to.equal('ru')
      expect(body.translations).to.deep.equal([
        { locale: 'en', path: 'sencha', title: 'Sencha', url: 'https://en.wiki.example/sencha' },
      ])
      expect(headers['content-language']).to.equal('ru')
    })
  })

  describe('parts of a page', () => {
    const markdown =
      'Tea of *steamed* leaves. It is green.\n\n# Making\n\n[x]\n\n## Steam\n\n```\n# a\n  b\n```\n\n> ## Making\n\n# Use\n\n- a\n\n[x]: /matcha\n'
    withWorld(test, {
      pages: [
        {
          path: 'sencha',
          revisions: [
            { created_at: '2024-01-01T00:00:00Z', author: 'Bo', markdown: 'Old.' },
            { created_at: '2024-01-02T00:00:00Z', author: 'Bo', markdown: 'Old.' },
            { created_at: '2024-01-03T00:00:00Z', author: 'Ada', status: 'pending', markdown: 'Hidden.' },
            { created_at: '2024-01-04T00:00:00Z', author: 'Cy', status: 'rejected', markdown: 'Hidden.' },
            { created_at: '2024-01-05T00:00:00Z', author: 'Ada', markdown },
          ],
        },
        { path: 'empty', revisions: [{ markdown: '' }] },
      ],
    })

    it('format=text: plain text without markup, in which code keeps its lines', async () => {
      const { body } = await test.get('/pages/sencha?format=text')
      expect(body.text).to.equal(
        'Tea of steamed leaves. It is green.\n\nMaking\n\nx\n\nSteam\n\n# a\n  b\n\n\nMaking\n\nUse\n\n- a',
      )
      expect(body).to.not.have.any.keys('markdown', 'html', 'summary', 'sections', 'contributors')
    })

    it('include=sections: the outline, with offsets in the Markdown and the ids of the HTML', async () => {
      const { body } = await test.get('/pages/sencha?include=sections&format=both')
      expect(body.sections).to.deep.equal([
        { id: '', level: 0, title: '', start: 0, end: 39 },
        { id: 'making', level: 1, title: 'Making', start: 39, end: 94 },
        { id: 'steam', level: 2, title: 'Steam', start: 54, end: 94 },
        { id: 'making-1', level: 2, title: 'Making', start: 81, end: 93 },
        { id: 'use', level: 1, title: 'Use', start: 94, end: 119 },
      ])
      for (const { id } of body.sections.slice(1)) expect(body.html).to.include(`id="${id}"`)
      expect(body.markdown.slice(54, 94)).to.match(/^## Steam\n.*> ## Making\n\n$/s)
    })

    it('section: markdown, html and text hold the section with its subsections', async () => {
      const { body } = await test.get('/pages/sencha?section=making&format=both&include=text')
      expect(body.markdown).to.equal(markdown.slice(39, 94))
      expect(body.html).to.match(
        /^<h1 id="making">Making<\/h1>\n<p><a href="https:\/\/en\.wiki\.example\/matcha">x</,
      )
      expect(body.html).to.match(/<h2 id="making-1">Making<\/h2>\n<\/blockquote>\n$/)
      expect(body.text).to.equal('Making\n\nx\n\nSteam\n\n# a\n  b\n\n\nMaking')
      const nested = await test.get('/pages/sencha?section=making-1&format=both')
      expect(nested.body).to.include({ markdown: '> ## Making\n', html: '<h2 id="making-1">Making</h2>\n' })
    })

    it('an empty section is what stands before the first heading', async () => {
      const { body } = await test.get('/pages/sencha?section=')
      expect(body.markdown).to.equal('Tea of *steamed* leaves. It is green.\n\n')
    })

    it('404 for an unknown section, with its name', async () => {
      for (const [path, name] of [
        ['/pages/sencha?section=history', 'history'],
        ['/pages/sencha?section=Making', 'Making'],
        ['/pages/empty?section=', ''],
      ]) {
        const { status, body } = await test.get(path!)
        expect(status, path).to.equal(404)
        expect(body.error.message).to.include(`section "${name}"`)
      }
    })

    it('include=summary: the beginning as plain text', async () => {
      expect((await test.get('/pages/sencha?include=summary')).body.summary).to.equal(
        'Tea of steamed leaves. It is green.',
      )
      expect((await test.get('/pages/empty?include=summary')).body.summary).to.equal('')
    })

    it('include=contributors: the authors of accepted edits, the one with most edits first', async () => {
      expect((await test.get('/pages/sencha?include=contributors')).body.contributors).to.deep.equal({
        total: 2,
        items: [
          { name: 'Bo', edits: 2, last_at: '2024-01-02T00:00:00.000000Z' },
          { name: 'Ada', edits: 1, last_at: '2024-01-05T00:00:00.000000Z' },
        ],
      })
    })

    it('include=links: the pages to which the page links', async () => {
      const { items, next } = (await test.get('/pages/sencha?include=links')).body.links
      expect(
        items.map(({ path, exists }: { path: string; exists: boolean }) => [path, exists]),
      ).to.deep.equal([['matcha', false]])
      expect(next).to.equal('')
    })

    it('include adds to what format returns, in any order', async () => {
      const { body, text } = await test.get('/pages/sencha?format=text&include=sections,html,markdown')
      expect(body).to.include.keys('text', 'html', 'markdown', 'sections')
      expect((await test.get('/pages/sencha?include=markdown,html,sections,html&format=text')).text).to.equal(
        text,
      )
      expect((await test.get('/pages/sencha?include=')).text).to.equal((await test.get('/pages/sencha')).text)
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
        { path: 'guides/install', translation_group: 'install' },
        { path: 'guides/установка', locale: 'ru', translation_group: 'install' },
        { path: 'guides/draft', state: 'draft' },
        { path: 'guides/history' },
        { path: 'secret/history', state: 'draft' },
        { path: 'o\'clock "<b>' },
        { path: 'draft', state: 'draft' },
        { path: 'deleted', state: 'deleted' },
        { path: 'waiting', revisions: [{ status: 'pending' }] },
        { path: 'rejected', revisions: [{ status: 'rejected' }] },
        { path: 'empty', revisions: [] },
      ],
    })

    it('404 for what guests cannot see, the same as for what does not exist', async () => {
      const never = await test.get('/pages/never')
      expect(never.status).to.equal(404)
      for (const path of ['draft', 'deleted', 'waiting', 'rejected', 'empty']) {
        const { status, text } = await test.get(`/pages/${path}`)
        expect({ status, text }, path).to.deep.equal({ status: 404, text: never.text })
      }
    })

    const titleAt = async (address: string) => (await test.get(`/pages/${address}`)).body.title

    it('404: the message names a live page whose path differs in letter case, accents, signs or .md alone', async () => {
      const messageOf = async (path: string) => (await test.get(`/pages/${path}`)).body.error.message
      const plain = 'There is no such page in this language (en).'
      expect(await messageOf('case')).to.equal(`${plain} Did you mean Case?`)
      expect(await messageOf('_CAFE_')).to.equal(`${plain} Did you mean café?`)
      expect(await messageOf('case.md')).to.equal(`${plain} Did you mean Case?`)
      expect(await messageOf('Draft')).to.equal(plain)
      expect(await messageOf('draft.md')).to.equal(plain)
      expect(await messageOf('nothing-like-it')).to.equal(plain)
      for (const path of ['Case/a/histroy', 'Case/a/Hstory/', 'Case/a/revisions', 'Case/a/Edit/'])
        expect(await messageOf(path)).to.equal(`${plain} Did you mean /pages/Case/a/history?`)
      expect(await messageOf('guides/install/history/')).to.match(
        /Did you mean \/pages\/guides\/install\/history\?$/,
      )
      expect(await messageOf('Case/a/links')).to.equal(`${plain} Did you mean /pages/Case/a?include=links?`)
      for (const path of ['Case/story', 'Case/a/histroy/x', 'Case/link'])
        expect(await messageOf(path)).to.equal(plain)
    })

    it('404: of a history, the message names a page whose path ends in /history, if guests see it', async () => {
      const { body, headers } = await test.get('/pages/guides/history')
      expect(body.error.message).to.equal(
        'There is no such page in this language (en). The page guides/history is at /pages/guides%2Fhistory.',
      )
      expect(headers.link).to.include('/pages/guides%2Fhistory?locale=en>; rel="related"')
      expect(await titleAt('guides%2Fhistory')).to.equal('guides/history')
      expect((await test.get('/pages/secret/history')).body.error.message).to.equal(
        'There is no such page in this language (en).',
      )
    })

    it('404: the message names a page that a folder, a file name, a typo or the language hides', async () => {
      const hintFor = async (path: string, locale = 'en') =>
        (await test.get(`/pages/${encodeURIComponent(path)}?locale=${locale}`)).body.error.message.split(
          / \(..\)\. ?/,
        )[1]
      for (const [path, meant] of [
        ['en/guides/install', 'guides/install'],
        ['guides/install.html', 'guides/install'],
        ['guides/install.json', 'guides/install'],
        ['guides/install/index.md', 'guides/install'],
        ['guides/instal', 'guides/install'],
        ['guides/intsall', 'guides/install'],
        ['docs/api/install', 'guides/install'],
        ['template:crad', 'template:card'],
      ])
        expect(await hintFor(path!), path).to.equal(`Did you mean ${meant}?`)
      for (const path of [
        'guides/draft',
        'guides/dra',
        'install/x',
        'b/c',
        'x\u{1f375}x\u{1f375}',
        '\u{1f375}abcd',
      ])
        expect(await hintFor(path), path).to.equal('')
      expect(await hintFor('guides/install', 'ru')).to.equal(
        'It exists with locale=en. Did you mean guides/установка?',
      )
      expect(await hintFor('guides/установка')).to.equal(
        'It exists with locale=ru. Did you mean guides/install?',
      )
      for (const path of ['ru/guides/установка', 'RU/guides/установка'])
        expect(await hintFor(path)).to.equal('It exists as guides/установка with locale=ru.')
      for (const path of ['ru/none', 'ru', 'xx/Case'])
        expect(await hintFor(path), path).to.not.match(/exists/)
      expect(await hintFor('case', 'ru')).to.equal('')
      expect(await hintFor('Case', 'ru')).to.equal('It exists with locale=en.')
    })

    it('404: what the message names is also in Link', async () => {
      const linksOf = async (path: string, locale = 'en') =>
        (await test.get(`/pages/${encodeURIComponent(path)}?locale=${locale}`)).headers.link
      const help = '<http://localhost:3000/api/v1/docs#getPage>; rel="help"'
      const to = (path: string, locale: string) =>
        `<http://localhost:3000/api/v1/pages/${encodeURIComponent(path)}?locale=${locale}>`
      const inRussian = `${to('guides/установка', 'ru')}; rel="alternate"; hreflang="ru", `
      expect(await linksOf('_CAFE_')).to.equal(`${to('café', 'en')}; rel="related", ${help}`)
      expect(await linksOf('guides/установка')).to.equal(
        `${inRussian}${to('guides/install', 'en')}; rel="related", ${help}`,
      )
      expect(await linksOf('ru/guides/установка')).to.equal(inRussian + help)
      for (const path of ['nothing-like-it', 'Case/a/histroy']) expect(await linksOf(path)).to.equal(help)
    })

    it('an address is decoded, and compared as NFC; slashes and dots are never collapsed or redirected', async () => {
      for (const [address, path] of [
        ['a/b', 'a/b'],
        ['a%2Fb', 'a/b'],
        ['a%2fb', 'a/b'],
        ...['a//b', '/lead', 'trail/', '.', 'a/../b', 'category:tea'].map((same) => [same, same]),
        ['template:card', 'template:card'],
        ['template%3Acard', 'template:card'],
        ['cafe%CC%81', 'caf\u00e9'],
        ['caf%C3%A9', 'caf\u00e9'],
        ['100%25%20+%201%3F%23&=', '100% + 1?#&='], // only in a query is a plus a space
        ...['\u{1f375}', 'o\'clock "<b>'].map((any) => [encodeURIComponent(any), any]),
      ]) {
        const { body } = await test.get(`/pages/${address}`)
        expect(body.path, address).to.equal(path)
        expect(decodeURIComponent(body.url), address).to.equal(`https://en.wiki.example/${path}`)
      }
      for (const missing of ['a/', 'case']) expect((await test.get(`/pages/${missing}`)).status).to.equal(404)
    })

    it('a page whose path ends in /history is at %2Fhistory', async () => {
      expect(await titleAt('a%2Fhistory')).to.equal('a/history')
      expect((await test.get('/pages/a/history')).body.items).to.have.length(1)
      expect((await test.get('/pages/a/history/history')).body.items).to.have.length(1)
      expect((await test.get('/pages/a%2Fhistory/history')).body.items).to.have.length(1)
      expect(await titleAt('history')).to.equal('history')
      expect((await test.get('/pages/history/history')).body.items).to.have.length(1)
    })
  })
})
