import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Database, DatabaseOptions } from '../src/db/database.ts'
import { ADVISORY_LOCKS } from '../src/db/locks.ts'
import { checkMigrated, migrate } from '../src/db/migrate.ts'
import { migrations } from '../src/db/migrations.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { UsageError } from '../src/errors.ts'
import { packagePath } from '../src/paths.ts'
import { copyTemplate, type DatabaseTemplate } from './support/database.ts'
import { migrateTo, runAsOwner } from './support/migrations.ts'
import { sourceFiles } from './support/source-files.ts'

const NAMES = readdirSync(packagePath('schema', 'migrations')).sort()

const refusal = async (work: Promise<unknown>): Promise<Error> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason as Error,
  )
  expect(error).to.be.instanceOf(UsageError)
  return error!
}

const EMPTY: DatabaseTemplate = { name: 'empty', fill: async () => {} }

/** An empty database, and a way to open it again. */
const emptyDatabase = async () => {
  const { place, remove } = await copyTemplate(EMPTY)
  const opened: Database[] = []
  const open = async (as: 'owner' | 'reader' = 'owner', where: DatabaseOptions = place) => {
    const database = await openDatabase(where, as)
    opened.push(database)
    return database
  }
  return {
    place,
    open,
    remove: async () => {
      for (const database of opened.reverse()) await database.close()
      await remove()
    },
  }
}

/** 40 pages: 20 with two revisions of one timestamp, one with a revision of its own timestamp, the others hidden. */
const EDITED = `
  insert into wiki.page (locale, path, state) select 'en', 'page ' || i, 'live' from generate_series(1, 40) i;
  insert into wiki.revision
         (id, page_id, locale, created_at, author, comment, status, visible, title, categories, size, markdown)
  select md5(p.id || ' ' || e)::uuid, p.id, 'en', '2024-05-01T12:34:56Z'::timestamptz + make_interval(secs => (p.id = 21)::int),
         'Ada', '', case when p.id < 22 then 'accepted' else 'pending' end, p.id < 22, 'Title', '[]', 4, 'text'
    from wiki.page p cross join generate_series(1, 2) e
   where p.id <> 21 or e = 1;
  insert into wiki.live_page (id, locale, ns, path, title, revision_id, revision_created_at, revision_author)
  select id, locale, 'main', path, 'Title', md5(id || ' 2')::uuid, '2024-05-01T12:34:56Z', 'Ada' from wiki.page where id < 22`

