import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import type pg from 'pg'
import type { Database } from '../src/db/database.ts'
import { exportNdjson } from '../src/export/ndjson.ts'
import { png, sha256 } from './support/files.ts'
import { withFile } from './support/importing.ts'
import { DENIED, errorsOfCasts, NO_NUMBER, type Reader, readerOf } from './support/reader.ts'
import { type WikijsService, withWikijs } from './support/wikijs.ts'

/** Stands in everything of Wiki.js that a guest must not see, and in nothing else. */
const CANARY = 'kanarienvogel'

const hidden = {
  title: CANARY,
  content: `${CANARY} text, [${CANARY}](wanted-${CANARY}) ![](/${CANARY}.png)`,
  render: `<p>${CANARY}</p>`,
  tags: [CANARY],
  authorId: 4,
}

/** A picture that only hidden texts show. */
const picture = Buffer.concat([png(4, 3), Buffer.from(CANARY)])

const pictureStatus = async ({ service }: WikijsService): Promise<number> =>
  (await fetch(`${service.listeningUrl}/media/${sha256(picture)}/${CANARY}.png`)).status

const addAuthor = ({ wikijs }: WikijsService) =>
  wikijs.rows(
    `insert into public.users (id, email, name, "createdAt", "updatedAt") values (4, '${CANARY}@example.com', '${CANARY}', '', '')`,
  )

/** As `lectern export --public` writes it. */
const publicDump = (reader: Database): Promise<string> =>
  withFile('wiki.ndjson', undefined, async (file) => {
    await exportNdjson(reader, file, { view: 'guest' })
    return readFile(file, 'utf8')
  })

/** All rows of each view of guests, as text. */
const shownViews = async (reader: Reader): Promise<[name: string, text: string][]> => {
  const views = await reader.rows(
    `select c.relname::text as name from pg_class c where relnamespace = 'guest'::regnamespace and relkind = 'v'`,
  )
  expect(views.length).to.be.greaterThan(8)
  const texts: [string, string][] = []
  for (const { name } of views)
    texts.push([
      String(name),
      JSON.stringify(await reader.rows(`select v::text as row from guest.${name} v`))
        .replaceAll(Buffer.from(CANARY).toString('hex'), CANARY)
        .replaceAll(sha256(picture), CANARY),
    ])
  return texts
}

