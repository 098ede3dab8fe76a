import { expect } from 'chai'
import { withService, withWorld } from '../support/service.ts'

const paths = (body: { items: { path: string }[] }) => body.items.map(({ path }) => path)

describe('GET /search', () => {
  const test = withService()

  describe('pages whose title or text matches', () => {
    withWorld(test, {
      pages: [
        { path: 'sencha', revisions: [{ title: 'Sencha', markdown: 'Steamed leaves, poured *twice*.' }] },
        { path: 'matcha', revisions: [{ title: 'Matcha', markdown: 'Ground to a powder; not sencha.' }] },
        { path: 'oolong', revisions: [{ title: 'Oolong', markdown: 'Half way.' }] },
        {
          path: 'waiting',
          revisions: [
            { title: 'Waiting', markdown: 'Plain.' },
            {
              created_at: '2025-01-01T00:00:00Z',
              status: 'pending',
              title: 'Xylophone',
              markdown: 'Xylophone',
            },
          ],
        },
        {
          path: 'rewritten',
          revisions: [
            { title: 'Zeppelin', markdown: 'Zeppelin' },
            { created_at: '2025-01-01T00:00:00Z', title: 'Rewritten', markdown: 'Now else.' },
          ],
        },
        { path: 'draft', state: 'draft', revisions: [{ title: 'Xylophone', markdown: 'Xylophone' }] },
        { path: 'deleted', state: 'deleted', revisions: [{ title: 'Xylophone', markdown: 'Xylophone' }] },
        { path: 'сенча', locale: 'ru', revisions: [{ title: 'Сенча', markdown: 'Sencha и листья.' }] },
        { path: 'café', revisions: [{ title: 'Café', markdown: 'Drinks.' }] },
      ],
    })

    it('a result has path, title, locale, ns, url, and passages with text and highlights', async () => {
      const { status, body } = await test.get('/search?q=leaves')
      expect(status).to.equal(200)
      expect(body.items).to.have.length(1)
      const { passages, ...hit } = body.items[0]
      expect(hit).to.deep.equal({
        path: 'sencha',
        title: 'Sencha',
        locale: 'en',
        ns: 'main',
        url: 'https://en.wiki.example/sencha',
        score: hit.score,
      })
      expect(hit.score).to.be.within(0, 1)
      expect(passages).to.have.length(1)
      const [{ heading, text, highlights }] = passages
      expect(heading).to.equal('')
      expect(highlights.map(([start, end]: [number, number]) => text.slice(start, end))).to.deep.equal([
        'leaves',
      ])
      expect(body.next).to.equal('')
    })

    it('locale: searches that language; the default is that of the host', async () => {
      const { body, headers } = await test.get('/search?q=sencha&locale=ru')
      expect(paths(body)).to.deep.equal(['сенча'])
      expect(headers['content-language']).to.equal('ru')
    })

    it('all=true: searches every language, without Content-Language', async () => {
      const { body, headers } = await test.get('/search?q=sencha&all=true')
      expect(paths(body)).to.have.members(['sencha', 'matcha', 'сенча'])
      expect(headers).not.to.have.property('content-language')
    })

    it('all: accepts true and false in any letter case, 1 and 0', async () => {
      const every = (await test.get('/search?q=sencha&all=true')).body
      const one = (await test.get('/search?q=sencha')).body
      expect(every.items.length).to.be.above(one.items.length)
      for (const all of ['True', 'TRUE', 'tRuE', '1']) {
        expect((await test.get(`/search?q=sencha&all=${all}`)).body, all).to.deep.equal(every)
      }
      for (const all of ['false', 'False', 'FALSE', '0']) {
        expect((await test.get(`/search?q=sencha&all=${all}`)).body, all).to.deep.equal(one)
      }
    })

    it('all=1 becomes all=true in the link to the next part', async () => {
      const { headers } = await test.get('/search?q=sencha&all=1&limit=1')
      expect(headers.link).to.include('/search?q=sencha&all=true&limit=1&offset=1>; rel="next"')
    })

    it('does not find drafts, deleted pages, pending edits and earlier texts', async () => {
      for (const q of ['xylophone', 'zeppelin']) {
        expect((await test.get(`/search?q=${q}&all=true`)).body.items).to.deep.equal([])
      }
    })

    it('200 without items if q is absent or blank', async () => {
      for (const query of ['', '?q=', '?q', '?q=%20%09', '?q=%E3%80%80', '?q=!!!', '?q=--', '?q=%22%22']) {
        const { status, body } = await test.get(`/search${query}`)
        expect(status, query).to.equal(200)
        expect(body, query).to.deep.equal({ items: [], next: '' })
      }
    })

    it('q is normalized to NFC', async () => {
      expect(paths((await test.get('/search?q=cafe%CC%81')).body)).to.deep.equal(['café'])
    })

    it('a plus between words is a space', async () => {
      expect(paths((await test.get('/search?q=ground+powder')).body)).to.deep.equal(['matcha'])
    })
  })

  describe('ns, category and prefix: only pages of a namespace, of a category, with a beginning of their paths', () => {
    const revision = (title: string, categories: string[] = [], markdown = 'Kettle, water and a cup.') => ({
      ...{ title, markdown },
      categories: categories.map((key) => ({ key, sort_key: key })),
    })
    withWorld(test, {
      categories: ['tea', 'empty'].map((key) => ({ locale: 'en', key, name: key })),
      pages: [
        { path: 'guides/kettle', revisions: [revision('Kettle', ['tea'])] },
        { path: 'guides/cup', revisions: [revision('Cups', ['tea', 'clay'])] },
        { path: 'guide', revisions: [revision('Guide')] },
        { path: 'Guides/x', revisions: [revision('Capital', ['clay'])] },
        { path: 'template:kettle', revisions: [revision('Card', ['tea'])] },
        { path: 'category:tea', revisions: [revision('Kettle of tea', ['tea'])] },
        { path: 'guides/чай', locale: 'ru', revisions: [revision('Чай', ['tea'])] },
        { path: 'guides/draft', state: 'draft', revisions: [revision('Kettle draft', ['tea'])] },
        { path: 'guides/gone', state: 'deleted', revisions: [revision('Kettle gone', ['tea'])] },
        {
          path: 'guides/waiting',
          revisions: [
            revision('Waiting', [], 'Nothing.'),
            { ...revision('Kettle waits', ['tea']), created_at: '2025-01-01T00:00:00Z', status: 'pending' },
          ],
        },
      ],
    })
    const found = async (query: string) => paths((await test.get(`/search?q=kettle&${query}`)).body).sort()

    it('ns: the default is all namespaces', async () => {
      expect(await found('ns=template')).to.deep.equal(['template:kettle'])
      expect(await found('ns=module')).to.deep.equal([])
      const main = ['Guides/x', 'guide', 'guides/cup', 'guides/kettle']
      expect(await found('ns=main')).to.deep.equal(main)
      expect(await found('')).to.deep.equal([...main, 'template:kettle'])
    })

    it('category: by its key; nothing for a key that no category has', async () => {
      expect(await found('category=tea')).to.deep.equal(['guides/cup', 'guides/kettle', 'template:kettle'])
      expect(await found('category=clay')).to.deep.equal(['Guides/x', 'guides/cup'])
      for (const key of ['empty', 'unknown', 'Tea', 'te', '%25']) {
        const { status, body } = await test.get(`/search?q=kettle&category=${key}`)
        expect([status, body], key).to.deep.equal([200, { items: [], next: '' }])
      }
    })

    it('Prefer: handling=strict: 400 for a category that does not exist, with the one that is near', async () => {
      const strict = async (query: string) => {
        const { status, body } = await test.get(`/search?q=kettle&${query}`, {
          headers: { Prefer: 'handling=strict' },
        })
        return [status, body.error?.message ?? body.items.length]
      }
      const plain = 'category: does not exist'
      for (let i = 0; i < 2; i++)
        for (const [category, hint] of [
          ['CLAY', '. Did you mean clay?'],
          ['te', '. Did you mean tea?'],
          ['nothing', ''],
          ['%F0%9F%8D%B5', ''],
        ]) {
          expect(await found(`category=${category}`)).to.deep.equal([])
          expect(await strict(`category=${category}`)).to.deep.equal([400, plain + hint])
        }
      expect(await strict('category=tea')).to.deep.equal([200, 3])
      expect(await strict('category=empty')).to.deep.equal([200, 0])
      expect(await strict('category=')).to.deep.equal([200, 5])
      expect(await strict('category=clay&locale=ru')).to.deep.equal([400, plain])
      expect(await strict('category=clay&locale=ru&all=true')).to.deep.equal([200, 2])
    })

    it('prefix: by the letters of the path as they are written', async () => {
      expect(await found('prefix=guides/')).to.deep.equal(['guides/cup', 'guides/kettle'])
      expect(await found('prefix=guide')).to.deep.equal(['guide', 'guides/cup', 'guides/kettle'])
      expect(await found('prefix=template:')).to.deep.equal(['template:kettle'])
      for (const none of ['uide', 'guides_', '%25', 'guides/d'])
        expect(await found(`prefix=${none}`), none).to.deep.equal([])
    })

    it('all of them, with a language and with all languages; empty values are none', async () => {
      expect(await found('ns=main&category=tea&prefix=guides/k')).to.deep.equal(['guides/kettle'])
      expect(await found('ns=template&category=tea&prefix=guides/')).to.deep.equal([])
      expect(await found('category=tea&locale=ru')).to.deep.equal(['guides/чай'])
      const all = ['guides/cup', 'guides/kettle', 'guides/чай']
      expect(await found('category=tea&prefix=guides/&all=true')).to.deep.equal(all)
      expect(await found('category=&prefix=')).to.deep.equal(await found(''))
    })

    it('for any kind of match: a title as typed, its beginning, a typo, some of the words', async () => {
      for (const q of [
        'guide',
        'gui',
        'guixe',
        'guide kettle qqxyqq',
        '"a cup"',
        'kettle or xyz',
        'cup -xyz',
      ]) {
        const { body } = await test.get(`/search?q=${encodeURIComponent(q)}&category=clay`)
        for (const path of paths(body)) expect(path, q).to.be.oneOf(['guides/cup', 'Guides/x'])
      }
      expect(paths((await test.get('/search?q=cupz&category=clay')).body)).to.deep.equal(['guides/cup'])
      expect(paths((await test.get('/search?q=cup&category=clay')).body)).to.have.length(2)
    })
  })

  describe('parts of many results', () => {
    withWorld(test, {
      pages: Array.from({ length: 1_300 }, (_, i) => ({
        path: `${i % 7 === 0 ? 'few' : 'most'}/${i}`,
        revisions: [
          {
            title: `Page ${i}`,
            markdown: 'Kettle.',
            categories: i % 13 === 0 ? [] : [{ key: 'wide', sort_key: 'same' }],
          },
        ],
      })),
    })

    it('a filter is applied before parts are cut: each has as many items as it may, and none is lost or repeated', async () => {
      const few = paths({ items: await test.walk('/search?q=kettle&prefix=few/', 'offset', 50) })
      expect([few.length, new Set(few).size]).to.deep.equal([186, 186])
      expect(few.every((path) => path.startsWith('few/'))).to.equal(true)
      // More than 1,000 pages are looked up one by one.
      const wide = paths({ items: await test.walk('/search?q=kettle&category=wide', 'offset', 50) })
      expect([wide.length, new Set(wide).size]).to.deep.equal([1_050, 1_050])
      expect(wide.some((path) => Number(path.split('/')[1]) % 13 === 0)).to.equal(false)
    })

    it('the order is that without a filter', async () => {
      const all = paths({ items: await test.walk('/search?q=kettle', 'offset', 50) })
      const few = paths((await test.get('/search?q=kettle&prefix=few/&limit=50')).body)
      expect(few).to.deep.equal(all.filter((path) => path.startsWith('few/')).slice(0, 50))
    })

    it('the part at offset 1000 is the last: its next is empty, and it has no Link rel="next"', async () => {
      const before = await test.get('/search?q=kettle&limit=50&offset=950')
      expect(before.body.next).to.equal('1000')
      const { body, headers } = await test.get('/search?q=kettle&limit=50&offset=1000')
      expect(body.items).to.have.length(50)
      expect(body.next).to.equal('')
      expect(headers.link).not.to.include('next')
      const found = paths({ items: await test.walk('/search?q=kettle', 'offset', 30) })
      expect([found.length, new Set(found).size]).to.deep.equal([1_020, 1_020])
    })

    it('200 without items beyond the end', async () => {
      for (const offset of ['186', '999', '1000']) {
        const { status, body } = await test.get(`/search?q=kettle&prefix=few/&offset=${offset}`)
        expect([status, body], offset).to.deep.equal([200, { items: [], next: '' }])
      }
    })
  })
})
