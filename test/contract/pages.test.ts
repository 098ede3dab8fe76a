import { expect } from 'chai'
import { testId } from '../support/ids.ts'
import { withService, withWorld } from '../support/service.ts'
import { importOrder } from '../support/world.ts'

const paths = (body: { items: { path: string }[] }) => body.items.map(({ path }) => path)

describe('GET /pages', () => {
  const test = withService()

  describe('live pages sorted by path', () => {
    withWorld(test, {
      pages: [
        { path: 'tea' },
        { path: 'Zoo' },
        { path: 'a/b' },
        { path: 'a' },
        { path: 'a b' },
        { path: 'été' },
        { path: '\u{1f375}' },
        { path: '\uff5e' },
        { path: 'template:card' },
        { path: 'page_template:card' },
        { path: 'module:card' },
        { path: 'category:card' },
        { path: 'help:card' },
        { path: 'чай', locale: 'ru' },
        { path: 'draft', state: 'draft' },
        { path: 'deleted', state: 'deleted' },
        { path: 'waiting', revisions: [{ status: 'pending' }] },
        { path: 'rejected', revisions: [{ status: 'rejected' }] },
        { path: 'unfinished', revisions: [{ status: 'draft' }] },
        { path: 'empty', revisions: [] },
      ],
    })

    it('sorts by bytes; omits drafts, deleted pages and pages without an accepted edit', async () => {
      const { status, body } = await test.get('/pages')
      expect(status).to.equal(200)
      // Capitals first, and U+FF5E before U+1F375, unlike UTF-16.
      const sorted = ['Zoo', 'a', 'a b', 'a/b', 'help:card', 'tea', 'été', '\uff5e', '\u{1f375}']
      expect(paths(body)).to.deep.equal(sorted)
    })

    it('next is empty at the end of the list', async () => {
      expect((await test.get('/pages')).body.next).to.equal('')
      expect((await test.get('/pages?limit=9')).body.next).to.equal('')
    })

    it('ns: the default is main; template, page_template and module list their pages', async () => {
      expect((await test.get('/pages?ns=main')).body).to.deep.equal((await test.get('/pages')).body)
      for (const ns of ['template', 'page_template', 'module']) {
        const { body } = await test.get(`/pages?ns=${ns}`)
        expect(paths(body)).to.deep.equal([`${ns}:card`])
        expect(body.items[0].ns).to.equal(ns)
      }
    })

    it('prefix: returns only paths that begin so, in parts as without it', async () => {
      const listed = async (query: string) => {
        const { body } = await test.get(`/pages?${query}`)
        return [...paths(body), body.next]
      }
      expect(await listed('prefix=a')).to.deep.equal(['a', 'a b', 'a/b', ''])
      expect(await listed('prefix=a&limit=2')).to.deep.equal(['a', 'a b', 'a b'])
      expect(await listed('prefix=a&after=a%20b')).to.deep.equal(['a/b', ''])
      expect(await listed('prefix=a/&after=Zoo')).to.deep.equal(['a/b', ''])
      expect(await listed('prefix=a&after=b')).to.deep.equal([''])
      expect(await listed(`prefix=${encodeURIComponent('\u{1f375}')}`)).to.deep.equal(['\u{1f375}', ''])
      expect(await listed('prefix=template:&ns=template')).to.deep.equal(['template:card', ''])
      for (const none of ['dr', 'template:', '%', '_', 'te%25'])
        expect(await listed(`prefix=${none}`.replace('=%', '=%25'))).to.deep.equal([''])
    })

    it('position: returns also the place in the order of the site, its groups and its title there, null if that is unknown', async () => {
      await importOrder(
        { path: 'tea', groupTitles: ['All', 'Kinds'], navTitle: 'Teas' },
        { path: 'draft', groupTitles: ['Kinds'], navTitle: 'Draft' },
        'a',
        'missing',
      )
      const KINDS = { position: 1, group_title: 'Kinds', group_titles: ['All', 'Kinds'], nav_title: 'Teas' }
      test.service.invalidate()
      for (const query of ['limit=3', 'prefix=tea', 'path=a&path=none', 'limit=3&include=markdown']) {
        const { items } = (await test.get(`/pages?${query}`)).body
        for (const item of items) expect(item).not.to.have.property('position')
        const placed = (await test.get(`/pages?${query}&position=true`)).body.items
        expect(placed).to.deep.equal(
          items.map((item: { path: string; missing?: true }) =>
            item.missing
              ? item
              : {
                  ...item,
                  ...{ position: null, group_title: null, group_titles: [], nav_title: null },
                  ...{ tea: KINDS, a: { position: 3 } }[item.path],
                },
          ),
        )
      }
      expect((await test.get('/pages?position=x')).body.error.message).to.match(/^position: /)
    })

    it('position: returns the new title of a group, also of a page that keeps its position', async () => {
      for (const groupTitle of ['Before', 'After']) {
        await importOrder({ path: 'tea', groupTitles: [groupTitle] })
        test.service.invalidate()
        const [tea] = (await test.get('/pages?path=tea&position=true')).body.items
        expect(tea).to.include({ position: 1, group_title: groupTitle })
      }
    })

    describe('path: returns the pages that it names', () => {
      const listed = async (paths: string[], query = '') => {
        const named = paths.map((path) => `path=${encodeURIComponent(path)}`)
        return await test.get(`/pages?${[...named, ...(query === '' ? [] : [query])].join('&')}`)
      }
      const missing = (path: string) => ({ path, missing: true })

      it('in the order of the request, each once, whatever their namespaces are', async () => {
        const { status, body, headers } = await listed(['tea', 'category:card', 'a', 'module:card', 'tea'])
        expect(status).to.equal(200)
        expect(paths(body)).to.deep.equal(['tea', 'category:card', 'a', 'module:card'])
        const [tea] = body.items
        expect(tea).to.deep.equal((await test.get('/pages?prefix=tea')).body.items[0])
        expect(body.next).to.equal('')
        expect(headers['content-language']).to.equal('en')
        expect(paths((await listed(['чай'], 'locale=ru')).body)).to.deep.equal(['чай'])
      })

      it('tells which do not exist, drafts among them', async () => {
        const hidden = ['draft', 'deleted', 'waiting', 'rejected', 'unfinished', 'empty', 'чай', 'Tea']
        const { body } = await listed([...hidden, 'a'], 'include=markdown')
        expect(body.items.slice(0, -1)).to.deep.equal(hidden.map(missing))
        expect(body.items.at(-1)).to.include({ path: 'a' }).and.to.have.property('markdown')
      })

      it('in parts: `next` continues after the last path', async () => {
        const all = ['b', 'tea', 'Zoo', 'a']
        const first = await listed(all, 'limit=2&include=summary')
        expect(paths(first.body)).to.deep.equal(['b', 'tea'])
        expect(first.body.next).to.equal('tea')
        const [, next] = /<([^>]*)>; rel="next"/.exec(String(first.headers.link)) ?? []
        const { pathname, search, searchParams } = new URL(next!)
        expect(searchParams.getAll('path')).to.deep.equal(all)
        const { body } = await test.get(pathname.replace(/^.*\/v1/, '') + search)
        expect(paths(body)).to.deep.equal(['Zoo', 'a'])
        expect(body.next).to.equal('')
        // Proxies refuse headers of some kilobytes.
        const long = await listed(
          [...all, ...Array.from({ length: 8 }, (_, i) => `${i}`.repeat(400))],
          'limit=2',
        )
        expect(long.body.next).to.equal('tea')
        expect(long.headers.link).not.to.include('rel="next"')
      })

      it('up to 50; without brackets; not with prefix or an unknown cursor', async () => {
        const many = Array.from({ length: 50 }, (_, i) => `p${i}`)
        expect((await listed(many)).body.items).to.deep.equal(many.map(missing))
        const messages = [
          [[...many, 'a'], '', 'path: can appear at most 50 times'],
          [['a', ''], '', 'path: must not be empty'],
          [[], 'path=', 'path: must not be empty'],
          [['a'], 'prefix=b', 'prefix: cannot be combined with `path`'],
          [['a'], 'after=b', 'after: must be one of the values of `path`'],
          [[], 'path[]=a&path[]=b', 'path: is repeated without brackets: path=a&path=b'],
        ] as const
        for (const [named, query, message] of messages) {
          const { status, body } = await listed([...named], query)
          expect(status).to.equal(400)
          expect(body).to.deep.equal({ error: { code: 'bad_parameter', message } })
        }
      })
    })

    it('locale: returns only pages of that language', async () => {
      const { body, headers } = await test.get('/pages?locale=ru')
      expect(paths(body)).to.deep.equal(['чай'])
      expect(body.items[0].url).to.equal('https://ru.wiki.example/%D1%87%D0%B0%D0%B9')
      expect(headers['content-language']).to.equal('ru')
    })

    it('after: continues after that path, also if no page has it', async () => {
      expect(paths((await test.get('/pages?after=a%2Fb&limit=2')).body)).to.deep.equal(['help:card', 'tea'])
      expect(paths((await test.get('/pages?after=b&limit=1')).body)).to.deep.equal(['help:card'])
    })

    it('after: empty is the beginning; the last path is the end', async () => {
      expect(paths((await test.get('/pages?after=&limit=1')).body)).to.deep.equal(['Zoo'])
      expect((await test.get('/pages?after=%F0%9F%8D%B5')).body).to.deep.equal({ items: [], next: '' })
    })
  })

  describe('an item', () => {
    withWorld(test, {
      pages: [
        {
          path: 'tea/green',
          revisions: [
            { id: testId(1), created_at: '2024-01-01T00:00:00Z', title: 'Old' },
            {
              id: testId(2),
              created_at: '2024-05-01T12:34:56.123456Z',
              title: 'Green tea',
              author: 'Ada',
            },
            { id: testId(3), created_at: '2024-06-01T00:00:00Z', title: 'Waiting', status: 'pending' },
          ],
        },
      ],
    })

    it('has path, title, locale, ns, url and the last accepted edit', async () => {
      expect((await test.get('/pages')).body.items).to.deep.equal([
        {
          path: 'tea/green',
          title: 'Green tea',
          locale: 'en',
          ns: 'main',
          url: 'https://en.wiki.example/tea/green',
          revision: {
            id: '00000000-0000-4000-8000-000000000002',
            created_at: '2024-05-01T12:34:56.123456Z',
            author: { name: 'Ada' },
          },
        },
      ])
    })
  })
})