describe('hidden content of an attached Wiki.js', () => {
  let client: pg.PoolClient
  after(() => client?.release(true)) // before the database is closed
  const test = withWikijs({ isClearedBetweenTests: false })
  let reader: Reader

  before(async () => {
    client = await (await test.reader()).connect()
    reader = readerOf(client)
    await addAuthor(test)
    await addHiddenPages()
  })

  /** Pages in each way that Wiki.js hides them, and one that is public with hidden edits. */
  const addHiddenPages = async () => {
    const { wikijs } = test
    const deny = { deny: true }
    await wikijs.guests([
      {},
      { ...deny, path: `start-${CANARY}` },
      { ...deny, match: 'EXACT', path: `exact-${CANARY}` },
      { ...deny, match: 'END', path: `${CANARY}/end` },
      { ...deny, match: 'REGEX', path: `^regex-.*${CANARY}$` },
      { ...deny, match: 'TAG', path: `tag-${CANARY}` },
      { ...deny, path: '', locales: ['de'] },
    ])
    await wikijs.upload(`${CANARY}.png`, picture)
    // In one transaction: Wiki.js writes the tags of a page, and deletes a page, after guests could see it.
    await wikijs.rows('begin')
    await wikijs.create({ ...hidden, path: `unpublished-${CANARY}`, isPublished: false })
    await wikijs.create({ ...hidden, path: `private-${CANARY}`, isPrivate: true })
    await wikijs.create({ ...hidden, path: `later-${CANARY}`, publishStartDate: '2999-01-01T00:00:00.000Z' })
    await wikijs.create({ ...hidden, path: `over-${CANARY}`, publishEndDate: '2001-01-01T00:00:00.000Z' })
    await wikijs.create({ ...hidden, path: `undated-${CANARY}`, publishStartDate: 'when it is ready' })
    await wikijs.create({ ...hidden, path: `start-${CANARY}/below` })
    await wikijs.create({ ...hidden, path: `exact-${CANARY}` })
    await wikijs.create({ ...hidden, path: `${CANARY}/end` })
    await wikijs.create({ ...hidden, path: `regex-of-${CANARY}` })
    await wikijs.create({ ...hidden, path: `tagged`, tags: [`tag-${CANARY}`] })
    await wikijs.create({ ...hidden, path: `german-${CANARY}`, localeCode: 'de' })
    const deleted = await wikijs.create({ ...hidden, path: `deleted-${CANARY}` })
    await wikijs.delete(deleted)
    await wikijs.rows('commit')

    const tea = await wikijs.create({
      path: 'tea',
      title: 'Tea',
      content: '[drunk](daily)',
      tags: ['drinks'],
    })
    await wikijs.update(tea, { ...hidden, tags: ['drinks'], isPublished: false })
    await wikijs.update(tea, { ...hidden, isPublished: true, isPrivate: true })
    await wikijs.update(tea, { ...hidden, isPrivate: false, publishStartDate: '2999-01-01' })
    await wikijs.update(tea, { ...hidden, publishStartDate: '', publishEndDate: '2001-01-01' })
    await wikijs.update(tea, { ...hidden, publishEndDate: '', path: `start-${CANARY}` })
    await wikijs.update(tea, { ...hidden, path: 'tea', localeCode: 'de' })
    await wikijs.update(tea, { ...hidden, localeCode: 'en', tags: ['drinks'] })
    const [tag] = await wikijs.rows<{ id: number }>(
      `insert into public.tags (tag, title, "createdAt", "updatedAt") values ('tag-${CANARY}', '${CANARY}', '', '')
       on conflict (tag) do update set title = excluded.title returning id`,
    )
    const version = await wikijs.snapshot(tea, 'updated')
    await wikijs.rows('insert into public."pageHistoryTags" ("pageId", "tagId") values ($1, $2)', [
      version,
      tag!.id,
    ])
    await wikijs.rows(
      `update public.pages
          set title = 'Tea', content = 'As [drunk](daily).', render = '<p>As drunk daily.</p>', "authorId" = 1,
              description = '${CANARY}', extra = '{"css":"${CANARY}"}'
        where id = $1`,
      [tea],
    )
    await test.index()
  }

  const all = (): [string, string][] => [
    ['/pages', 'every page'],
    [
      '/pages?include=markdown,html,text,summary,sections,categories,translations,links,contributors',
      'every page with its content',
    ],
    ['/recent?include=markdown,summary', 'recent edits with their texts'],
    ['/changes?include=markdown,contributors', 'changes with texts'],
    ['/pages/tea?format=text&include=contributors,summary', 'a page as plain text, with its authors'],
    ['/pages?locale=de', 'pages of another language'],
    ['/recent', 'recent edits'],
    ['/recent?locale=de', 'recent edits of another language'],
    ['/pages/tea?format=both', 'a page that has hidden edits'],
    ['/pages/tea/history', 'its history'],
    ['/categories/drinks', 'a category'],
    ['/files', 'files'],
    ['/pages?include=files', 'every page with its files'],
    ['/categories', 'all categories'],
    ['/categories?locale=de', 'categories of another language'],
    [`/suggest?q=${CANARY.slice(0, 5)}`, 'suggestions'],
    ['/links?from=tea', 'the links of a page'],
    ['/links?to=daily', 'links to a page'],
    ['/', 'the wiki'],
    ['/changes', 'changes'],
    ['/changes?ns=main', 'changes of a namespace'],
  ]

  it('is in no response of the API', async () => {
    for (const [path, what] of all()) {
      const { text } = await test.get(path)
      expect(text, what).not.to.include(CANARY)
    }
    expect((await test.get('/pages/tea')).status).to.equal(200)
    const shown = (await test.get('/pages')).body.items.map(({ path }: { path: string }) => path)
    expect(shown).to.deep.equal(['tea'])
    expect((await test.get('/pages/tea/history')).body.items).to.have.length(2)
  })

  it('is not found by path, category, revision or word', async () => {
    const { wikijs, get } = test
    const addresses = await wikijs.rows<{ path: string; locale: string }>(
      `select path, "localeCode" as locale from public.pages where path <> 'tea' and path <> '' union
       select path, "localeCode" from public."pageHistory" where path <> 'tea'`,
    )
    expect(addresses.length).to.be.greaterThan(10)
    for (const { path, locale } of addresses) {
      for (const rest of ['', '/history']) {
        const { status } = await get(`/pages/${encodeURIComponent(path)}${rest}?locale=${locale}`)
        expect(status, path).to.be.oneOf(locale === 'de' ? [400, 404] : [404])
      }
    }
    expect((await get(`/files/${CANARY}.png`)).status).to.equal(404)
    expect(await pictureStatus(test)).to.equal(404)
    for (const tag of [CANARY, `tag-${CANARY}`])
      expect((await get(`/categories/${tag}`)).status).to.equal(404)
    for (const q of [CANARY, CANARY.slice(0, -1), `"${CANARY} text"`, 'later', 'regex'])
      expect((await get(`/search?q=${encodeURIComponent(q)}&all=true`)).body.items, q).to.deep.equal([])
    const ids = await wikijs.rows<{ id: string }>(
      `select wikijs.revision_id(page_id, coalesce(previous, 0)) as id from wikijs.version
        where page_id in (select id from public.pages where path <> 'tea')
           or title = '${CANARY}'`,
    )
    expect(ids.length).to.be.greaterThan(15)
    for (const { id } of ids) {
      expect((await get(`/revisions/${id}`)).status).to.equal(404)
      expect((await get(`/revisions/${id}/diff`)).status).to.equal(404)
    }
  })

  it('is in no response of GraphQL', async () => {
    const query = `{ pages(locale: "en", ns: main, first: 5) { path title translations { title }
      categories { key name } revision { markdown author { name } comment } history(first: 5) { items { markdown comment } } }
      search(q: "${CANARY.toUpperCase()}", first: 5) { page { title } } }`
    const answer = await fetch(`${test.service.internalUrl}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const text = await answer.text()
    expect(text).to.include('As [drunk]')
    expect(text).not.to.include(CANARY)
  })

  it('is in no view that the reading role may select', async () => {
    for (const [name, text] of await shownViews(reader)) expect(text, name).not.to.include(CANARY)
  })

  it('is in no error of a condition on any column', async () => {
    const errors = await errorsOfCasts(reader)
    for (const { sql, text } of errors) expect(text, sql).not.to.include(CANARY)
    expect(errors.filter(({ code }) => code === NO_NUMBER).length).to.be.greaterThan(10)
  })

  it('is in tables and functions that the reading role cannot use', async () => {
    const closed = await test.wikijs.rows<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('public', 'wiki', 'wikijs') and c.relkind in ('r', 'p', 'v', 'm')`,
    )
    expect(closed.length).to.be.greaterThan(30)
    for (const { name } of closed)
      expect((await reader.failure(`select 1 from ${name} limit 1`))?.code, name).to.equal(DENIED)
    const callable = await reader.rows(
      `select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname = 'wikijs' and has_function_privilege(p.oid, 'execute')`,
    )
    expect(callable).to.deep.equal([])
  })

  describe('if it were visible', () => {
    it('would all show', async () => {
      const { wikijs, get, index } = test
      await wikijs.guests([{}])
      await wikijs.rows(
        `update public.pages set "isPublished" = true, "isPrivate" = false, "publishStartDate" = '', "publishEndDate" = ''`,
      )
      await wikijs.rows(
        `update public."pageHistory" set "isPublished" = true, "isPrivate" = false, "publishStartDate" = '', "publishEndDate" = ''`,
      )
      await index()
      expect((await get('/pages')).body.items.length).to.equal(11)
      expect((await get(`/search?q=${CANARY}&all=true`)).body.items.length).to.equal(11)
      expect((await get('/pages/tea/history')).body.items.length).to.equal(9)
      expect((await get(`/categories/${CANARY}`)).status).to.equal(200)
      expect((await get(`/files/${CANARY}.png`)).body.used_by.items.length).to.equal(11)
      expect(await pictureStatus(test)).to.equal(200)
    })
  })
})

