import { readdirSync } from 'node:fs'
import { SchemaMismatch } from '@lectern/wiki/errors'
import { expect } from 'chai'
import type { Database, DatabaseOptions, ServingDatabase } from '../src/db/database.ts'
import { checkMigrated, migrate } from '../src/db/migrate.ts'
import { migrations } from '../src/db/migrations.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { packagePath } from '../src/paths.ts'
import { copyTemplate, type DatabaseTemplate, describeOnServer, MIGRATED } from './support/database.ts'
import { usageErrorOf } from './support/failures.ts'
import { runAsOwner } from './support/migrations.ts'
import { until } from './support/until.ts'

const NAMES = readdirSync(packagePath('schema', 'migrations')).sort()

const EMPTY: DatabaseTemplate = { name: 'empty', fill: async () => {} }

/** A database, and a way to open it again. */
const databaseWith = async (template: DatabaseTemplate) => {
  const { place, remove } = await copyTemplate(template)
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

/** The migrations, and one after them. */
const later = (sql: string) => [
  ...migrations(),
  { number: NAMES.length + 1, name: 'a migration of a test', sql },
]

describe('migrate', () => {
  let remove: (() => Promise<void>) | undefined
  const databaseOf = async (template: DatabaseTemplate) => {
    const database = await databaseWith(template)
    remove = database.remove
    return { ...database, owner: await database.open() }
  }
  afterEach(async () => {
    await remove?.()
    remove = undefined
  })

  it('sets up an empty database, and returns the names of the migrations', async () => {
    const { owner, open } = await databaseOf(EMPTY)
    expect(await migrate(owner)).to.deep.equal(NAMES)
    expect(await runAsOwner(owner, 'select name from wiki.migration order by number')).to.deep.equal(
      NAMES.map((name) => ({ name })),
    )
    expect(await runAsOwner(await open('reader'), 'select * from guest.page')).to.deep.equal([])
  })

  it('can run in several processes at once: one migrates, the others wait and change nothing', async () => {
    const { open } = await databaseOf(EMPTY)
    const owners = await Promise.all([open(), open(), open()])
    const applied = await Promise.all([...owners, ...owners].map((owner) => migrate(owner)))
    expect(applied.flat()).to.deep.equal(NAMES)
  })

  const UNRELEASED = {
    'with migrations that the first release has as one': `
      delete from wiki.migration where number > 1;
      alter table wiki.migration drop digest;
      insert into wiki.migration select n, format('%s_old.sql', n) from generate_series(2, 13) n;
      comment on schema guest is 'Lectern, schema 13'`,
    'with another text of a migration': "update wiki.migration set digest = 'of another text'",
  }
  for (const [what, sql] of Object.entries(UNRELEASED))
    it(`refuses a database of an unreleased version, ${what}: one sentence, and nothing changes`, async () => {
      const { owner, open } = await databaseOf(MIGRATED)
      await runAsOwner(owner, sql)
      const stored =
        "select obj_description('guest'::regnamespace) as note, m.* from wiki.migration m order by number"
      const before = await runAsOwner(owner, stored)
      for (const work of [migrate(owner), checkMigrated(owner)])
        expect(await usageErrorOf(work))
          .to.match(/wiki\.migration has another migration 1 than this Lectern\. An unreleased version/)
          .and.include('Create a new database')
      expect(await runAsOwner(owner, stored)).to.deep.equal(before)
      if (sql.includes('comment'))
        expect(await usageErrorOf(open('reader'))).to.include('run `lectern migrate`')
    })

  it('refuses a database of a newer Lectern, and names its version', async () => {
    const { owner } = await databaseOf(MIGRATED)
    await runAsOwner(
      owner,
      `insert into wiki.migration (number, name, digest) values (${NAMES.length + 7}, 'later', '')`,
    )
    const message = await usageErrorOf(migrate(owner))
    expect(message)
      .to.include('newer Lectern')
      .and.include(String(NAMES.length + 7))
  })

  it('rolls back a migration that fails', async () => {
    const { owner } = await databaseOf(EMPTY)
    await runAsOwner(owner, 'create schema wiki; create table wiki.live_link (nobody int)')
    expect(await usageErrorOf(migrate(owner)))
      .to.include('relation "live_link" already exists')
      .and.include('give Lectern a database of its own')
    expect(
      await runAsOwner(
        owner,
        "select to_regclass('wiki.page')::text as page, to_regnamespace('guest')::text as guest",
      ),
    ).to.deep.equal([{ page: null, guest: null }])
    await runAsOwner(owner, 'drop table wiki.live_link')
    expect(await migrate(owner)).to.deep.equal(NAMES)
  })

  it('missing any migration, newest or not: a running service is not ready until it has all', async () => {
    const { owner, open } = await databaseOf(MIGRATED)
    const reader = (await open('reader')) as ServingDatabase
    const isReady = () =>
      reader.ready().then(
        () => true,
        (error: Error) => {
          expect(
            [error, error.cause].some((one) => one instanceof SchemaMismatch),
            error.stack,
          ).to.equal(true)
          return false
        },
      )
    for (const { number, name } of migrations()) {
      const [row] = await runAsOwner(
        owner,
        `delete from wiki.migration where number = ${number} returning digest`,
      )
      await until(`not ready without ${name}`, async () => !(await isReady()))
      expect(await usageErrorOf(checkMigrated(owner)))
        .to.include('run `lectern migrate`')
        .and.include(`its schema is ${number - 1}, and this version needs ${migrations().length}`)
      await runAsOwner(
        owner,
        `insert into wiki.migration (number, name, digest) values (${number}, '${name}', '${row!.digest}')`,
      )
      await until(`ready with ${name}`, isReady)
      await checkMigrated(owner)
    }
  })

  describe('the views of guests', () => {
    const views = `select c.oid::regclass::text as name, c.relacl::text as privileges, pg_get_viewdef(c.oid) as definition
                     from pg_class c where c.relnamespace = 'guest'::regnamespace and c.relkind = 'v' order by 1`
    const functions = `select p.oid::regprocedure::text as name, p.proacl::text as privileges
                         from pg_proc p where p.pronamespace = 'guest'::regnamespace order by 1`
    it('are created again after a migration that changes or drops them', async () => {
      const { owner } = await databaseOf(MIGRATED)
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

    it('are created again by `migrate` when somebody dropped them or withdrew a right, and left alone otherwise', async () => {
      const { owner, open } = await databaseOf(MIGRATED)
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
      expect(await usageErrorOf(checkMigrated(owner))).to.include('run `lectern migrate`')
      for (const right of ['select on guest.page', 'usage on schema guest', 'select on guest.link']) {
        expect(await migrate(owner)).to.deep.equal([])
        expect(await runAsOwner(await open('reader'), 'select * from guest.page')).to.deep.equal([])
        await runAsOwner(owner, `revoke ${right} from lectern_reader`)
      }
    })

    it('used by objects of others: the error names these objects, and nothing changes', async () => {
      const { owner } = await databaseOf(MIGRATED)
      await runAsOwner(
        owner,
        'create schema reports; create view reports.pages as select path from guest.page',
      )
      const message = await usageErrorOf(migrate(owner, later('select 1')))
      expect(message).to.include('view reports.pages depends on').and.not.include('\n')
      expect(await migrate(owner)).to.deep.equal([])
      expect(await runAsOwner(owner, 'select * from reports.pages')).to.deep.equal([])
    })
  })

  it('withdraws rights of PUBLIC that somebody gave again, also without a migration to apply', async () => {
    const { owner } = await databaseOf(MIGRATED)
    const mayCreate = "select has_function_privilege('public', 'pg_catalog.lo_create(oid)', 'execute') as may"
    await runAsOwner(owner, 'grant execute on function pg_catalog.lo_create(oid) to public')
    expect(await runAsOwner(owner, mayCreate)).to.deep.equal([{ may: true }])
    expect(await migrate(owner)).to.deep.equal([])
    expect(await runAsOwner(owner, mayCreate)).to.deep.equal([{ may: false }])
  })

  describeOnServer('rights of PUBLIC', () => {
    const rightsOf = async (owner: Database, role: string) => {
      const [rights] = await runAsOwner(
        owner,
        `select has_database_privilege('${role}', current_database(), 'temporary') as temporary,
                has_function_privilege('${role}', 'pg_catalog.lo_create(oid)', 'execute') as functions`,
      )
      return rights
    }

    it('withdraws temporary tables and functions that guests do not need', async () => {
      const { owner } = await databaseOf(EMPTY)
      await migrate(owner)
      expect(await rightsOf(owner, 'lectern_reader')).to.deep.equal({ temporary: false, functions: false })
      expect(await rightsOf(owner, 'postgres')).to.deep.equal({ temporary: true, functions: true })
    })

    it('withdraws nothing while the database has tables of others, also not when it is migrated again', async () => {
      const { owner } = await databaseOf(EMPTY)
      await runAsOwner(owner, 'create table public.theirs (n int)')
      for (let n = 0; n < 2; n += 1) {
        await migrate(owner)
        expect(await rightsOf(owner, 'lectern_reader')).to.deep.equal({ temporary: true, functions: true })
      }
    })

    it('withdraws what it may if the owner is not a superuser, who keeps it', async () => {
      const { open, place } = await databaseOf(EMPTY)
      const role = `lectern_test_owner_${process.pid}`
      const administrator = await open()
      const name = new URL(place.databaseUrl!).pathname.slice(1)
      await runAsOwner(administrator, `create role ${role} login createrole password 'owner'`)
      try {
        await runAsOwner(administrator, `alter database "${name}" owner to ${role}`)
        const url = new URL(place.databaseUrl!)
        url.username = role
        url.password = 'owner'
        const owner = await openDatabase({ ...place, databaseUrl: url.href }, 'owner')
        try {
          await migrate(owner)
          expect(await migrate(owner)).to.deep.equal([])
        } finally {
          await owner.close()
        }
        expect(await rightsOf(administrator, 'lectern_reader')).to.deep.equal({
          temporary: false,
          functions: true,
        })
        expect(await rightsOf(administrator, role)).to.deep.equal({ temporary: true, functions: true })
      } finally {
        await runAsOwner(
          administrator,
          `alter database "${name}" owner to current_user; reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}`,
        )
      }
    })
  })
})

describeOnServer('migrate: on a server', () => {
  it('sets up several databases at once, although they share the reading role', async () => {
    const databases = await Promise.all([1, 2, 3, 4].map(() => databaseWith(EMPTY)))
    try {
      const applied = await Promise.all(databases.map(async ({ open }) => migrate(await open())))
      expect(applied).to.deep.equal(databases.map(() => NAMES))
    } finally {
      await Promise.all(databases.map(({ remove }) => remove()))
    }
  })

  it('under load: prepared statements keep working, and no reader waits long behind a slow reader', async () => {
    const { open, remove } = await databaseWith(MIGRATED)
    const owner = await open()
    const slow = await (await open('reader')).connect()
    const reader = await open('reader')
    const sql = [
      'select p.path from guest.page p join guest.revision r on r.page_id = p.id',
      'select index_version from guest.search_index_version',
      "select page_id from guest.search_matches(null, 'tea', 1, 1, 1, 1, '{}', '{}', '{}', '{}', '{}', '{}')",
    ].map((text, i) => ({ name: `prepared_${i}`, text }))
    try {
      for (const statement of sql) await reader.query(statement, [])
      await slow.query('begin; select * from guest.revision; select * from guest.search')
      const migrating = migrate(owner, later('select wiki.drop_guest_views()'))
      // A reader that waits for the slow one fails, when its statement reaches its time limit of 2.5 s.
      for (const end = performance.now() + 3_000; performance.now() < end; )
        for (const statement of sql) await reader.query(statement, [])
      await slow.query('commit')
      expect(await migrating).to.deep.equal(['a migration of a test'])
      for (const statement of sql) await reader.query(statement, [])
    } finally {
      slow.release()
      await remove()
    }
  })

  it('refuses a database with another encoding than UTF8', async () => {
    const { place, open, remove } = await databaseWith(EMPTY)
    const owner = await open()
    const url = new URL(place.databaseUrl!)
    url.pathname += '_latin1'
    const name = url.pathname.slice(1)
    await runAsOwner(owner, `create database "${name}" encoding 'LATIN1' locale 'C' template template0`)
    try {
      const latin1 = await open('owner', { databaseUrl: url.href, dataDir: '' })
      expect(await usageErrorOf(migrate(latin1))).to.include('LATIN1, not UTF8. Create a new database')
    } finally {
      await runAsOwner(owner, `drop database "${name}" with (force)`)
      await remove()
    }
  })

  it('names the statements to run for a user that may not create schemas', async () => {
    const { place, open, remove } = await databaseWith(EMPTY)
    const owner = await open()
    const user = `lectern_test_${process.pid}_nobody`
    await runAsOwner(owner, `create role ${user} login password 'x'`)
    try {
      const url = new URL(place.databaseUrl!)
      url.username = user
      url.password = 'x'
      const message = await usageErrorOf(migrate(await open('owner', { databaseUrl: url.href, dataDir: '' })))
      const names = new RegExp(
        `${user} does not own the database: it looks like the login of the service\\. Use the login of the owner, \\w+\\. Or, if ${user} must own the wiki: As an administrator, run: .*grant create on database`,
      )
      expect(message).to.match(names)
      expect(message).not.to.include('\n')
    } finally {
      await runAsOwner(owner, `drop role ${user}`)
      await remove()
    }
  })
})