describe('migrate', () => {
  let empty: Awaited<ReturnType<typeof emptyDatabase>>
  beforeEach(async () => {
    empty = await emptyDatabase()
  })
  afterEach(() => empty.remove())

  it('sets up an empty database, and returns the names of the migrations', async () => {
    const owner = await empty.open()
    expect(await migrate(owner)).to.deep.equal(NAMES)
    expect(await runAsOwner(owner, 'select name from wiki.migration order by number')).to.deep.equal(
      NAMES.map((name) => ({ name })),
    )
    expect(await runAsOwner(await empty.open('reader'), 'select * from guest.page')).to.deep.equal([])
  })

  it('changes nothing the second time', async () => {
    const owner = await empty.open()
    await migrate(owner)
    const before = await runAsOwner(owner, 'select xmin::text, number, applied_at from wiki.migration')
    expect(await migrate(owner)).to.deep.equal([])
    expect(
      await runAsOwner(owner, 'select xmin::text, number, applied_at from wiki.migration'),
    ).to.deep.equal(before)
  })

  it('can run in several processes at once: one migrates, the others wait and change nothing', async () => {
    const owners = await Promise.all([empty.open(), empty.open(), empty.open()])
    const applied = await Promise.all([...owners, ...owners].map((owner) => migrate(owner)))
    expect(applied.flat()).to.deep.equal(NAMES)
  })

  it('gives stored revisions of one timestamp their cursor dates', async () => {
    const owner = await empty.open()
    await migrateTo(owner, 4)
    await runAsOwner(owner, EDITED)
    expect(await migrate(owner)).to.deep.equal(NAMES.slice(4))
    expect(
      await runAsOwner(
        owner,
        `select count(*)::int as positions, count(distinct p.position)::int as different,
                count(*) filter (where p.position > p.created_at and extract(microseconds from p.position)::int % 1000 = 0)::int
                  as after, count(v.id)::int as seen
           from wiki.live_position p
           left join wiki.revision_visible v on (v.id, v.page_id, v.created_at) = (p.revision_id, p.page_id, p.created_at)`,
      ),
    ).to.deep.equal([{ positions: 40, different: 40, after: 40, seen: 40 }])
    const reader = await empty.open('reader')
    expect(await runAsOwner(reader, 'select count(*)::int as positions from guest.position')).to.deep.equal([
      { positions: 40 },
    ])
  })

  it('refuses a database of a newer Lectern, and names its version', async () => {
    const owner = await empty.open()
    await migrate(owner)
    await runAsOwner(owner, `insert into wiki.migration (number, name) values (${NAMES.length + 7}, 'later')`)
    const { message } = await refusal(migrate(owner))
    expect(message)
      .to.include('newer Lectern')
      .and.include(String(NAMES.length + 7))
  })

  it('rolls back a migration that fails', async () => {
    const owner = await empty.open()
    await runAsOwner(owner, 'create schema wiki; create table wiki.live_section (nobody int)')
    await migrate(owner).then(
      () => expect.fail('was applied'),
      () => undefined,
    )
    expect(
      await runAsOwner(
        owner,
        "select to_regclass('wiki.page')::text as page, to_regnamespace('guest')::text as guest",
      ),
    ).to.deep.equal([{ page: null, guest: null }])
    await runAsOwner(owner, 'drop table wiki.live_section')
    expect(await migrate(owner)).to.deep.equal(NAMES)
  })

  it('lets the reading role select only from the views of guests', async () => {
    await migrate(await empty.open())
    const reader = await empty.open('reader')
    for (const sql of [
      'select * from wiki.page',
      'select * from wiki.revision',
      'select * from wiki.migration',
      "insert into guest.category values ('en', 'x', 'x')",
      'create temporary table x ()',
    ]) {
      const refused = await runAsOwner(reader, sql).then(
        () => false,
        (error: { code: string }) => ['42501', '25006'].includes(error.code),
      )
      expect(refused, sql).to.equal(true)
    }
  })

  /** The views need the tables of the newest migration, so the database has them, but says that it does not. */
  const forgetNewestMigration = (owner: Database) => {
    const { number } = migrations().at(-1)!
    return runAsOwner(
      owner,
      `delete from wiki.migration where number = ${number};
       comment on schema guest is 'Lectern, schema ${number - 1}'`,
    )
  }

  it('missing the newest migration: readers get an error that says to run it, and work afterwards', async () => {
    const owner = await empty.open()
    await migrate(owner)
    await forgetNewestMigration(owner)
    expect((await refusal(empty.open('reader'))).message)
      .to.include('run `lectern migrate`')
      .and.include(`this version needs ${Number(NAMES.at(-1)!.slice(0, 4))}`)
    expect((await refusal(checkMigrated(owner))).message).to.include('run `lectern migrate`')
    const repeatable = migrations().map((one, i, { length }) =>
      i === length - 1 ? { ...one, sql: '' } : one,
    )
    expect(await migrate(owner, repeatable)).to.deep.equal(NAMES.slice(-1))
    await checkMigrated(owner)
    expect(await runAsOwner(await empty.open('reader'), 'select * from guest.page')).to.deep.equal([])
  })

  it('by a newer Lectern: readers work, as in a rolling upgrade', async () => {
    const owner = await empty.open()
    await migrate(owner)
    await runAsOwner(owner, "comment on schema guest is 'Lectern, schema 9999'")
    expect(await runAsOwner(await empty.open('reader'), 'select * from guest.page')).to.deep.equal([])
  })

  describe('the views of guests', () => {
    const views = `select c.oid::regclass::text as name, c.relacl::text as privileges, pg_get_viewdef(c.oid) as definition
                     from pg_class c where c.relnamespace = 'guest'::regnamespace and c.relkind = 'v' order by 1`
    const functions = `select p.oid::regprocedure::text as name, p.proacl::text as privileges
                         from pg_proc p where p.pronamespace = 'guest'::regnamespace order by 1`
    const later = (sql: string) => [
      ...migrations(),
      { number: NAMES.length + 1, name: 'a migration of a test', sql },
    ]

    it('are created again after a migration that changes or drops them', async () => {
      const owner = await empty.open()
      await migrate(owner)
      const before = [await runAsOwner(owner, views), await runAsOwner(owner, functions)]
      expect(before.map((rows) => rows.length > 2)).to.deep.equal([true, true])
      await migrate(
        owner,
        later(`
          drop view guest.page;
          create or replace view guest.locale as
            select locale, name || '?' as name, search_config, true as is_new from wiki.locale;
          create view guest.everything as select * from wiki.page;
          grant select on guest.everything to public;
          drop function guest.search_best;
          create function guest.other() returns int language sql as 'select 1'`),
      )
      expect([await runAsOwner(owner, views), await runAsOwner(owner, functions)]).to.deep.equal(before)
    })

    it('are created again by `migrate` when somebody dropped them, and left alone otherwise', async () => {
      const owner = await empty.open()
      await migrate(owner)
      const before = await runAsOwner(
        owner,
        `select xmin::text, oid from pg_class where relnamespace = 'guest'::regnamespace`,
      )
      expect(await migrate(owner)).to.deep.equal([])
      expect(
        await runAsOwner(
          owner,
          `select xmin::text, oid from pg_class where relnamespace = 'guest'::regnamespace`,
        ),
      ).to.deep.equal(before)
      await runAsOwner(owner, 'select wiki.drop_guest_views()')
      expect((await refusal(checkMigrated(owner))).message).to.include('run `lectern migrate`')
      expect(await migrate(owner)).to.deep.equal([])
      expect(await runAsOwner(await empty.open('reader'), 'select * from guest.page')).to.deep.equal([])
    })

    it('are not created by migrations since 0007', () => {
      for (const { number, name, sql } of migrations())
        if (number >= 7) expect(sql, name).not.to.match(/create (or replace )?(view|function|type) guest\./i)
    })

    it('used by objects of others: the error names these objects, and nothing changes', async () => {
      const owner = await empty.open()
      await migrate(owner)
      await runAsOwner(
        owner,
        'create schema reports; create view reports.pages as select path from guest.page',
      )
      const { message } = await refusal(migrate(owner, later('select 1')))
      expect(message).to.include('view reports.pages depends on').and.not.include('\n')
      expect(await migrate(owner)).to.deep.equal([])
      expect(await runAsOwner(owner, 'select * from reports.pages')).to.deep.equal([])
    })
  })

  it('takes no advisory lock that is not listed in src/db/locks.ts', () => {
    const sources = sourceFiles('src').map(({ path, tree }) => ({ path, text: tree.text }))
    const scripts = ['migrations', 'sql', 'views', 'wikijs'].flatMap((folder) =>
      readdirSync(packagePath('schema', folder)).map((file) => ({
        path: `schema/${folder}/${file}`,
        text: readFileSync(packagePath('schema', folder, file), 'utf8'),
      })),
    )
    const takers = [...sources, ...scripts].flatMap(({ path, text }) =>
      [...text.matchAll(/pg_advisory\w*\(([^)]+)\)/g)].map(([, number]) => ({ path, number })),
    )
    expect(takers).to.deep.equal([
      { path: 'src/db/migrate.ts', number: '$1' },
      { path: 'schema/migrations/0005_positions.sql', number: String(ADVISORY_LOCKS.writersBeforeSchema6) },
    ])
  })

  it('not run yet: readers get an error that says to run it', async () => {
    await empty.open()
    expect((await refusal(empty.open('reader'))).message).to.include('lectern migrate')
  })
})