describe('page of an attached Wiki.js whose end date has passed, before it is removed', () => {
  let client: pg.PoolClient
  after(() => client?.release(true))
  const test = withWikijs()
  before(() => addAuthor(test))

  it('leaves no category, language, link or word, and no name in a public dump', async () => {
    const { wikijs, get } = test
    client = await (await test.reader()).connect()
    await wikijs.upload(`${CANARY}.png`, picture)
    await wikijs.create({ path: 'tea', title: 'Tea' })
    await wikijs.create({
      ...hidden,
      path: `over-${CANARY}`,
      localeCode: 'de',
      publishEndDate: '2999-01-01',
    })
    await test.index()
    test.service.invalidate()
    expect((await get(`/categories/${CANARY}?locale=de`)).status).to.equal(200)
    expect((await get('/')).text).to.include('Deutsch')
    expect(await pictureStatus(test)).to.equal(200)
    await wikijs.rows(`update wikijs.expiration set expires_at = now() - interval '1 second'`)
    test.service.invalidate()
    expect((await get('/')).text).not.to.include('Deutsch')
    const asked = [
      `/categories/${CANARY}`,
      '/categories',
      '/files',
      `/files/${CANARY}.png`,
      `/pages/over-${CANARY}`,
      `/links?from=over-${CANARY}`,
      `/suggest?q=${CANARY}`,
      `/links?to=wanted-${CANARY}`,
      '/pages',
      '/recent',
      '/changes',
      `/search?q=${CANARY}&all=true`,
    ]
    for (const path of asked) {
      const { status, body } = await get(`${path}${path.includes('?') ? '&' : '?'}locale=de`)
      const never = await get(`${path.replaceAll(CANARY, 'never')}${path.includes('?') ? '&' : '?'}locale=fr`)
      expect(status, path).to.equal(never.status)
      expect(JSON.stringify(body), path).not.to.include(`over-${CANARY}`)
    }
    expect(await pictureStatus(test)).to.equal(404)
    for (const [name, text] of await shownViews(readerOf(client))) expect(text, name).not.to.include(CANARY)
    expect(await publicDump(await test.reader()))
      .to.include('"Tea"')
      .and.not.include(CANARY)
      .and.not.include('"de"')
  })
})

