import { expect } from 'chai'
import { followWikijs } from '../src/wikijs/follow.ts'
import type { TestResponse } from './support/client.ts'
import { until } from './support/until.ts'
import { withWikijs } from './support/wikijs.ts'

interface Item {
  id: string
  path: string
  comment: string
  created_at: string
  author: { name: string }
}

const paths = ({ body }: TestResponse): string[] => body.items.map(({ path }: Item) => path)
const in100ms = () => new Date(Date.now() + 100).toISOString()

describe('attached Wiki.js', () => {
  const test = withWikijs()
  const history = async (path: string): Promise<Item[]> =>
    (await test.get(`/pages/${path}/history`)).body.items
  const titles = async (): Promise<string[]> =>
    (await test.get('/pages')).body.items.map(({ title }: { title: string }) => title)

  it('serves a page with its text, title and author, with tags as categories, and with the same path in other languages as translations', async () => {
    const { wikijs, get } = test
    await wikijs.create({
      path: 'tea/green',
      title: 'Green tea',
      content: '# Green tea\n\nSteamed.',
      tags: ['drinks'],
      authorId: 3,
      updatedAt: '2024-05-06T07:08:09.123Z',
    })
    await wikijs.create({ path: 'tea/green', title: 'Зелёный чай', localeCode: 'ru' })
    const { status, body } = await get('/pages/tea/green')
    expect(status).to.equal(200)
    expect(body).to.deep.include({
      path: 'tea/green',
      title: 'Green tea',
      locale: 'en',
      url: 'https://wiki.example/en/tea/green',
      markdown: '# Green tea\n\nSteamed.',
      license: 'https://creativecommons.org/licenses/by-sa/4.0/',
    })
    expect(body.revision).to.deep.include({
      created_at: '2024-05-06T07:08:09.123000Z',
      author: { name: 'Bert' },
    })
    expect(body.categories.map(({ key, name }: { key: string; name: string }) => [key, name])).to.deep.equal([
      ['drinks', 'drinks'],
    ])
    expect(body.translations).to.deep.equal([
      { locale: 'ru', path: 'tea/green', title: 'Зелёный чай', url: 'https://wiki.example/ru/tea/green' },
    ])
  })

  it('serves its name, its languages with pages, and its default language', async () => {
    await test.wikijs.create({ path: 'a', localeCode: 'ru' })
    test.service.invalidate()
    const { body } = await test.get('/')
    expect(body).to.deep.include({ name: 'Tea Wiki', locale: 'en' })
    expect(
      body.locales.map(({ locale, name }: { locale: string; name: string }) => [locale, name]),
    ).to.deep.equal([
      ['en', 'English'],
      ['ru', 'Русский'],
    ])
  })

  describe('shows at once an edit', () => {
    it('of the text, the title and the tags', async () => {
      const { wikijs, get } = test
      const id = await wikijs.create({ path: 'tea', tags: ['old'] })
      await wikijs.update(id, { title: 'New', content: 'New text.', authorId: 3, tags: ['new'] })
      const { body } = await get('/pages/tea')
      expect([body.title, body.markdown, body.revision.author.name, body.categories[0].key]).to.deep.equal([
        'New',
        'New text.',
        'Bert',
        'new',
      ])
      expect((await get('/categories/old')).status).to.equal(404)
      expect(paths(await get('/categories/new'))).to.deep.equal(['tea'])
    })

    it('that moves the page to another path or language', async () => {
      const { wikijs, get } = test
      const id = await wikijs.create({ path: 'tea', tags: ['drinks'] })
      await wikijs.move(id, 'chai')
      expect((await get('/pages/tea')).status).to.equal(404)
      expect((await get('/pages/chai')).body.markdown).to.equal('Text of tea.')
      expect(paths(await get('/categories/drinks'))).to.deep.equal(['chai'])
      await wikijs.move(id, 'chai', 'ru')
      expect((await get('/pages/chai')).status).to.equal(404)
      expect((await get('/pages/chai?locale=ru')).body.url).to.equal('https://wiki.example/ru/chai')
      expect(
        (await get('/pages/chai/history?locale=ru')).body.items.map((one: Item) => one.comment),
      ).to.deep.equal(['moved', 'moved', ''])
    })

    it('that gives a page the path of another page', async () => {
      const { wikijs, get } = test
      const one = await wikijs.create({ path: 'one', content: 'First.' })
      await wikijs.move(one, 'away')
      await wikijs.create({ path: 'one', content: 'Second.' })
      expect((await get('/pages/one')).body.markdown).to.equal('Second.')
      expect((await get('/pages/away')).body.markdown).to.equal('First.')
    })

    it('that deletes the page, with its history', async () => {
      const { wikijs, get } = test
      const id = await wikijs.create({ path: 'tea' })
      await wikijs.update(id, { content: 'Second.' })
      const [, first] = await history('tea')
      await wikijs.delete(id)
      expect((await get('/pages/tea')).status).to.equal(404)
      expect((await get('/pages/tea/history')).status).to.equal(404)
      expect((await get(`/revisions/${first!.id}`)).status).to.equal(404)
      expect((await get('/recent')).body.items).to.deep.equal([])
    })

    it('that renames an author or a tag', async () => {
      const { wikijs, get } = test
      const id = await wikijs.create({ path: 'tea', authorId: 3, tags: ['drinks'] })
      await wikijs.update(id, { content: 'Second.', authorId: 3 })
      await wikijs.rows(`update public.users set name = 'Berta' where id = 3`)
      await wikijs.rows(`update public.tags set tag = 'beverages', title = 'Beverages' where tag = 'drinks'`)
      const { body } = await get('/pages/tea')
      expect(body.revision.author.name).to.equal('Berta')
      expect(body.categories[0]).to.deep.include({ key: 'beverages', name: 'Beverages' })
      expect((await history('tea')).map(({ author }) => author.name)).to.deep.equal(['Berta', 'Berta'])
      await wikijs.rows(`update public.users set name = 'Bert' where id = 3`)
    })

    it('of the name of the wiki', async () => {
      const { wikijs, get, service } = test
      await wikijs.rows(`update public.settings set value = '{"v":"Coffee Wiki"}' where key = 'title'`)
      service.invalidate()
      expect((await get('/')).body.name).to.equal('Coffee Wiki')
      await wikijs.rows(`update public.settings set value = '{"v":"Tea Wiki"}' where key = 'title'`)
    })

    it('of a page that had the same path as an older page', async () => {
      const { wikijs, get } = test
      const older = await wikijs.create({ path: 'tea', content: 'Older.' })
      await wikijs.create({ path: 'tea', content: 'Newer.' })
      expect((await get('/pages/tea')).body.markdown).to.equal('Older.')
      await wikijs.update(older, { isPublished: false })
      expect((await get('/pages/tea')).body.markdown).to.equal('Newer.')
    })
  })

  describe('shows the history', () => {
    it('newest first; a revision keeps its id when Wiki.js moves it into the history', async () => {
      const { wikijs, get } = test
      const id = await wikijs.create({ path: 'tea', content: 'First.' })
      const first = (await get('/pages/tea')).body.revision
      await wikijs.rows(
        `update public.pages set render = '<p>again</p>', "updatedAt" = '2024-03-01T00:00:00.000Z'`,
      )
      expect((await get('/pages/tea')).body.revision.id).to.equal(first.id)
      await wikijs.update(id, { content: 'Second, longer.', updatedAt: '2024-04-01T00:00:00.000Z' })
      const items = await history('tea')
      expect(items.map(({ created_at }) => created_at)).to.deep.equal([
        '2024-04-01T00:00:00.000000Z',
        '2024-03-01T00:00:00.000000Z',
      ])
      expect(items[1]!.id).to.equal(first.id)
      const { body } = await get(`/revisions/${first.id}`)
      expect([body.markdown, body.size, body.parent]).to.deep.equal(['First.', 6, null])
      expect((await get(`/revisions/${items[0]!.id}`)).body.parent).to.equal(first.id)
    })

    it('in the order of edits if timestamps are equal', async () => {
      const { wikijs } = test
      const updatedAt = '2024-03-01T00:00:00.000Z'
      const id = await wikijs.create({ path: 'tea', updatedAt })
      for (let i = 0; i < 12; i += 1) await wikijs.update(id, { updatedAt, content: String(i) })
      const sizes = await test.walk('/pages/tea/history', 'before', 5)
      const texts = await Promise.all(
        sizes.map(async (one: Item) => (await test.get(`/revisions/${one.id}`)).body.markdown),
      )
      expect(texts).to.deep.equal([...Array.from({ length: 12 }, (_, i) => String(11 - i)), 'Text of tea.'])
    })

    it('completely between revisions of one timestamp, also if a client stores next in milliseconds; hidden revisions have no cursor date', async () => {
      const { wikijs } = test
      const updatedAt = '2024-03-01T00:00:00.007Z'
      const pages: number[] = []
      for (const path of ['a', 'b', 'c', 'd']) pages.push(await wikijs.create({ path, updatedAt }))
      for (let i = 0; i < 8; i += 1) for (const id of pages) await wikijs.update(id, { updatedAt })
      const reader = await (await test.reader()).connect()
      const stray = `select p.revision_id from guest.position p where p.created_at is distinct from
                     (select r.created_at from guest.revision r where r.id = p.revision_id)`
      const expectWalks = async (edits: number, positions: number) => {
        test.service.invalidate()
        for (const limit of [1, 5]) {
          const items: Item[] = await test.walk('/recent', 'before', limit, (next) =>
            new Date(next).toISOString(),
          )
          expect(items).to.have.length(edits)
          expect(new Set(items.map(({ id }) => id)).size).to.equal(edits)
        }
        expect((await reader.query('select 1 from guest.position')).rowCount).to.equal(positions)
        expect((await reader.query(stray)).rows).to.deep.equal([])
      }
      try {
        await expectWalks(36, 36)
        await wikijs.update(pages[0]!, { isPublished: false, updatedAt })
        await expectWalks(27, 27)
        await wikijs.update(pages[1]!, { updatedAt: '2024-03-01T00:00:01.000Z' })
        await expectWalks(28, 27)
        await wikijs.delete(pages[2]!)
        await expectWalks(19, 18)
        await wikijs.rows(
          `update public."pageHistory" set "publishEndDate" = '2999-01-01' where "pageId" = $1`,
          [pages[3]],
        )
        await wikijs.rows(
          `update wikijs.expiration set expires_at = now() - interval '1 second' where page_id = $1 and revision_id is not null`,
          [pages[3]],
        )
        await expectWalks(11, 10)
        await wikijs.rows(
          `insert into wikijs.expiration (page_id, expires_at) values ($1, now() - interval '1 second')`,
          [pages[3]],
        )
        await expectWalks(10, 9)
      } finally {
        reader.release(true)
      }
    })

    it('only as the last revision, if guests may not read the history', async () => {
      const { wikijs, get } = test
      const id = await wikijs.create({ path: 'tea' })
      await wikijs.update(id, { content: 'Second.' })
      expect(await history('tea')).to.have.length(2)
      await wikijs.guests([{ roles: ['read:pages', 'read:source'] }])
      expect(await history('tea')).to.have.length(1)
      expect((await get('/recent')).body.items).to.have.length(1)
    })

    it('without purged versions', async () => {
      const { wikijs } = test
      const id = await wikijs.create({ path: 'tea' })
      await wikijs.update(id, { content: 'Second.' })
      await wikijs.rows('delete from public."pageHistory"')
      expect(await history('tea')).to.have.length(1)
    })
  })

  describe('serves a text', () => {
    const html = '<h1>Tea</h1>\n\n<p>**no mark**</p>\n<pre><code>a\n\n\n    b</code></pre>'

    it('in Markdown unchanged, and in HTML as Markdown that contains the HTML', async () => {
      const { wikijs, get } = test
      await wikijs.create({ path: 'tea', contentType: 'html', content: html })
      const { body } = await get('/pages/tea?format=both')
      expect(body.markdown).not.to.match(/\n\s*\n/)
      expect(body.html).to.include('<h1>Tea</h1>').and.include('**no mark**')
      expect(body.html).to.include('a\n\n\n    b</code></pre>')
    })

    it('in another format as its source, in a code fence that the text cannot close', async () => {
      const { wikijs, get } = test
      const content = '= Tea\n\n```\n*bold*\n````\n'
      await wikijs.create({ path: 'tea', contentType: 'asciidoc', content })
      const { body } = await get('/pages/tea')
      expect(body.markdown).to.equal(`\`\`\`\`\`asciidoc\n${content}\n\`\`\`\`\``)
    })

    it('as rendered by Wiki.js, if guests may not read the source', async () => {
      const { wikijs, get } = test
      await wikijs.guests([{ roles: ['read:pages'] }])
      const id = await wikijs.create({
        path: 'tea',
        content: '# Tea\n<!-- kanarienvogel -->',
        render:
          '<h1 class="toc-header" id="tea"><a href="#tea" class="toc-anchor">¶</a> Tea</h1>\n\n<p>shown</p>',
      })
      const { text, body } = await get('/pages/tea?format=both')
      expect(text).not.to.include('kanarienvogel')
      expect(body.html)
        .to.match(/<h1[^>]*>Tea<\/h1>/)
        .and.include('<p>shown</p>')
      const [edit] = await history('tea')
      expect((await get(`/revisions/${edit!.id}`)).body.size).to.equal(Buffer.byteLength(body.markdown))
      await test.index()
      expect((await get('/search?q=kanarienvogel')).body.items).to.deep.equal([])
      expect(paths(await get('/search?q=shown'))).to.deep.equal(['tea'])
      await wikijs.update(id, { content: 'no text yet', render: '' })
      expect((await get('/pages/tea')).body.markdown).to.equal('')
    })
  })

  describe('shows and hides pages by date', () => {
    let following: ReturnType<typeof followWikijs> | undefined
    afterEach(async () => {
      await following?.stop()
      following = undefined
    })

    it('a page shows when its start date passes', async () => {
      following = followWikijs(test.owner)
      const id = await test.wikijs.create({ path: 'tea', publishStartDate: in100ms() })
      await until('the page is there', async () => (await test.get('/pages/tea')).status === 200)
      await test.index()
      expect(paths(await test.get('/search?q=tea'))).to.deep.equal(['tea'])
      expect(id).to.be.greaterThan(0)
    })

    it('a page is hidden when its end date passes, and leaves no trace', async () => {
      following = followWikijs(test.owner)
      await test.wikijs.create({ path: 'tea', publishEndDate: in100ms() })
      await until('the page is gone', async () => (await test.get('/pages/tea')).status === 404)
      await until(
        'its row is gone',
        async () => (await test.wikijs.rows('select 1 from wiki.live_page')).length === 0,
      )
    })

    it('dates can have a time zone, or none; a page with an invalid date is hidden', async () => {
      const { wikijs } = test
      const shown = async (publishStartDate: string, publishEndDate = '') => {
        const id = await wikijs.create({ path: 'tea', publishStartDate, publishEndDate })
        const isShown = (await titles()).length === 1
        await wikijs.delete(id)
        return isShown
      }
      const soon = new Date(Date.now() + 3_600_000)
      expect(await shown('2020-01-01')).to.equal(true)
      expect(await shown('2020-01-01T00:00:00+02:00')).to.equal(true)
      expect(await shown(soon.toISOString())).to.equal(false)
      expect(await shown(soon.toISOString().replace('Z', ''))).to.equal(false)
      expect(await shown('', soon.toISOString())).to.equal(true)
      expect(await shown('', '2020-01-01')).to.equal(false)
      expect(await shown('yesterday')).to.equal(false)
      expect(await shown('', 'infinity')).to.equal(false)
      expect(await shown('2020-13-45')).to.equal(false)
    })
  })

  describe('updates the search index', () => {
    it('finds edited text after indexing, and no removed text before it', async () => {
      const { wikijs, get, index } = test
      const id = await wikijs.create({ path: 'tea', content: 'kettle [the tin](caddy)' })
      await wikijs.create({ path: 'caddy' })
      await index()
      expect(paths(await get('/search?q=kettle'))).to.deep.equal(['tea'])
      await wikijs.update(id, { content: 'samovar' })
      expect(paths(await get('/search?q=kettle'))).to.deep.equal([])
      await index()
      expect(paths(await get('/search?q=samovar'))).to.deep.equal(['tea'])
      expect(await wikijs.rows('select page_id from wikijs.to_index')).to.deep.equal([])
    })

    it('filters of searches and of recent edits see what guests see', async () => {
      const { wikijs, get, index } = test
      const id = await wikijs.create({ path: 'guides/tea', content: 'kettle', tags: ['hot'], authorId: 3 })
      await wikijs.create({ path: 'guides/cup', content: 'kettle' })
      await wikijs.create({
        path: 'guides/no',
        content: 'kettle',
        tags: ['hot'],
        authorId: 3,
        isPublished: false,
      })
      await index()
      const counts = async () =>
        Promise.all(
          [
            '/search?q=kettle&category=hot',
            '/search?q=kettle&ns=main&prefix=guides/',
            '/recent?author=Bert&ns=main',
          ].map(async (path) => (await get(path)).body.items.length),
        )
      expect(await counts()).to.deep.equal([1, 2, 1])
      // No follower removes it.
      await wikijs.update(id, { publishEndDate: in100ms() })
      await index()
      await until('it is over', async () => (await get('/pages/guides/tea')).status === 404)
      expect(await counts()).to.deep.equal([0, 1, 0])
    })

    it('while a process follows it, with the stems of each language', async () => {
      const { wikijs, get } = test
      const following = followWikijs(test.owner)
      try {
        await wikijs.create({ path: 'tea', content: 'Many kettles.' })
        await wikijs.create({ path: 'tea', localeCode: 'de', content: 'Viele Häuser.' })
        await until('both are found', async () => {
          const found = [await get('/search?q=kettle'), await get('/search?q=Haus&locale=de')]
          return found.every((one) => one.status === 200 && paths(one).length === 1)
        })
      } finally {
        await following.stop()
      }
    })

    it('not when Wiki.js only renders a page again', async () => {
      const { wikijs, index } = test
      await wikijs.create({ path: 'tea' })
      await index()
      await wikijs.rows(`update public.pages set render = 'x', "updatedAt" = '2024-09-09T00:00:00.000Z'`)
      expect(await wikijs.rows('select page_id from wikijs.to_index')).to.deep.equal([])
      expect(await wikijs.rows('select 1 from wiki.live_search')).to.have.length(1)
    })
  })

  it('notifies services, which invalidate their cached responses', async () => {
    const reader = await test.reader()
    let changes = 0
    const stop = reader.onChange(() => {
      changes += 1
    })
    const id = await test.wikijs.create({ path: 'tea' })
    await until('the notification of the page arrives', () => changes > 0)
    const before = changes
    await test.wikijs.update(id, { content: 'Second.' })
    await until('the notification of the edit arrives', () => changes > before)
    stop()
  })

  it('shows both of two concurrent edits', async () => {
    const { wikijs, owner, get } = test
    const id = await wikijs.create({ path: 'tea', tags: ['drinks'] })
    const other = await owner.connect()
    try {
      await wikijs.rows('begin')
      await wikijs.rows(`update public.pages set title = 'Tea' where id = $1`, [id])
      const tagged = other.query('delete from public."pageTags" where "pageId" = $1', [id])
      await wikijs.rows(`update public.pages set content = 'Steamed.' where id = $1`, [id])
      await wikijs.rows('commit')
      await tagged
    } finally {
      other.release()
    }
    const { body } = await get('/pages/tea')
    expect([body.title, body.markdown, body.categories]).to.deep.equal(['Tea', 'Steamed.', []])
  })

  it('does not show an edit that is rolled back', async () => {
    const { wikijs, get } = test
    const id = await wikijs.create({ path: 'tea' })
    await wikijs.rows('begin')
    await wikijs.update(id, { title: 'Broken' })
    await wikijs.rows('rollback')
    const { body } = await get('/pages/tea')
    expect(body.title).to.equal('tea')
    expect(await history('tea')).to.have.length(1)
  })

  it('hides pages whose paths or languages the API does not allow', async () => {
    const { wikijs } = test
    await wikijs.create({ path: '' })
    await wikijs.create({ path: 'a\u001fb' })
    await wikijs.create({ path: 'é'.repeat(255).replace('é', 'e\u0301').slice(0, 255) })
    await wikijs.create({ path: '茶'.repeat(200) })
    expect(await titles()).to.have.length(1)
  })

  it('lists show a title and a name with control characters as text in one line', async () => {
    const { wikijs, get } = test
    await wikijs.rows(`update public.users set name = E'Be\\x1frt\\x1e' where id = 3`)
    await wikijs.create({ path: 'a', title: 'A\u001e\u001ftea', tags: ['teas'], authorId: 3 })
    await wikijs.create({ path: 'b', title: '\u001f', tags: ['teas'], authorId: 3 })
    try {
      for (const list of ['/pages', '/categories/teas'])
        expect((await get(list)).body.items.map(({ title }: { title: string }) => title)).to.deep.equal([
          'A tea',
          'b',
        ])
      for (const { author, page } of (await get('/recent')).body.items)
        expect([author.name, page.title]).to.deep.equal(['Be rt', page.path === 'a' ? 'A tea' : 'b'])
    } finally {
      await wikijs.rows(`update public.users set name = 'Bert' where id = 3`)
    }
  })

  it('links by name lead to no page any more that moved, is hidden or is over, at once', async () => {
    const { wikijs } = test
    await wikijs.create({ path: 'a', content: 'See [[Plan]].' })
    const id = await wikijs.create({ path: 'secret/spot', title: 'Plan' })
    const links = async () => {
      test.service.invalidate()
      const { items } = (await test.get('/links?from=a')).body
      return items.map(({ path, exists }: { path: string; exists: boolean }) => [path, exists])
    }
    await test.index()
    expect(await links()).to.deep.equal([['secret/spot', true]])
    await wikijs.move(id, 'other/spot')
    expect(await links()).to.deep.equal([['Plan', false]])
    await test.index()
    expect(await links()).to.deep.equal([['other/spot', true]])
    await wikijs.update(id, { isPrivate: true })
    expect(await links()).to.deep.equal([['Plan', false]])
    expect((await test.get('/links?to=other/spot')).status).to.equal(404)
    await wikijs.update(id, { isPrivate: false, publishEndDate: '2999-01-01' })
    await test.index()
    expect(await links()).to.deep.equal([['other/spot', true]])
    await wikijs.rows(`update wikijs.expiration set expires_at = now() - interval '1 second'`)
    expect(await links()).to.deep.equal([])
    expect((await test.get('/links?to=other/spot')).status).to.equal(404)
  })
})