const SERVER = process.env.LECTERN_TEST_DATABASE_URL

if (SERVER !== undefined) {
  describe('migrate: on a server', () => {
    it('sets up several databases at once, although they share the reading role', async () => {
      const databases = await Promise.all(Array.from({ length: 4 }, emptyDatabase))
      try {
        const applied = await Promise.all(databases.map(async ({ open }) => migrate(await open())))
        expect(applied).to.deep.equal(databases.map(() => NAMES))
      } finally {
        await Promise.all(databases.map(({ remove }) => remove()))
      }
    })

    it('under load: prepared statements keep working, and no reader waits long behind a slow reader', async () => {
      const { open, remove } = await emptyDatabase()
      const owner = await open()
      await migrateTo(owner, 6)
      await runAsOwner(owner, "comment on schema guest is 'Lectern, schema 9999'")
      const slow = await (await open('reader')).connect()
      const reader = await open('reader')
      const sql = [
        'select p.path from guest.page p join guest.revision r on r.page_id = p.id',
        'select form from guest.search_form',
        "select page_id from guest.search_matches(null, 'tea', 1, 1, '{}', '{}', '{}', '{}', '{}', '{}')",
      ].map((text, i) => ({ name: `prepared_${i}`, text }))
      try {
        for (const statement of sql) await reader.query(statement, [])
        await slow.query('begin; select * from guest.revision; select * from guest.search')
        const migrating = migrate(owner)
        let longest = 0
        for (const until = performance.now() + 2_000; performance.now() < until; ) {
          const startedAt = performance.now()
          for (const statement of sql) await reader.query(statement, [])
          longest = Math.max(longest, performance.now() - startedAt)
        }
        await slow.query('commit')
        expect(await migrating).to.deep.equal(NAMES.slice(6))
        for (const statement of sql) await reader.query(statement, [])
        expect(longest).to.be.below(2_000)
      } finally {
        slow.release()
        await remove()
      }
    })

    it('names the statements to run for a user that may not create schemas', async () => {
      const { place, open, remove } = await emptyDatabase()
      const owner = await open()
      const user = `lectern_test_${process.pid}_nobody`
      await runAsOwner(owner, `create role ${user} login password 'x'`)
      try {
        const url = new URL(place.databaseUrl!)
        url.username = user
        url.password = 'x'
        const { message } = await refusal(
          migrate(await open('owner', { databaseUrl: url.href, dataDir: '' })),
        )
        expect(message).to.include('As an administrator, run: ').and.include('grant create on database')
        expect(message).not.to.include('\n')
      } finally {
        await runAsOwner(owner, `drop role ${user}`)
        await remove()
      }
    })
  })
}