describe('page of an attached Wiki.js that becomes hidden', () => {
  let client: pg.PoolClient
  after(() => client?.release(true))
  const test = withWikijs({ cacheSeconds: 60 })
  let reader: Reader
  before(async () => {
    await addAuthor(test)
    client = await (await test.reader()).connect()
    reader = readerOf(client)
  })

  const path = `page-${CANARY}`
  const asked = [
    `/pages/${path}`,
    `/pages/${path}/history`,
    '/pages',
    '/recent',
    `/categories/${CANARY}`,
    '/categories',
    '/files',
    `/files/${CANARY}.png`,
    `/links?to=wanted-${CANARY}`,
    `/suggest?q=${CANARY.slice(0, 6)}`,
    `/search?q=${CANARY}&all=true`,
    `/pages/${path}?locale=ru`,
  ]
  const deny = { deny: true }
  const ways: Record<string, (id: number) => Promise<unknown>> = {
    'is moved to where guests may not read': async (id) => {
      await test.wikijs.move(id, `secret/${CANARY}`)
    },
    'is moved to a language that guests may not read': (id) => test.wikijs.move(id, path, 'de'),
    'gets a tag that hides': (id) => test.wikijs.tag(id, [CANARY, 'hidden']),
    'is unpublished': (id) => test.wikijs.update(id, { isPublished: false }),
    'becomes private': (id) => test.wikijs.update(id, { isPrivate: true }),
    'gets an end that is over': (id) => test.wikijs.update(id, { publishEndDate: '2001-01-01' }),
    'gets a beginning that is to come': (id) => test.wikijs.update(id, { publishStartDate: '2999-01-01' }),
    'is deleted': (id) => test.wikijs.delete(id),
    'is denied by a new rule': () => test.wikijs.guests([{}, { ...deny, match: 'END', path: CANARY }]),
    'loses the rule that allowed it': () => test.wikijs.guests([{ match: 'EXACT', path: 'tea' }]),
    'is of guests who may read nothing': () => test.wikijs.guests([{}], ['read:assets']),
    'is of guests who left their group': () =>
      test.wikijs.rows('update public."userGroups" set "userId" = 3 where "userId" = 2'),
  }
  afterEach(() => test.wikijs.rows('update public."userGroups" set "userId" = 2 where "groupId" = 2'))

  for (const [how, hide] of Object.entries(ways)) {
    it(`${how}: leaves nothing in any view`, async () => {
      const { wikijs, get } = test
      await wikijs.guests([
        {},
        { ...deny, path: 'secret/' },
        { ...deny, match: 'TAG', path: 'hidden' },
        { ...deny, path: '', locales: ['de'] },
      ])
      await wikijs.upload(`${CANARY}.png`, picture)
      await wikijs.create({ path: 'tea', localeCode: 'ru' })
      const id = await wikijs.create({ ...hidden, path })
      await wikijs.update(id, { content: `${CANARY} again, [x](wanted-${CANARY}) ![](/${CANARY}.png)` })
      await test.index()
      for (const one of asked.slice(0, -1)) expect((await get(one)).text, one).to.include(CANARY)
      expect(await pictureStatus(test)).to.equal(200)
      await hide(id)
      for (const [name, text] of await shownViews(reader)) {
        // The address stays, because guests could see it: copies of the wiki must learn that it is gone.
        const others = text.replace(name === 'tombstone' ? `(en,${path},main,` : '', '')
        expect(others, name).not.to.include(CANARY)
      }
      test.service.invalidate()
      expect(await pictureStatus(test)).to.equal(404)
      const changes = (await get('/changes')).body.items as object[]
      const told = changes.filter((item) => JSON.stringify(item).includes(CANARY))
      expect(told.map((item) => ({ ...item, changed_at: '' }))).to.deep.equal([
        { type: 'gone', path, locale: 'en', ns: 'main', changed_at: '' },
      ])
      for (const one of asked) {
        const { status, body } = await get(one)
        if (status === 200)
          expect(body.items, one).to.satisfy((items: unknown[]) => !JSON.stringify(items).includes(CANARY))
        else expect(status, one).to.be.oneOf([400, 404]) // 400: a language of which nothing is left
      }
    })
  }
})

describe('lectern export --public of an attached Wiki.js', () => {
  const test = withWikijs()
  before(() => addAuthor(test))

  it('writes exactly what guests see', async () => {
    const { wikijs } = test
    await wikijs.guests([{}, { deny: true, path: 'secret' }])
    const tea = await wikijs.create({ path: 'tea', title: 'Tea', content: 'First.', tags: ['drinks'] })
    await wikijs.update(tea, { ...hidden, tags: ['drinks'], isPublished: false })
    await wikijs.update(tea, { title: 'Tea', content: 'Third.', isPublished: true, authorId: 1 })
    await wikijs.create({ ...hidden, path: 'secret/plan' })
    await wikijs.create({ ...hidden, path: 'draft', isPublished: false })
    const dump = await publicDump(await test.reader())
    expect(dump).not.to.include(CANARY)
    const [, category, page, ...others] = dump
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(category).to.deep.equal({ type: 'category', locale: 'en', key: 'drinks', name: 'drinks' })
    expect(others).to.deep.equal([])
    expect(page.path).to.equal('tea')
    expect(page.revisions.map(({ markdown }: { markdown: string }) => markdown)).to.deep.equal([
      'First.',
      'Third.',
    ])
  })
})
