import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { pino } from 'pino'
import { check } from '../src/check/check.ts'
import { migrate } from '../src/db/migrate.ts'
import { migrations } from '../src/db/migrations.ts'
import { packagePath } from '../src/paths.ts'
import { attachWikijs, checkWikijs, detachWikijs, isAttachedByThisVersion } from '../src/wikijs/attach.ts'
import { followWikijs } from '../src/wikijs/follow.ts'
import { checkTables } from '../src/wikijs/tables.ts'
import { endProcesses, environmentOf, lecternHere, start } from './support/cli.ts'
import { describeOnServer } from './support/database.ts'
import { failureOf, usageErrorOf } from './support/failures.ts'
import { importText, linesOfFile, WIKI } from './support/importing.ts'
import { until } from './support/until.ts'
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

// Wiki.js needs a server. test/wikijs.test.ts attaches one to an embedded database, too.
describeOnServer('attach wikijs', () => {
  let database: WikijsDatabase
  beforeEach(async () => {
    database = await wikijsDatabase('migrated')
  })
  afterEach(() => database.remove())

  const attach = () => attachWikijs(database.owner)
  const lines = async () => (await database.wikijs.rows<{ line: string }>(CATALOG)).map(({ line }) => line)
  const shown = () => database.wikijs.rows('select path, title from guest.page order by path')

  it('shows existing pages, and reports how many', async () => {
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

  it('reports page rules that cannot be evaluated', async () => {
    await database.wikijs.guests([{}, { match: 'REGEX', path: '(?<=x)y' }])
    expect((await attach()).undecided).to.deep.equal(['(?<=x)y'])
  })

  it('copies no text except for the search index', async () => {
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

  /** Revisions of one timestamp and their cursor dates, as guests see them. */
  const tied = () =>
    database.wikijs.rows<{ id: string; position: string | null }>(
      `select r.id, p.position from guest.revision r left join guest.position p on p.revision_id = r.id
        order by r.created_at, r.id`,
    )
  const makeTies = async () => {
    await database.wikijs.guests([{}])
    const updatedAt = '2024-03-01T00:00:00.000Z'
    for (const path of ['a', 'b', 'c', 'd', 'e']) {
      const id = await database.wikijs.create({ path, updatedAt })
      await database.wikijs.update(id, { updatedAt })
    }
  }

  it('can run again: cursors between revisions of one timestamp stay valid', async () => {
    await makeTies()
    await attach()
    const before = await tied()
    expect(new Set(before.map(({ position }) => position ?? 'none')).size).to.equal(10)
    expect(before.map(({ position }) => position)).not.to.include(null)
    await attach()
    expect(await tied()).to.deep.equal(before)
    await database.wikijs.create({ path: 'f', updatedAt: '2024-03-01T00:00:00.000Z' })
    expect((await tied()).filter(({ position }) => position !== null)).to.have.length(11)
  })

  const pathsSeen = async () => (await shown()).map(({ path }) => path).join()

  it('by another version: must run again, and keeps the revisions and the search index', async () => {
    const { wikijs, owner } = database
    await wikijs.guests([{}])
    const tea = await wikijs.create({ path: 'tea', tags: ['drinks'] })
    await wikijs.update(tea, { content: 'Second.' })
    await attach()
    await database.index()
    expect(await isAttachedByThisVersion(owner, 'public')).to.equal(true)
    await wikijs.rows(`update wikijs.attachment set digest = 'of another version'`)
    expect(await isAttachedByThisVersion(owner, 'public')).to.equal(false)
    const texts = 'select id, created_at, markdown from guest.revision order by created_at'
    const before = await wikijs.rows(texts)
    expect((await attach()).shown).to.equal(1)
    expect(await isAttachedByThisVersion(owner, 'public')).to.equal(true)
    expect(await wikijs.rows(texts)).to.deep.equal(before)
    expect(await wikijs.rows('select 1 from wikijs.to_index')).to.deep.equal([])
  })

  it('keeps hidden content hidden when a migration replaces or drops the views of guests', async () => {
    const { wikijs, owner } = database
    await wikijs.guests([{}])
    await wikijs.create({ path: 'tea', tags: ['drinks'] })
    const hidden = await wikijs.create({
      path: 'hidden',
      content: 'kanarienvogel [tea](/tea)',
      tags: ['canaries'],
      publishEndDate: '2999-01-01T00:00:00.000Z',
    })
    await attach()
    await database.index()
    await wikijs.rows(`update wikijs.expiration set expires_at = now() - interval '1 second'`)
    const names = await wikijs.rows<{ name: string }>(
      `select relname::text as name from pg_class where relnamespace = 'guest'::regnamespace and relkind = 'v'`,
    )
    expect(names.length).to.be.above(8)
    const seen = async () => {
      const found: string[] = []
      for (const { name } of names) {
        const rows = await wikijs.rows<{ row: string }>(`select v::text as row from guest.${name} v`)
        found.push(...rows.filter(({ row }) => /hidden|kanarien|canaries/.test(row)).map(() => name))
      }
      const ids = await wikijs.rows(`select 1 from guest.page where id = ${hidden}`)
      return [...found, ...ids]
    }
    expect(await wikijs.rows(`select 1 from wiki.live_page where path = 'hidden'`)).to.have.length(1)
    expect(await seen()).to.deep.equal([])
    const number = migrations().length + 1
    const whole = readFileSync(packagePath('schema', 'views', 'imported.sql'), 'utf8')
    const definesAgain = {
      number,
      name: 'defines views again',
      sql: `select wiki.drop_guest_views(); ${whole}`,
    }
    await migrate(owner, [...migrations(), definesAgain])
    expect(await seen()).to.deep.equal([])
    await migrate(owner, [
      ...migrations(),
      definesAgain,
      { number: number + 1, name: 'drops views', sql: 'drop view guest.page, guest.locale, guest.revision' },
    ])
    expect(await seen()).to.deep.equal([])
    expect(await pathsSeen()).to.equal('tea')
  })

  it('can run again: indexed pages stay indexed, and waiting pages wait', async () => {
    const { wikijs } = database
    await wikijs.create({ path: 'tea' })
    await attach()
    await database.index()
    const waiting = await wikijs.create({ path: 'chai' })
    await attach()
    expect(await wikijs.rows('select path_key from wiki.live_search')).to.deep.equal([{ path_key: 'tea' }])
    expect(await wikijs.rows('select page_id::int as id from wikijs.to_index')).to.deep.equal([
      { id: waiting },
    ])
    expect(await wikijs.rows(`select 1 from pg_namespace where nspname = 'wikijs_before'`)).to.deep.equal([])
  })

  it('accepts the tables of Wiki.js in another schema', async () => {
    const { wikijs, owner } = database
    await wikijs.create({ path: 'tea' })
    await wikijs.rows('create schema "My wiki"')
    for (const { name } of await wikijs.rows<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public'`,
    ))
      await wikijs.rows(`alter table public."${name}" set schema "My wiki"`)
    expect((await attachWikijs(owner, 'My wiki')).shown).to.equal(1)
    await wikijs.rows(`update "My wiki".pages set title = 'Tea'`)
    expect(await shown()).to.deep.equal([{ path: 'tea', title: 'Tea' }])
  })

  it('lets Wiki.js write as a user without privileges on the tables of Lectern', async () => {
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

  it('hides a page that cannot be read, but not other pages of the same statement', async () => {
    const { wikijs } = database
    for (const path of ['chai', 'mate', 'tea']) await wikijs.create({ path, title: 'Fine' })
    await wikijs.rows(`update public.pages set title = 'Broken' where path = 'mate'`)
    await wikijs.rows('alter table wiki.live_page add constraint broken check (title <> $$Broken$$)')
    await attach()
    const others = [
      { path: 'chai', title: 'Fine' },
      { path: 'tea', title: 'Fine' },
    ]
    expect(await shown()).to.deep.equal(others)
    await wikijs.rows('update public.pages set content = content || $$.$$')
    expect(await shown()).to.deep.equal(others)
    await wikijs.rows('update wikijs.schedule set at = now()')
    await wikijs.rows('select wikijs.sweep()')
    expect(await shown()).to.deep.equal(others)
  })

  it('is checked by `lectern check`, which says what to do', async () => {
    const { wikijs, place } = database
    const environment = {
      ...environmentOf(place),
      WIKI_ADDRESSES: 'en=https://wiki.example/en',
      PORT: '0',
      INTERNAL_PORT: '0',
    }
    const findings = async () => {
      const found: string[] = []
      for await (const one of check(environment))
        if (one.subject === 'wikijs') found.push([one.status, one.message, one.advice ?? ''].join(' '))
      return found
    }
    const id = await wikijs.create({ path: 'tea' })
    expect(await findings()).to.deep.equal([])
    await attach()
    await database.index()
    expect(await findings()).to.deep.equal(['ok attached; all triggers work '])
    await wikijs.guests([{}, { match: 'REGEX', path: '(?<=x)y' }])
    expect(await findings()).to.satisfy(([one]: string[]) => /^warning .*\(\?<=x\)y.*docs/.test(one!))
    await wikijs.guests([{}])
    await wikijs.rows('alter table public.pages disable trigger user')
    await wikijs.rows('drop index public.lectern_page_path')
    const [deaf, lacking] = await findings()
    expect(deaf).to.match(/^wrong 4 triggers .*lectern attach wikijs/)
    expect(lacking).to.match(/^wrong .*lectern_page_path.*lectern attach wikijs/)
    await wikijs.update(id, { title: 'Missed' })
    await attach()
    expect(await findings()).to.deep.equal(['ok attached; all triggers work '])
    expect(await shown()).to.deep.equal([{ path: 'tea', title: 'Missed' }])
    await wikijs.rows(`update wikijs.attachment set digest = 'of another Lectern'`)
    expect((await findings())[0]).to.match(/^wrong Another version .*lectern attach wikijs/)
  })

  describe('changes that bypass the triggers, as in some restores,', () => {
    /** As `pg_restore --disable-triggers` writes. */
    const unheard = async (...statements: string[]) => {
      const { wikijs } = database
      for (const table of ['pages', 'pageTags', 'groups'])
        await wikijs.rows(`alter table public."${table}" disable trigger user`)
      for (const sql of statements) await wikijs.rows(sql)
      for (const table of ['pages', 'pageTags', 'groups'])
        await wikijs.rows(`alter table public."${table}" enable trigger user`)
    }
    const paths = async () => (await shown()).map(({ path }) => path)
    const finding = async () => {
      const environment = { ...environmentOf(database.place), PORT: '0', INTERNAL_PORT: '0' }
      for await (const one of check(environment))
        if (one.subject === 'wikijs') return `${one.status} ${one.message} ${one.advice ?? ''}`
      return undefined
    }
    const withFollower = async (work: () => Promise<unknown>) => {
      const warnings: string[] = []
      const logger = pino({ level: 'warn' }, { write: (line) => warnings.push(line) })
      const following = followWikijs(database.owner, logger)
      try {
        await work()
      } finally {
        await following.stop()
      }
      return warnings
    }
    beforeEach(async () => {
      await database.wikijs.guests([{}])
      for (const path of ['tea', 'chai', 'mate']) await database.wikijs.create({ path, tags: ['drink'] })
      await attach()
      await database.index()
      expect(await paths()).to.deep.equal(['chai', 'mate', 'tea'])
    })

    it('do not bypass them with session_replication_role = replica', async () => {
      const { wikijs } = database
      await wikijs.rows('set session_replication_role = replica')
      await wikijs.rows(`update public.pages set "isPublished" = false where path = 'tea'`)
      await wikijs.rows('reset session_replication_role')
      expect(await paths()).to.deep.equal(['chai', 'mate'])
      expect(await finding()).to.equal('ok attached; all triggers work ')
    })

    it('are reported by `lectern check`, and repaired by `lectern attach wikijs`', async () => {
      await unheard(
        `update public.pages set "isPublished" = false where path = 'tea'`,
        `delete from public."pageTags" where "pageId" = (select id from public.pages where path = 'chai')`,
      )
      expect(await paths()).to.deep.equal(['chai', 'mate', 'tea'])
      expect(await finding()).to.match(/^wrong 2 pages or rules changed while .*lectern attach wikijs/)
      await attach()
      expect(await paths()).to.deep.equal(['chai', 'mate'])
      expect(await finding()).to.equal('ok attached; all triggers work ')
    })

    it('are found by followers: withdrawn, deleted and moved pages, and rules of guests', async () => {
      const warnings = await withFollower(async () => {
        await unheard(
          `update public.pages set "isPublished" = false where path = 'tea'`,
          `update public.pages set path = 'matte' where path = 'mate'`,
        )
        await until('withdrawn and moved', async () => (await paths()).join() === 'chai,matte')
        await unheard(
          `delete from public."pageTags" where "pageId" = (select id from public.pages where path = 'chai')`,
          `delete from public.pages where path = 'chai'`,
        )
        await until('deleted', async () => (await paths()).join() === 'matte')
        await unheard(`update public.groups set permissions = '[]' where id = 2`)
        await until('closed to guests', async () => (await paths()).length === 0)
      })
      expect(warnings.join()).to.include('bypassed the triggers')
      expect(await finding()).to.equal('ok attached; all triggers work ')
    })

    it('are not reported for normal edits of Wiki.js', async () => {
      const { wikijs } = database
      const warnings = await withFollower(async () => {
        const id = await wikijs.create({ path: 'coffee', tags: ['drink', 'bean'] })
        await wikijs.update(id, { title: 'Coffee', tags: ['bean'] })
        await wikijs.move(id, 'koffie')
        await wikijs.rows(`update public.users set name = 'Ada' where id = 1`)
        await wikijs.rows(`update public.tags set title = 'Beans' where tag = 'bean'`)
        await wikijs.guests([{}, { path: 'tea', deny: true }])
        await wikijs.delete(id)
        await until('all is compared', async () => (await finding()) === 'ok attached; all triggers work ')
        const [{ at }] = (await wikijs.rows<{ at: string }>('select at::text from wikijs.comparison')) as [
          { at: string },
        ]
        await until(
          'it is compared again',
          async () =>
            (await wikijs.rows('select 1 from wikijs.comparison where at > $1::timestamptz', [at])).length >
            0,
        )
      })
      expect(warnings).to.deep.equal([])
    })
  })

  it('hides all pages when Wiki.js truncates its tables', async () => {
    const { wikijs } = database
    await wikijs.create({ path: 'tea' })
    await attach()
    await wikijs.rows('truncate public.pages cascade')
    expect(await shown()).to.deep.equal([])
  })

  it('run again: readers do not wait while it fills its tables', async () => {
    const { wikijs, owner } = database
    await wikijs.create({ path: 'tea' })
    await attach()
    const other = await owner.connect()
    try {
      await other.query('begin; lock table wiki.page in share mode')
      const attaching = attachWikijs(owner)
      await until('it waits to fill a table', async () => {
        const waiting = await wikijs.rows(
          `select 1 from pg_locks where relation = 'wiki.page'::regclass and not granted`,
        )
        return waiting.length > 0
      })
      await wikijs.rows(`set lock_timeout = '1s'`)
      expect(await wikijs.rows('select path from public.pages')).to.deep.equal([{ path: 'tea' }])
      expect(await wikijs.rows('select markdown from guest.revision')).to.have.length(1)
      await other.query('rollback')
      expect((await attaching).shown).to.equal(1)
    } finally {
      other.release(true)
    }
  })

  it('gives up if another session holds the tables for long, and changes nothing', async () => {
    const { wikijs, owner } = database
    await wikijs.create({ path: 'tea' })
    const before = await lines()
    const backup = await owner.connect()
    try {
      await backup.query('begin; lock table public.pages in row exclusive mode')
      expect(((await failureOf(attachWikijs(owner))) as { code?: string }).code).to.equal('55P03')
      await backup.query('rollback')
      expect(await lines()).to.deep.equal(before)
      await attach()
      await backup.query('begin; select count(*) from public.pages')
      const detached = await lecternHere(['detach', 'wikijs'], { DATABASE_URL: database.place.databaseUrl! })
      expect(detached.stderr).to.match(/holds a lock on Wiki.js's tables.*pg_stat_activity.*again/)
      expect(detached.status).to.equal(1)
      expect(await shown()).to.deep.equal([{ path: 'tea', title: 'tea' }])
    } finally {
      backup.release(true)
    }
  })

  describe('is refused, and changes nothing, for', () => {
    it('a database without the tables of Wiki.js 2.5', async () => {
      const { wikijs, owner } = database
      await wikijs.rows('alter table public."pageHistory" drop column "versionDate"')
      expect(await usageErrorOf(checkWikijs(owner, 'public'))).to.include('pageHistory.versionDate')
      expect(await usageErrorOf(checkWikijs(owner, 'elsewhere')))
        .to.include('"elsewhere"')
        .and.include(', and more')
    })

    it('a user that does not own the tables; the error names the owner', async () => {
      const { wikijs } = database
      const user = `lectern_test_stranger_${process.pid}`
      await wikijs.rows(`create role ${user}`)
      try {
        await wikijs.rows(`set role ${user}`)
        expect(await usageErrorOf(checkTables(wikijs.client, 'public'))).to.match(
          /belongs to postgres\. Attach with/,
        )
      } finally {
        await wikijs.rows('reset role')
        await wikijs.rows(`drop role ${user}`)
      }
    })

    it('a database with an imported wiki', async () => {
      await importText(database.owner, linesOfFile(WIKI))
      const before = await lines()
      expect(await usageErrorOf(attachWikijs(database.owner))).to.include('imported')
      expect(await lines()).to.deep.equal(before)
    })

    it('tables that the serving role can read', async () => {
      const { wikijs, owner } = database
      await wikijs.rows('grant select on public.pages to public')
      expect(await usageErrorOf(checkWikijs(owner, 'public')))
        .to.include('pages')
        .and.include('revoke')
      await wikijs.rows('revoke select on public.pages from public')
      await wikijs.rows('grant select (content) on public."pageHistory" to lectern_reader')
      expect(await usageErrorOf(attachWikijs(owner)))
        .to.include('pageHistory')
        .and.include('revoke')
      await wikijs.rows('revoke select (content) on public."pageHistory" from lectern_reader')
    })

    it('an import into the database of an attached wiki', async () => {
      await attach()
      expect(await usageErrorOf(importText(database.owner, linesOfFile(WIKI)))).to.include(
        'lectern detach wikijs',
      )
    })
  })

  describe('detach', () => {
    it("restores the state of Wiki.js's database before attach", async () => {
      await database.remove()
      database = await wikijsDatabase('created')
      const { wikijs, owner } = database
      const id = await wikijs.create({ path: 'tea', tags: ['drinks'] })
      const before = await lines()
      expect(before.length).to.be.greaterThan(150)
      await migrate(owner)
      await attach()
      await wikijs.update(id, { content: 'Second.' })
      await database.index()
      expect((await lines()).length).to.be.greaterThan(before.length + 20)
      await detachWikijs(owner)
      expect(await lines()).to.deep.equal(before)
      await wikijs.update(id, { content: 'Third.' })
      expect(await wikijs.rows('select content from public.pages')).to.deep.equal([{ content: 'Third.' }])
    })

    it('is logged once by a service that follows, which continues after the next attach', async () => {
      const { wikijs, owner } = database
      await attach()
      await detachWikijs(owner)
      const warnings: string[] = []
      const logger = pino({ level: 'warn' }, { write: (line) => warnings.push(line) })
      let tries = 0
      const connect = () => {
        tries += 1
        return owner.connect()
      }
      const following = followWikijs({ ...owner, connect }, logger)
      try {
        await until('it has tried again', async () => tries >= 3)
        expect(warnings.length).to.equal(1)
        await wikijs.create({ path: 'tea' })
        await migrate(owner)
        await attach()
        await until(
          'it follows',
          async () => (await wikijs.rows('select 1 from wikijs.to_index')).length === 0,
        )
      } finally {
        await following.stop()
      }
    })
  })
})

describe('lectern attach', () => {
  it('wikijs requires DATABASE_URL', async () => {
    const { status, stderr } = await lecternHere(['attach', 'wikijs'])
    expect(status).to.equal(1)
    expect(stderr).to.match(/^lectern: Set DATABASE_URL to [^\n]+\n$/)
  })
})

describeOnServer('lectern attach, serve and detach', () => {
  afterEach(endProcesses)

  it('wikijs, then serve: edits show and search finds them; then detach', async () => {
    const database = await wikijsDatabase('created')
    const { wikijs, place } = database
    const stranger = `lectern_test_stranger_${process.pid}`
    const urlOfStranger = async () => {
      await wikijs.rows(`create role ${stranger} login in role lectern_reader`)
      const url = new URL(place.databaseUrl!)
      url.username = stranger
      return url.href
    }
    const environment = {
      DATABASE_URL: place.databaseUrl!,
      PORT: '0',
      INTERNAL_PORT: '0',
      CACHE_SECONDS: '60',
    }
    try {
      await wikijs.create({ path: 'tea', render: '<p>kettle</p>' })
      const attached = await lecternHere(['attach', 'wikijs'], environment)
      expect(attached.stderr).to.include('Guests see 1 of 1 pages.').and.include('1 page indexed for search')
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

      const exported = await lecternHere(['export', '/dev/null'], environment)
      expect(exported.stderr).to.include('Wiki.js').and.include('--public')
      expect((await lecternHere(['migrate'], environment)).stderr).to.include('up to date')
      await wikijs.rows(`update wikijs.attachment set digest = 'of another Lectern'`)
      expect((await lecternHere(['migrate'], environment)).stderr).to.include(
        'Run `lectern attach wikijs` now',
      )
      expect(
        (await lecternHere(['detach', 'wikijs'], { DATABASE_URL: await urlOfStranger() })).stderr,
      ).to.match(
        /^lectern: The user of DATABASE_URL lacks a privilege [^\n]+ Use the login of Wiki.js itself\.\n$/,
      )
      expect((await lecternHere(['detach', 'wikijs'], environment)).stderr).to.include('Detached')
      const again = await lecternHere(['detach', 'wikijs'], environment)
      expect(again.stderr).to.include('No Wiki.js is attached')
      expect(again.status).to.equal(1)
    } finally {
      await wikijs.rows(`drop role if exists ${stranger}`)
      await database.remove()
    }
  })
})
