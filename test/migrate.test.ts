import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Database, DatabaseOptions } from '../src/db/database.ts'
import { checkMigrated, migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { UsageError } from '../src/errors.ts'
import { packagePath } from '../src/paths.ts'
import { newPlace } from './support/database.ts'

const NAMES = readdirSync(packagePath('schema', 'migrations')).sort()

const query = async (database: Database, sql: string): Promise<Record<string, unknown>[]> => {
  const client = await database.connect()
  return client
    .query(sql)
    .then(({ rows }) => rows)
    .finally(() => client.release())
}

const refusal = async (work: Promise<unknown>): Promise<Error> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason as Error,
  )
  expect(error).to.be.instanceOf(UsageError)
  return error!
}

/** An empty database, and a way to open it again. */
const emptyDatabase = async () => {
  const { place, remove } = await newPlace()
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

/** Migrates as a Lectern did that knew no more than so many files. */
const migrateTo = async (owner: Database, last: number): Promise<void> => {
  await query(
    owner,
    'create schema wiki; create table wiki.migration (number int primary key, name text not null, applied_at timestamptz not null default now())',
  )
  for (const [i, name] of NAMES.slice(0, last).entries()) {
    await query(owner, readFileSync(packagePath('schema', 'migrations', name), 'utf8'))
    await query(owner, `insert into wiki.migration (number, name) values (${i + 1}, '${name}')`)
  }
}

/** 40 pages; 20 of them with two edits of one moment, one with an edit that nobody shares, the rest hidden. */
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

  it('sets an empty database up, and says with which files', async () => {
    const owner = await empty.open()
    expect(await migrate(owner)).to.deep.equal(NAMES)
    expect(await query(owner, 'select name from wiki.migration order by number')).to.deep.equal(
      NAMES.map((name) => ({ name })),
    )
    expect(await query(await empty.open('reader'), 'select * from guest.page')).to.deep.equal([])
  })

  it('does nothing the second time', async () => {
    const owner = await empty.open()
    await migrate(owner)
    const before = await query(owner, 'select xmin::text, number, applied_at from wiki.migration')
    expect(await migrate(owner)).to.deep.equal([])
    expect(await query(owner, 'select xmin::text, number, applied_at from wiki.migration')).to.deep.equal(
      before,
    )
  })

  it('can be run by several at once: one sets up, the others wait and find nothing to do', async () => {
    const owners = await Promise.all([empty.open(), empty.open(), empty.open()])
    const applied = await Promise.all([...owners, ...owners].map((owner) => migrate(owner)))
    expect(applied.flat()).to.deep.equal(NAMES)
  })

  it('gives what is stored already the dates at which lists go on between edits of one moment', async () => {
    const owner = await empty.open()
    await migrateTo(owner, 4)
    await query(owner, EDITED)
    expect(await migrate(owner)).to.deep.equal(NAMES.slice(4))
    expect(
      await query(
        owner,
        `select count(*)::int as positions, count(distinct p.position)::int as different,
                count(*) filter (where p.position > p.created_at and extract(microseconds from p.position)::int % 1000 = 0)::int
                  as after, count(v.id)::int as seen
           from wiki.live_position p
           left join wiki.revision_visible v on (v.id, v.page_id, v.created_at) = (p.revision_id, p.page_id, p.created_at)`,
      ),
    ).to.deep.equal([{ positions: 40, different: 40, after: 40, seen: 40 }])
    const reader = await empty.open('reader')
    expect(await query(reader, 'select count(*)::int as positions from guest.position')).to.deep.equal([
      { positions: 40 },
    ])
  })

  it('refuses a database that a newer Lectern set up, and says which is needed', async () => {
    const owner = await empty.open()
    await migrate(owner)
    await query(owner, `insert into wiki.migration (number, name) values (${NAMES.length + 7}, 'later')`)
    const { message } = await refusal(migrate(owner))
    expect(message)
      .to.include('newer Lectern')
      .and.include(String(NAMES.length + 7))
  })

  it('leaves nothing of a migration that fails half-way', async () => {
    const owner = await empty.open()
    await query(owner, 'create schema wiki; create table wiki.live_section (nobody int)')
    await migrate(owner).then(
      () => expect.fail('was applied'),
      () => undefined,
    )
    expect(
      await query(
        owner,
        "select to_regclass('wiki.page')::text as page, to_regnamespace('guest')::text as guest",
      ),
    ).to.deep.equal([{ page: null, guest: null }])
    await query(owner, 'drop table wiki.live_section')
    expect(await migrate(owner)).to.deep.equal(NAMES)
  })

  it('lets the reading role select what guests see, and nothing else', async () => {
    await migrate(await empty.open())
    const reader = await empty.open('reader')
    for (const sql of [
      'select * from wiki.page',
      'select * from wiki.revision',
      'select * from wiki.migration',
      "insert into guest.category values ('en', 'x', 'x')",
      'create temporary table x ()',
    ]) {
      const refused = await query(reader, sql).then(
        () => false,
        (error: { code: string }) => ['42501', '25006'].includes(error.code),
      )
      expect(refused, sql).to.equal(true)
    }
  })

  /** As the version before this one left it. */
  const migrateButLast = async (owner: Database) => {
    await query(owner, 'create schema wiki; create table wiki.migration (number int primary key, name text)')
    for (const name of NAMES.slice(0, -1)) {
      await query(owner, readFileSync(packagePath('schema', 'migrations', name), 'utf8'))
      await query(owner, `insert into wiki.migration values (${Number(name.slice(0, 4))}, '${name}')`)
    }
  }

  it('lacks the newest file: the reader is told to run it, and may read afterwards', async () => {
    const owner = await empty.open()
    await migrateButLast(owner)
    expect((await refusal(empty.open('reader'))).message)
      .to.include('run `lectern migrate`')
      .and.include(`this version needs ${Number(NAMES.at(-1)!.slice(0, 4))}`)
    expect((await refusal(checkMigrated(owner))).message).to.include('run `lectern migrate`')
    expect(await migrate(owner)).to.deep.equal(NAMES.slice(-1))
    await checkMigrated(owner)
    expect(await query(await empty.open('reader'), 'select * from guest.page')).to.deep.equal([])
  })

  it('was run by a newer Lectern: the reader reads on, as in a rolling upgrade', async () => {
    const owner = await empty.open()
    await migrate(owner)
    await query(owner, "comment on schema guest is 'Lectern, schema 9999'")
    expect(await query(await empty.open('reader'), 'select * from guest.page')).to.deep.equal([])
  })

  it('has not been run: the reader is told to', async () => {
    await empty.open()
    expect((await refusal(empty.open('reader'))).message).to.include('lectern migrate')
  })
})

const SERVER = process.env.LECTERN_TEST_DATABASE_URL

if (SERVER !== undefined) {
  describe('migrate: on a server', () => {
    it('sets several of its databases up at once, though they share the reading role', async () => {
      const databases = await Promise.all(Array.from({ length: 4 }, emptyDatabase))
      try {
        const applied = await Promise.all(databases.map(async ({ open }) => migrate(await open())))
        expect(applied).to.deep.equal(databases.map(() => NAMES))
      } finally {
        await Promise.all(databases.map(({ remove }) => remove()))
      }
    })

    it('says what a user lacks who may not create schemas', async () => {
      const { place, open, remove } = await emptyDatabase()
      const owner = await open()
      const user = `lectern_test_${process.pid}_nobody`
      await query(owner, `create role ${user} login password 'x'`)
      try {
        const url = new URL(place.databaseUrl!)
        url.username = user
        url.password = 'x'
        const { message } = await refusal(
          migrate(await open('owner', { databaseUrl: url.href, dataDir: '' })),
        )
        expect(message).to.include('DATABASE_URL').and.include('CREATE')
        expect(message).not.to.include('\n')
      } finally {
        await query(owner, `drop role ${user}`)
        await remove()
      }
    })
  })
}
