import { expect } from 'chai'
import { migrate } from '../src/data/migrate.ts'
import { attachWikijs, checkWikijs, detachWikijs, isAttachedHere } from '../src/data/wikijs/attach.ts'
import { UsageError } from '../src/errors.ts'
import { until } from './faults/support/until.ts'
import { endProcesses, lectern, start } from './support/cli.ts'
import { failure, importText, linesOf, WIKI } from './support/importing.ts'
import { type WikijsDatabase, wikijsDatabase } from './support/wikijs.ts'

/** All that a database holds but its data: tables, columns, constraints, indexes, triggers, functions, rights. */
const CATALOG = `
  select format('schema %s %s', nspname, nspacl) as line from pg_namespace where nspname not like 'pg\\_t%'
   union all
  select format('relation %s %s %s %s %s', c.oid::regclass, c.relkind, pg_get_userbyid(c.relowner), c.relacl, c.reloptions)
    from pg_class c where c.relnamespace = 'public'::regnamespace
   union all
  select format('column %s %s %s %s %s %s', a.attrelid::regclass, a.attnum, a.attname,
                format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid))
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid and c.relnamespace = 'public'::regnamespace
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
   where a.attnum > 0
   union all
  select format('constraint %s %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
   where connamespace = 'public'::regnamespace
   union all
  select format('index %s', pg_get_indexdef(indexrelid)) from pg_index i
    join pg_class c on c.oid = i.indexrelid and c.relnamespace = 'public'::regnamespace
   union all
  select format('trigger %s', pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal
   union all
  select format('function %s', oid::regprocedure) from pg_proc p
   where pronamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
   order by 1`

describe('attach wikijs', function () {
  this.timeout(60_000)
  let database: WikijsDatabase
  beforeEach(async () => {
    database = await wikijsDatabase({ attach: false })
  })
  afterEach(() => database?.remove())

  const attach = async () => {
    await migrate(database.owner)
    return attachWikijs(database.owner)
  }
  const refusal = async (work: Promise<unknown>): Promise<string> => {
    const error = await failure(work)
    expect(error).to.be.instanceOf(UsageError)
    return error.message
  }
  const lines = async () => (await database.wikijs.rows<{ line: string }>(CATALOG)).map(({ line }) => line)
  const shown = () => database.wikijs.rows('select path, title from guest.page order by path')

  it('shows what is there already, and says how much', async () => {
    const { wikijs } = database
    await wikijs.create({ path: 'tea' })
    await wikijs.create({ path: 'draft', isPublished: false })
    const { shown: count, pages, undecided, addresses } = await attach()
    expect({ count, pages, undecided, addresses }).to.deep.equal({
      count: 1,
      pages: 2,
      undecided: [],
      addresses: 'en=https://wiki.example/en',
    })
    expect(await shown()).to.deep.equal([{ path: 'tea', title: 'tea' }])
  })

  it('says which page rules cannot be decided', async () => {
    await database.wikijs.guests([{}, { match: 'REGEX', path: '(?<=x)y' }])
    expect((await attach()).undecided).to.deep.equal(['(?<=x)y'])
  })

  it('copies no text but what search shows of it', async () => {
    const { wikijs } = database
    await wikijs.guests([{}])
    const id = await wikijs.create({ path: 'tea', content: 'kanarienvogel' })
    await wikijs.update(id, { content: 'kanarienvogel too' })
    await attach()
    await database.index()
    const tables = await wikijs.rows<{ name: string }>(
      `select oid::regclass::text as name from pg_class
        where relkind = 'r' and relnamespace in ('wiki'::regnamespace, 'wikijs'::regnamespace)`,
    )
    const holding: string[] = []
    for (const { name } of tables) {
      if ((await wikijs.rows(`select 1 from ${name} t where t::text like '%kanarienvogel%'`)).length > 0)
        holding.push(name)
    }
    expect(holding).to.deep.equal(['wiki.live_search'])
  })

  it('can be run again: edits keep their ids', async () => {
    const { wikijs } = database
    const id = await wikijs.create({ path: 'tea' })
    await wikijs.update(id, { content: 'Second.' })
    await wikijs.guests([{}])
    await attach()
    const edits = 'select id, created_at, markdown from guest.revision order by created_at'
    const before = await wikijs.rows(edits)
    expect(before).to.have.length(2)
    await attach()
    expect(await wikijs.rows(edits)).to.deep.equal(before)
    expect(await isAttachedHere(database.owner, 'public')).to.equal(true)
    await wikijs.rows(`update wikijs.attachment set form = 'of another Lectern'`)
    expect(await isAttachedHere(database.owner, 'public')).to.equal(false)
  })

  it('finds the tables in another schema', async () => {
    const { wikijs, owner } = database
    await wikijs.create({ path: 'tea' })
    await wikijs.rows('create schema "My wiki"')
    for (const { name } of await wikijs.rows<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public'`,
    ))
      await wikijs.rows(`alter table public."${name}" set schema "My wiki"`)
    await migrate(owner)
    expect((await attachWikijs(owner, 'My wiki')).shown).to.equal(1)
    await wikijs.rows(`update "My wiki".pages set title = 'Tea'`)
    expect(await shown()).to.deep.equal([{ path: 'tea', title: 'Tea' }])
  })

  it('lets Wiki.js write as the user that it is, who need not know of Lectern', async () => {
    const { wikijs } = database
    const user = `lectern_test_wikijs_${process.pid}`
    await attach()
    await wikijs.rows(`create role ${user}`)
    try {
      await wikijs.rows(`grant all on all tables in schema public to ${user}`)
      await wikijs.rows(`grant all on all sequences in schema public to ${user}`)
      await wikijs.rows(`set role ${user}`)
      const id = await wikijs.create({ path: 'tea', tags: ['drinks'] })
      await wikijs.update(id, { title: 'Tea' })
      await wikijs.rows('reset role')
      expect(await shown()).to.deep.equal([{ path: 'tea', title: 'Tea' }])
    } finally {
      await wikijs.rows('reset role')
      await wikijs.rows(`drop owned by ${user}`)
      await wikijs.rows(`drop role ${user}`)
    }
  })

  it('keeps up with tables that are emptied at once', async () => {
    const { wikijs } = database
    await wikijs.create({ path: 'tea' })
    await attach()
    await wikijs.rows('truncate public.pages cascade')
    expect(await shown()).to.deep.equal([])
  })

  describe('refuses, and changes nothing', () => {
    it('a database that is no Wiki.js, or another version', async () => {
      const { wikijs, owner } = database
      await wikijs.rows('alter table public."pageHistory" drop column "versionDate"')
      expect(await refusal(checkWikijs(owner, 'public'))).to.include('pageHistory.versionDate')
      expect(await refusal(checkWikijs(owner, 'elsewhere')))
        .to.include('"elsewhere"')
        .and.include('and more are')
    })

    it('a database that holds an imported wiki', async () => {
      await migrate(database.owner)
      await importText(database.owner, linesOf(WIKI))
      const before = await lines()
      expect(await refusal(attachWikijs(database.owner))).to.include('imported')
      expect(await lines()).to.deep.equal(before)
    })

    it('tables that the serving role may read by itself', async () => {
      await migrate(database.owner)
      await database.wikijs.rows('grant select on public.pages to public')
      expect(await refusal(attachWikijs(database.owner)))
        .to.include('pages')
        .and.include('revoke')
    })

    it('an import while a wiki is attached', async () => {
      await attach()
      expect(await refusal(importText(database.owner, linesOf(WIKI)))).to.include('lectern detach wikijs')
    })
  })

  describe('detach', () => {
    it("leaves Wiki.js's database as it was", async () => {
      const { wikijs, owner } = database
      const id = await wikijs.create({ path: 'tea', tags: ['drinks'] })
      const before = await lines()
      expect(before.length).to.be.greaterThan(150)
      await attach()
      await wikijs.update(id, { content: 'Second.' })
      await database.index()
      expect((await lines()).length).to.be.greaterThan(before.length + 20)
      await detachWikijs(owner)
      expect(await lines()).to.deep.equal(before)
      await wikijs.update(id, { content: 'Third.' })
      expect(await wikijs.rows('select content from public.pages')).to.deep.equal([{ content: 'Third.' }])
    })

    it('says where nothing is attached', async () => {
      expect(await refusal(detachWikijs(database.owner))).to.include('No Wiki.js is attached')
    })

    it('makes way to attach again', async () => {
      await database.wikijs.create({ path: 'tea' })
      await attach()
      await detachWikijs(database.owner)
      expect((await attach()).shown).to.equal(1)
    })
  })
})

