import { expect } from 'chai'
import { withService, withWorld } from '../support/service.ts'
import { importRecords, recordsOf } from '../support/world.ts'

const page = (path: string, markdown: string, more: object = {}) => ({
  path,
  revisions: [{ title: path.toUpperCase(), markdown }],
  ...more,
})
const paths = (body: { items: { locale: string; path: string }[] }) =>
  body.items.map(({ locale, path }) => `${locale}/${path}`)

/** The page of a link without a scheme, by the rule that the guide gives. */
const resolveLink = (link: string, { locale, path }: { locale: string; path: string }, locales: string[]) => {
  const { pathname } = new URL(
    link,
    `https://wiki.example/${path.split('/').map(encodeURIComponent).join('/')}`,
  )
  const whole = decodeURIComponent(pathname.slice(1))
  const [, language = '', rest = ''] = /^([^/]+)\/(.*)$/s.exec(whole) ?? []
  const isOfLanguage = link.startsWith('/') && locales.includes(language)
  const name = (isOfLanguage ? rest : whole).replace(/\.md$/, '').replace(/\/index$/, '')
  return `${isOfLanguage ? language : locale}/${name}`
}

describe('GET /links', () => {
  const test = withService()

  it('resolves links as the guide and the field markdown say', async () => {
    const links = [
      ...[
        '/en/tea',
        '/ru/чай',
        '/tea',
        'tea',
        './milk.md#a',
        '../tea/index.md',
        '../tea?x',
        'a/b',
        '../xx/tea',
      ],
      ...['/tea/index.md', '/ru/%D1%87%D0%B0%D0%B9.md', '../../../up', './a/../b', '/en/index.md', '/index'],
    ]
    const from = { locale: 'en', path: 'drinks/hot/cocoa' }
    const pages = links.map((link, i) => page(`drinks/hot/${i}`, `[x](${link})`))
    await importRecords(recordsOf({ pages: [...pages, page('чай', 'Чай.', { locale: 'ru' })] }))
    for (const [i, link] of links.entries()) {
      const { body } = await test.get(`/links?from=drinks%2Fhot%2F${i}`)
      expect(paths(body), link).to.deep.equal([resolveLink(link, from, ['en', 'ru'])])
    }
  })

  describe('a wiki with links of all kinds', () => {
    withWorld(test, {
      categories: [{ locale: 'en', key: 'teas', name: 'Teas' }],
      pages: [
        page(
          'sencha',
          'See [steaming](steaming), [the steam](steaming), [hot steam](steaming) and [itself](sencha).',
        ),
        page('steaming', 'No links.'),
        page(
          'notes/day',
          '[by reference][s], [short], <a href="/en/steaming?x=1#y">HTML</a>\n\n[s]: ../sencha.md "title"\n[short]: </en/matcha>',
        ),
        page(
          'matcha',
          '> - **[quoted](sencha)** ![image](/steaming.png)\n\n| a |\n|---|\n| [cell](steaming) |',
        ),
        page(
          'code',
          '`[a](sencha)`\n\n```\n[b](sencha)\n```\n\n    [c](sencha)\n\n<!-- [d](sencha) -->\n\n\\[e](sencha)',
        ),
        page(
          'outside',
          '[file](/manual.pdf) [nul](%00) [control](a%1fb) [a](https://other.example/sencha) [b](//other.example/sencha) [c](#sencha) [d](mailto:x@y.example)',
        ),
        page(
          'wishes',
          '[wanted](wanted) [a category](category:teas) [a template](template:tea) [draft](draft)',
        ),
        page('template:tea', '[sencha](/sencha)'),
        page('old-name', '→ [Sencha](/en/sencha)\n'),
        page('older-name', '[→ sencha](/en/sencha#top)'),
        page('no-redirect', '→ [Sencha](/en/sencha), [x](https://other.example/)'),
        page('сенча', '[сенча](/en/sencha) [Россия](россия)', { locale: 'ru' }),
        page('draft', '[sencha](sencha)', { state: 'draft' }),
        page('gone', '[sencha](sencha)', { state: 'deleted' }),
        {
          path: 'edited',
          revisions: [
            { markdown: '[sencha](sencha)' },
            { created_at: '2025-01-01T00:00:00Z', markdown: '[matcha](matcha)' },
            { created_at: '2025-01-02T00:00:00Z', status: 'pending', markdown: '[steaming](steaming)' },
          ],
        },
        page('category:teas', '[sencha](/sencha)'),
      ],
    })

    it('to: lists the pages that link there, once each, of all languages and namespaces', async () => {
      const { status, body, headers } = await test.get('/links?to=sencha')
      expect(status).to.equal(200)
      expect(paths(body)).to.deep.equal([
        ...['en/matcha', 'en/no-redirect', 'en/notes/day', 'en/old-name', 'en/older-name', 'en/template:tea'],
        'ru/сенча',
      ])
      expect(body.next).to.equal('')
      expect(headers['cache-control']).to.equal('public, max-age=60')
      expect(body.items[0]).to.deep.equal({
        path: 'matcha',
        title: 'MATCHA',
        locale: 'en',
        ns: 'main',
        url: 'https://en.wiki.example/matcha',
        exists: true,
        redirect: false,
      })
    })

    it('to: reads links by reference, in HTML, in tables and in quotations, and the last accepted edit', async () => {
      expect(paths((await test.get('/links?to=steaming')).body)).to.deep.equal([
        'en/matcha',
        'en/notes/day',
        'en/sencha',
      ])
      expect(paths((await test.get('/links?to=matcha')).body)).to.deep.equal(['en/edited', 'en/notes/day'])
    })

    it('tells redirects: pages that are nothing but a link', async () => {
      const redirects = async (path: string) =>
        paths({
          items: (await test.get(path)).body.items.filter(({ redirect }: { redirect: boolean }) => redirect),
        })
      expect(await redirects('/links?to=sencha')).to.deep.equal(['en/old-name', 'en/older-name'])
      expect(await redirects('/links?from=old-name')).to.deep.equal([])
    })

    it('from: lists the pages to which the page links, with those that do not exist for guests', async () => {
      const { body } = await test.get('/links?from=wishes')
      expect(
        body.items.map(({ path, title, ns, exists }: Record<string, unknown>) => [path, title, ns, exists]),
      ).to.deep.equal([
        ['category:teas', 'CATEGORY:TEAS', 'category', true],
        ['draft', null, 'main', false],
        ['template:tea', 'TEMPLATE:TEA', 'template', true],
        ['wanted', null, 'main', false],
      ])
      expect(body.items[3].url).to.equal('https://en.wiki.example/wanted')
      expect(
        paths((await test.get('/links?from=%D1%81%D0%B5%D0%BD%D1%87%D0%B0&locale=ru')).body),
      ).to.deep.equal(['en/sencha', 'ru/россия'])
    })

    it('from: links in code, in comments, with a scheme or to the page itself are none', async () => {
      for (const path of ['code', 'outside', 'steaming'])
        expect((await test.get(`/links?from=${path}`)).body, path).to.deep.equal({ items: [], next: '' })
      expect(paths((await test.get('/links?from=sencha')).body)).to.deep.equal(['en/steaming'])
    })

    it('ns lists only the pages of a namespace', async () => {
      expect(paths((await test.get('/links?to=sencha&ns=template')).body)).to.deep.equal(['en/template:tea'])
      expect(paths((await test.get('/links?to=sencha&ns=module')).body)).to.deep.equal([])
      expect(paths((await test.get('/links?from=wishes&ns=category')).body)).to.deep.equal([
        'en/category:teas',
      ])
    })

    it('a page that does not exist can have links to it', async () => {
      expect(paths((await test.get('/links?to=wanted')).body)).to.deep.equal(['en/wishes'])
      expect((await test.get('/links?to=steaming&ns=module')).status).to.equal(200)
    })

    it('404: no such page and no link to it', async () => {
      for (const path of [
        '/links?to=nothing',
        '/links?to=sencha&locale=ru',
        '/links?from=wanted',
        '/links?from=draft',
        '/links?from=gone',
      ]) {
        const { status, body } = await test.get(path)
        expect([status, body.error.code], path).to.deep.equal([404, 'not_found'])
      }
    })

    it('400: neither or both of to and from', async () => {
      for (const path of ['/links', '/links?to=', '/links?to=sencha&from=sencha', '/links?locale=en']) {
        const { status, body } = await test.get(path)
        expect([status, body.error.message.slice(0, 3)], path).to.deep.equal([400, 'to:'])
      }
    })
  })

  describe('a wiki that changes', () => {
    withWorld(test, { pages: [page('tea', '[cup](cup)'), page('pot', '[cup](cup)')] })

    it('links of a page that is withdrawn are gone, and those of a page that returns are back', async () => {
      await importRecords(recordsOf({ pages: [page('pot', '[cup](cup)', { state: 'draft' })] }))
      test.service.invalidate()
      expect(paths((await test.get('/links?to=cup')).body)).to.deep.equal(['en/tea'])
      await importRecords(recordsOf({ pages: [page('pot', '[cup](cup)'), page('cup', 'x')] }))
      test.service.invalidate()
      expect(paths((await test.get('/links?to=cup')).body)).to.deep.equal(['en/pot', 'en/tea'])
      expect((await test.get('/links?from=pot')).body.items[0].exists).to.equal(true)
    })
  })

  describe('a wiki with links by name', () => {
    withWorld(test, {
      pages: [
        page(
          'home',
          '[[Green Tea]] [[green_tea|same]] [[tea/black]] [[HOME]] [[Lost page|lost]] [x](/en/tea/black) `[[oolong]]`',
        ),
        { path: 'tea/green', revisions: [{ title: 'Green tea', markdown: '# Heat' }] },
        { path: 'tea/black', revisions: [{ title: 'Black', markdown: 'x' }] },
        { path: 'oolong', revisions: [{ title: 'Oolong', markdown: '[[Black]] [[draft]]' }] },
        page('draft', '[[Oolong]]', { state: 'draft' }),
        page('note', '[[Lost note|lost]] ![[lost.mp3]] [[lost.pdf]]', { dialect: 'obsidian' }),
        page('teas', '[[Green tea]]', { locale: 'ru' }),
      ],
    })

    it('lists each target once, found by path or title in the same language, and pages that do not exist', async () => {
      const { items } = (await test.get('/links?from=home')).body
      expect(
        items.map(({ path, exists }: { path: string; exists: boolean }) => [path, exists]),
      ).to.deep.equal([
        ['Lost page', false],
        ['tea/black', true],
        ['tea/green', true],
      ])
      expect(paths((await test.get('/links?to=tea/black')).body)).to.deep.equal(['en/home', 'en/oolong'])
      expect(paths((await test.get('/links?to=tea/green')).body)).to.deep.equal(['en/home'])
    })

    it('the HTML leads to the same pages; a name without a public page is its label', async () => {
      const { html } = (await test.get('/pages/home?format=html')).body
      expect(
        [...html.matchAll(/href="https:\/\/en\.wiki\.example\/([^"]*)"/g)].map(([, path]) => path),
      ).to.deep.equal(['tea/green', 'tea/green', 'tea/black', 'home', 'tea/black'])
      expect(html).to.include(' lost <a')
      expect((await test.get('/pages/oolong?format=html')).body.html).to.match(/<\/a> draft<\/p>/)
    })

    it('in a vault of Obsidian, it is a link as in the list of links', async () => {
      const { html, links } = (await test.get('/pages/note?format=html&include=links')).body
      const { url } = links.items.find(({ path }: { path: string }) => path === 'Lost note')
      expect(html).to.include(`<a href="${url}" class="unwritten">lost</a> lost.mp3 lost.pdf`)
    })

    it('a page that appears later is the target of links with its name', async () => {
      await importRecords(
        recordsOf({ pages: [{ path: 'l', revisions: [{ title: 'Lost Page!', markdown: 'x' }] }] }),
      )
      test.service.invalidate()
      expect(paths((await test.get('/links?to=l')).body)).to.deep.equal(['en/home'])
      expect((await test.get('/pages/home?format=html')).body.html).to.match(/example\/l">lost<\/a>/)
    })
  })
})
