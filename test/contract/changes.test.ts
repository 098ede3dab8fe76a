import { expect } from 'chai'
import { testDatabase } from '../support/database.ts'
import { testId } from '../support/ids.ts'
import { withService } from '../support/service.ts'
import { clearWorld, importRecords, makeWorld, type PageSpec, recordsOf } from '../support/world.ts'

/** The items of a list of changes, in short: `tea` for an upsert, `-tea` for an address that is gone. */
const inShort = (items: { type: string; path: string }[]) =>
  items.map(({ type, path }) => (type === 'gone' ? `-${path}` : path))

/** Pages without edits, more than an import stores at a time. */
const MORE_THAN_A_BATCH = Array.from({ length: 600 }, (_, i) => ({ path: `page-${i}`, revisions: [] }))

describe('GET /changes', () => {
  const test = withService({ cacheSeconds: 60 })
  beforeEach(clearWorld)

  const importPages = async (pages: PageSpec[], covers?: 'changes') => {
    await importRecords(recordsOf({ pages }), covers)
    test.service.invalidate()
  }
  const changesAfter = async (cursor: string, query = '') => {
    const { body, status, text } = await test.get(`/changes?limit=200&after=${cursor}${query}`)
    expect(status, text).to.equal(200)
    return body
  }
  /** The cursor of the end. */
  const end = async () => (await changesAfter('')).cursor as string

  describe('from the beginning', () => {
    it('lists every live page once, also category pages, oldest change first', async () => {
      await importPages([{ path: 'tea' }, { path: 'чай', locale: 'ru' }, { path: 'category:drinks' }])
      await importPages([{ path: 'mate' }])
      const { items, next, cursor } = await changesAfter('')
      expect(inShort(items)).to.have.members(['tea', 'чай', 'category:drinks', 'mate'])
      expect(inShort(items).at(-1)).to.equal('mate')
      expect(next).to.equal('')
      expect(cursor).to.match(/^[\w-]{19}$/)
      const dates = items.map(({ changed_at }: { changed_at: string }) => changed_at)
      expect(dates).to.deep.equal([...new Set(dates)].sort())
    })

    it('keeps every digit of a date: milliseconds, and fractions that end with zeros', async () => {
      const fractions = ['000000', '100000', '120000', '123000', '123400', '123450', '123456']
      const date = (n: number) => `2024-05-01T12:34:56.${fractions[n]}Z`
      const pages = fractions.map((_, n) => ({ path: `${n}`, revisions: [{ created_at: date(n) }] }))
      await importPages(pages)
      const { items } = await changesAfter('')
      for (const { path, revision, changed_at } of items) {
        expect(revision.created_at).to.equal(date(Number(path)))
        expect(changed_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
      }
      expect(items).to.have.length(fractions.length)
    })

    it('gives an upsert the fields of a page in a list', async () => {
      await importPages([{ path: 'template:tea', revisions: [{ id: testId(1), title: 'Tea' }] }])
      const [{ changed_at, ...item }] = (await changesAfter('')).items
      expect(item).to.deep.equal({
        type: 'upsert',
        path: 'template:tea',
        title: 'Tea',
        locale: 'en',
        ns: 'template',
        url: 'https://en.wiki.example/template:tea',
        revision: { id: testId(1), created_at: '2024-01-01T00:00:00.000000Z', author: { name: 'Ada' } },
      })
      expect(changed_at).to.match(/^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    })

    it('continues with `next`, and with the Link header', async () => {
      await importPages([1, 2, 3, 4, 5].map((n) => ({ path: `page-${n}` })))
      for (const limit of [1, 2, 5]) expect(await test.walk('/changes', 'after', limit)).to.have.length(5)
      const { body, headers } = await test.get('/changes?limit=2')
      expect(body.next).to.equal(body.cursor)
      expect(headers.link).to.include(
        `<http://localhost:3000/api/v1/changes?limit=2&after=${body.next}>; rel="next"`,
      )
    })

    it('is empty in an empty wiki, and its cursor works later', async () => {
      const { items, next, cursor } = await changesAfter('')
      expect([items, next]).to.deep.equal([[], ''])
      await importPages([{ path: 'tea' }])
      expect(inShort((await changesAfter(cursor)).items)).to.deep.equal(['tea'])
    })
  })

  describe('after a cursor', () => {
    it('lists what changed since, each page once, at its last change', async () => {
      await importPages([{ path: 'tea' }, { path: 'mate' }])
      const cursor = await end()
      expect(await changesAfter(cursor)).to.deep.equal({ items: [], next: '', cursor })
      const edit = (n: number) => ({ created_at: `2024-02-0${n}T00:00:00Z`, title: `Tea ${n}` })
      await importPages([{ path: 'tea', revisions: [edit(1)] }])
      await importPages([{ path: 'tea', revisions: [edit(2)] }, { path: 'coffee' }])
      const { items } = await changesAfter(cursor)
      expect(inShort(items)).to.have.members(['tea', 'coffee'])
      expect(items.find(({ path }: { path: string }) => path === 'tea').title).to.equal('Tea 2')
    })

    it('lists a page with two new edits once; its history up to the known edit has both', async () => {
      const edits = [1, 2, 3].map((n) => ({ id: testId(n), created_at: `2024-01-0${n}T00:00:00Z` }))
      await importPages([{ path: 'tea', revisions: edits.slice(0, 1) }])
      const { items, cursor } = await changesAfter('')
      await importPages([{ path: 'tea', revisions: edits.slice(1, 2) }])
      await importPages([{ path: 'tea', revisions: edits.slice(2) }])
      expect(inShort((await changesAfter(cursor)).items)).to.deep.equal(['tea'])
      const history = await test.walk('/pages/tea/history', 'before', 1)
      const ids = history.map(({ id }: { id: string }) => id)
      expect(ids.slice(0, ids.indexOf(items[0].revision.id))).to.deep.equal([testId(3), testId(2)])
    })

    it('is empty after `now`, whose cursor brings what happens from then on', async () => {
      const empty = await changesAfter('now')
      await importPages([{ path: 'tea' }, { path: 'cup', state: 'deleted' }])
      await importPages([{ path: 'mate' }])
      for (const query of ['', '&locale=en', '&ns=main'])
        expect(await changesAfter('now', query)).to.deep.include({ items: [], next: '' })
      const { cursor } = await changesAfter('now')
      expect(cursor).to.equal(await end())
      await importPages([{ path: 'mate', state: 'deleted' }])
      expect((await changesAfter('now')).cursor).to.equal(await end())
      await importPages([{ path: 'cocoa' }])
      expect(inShort((await changesAfter(cursor)).items)).to.deep.equal(['-mate', 'cocoa'])
      expect(inShort((await changesAfter(empty.cursor)).items)).to.deep.equal(['tea', '-mate', 'cocoa'])
    })

    it('is empty after an import that changed nothing', async () => {
      const pages = [{ path: 'tea', revisions: [{ categories: [{ key: 'drinks' }] }] }, { path: 'mate' }]
      await importPages(pages)
      const cursor = await end()
      await importPages(pages)
      expect((await changesAfter(cursor)).items).to.deep.equal([])
    })

    /** Page number `n` with two edits, of which the change is about the last one. */
    const page = (n: number, title: string, more: object = {}): PageSpec => ({
      path: `page-${n}`,
      revisions: [
        { id: testId(10 * n), title: 'First', comment: 'first' },
        { id: testId(10 * n + 1), title, created_at: '2024-01-02T00:00:00Z', ...more },
      ],
    })
    const firstEdit = (n: number, more: object): PageSpec => ({
      path: `page-${n}`,
      revisions: [{ id: testId(10 * n), title: 'First', comment: 'first', ...more }],
    })
    const visible: Record<string, (n: number) => PageSpec> = {
      'a title': (n) => page(n, 'New'),
      'an author': (n) => page(n, 'Tea', { author: 'Bob' }),
      'a comment': (n) => page(n, 'Tea', { comment: 'better' }),
      'a text, in place': (n) => page(n, 'Tea', { markdown: 'Other.' }),
      'a category': (n) => page(n, 'Tea', { categories: [{ key: 'drinks' }] }),
      'the status of the last edit': (n) => page(n, 'Tea', { status: 'rejected' }),
      'the comment of an earlier edit': (n) => firstEdit(n, { comment: 'other' }),
      'the status of an earlier edit': (n) => firstEdit(n, { status: 'rejected' }),
      'an earlier edit that is new': (n) =>
        firstEdit(n, { id: testId(10 * n + 2), created_at: '2023-01-01T00:00:00Z' }),
    }
    it(`lists a page after each of these changes: ${Object.keys(visible).join('; ')}`, async () => {
      const changes = Object.entries(visible)
      await importPages(changes.map((_, n) => page(n + 1, 'Tea')))
      let cursor = await end()
      for (const [i, [what, change]] of changes.entries()) {
        await importPages([change(i + 1)])
        const list = await changesAfter(cursor)
        expect(inShort(list.items), what).to.deep.equal([`page-${i + 1}`])
        cursor = list.cursor
      }
    })

    it('lists a page after an edit that waited is accepted, and not before', async () => {
      const waiting = (status: 'pending' | 'accepted', title: string): PageSpec => ({
        path: 'tea',
        revisions: [{ id: testId(2), created_at: '2023-01-02T00:00:00Z', status, title }],
      })
      await importPages([{ path: 'tea' }, { path: 'draft', state: 'draft' }])
      const cursor = await end()
      await importPages([waiting('pending', 'One')])
      await importPages([waiting('pending', 'Two')])
      await importPages([{ path: 'draft', state: 'draft', revisions: [{ title: 'Secret' }] }])
      expect(await changesAfter(cursor)).to.deep.equal({ items: [], next: '', cursor })
      await importPages([waiting('accepted', 'Two')])
      expect(inShort((await changesAfter(cursor)).items)).to.deep.equal(['tea'])
    })

    it('lists the pages of a category that got another name', async () => {
      const member = { revisions: [{ categories: [{ key: 'drinks' }] }] }
      await importPages([{ path: 'tea', ...member }, { path: 'mate', ...member }, { path: 'cup' }])
      const cursor = await end()
      await importRecords(recordsOf({ categories: [{ locale: 'en', key: 'drinks', name: 'Beverages' }] }))
      test.service.invalidate()
      expect(inShort((await changesAfter(cursor)).items)).to.have.members(['tea', 'mate'])
    })

    it('lists the pages of a category whose page moved away, with the key as its name', async () => {
      const described = { revisions: [{ id: testId(9), title: 'Drinks' }] }
      await importPages([
        { path: 'tea', revisions: [{ categories: [{ key: 'drinks' }] }] },
        { path: 'category:drinks', ...described },
      ])
      const nameOf = async () => (await test.get('/pages/tea')).body.categories[0].name
      expect(await nameOf()).to.equal('Drinks')
      const cursor = await end()
      await importPages([{ path: 'category:cups', ...described }], 'changes')
      expect(inShort((await changesAfter(cursor)).items)).to.have.members([
        ...['tea', 'category:cups', '-category:drinks'],
      ])
      expect(await nameOf()).to.equal('drinks')
    })

    it('lists translations of a page that appeared, got another title or vanished', async () => {
      const inGroup = (locale: string, path: string, more: object = {}): PageSpec => ({
        ...{ locale, path, translation_group: 'tea' },
        ...more,
      })
      await importPages([inGroup('en', 'tea'), { path: 'cup' }])
      let cursor = await end()
      const expectChanges = async (...expected: string[]) => {
        const list = await changesAfter(cursor)
        expect(inShort(list.items)).to.have.members(expected)
        cursor = list.cursor
      }
      await importPages([inGroup('ru', 'чай')])
      await expectChanges('tea', 'чай')
      const renamed = { revisions: [{ title: 'Чаёк', created_at: '2024-01-02T00:00:00Z' }] }
      await importPages([inGroup('ru', 'чай', renamed)])
      await expectChanges('tea', 'чай')
      await importPages([{ locale: 'ru', path: 'чай', revisions: [] }])
      await expectChanges('tea', 'чай')
      await importPages([inGroup('ru', 'чай', { revisions: [] })])
      await expectChanges('tea', 'чай')
      await importPages([inGroup('ru', 'чай', { state: 'draft', revisions: [] })])
      await expectChanges('tea', '-чай')
    })
  })

  describe('addresses that are gone', () => {
    it('are listed once, until a page is there again', async () => {
      await importPages([{ path: 'tea' }, { path: 'mate' }])
      const cursor = await end()
      await importPages([{ path: 'tea', state: 'deleted', revisions: [] }])
      const { items } = await changesAfter(cursor)
      const [{ changed_at, ...item }] = items
      expect(items).to.have.length(1)
      expect(item).to.deep.equal({ type: 'gone', path: 'tea', locale: 'en', ns: 'main' })
      expect(changed_at).to.match(/Z$/)
      expect(inShort((await changesAfter('')).items)).to.deep.equal(['mate', '-tea'])
      await importPages([{ path: 'tea', state: 'live', revisions: [] }])
      expect(inShort((await changesAfter('')).items)).to.deep.equal(['mate', 'tea'])
    })

    it('are listed when no accepted edit is left', async () => {
      await importPages([{ path: 'tea', revisions: [{ id: testId(1) }] }])
      const cursor = await end()
      await importPages([{ path: 'tea', revisions: [{ id: testId(1), status: 'rejected' }] }])
      expect(inShort((await changesAfter(cursor)).items)).to.deep.equal(['-tea'])
    })

    it('are not those that guests never saw, also if an import shows and hides a page', async () => {
      await importPages([{ path: 'mate' }])
      const cursor = await end()
      await importPages([
        { path: 'draft', state: 'draft' },
        { path: 'waiting', revisions: [{ status: 'pending' }] },
      ])
      await importPages([
        { path: 'tea' },
        ...MORE_THAN_A_BATCH,
        { path: 'tea', state: 'draft', revisions: [] },
      ])
      await importPages([{ path: 'draft', state: 'deleted', revisions: [] }])
      expect((await changesAfter(cursor)).items).to.deep.equal([])
      expect((await changesAfter('')).items).to.have.length(1)
    })

    it('keep their change if an import shows and hides a page there again', async () => {
      await importPages([{ path: 'tea' }])
      await importPages([{ path: 'tea', state: 'draft', revisions: [] }])
      const cursor = await end()
      const before = (await changesAfter('')).items
      await importPages([
        { path: 'tea', revisions: [] },
        ...MORE_THAN_A_BATCH,
        { path: 'tea', state: 'draft', revisions: [] },
      ])
      expect((await changesAfter(cursor)).items).to.deep.equal([])
      expect((await changesAfter('')).items).to.deep.equal(before)
    })

    it('name the page at its new path, and so do lists of named pages and the Link header of the 404', async () => {
      await importPages([{ path: 'tea', revisions: [{ id: testId(1), title: 'Tea' }] }])
      const cursor = await end()
      const moved = { path: 'teas/green tea', formerPaths: [{ locale: 'en', path: 'tea' }] }
      const records = recordsOf({
        pages: [{ path: moved.path, revisions: [{ id: testId(1), title: 'Tea' }] }],
      })
      await importRecords(
        records.map((record) => (record.type === 'page' ? { ...record, ...moved } : record)),
        'changes',
      )
      test.service.invalidate()
      const { items } = await changesAfter(cursor)
      expect(inShort(items)).to.have.members(['-tea', 'teas/green tea'])
      const gone = items.find(({ type }: { type: string }) => type === 'gone')
      expect(gone.moved_to).to.deep.equal({
        path: 'teas/green tea',
        title: 'Tea',
        locale: 'en',
        ns: 'main',
        url: 'https://en.wiki.example/teas/green%20tea',
      })
      const named = (await test.get('/pages?path=tea&path=none')).body.items
      expect(named).to.deep.equal([
        { path: 'tea', missing: true, moved_to: gone.moved_to },
        { path: 'none', missing: true },
      ])
      const missing = await test.get('/pages/tea')
      expect(missing.status).to.equal(404)
      expect(missing.body.error.message).to.equal(
        'There is no such page in this language (en). It moved to teas/green tea.',
      )
      expect(missing.headers.link).to.equal(
        '<http://localhost:3000/api/v1/pages/teas%2Fgreen%20tea?locale=en>; rel="successor-version", <http://localhost:3000/api/v1/docs#getPage>; rel="help"',
      )
      const history = await test.get('/pages/tea/history')
      expect([history.status, history.body]).to.deep.equal([404, missing.body])
      expect(history.headers.link).to.include(
        '<http://localhost:3000/api/v1/pages/teas%2Fgreen%20tea?locale=en>; rel="successor-version"',
      )
      expect((await test.get('/pages/other')).headers.link).to.not.include('successor')
      expect((await test.get('/pages/teas%2Fgreen%20tea')).headers.link).to.not.include('successor')
    })

    it('are those of a language that is gone, too', async () => {
      const languages = (...locales: string[]) => ({ locales, name: 'Wiki' })
      await importRecords(
        recordsOf({ ...languages('en', 'de'), pages: [{ path: 'tea' }, { path: 'tee', locale: 'de' }] }),
      )
      test.service.invalidate()
      const cursor = await end()
      const { cursor: ofGerman } = await changesAfter('', '&locale=de')
      const records = recordsOf({
        ...languages('en'),
        pages: [{ path: 'tee', locale: 'de', state: 'draft', revisions: [] }],
      })
      await importRecords(records)
      test.service.invalidate()
      expect((await test.get('/pages?locale=de')).status).to.equal(400)
      for (const query of ['&locale=de', '&ns=main', '&locale=de&ns=main', ''])
        expect(inShort((await changesAfter(cursor, query)).items), query).to.deep.equal(['-tee'])
      for (const query of ['&locale=de', '&locale=de&ns=main'])
        expect(inShort((await changesAfter(ofGerman, query)).items), query).to.deep.equal(['-tee'])
    })
  })

  describe('of one language or namespace', () => {
    const pages = [
      { path: 'tea' },
      { path: 'template:cup' },
      { path: 'чай', locale: 'ru' },
      { path: 'template:чашка', locale: 'ru' },
      { path: 'module:pot', locale: 'ru' },
      { path: 'category:drinks' },
    ]
    const lists: [string, string[]][] = [
      ['locale=en', ['tea', '-template:cup', 'category:drinks']],
      ['locale=RU', ['чай', 'template:чашка', 'module:pot']],
      ['ns=template', ['-template:cup', 'template:чашка']],
      ['ns=category', ['category:drinks']],
      ['ns=template&locale=ru', ['template:чашка']],
      ['ns=module&locale=en', []],
    ]

    it('lists only that, and names the language in Content-Language', async () => {
      await makeWorld({ pages })
      await importPages([{ path: 'template:cup', state: 'draft', revisions: [] }])
      for (const [query, expected] of lists) {
        for (const limit of [1, 2, 200]) {
          const items = await test.walk(`/changes?${query}`, 'after', limit)
          expect(inShort(items), `${query}, ${limit}`).to.have.members(expected)
        }
      }
      expect((await test.get('/changes?locale=ru')).headers['content-language']).to.equal('ru')
      expect((await test.get('/changes')).headers).to.not.have.property('content-language')
    })
  })

  describe('the cursor of a narrowed list', () => {
    const cursorOf = async (query: string) => (await changesAfter('', query)).cursor as string
    const refused: [ofList: string, sentTo: string, told: string][] = [
      ['locale=ru', '', 'locale=ru'],
      ['locale=RU', 'locale=en', 'locale=ru'],
      ['ns=main', 'locale=ru', 'ns=main'],
      ['locale=ru&ns=main', 'locale=ru', 'locale=ru&ns=main'],
      ['locale=ru&ns=main', 'ns=main', 'locale=ru&ns=main'],
    ]

    it('400 for a list that has other changes; the message names what the cursor needs', async () => {
      await makeWorld({ pages: [{ path: 'tea' }, { path: 'чай', locale: 'ru' }] })
      test.service.invalidate()
      for (const [ofList, sentTo, told] of refused) {
        const cursor = await cursorOf(`&${ofList}`)
        const { status, body } = await test.get(`/changes?${sentTo}&after=${cursor}`)
        expect([status, body.error?.message], `${ofList}, ${sentTo}`).to.deep.equal([
          400,
          `after: is the cursor of a list with ${told}: send that, too`,
        ])
      }
    })

    it('is that of the part and of each item, and serves the same list, and parts of it', async () => {
      await importPages([{ path: 'tea' }, { path: 'mate' }, { path: 'template:cup' }])
      const cursor = await cursorOf('&ns=main')
      const { body } = await test.get('/changes?ns=main&limit=1')
      expect(inShort((await changesAfter(body.next, '&ns=main')).items)).to.have.length(1)
      expect((await test.get(`/changes?after=${body.next}`)).status).to.equal(400)
      await importPages([{ path: 'coffee' }])
      for (const query of ['&ns=main', '&ns=main&locale=en'])
        expect(inShort((await changesAfter(cursor, query)).items)).to.deep.equal(['coffee'])
    })

    it('without a filter, as earlier versions gave it, serves every list', async () => {
      const cursor = await end()
      await importPages([{ path: 'tea' }])
      for (const query of ['', '&ns=main', '&locale=en'])
        expect(inShort((await changesAfter(cursor, query)).items)).to.deep.equal(['tea'])
    })
  })

  describe('bad input', () => {
    it('200 without items for a language that had no page, and is gone', async () => {
      await makeWorld({ locales: ['en', 'de'] })
      test.service.invalidate()
      const { cursor } = await changesAfter('', '&locale=de')
      await importRecords(recordsOf({ locales: ['en'] }))
      test.service.invalidate()
      expect(await changesAfter(cursor, '&locale=de')).to.deep.equal({ items: [], next: '', cursor })
    })

    it('400 for what is no cursor, also if every object has a member of this name', async () => {
      for (const after of ['Now', 'then', 'constructor', 'toString', '__proto__']) {
        const { status, body } = await test.get(`/changes?after=${after}`)
        expect([status, body.error?.message], after).to.deep.equal([
          400,
          'after: must be the `cursor` of an earlier response',
        ])
      }
    })

    it('400 for the cursor of another wiki', async () => {
      const { owner } = await testDatabase()
      const setKey = (key: string) =>
        owner.query({ name: `set_key_${key}`, text: `update wiki.change_feed set key = '${key}'` }, [])
      await setKey('other')
      test.service.invalidate()
      const cursor = await end()
      await setKey('this')
      test.service.invalidate()
      const { status, body } = await test.get(`/changes?after=${cursor}`)
      expect([status, body.error?.message]).to.deep.equal([
        400,
        'after: must be the `cursor` of an earlier response',
      ])
    })

    it('200 without items, and the same cursor, for one that a lagging replica has not reached', async () => {
      await importPages([{ path: 'tea' }])
      const cursor = await end()
      const { owner } = await testDatabase()
      const setChange = (n: number) =>
        owner.query({ name: `set_change_${n}`, text: `update wiki.live_change set change = ${n}` }, [])
      await setChange(1)
      test.service.invalidate()
      expect(await changesAfter(cursor)).to.deep.equal({ items: [], next: '', cursor })
      for (const query of ['&locale=en', '&ns=main']) {
        const list = await changesAfter(cursor, query)
        expect(list).to.deep.include({ items: [], next: '' })
        expect(await changesAfter(list.cursor, query)).to.deep.equal(list)
      }
    })
  })
})