describe('lectern attach', function () {
  this.timeout(60_000)
  afterEach(endProcesses)

  it('wikijs: needs the database of a Wiki.js', async () => {
    const { status, stderr } = await lectern(['attach', 'wikijs'])
    expect(status).to.equal(1)
    expect(stderr).to.match(/^lectern: DATABASE_URL must name [^\n]+\n$/)
  })

  if (process.env.LECTERN_TEST_DATABASE_URL !== undefined) {
    it('wikijs, then serve: one database, edits show and are found; detach', async () => {
      const database = await wikijsDatabase({ attach: false })
      const { wikijs, place } = database
      const environment = {
        DATABASE_URL: place.databaseUrl!,
        PORT: '0',
        INTERNAL_PORT: '0',
        CACHE_SECONDS: '60',
      }
      try {
        await wikijs.create({ path: 'tea', render: '<p>kettle</p>' })
        const attached = await lectern(['attach', 'wikijs'], environment)
        expect(attached.stderr)
          .to.include('Guests see 1 of 1 pages.')
          .and.include('1 pages indexed for search')
        expect(attached.status).to.equal(0)
        const serving = start(['serve'], environment)
        const [, url] = (await serving.prints(/Lectern serves (\S+)/)) as unknown as [string, string]
        const search = async (q: string) => {
          const answer = await fetch(`${url}/search?q=${q}`)
          return ((await answer.json()) as { items: { path: string }[] }).items.map(({ path }) => path)
        }
        expect(await search('kettle')).to.deep.equal(['tea'])
        await wikijs.create({ path: 'chai', render: '<p>samovar</p>' })
        await until('the new page is found', async () => (await search('samovar')).length === 1)
        serving.process.kill('SIGTERM')
        expect((await serving.ended).status).to.equal(0)

        const watching = start(['attach', 'wikijs', '--watch'], environment)
        await watching.prints(/Watching Wiki\.js/)
        await wikijs.create({ path: 'mate', render: '<p>bombilla</p>' })
        await until(
          'the page is indexed',
          async () => (await wikijs.rows('select 1 from wikijs.to_index')).length === 0,
        )
        watching.process.kill('SIGTERM')
        expect((await watching.ended).status).to.equal(0)

        expect((await lectern(['export', '/dev/null'], environment)).stderr).to.include('Wiki.js')
        expect((await lectern(['detach', 'wikijs'], environment)).stderr).to.include('Detached')
        expect((await lectern(['detach', 'wikijs'], environment)).status).to.equal(1)
      } finally {
        await database.remove()
      }
    })
  }
})
