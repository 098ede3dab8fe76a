import { expect } from 'chai'
import type pg from 'pg'
import type { Database } from '../src/db/database.ts'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { FIRST_MIGRATION_LOCK } from '../src/db/write-lock.ts'
import { storeHtml } from '../src/stored-html.ts'
import { rowsOf, testDatabase } from './support/database.ts'
import { type FileSpec, makeWorldWithFiles, png, sha256 } from './support/files.ts'
import { DENIED, errorsOfCasts, NO_NUMBER, type Reader, readerOf } from './support/reader.ts'
import { setHotSet } from './support/search-hot-set.ts'
import { importRecords, type PageSpec, recordsOf } from './support/world.ts'

/** Stands in everything that a guest must not see, and in nothing else. */
const CANARY = 'kanarienvogel'

const hiddenEdit = {
  author: CANARY,
  comment: CANARY,
  title: CANARY,
  markdown: `${CANARY} text, [${CANARY}](page-${CANARY}), ![](${CANARY}.png), ![](named-alike.png)`,
}
const hiddenCategories = { categories: [{ key: CANARY, sort_key: CANARY }] }

/** When several edits were made, seen and hidden ones. */
const AT_ONCE = '2024-01-02T12:00:00Z'

const pages: PageSpec[] = [
  {
    path: 'tea',
    revisions: [
      { ...hiddenEdit, ...hiddenCategories, status: 'rejected', created_at: '2024-01-01T00:00:00Z' },
      {
        title: 'Tea',
        markdown: 'As [drunk](daily), ![in former times](former.png).',
        categories: [{ key: 'drinks' }],
        created_at: '2024-01-02T00:00:00Z',
      },
      {
        title: 'Tea',
        markdown: 'Is [drunk](daily), ![](cup.png).',
        categories: [{ key: 'drinks' }],
        created_at: AT_ONCE,
      },
      {
        title: 'Tea',
        markdown: 'As [drunk](daily), ![](cup.png).',
        categories: [{ key: 'drinks' }],
        created_at: AT_ONCE,
      },
      { ...hiddenEdit, ...hiddenCategories, status: 'pending', created_at: AT_ONCE },
      { ...hiddenEdit, ...hiddenCategories, status: 'pending', created_at: '2024-01-03T00:00:00Z' },
      { ...hiddenEdit, ...hiddenCategories, status: 'draft', created_at: '2024-01-04T00:00:00Z' },
    ],
  },
  { path: `draft-${CANARY}`, state: 'draft', revisions: [{ ...hiddenEdit, ...hiddenCategories }] },
  { path: `deleted-${CANARY}`, state: 'deleted', revisions: [{ ...hiddenEdit, ...hiddenCategories }] },
  { path: `waiting-${CANARY}`, revisions: [{ ...hiddenEdit, ...hiddenCategories, status: 'pending' }] },
  { path: `no-edits-${CANARY}`, revisions: [] },
  { path: 'withdrawn', revisions: [{ ...hiddenEdit, ...hiddenCategories, created_at: AT_ONCE }] },
  {
    path: 'taken-back',
    translation_group: CANARY,
    revisions: [{ ...hiddenEdit, ...hiddenCategories, created_at: AT_ONCE }],
  },
]

/** Only hidden texts show the canary's files, at last: guests saw two of them on pages that were withdrawn. */
const hiddenFiles: FileSpec[] = [
  { path: `${CANARY}.png`, data: `${CANARY} bytes`, author: CANARY },
  { path: 'named-alike.png', data: `other ${CANARY} bytes`, author: CANARY },
  { path: 'former.png', data: `former ${CANARY} bytes`, author: CANARY },
  { path: `unused-${CANARY}.png`, data: `unused ${CANARY} bytes`, author: CANARY },
]
const files: FileSpec[] = [{ path: 'cup.png', data: png(2, 2), author: 'Ada' }, ...hiddenFiles]

/** What the second import makes of pages that the first one showed. */
const withdrawn: PageSpec[] = [
  { path: 'withdrawn', state: 'draft', revisions: [] },
  {
    path: 'taken-back',
    translation_group: CANARY,
    revisions: [{ ...hiddenEdit, ...hiddenCategories, status: 'rejected', created_at: AT_ONCE }],
  },
  { path: 'waiting-in-a-language-of-its-own', locale: 'de-canary', revisions: [{ status: 'pending' }] },
]

/** A follower whose failure names a secret, a former path and an alias of a page that guests see, a word of two pages, and a position. */
const FOLLOWED = [
  "insert into wiki.source (name) values ('followed')",
  `insert into wiki.live_follower (source_id, name, follower, followed_until, failing_since, failure)
   select id, name, gen_random_uuid(), now(), now(), reverse('${[...CANARY].reverse().join('')}')
     from wiki.source where name = 'followed'`,
  `insert into wiki.live_former_path (locale, path, page_id)
   select locale, 'before/' || path, id from wiki.live_page order by id limit 1`,
  `insert into wiki.live_name (page_id, locale, key, is_alias)
   select id, locale, 'alias', true from wiki.live_page order by id limit 1`,
  'insert into wiki.live_page_position (page_id, position) select id, 1 from wiki.live_page order by id limit 1',
  "insert into wiki.search_word (locale, word, pages) values ('en', 'tea', 2)",
]

/** Before privileges are looked at, PostgreSQL asks whether the transaction may write, or is one. */
const READ_ONLY = '25006'
const NO_TRANSACTION = '25P01'
const IN_TRANSACTION = '25001'

/** What a reader tries in vain, and the SQLSTATEs that may answer. */
const ATTEMPTS: [sql: string, ...codes: string[]][] = [
  [`insert into wiki.wiki (name, default_locale) values ('x', 'en')`, DENIED],
  [`update wiki.page set state = 'live'`, DENIED],
  [`update guest.page set title = 'x'`, DENIED],
  [`delete from guest.category`, DENIED],
  [`insert into guest.locale values ('xx', 'x')`, DENIED],
  [`truncate wiki.page`, DENIED],
  [`lock table wiki.page`, DENIED],
  [`create table guest.x (y int)`, DENIED],
  [`create table public.x (y int)`, DENIED],
  [`create schema x`, DENIED],
  [`create role x`, DENIED],
  [`create extension if not exists dblink`, DENIED, '0A000', '58P01'],
  [`create function guest.f() returns int language sql as 'select 1'`, DENIED],
  [`alter role lectern_reader superuser`, DENIED],
  [`alter view guest.page owner to lectern_reader`, DENIED],
  [`grant select on wiki.page to lectern_reader`, DENIED],
  [`drop view guest.page`, DENIED],
  [`copy wiki.page to stdout`, DENIED],
  [`copy (select 1) to '/tmp/x'`, DENIED],
  [`copy (select 1) to program 'id'`, DENIED],
  [`select * from pg_authid`, DENIED],
  [`select * from pg_shadow`, DENIED],
  [`select * from pg_statistic`, DENIED],
  [`select pg_read_file('PG_VERSION')`, DENIED],
  [`select pg_ls_dir('.')`, DENIED],
  [`select lo_import('/etc/passwd')`, DENIED],
  [`explain select * from wiki.page`, DENIED],
  [`explain (analyze) select * from guest.page p join wiki.page w on w.id = p.id`, DENIED],
  [`select (select title from wiki.revision_hidden limit 1) from guest.wiki`, DENIED],
  [`declare c cursor for select * from wiki.revision`, DENIED],
  [`prepare p as select * from wiki.revision`, DENIED],
  [`table wiki.revision_hidden`, DENIED],
  [`select table_to_xml('wiki.page', true, false, '')`, DENIED],
  [`select schema_to_xml('wiki', true, false, '') from wiki.page`, DENIED],
  [`select pg_get_viewdef('guest.page'::regclass) from wiki.page`, DENIED],
  [`select pg_relation_filepath('wiki.page'), pg_read_binary_file('base/1/1')`, DENIED],
  [`select lo_get(0)`, DENIED, '42704'],
  [`select * from pg_largeobject`, DENIED],
  [`select * from pg_user_mapping`, DENIED],
  [`create temp view v as select * from wiki.page`, DENIED],
  [`create or replace view guest.page as select 1 as id`, DENIED],
  [`comment on view guest.page is 'x'`, DENIED],
  [`alter table wiki.page enable row level security`, DENIED],
  [`create rule r as on select to guest.page do instead select 1`, DENIED],
  [`create trigger t after insert on wiki.page execute function f()`, DENIED],
  [`create publication p for table wiki.page`, DENIED],
  [`vacuum full wiki.page`, DENIED, IN_TRANSACTION],
  [`set session_replication_role = replica`, DENIED],
  [`alter system set log_statement = 'all'`, DENIED, IN_TRANSACTION],
  [`security label on table wiki.page is 'x'`, DENIED, '22023'],
  [`select query_to_xml('select * from wiki.page', true, false, '')`, DENIED, '0A000'],
  [`select * from ts_stat('select words from wiki.live_search')`, DENIED],
  [`select nextval('wiki.page_id_seq')`, DENIED],
  [`select last_value from wiki.page_id_seq`, DENIED],
  [`do $$ begin perform 1 from wiki.page; end $$`, DENIED],
  [`create temporary table x (y int)`, DENIED],
  [`select 1 as y into temporary x`, DENIED],
  [`select lo_create(0)`, DENIED],
  [`select lo_creat(-1)`, DENIED],
  [`select lo_from_bytea(0, 'x')`, DENIED],
  [`select lo_put(1, 0, 'x')`, DENIED],
  [`select lo_unlink(1)`, DENIED],
  [`select pg_advisory_lock(1)`, DENIED],
  [`select pg_advisory_xact_lock(7305001)`, DENIED],
  [`select pg_try_advisory_xact_lock_shared(1, 2)`, DENIED],
  [`select pg_logical_emit_message(false, 'x', 'y')`, DENIED],
  [`select pg_export_snapshot()`, DENIED],
  [`select pg_terminate_backend(pg_backend_pid())`, DENIED],
  [`select pg_cancel_backend(pg_backend_pid())`, DENIED],
]

/** Statements that switch to another role: refused if the reader logs in as itself. */
const BECOMING_ANOTHER: [sql: string, ...codes: string[]][] = [
  [`set role postgres`, DENIED],
  [`set session authorization postgres`, DENIED],
  [`select set_config('role', 'postgres', false)`, DENIED],
]

const suite = (title: string, open: () => Promise<Database>, { isOwnLogin }: { isOwnLogin: boolean }) => {
  describe(title, () => {
    let database: Database
    let client: pg.PoolClient
    let reader: Reader
    before(async () => {
      database = await open()
      client = await database.connect()
      reader = readerOf(client)
    })
    after(async () => {
      client?.release(true)
      if (database !== (await testDatabase()).reader) await database?.close()
    })

    it('reads as lectern_reader, in transactions that cannot write', async () => {
      expect(await reader.rows('select current_user as name')).to.deep.equal([{ name: 'lectern_reader' }])
      expect(await reader.rows('show transaction_read_only')).to.deep.equal([{ transaction_read_only: 'on' }])
    })

    it('cannot read any table of schema wiki, including future tables', async () => {
      const tables = await relations('wiki', ['r', 'p', 'v', 'm', 'f', 'S'])
      expect(tables).to.include.members([
        'page',
        'revision',
        'revision_hidden',
        'revision_visible',
        'live_page',
      ])
      for (const table of tables) {
        expect((await reader.failure(`select 1 from wiki.${table} limit 1`))?.code, table).to.equal(DENIED)
      }
    })

    it('has no privilege except select on the views of schema guest', async () => {
      const privileges = await reader.rows(`
        select n.nspname || '.' || c.relname as name, p.privilege
          from pg_class c
          join pg_namespace n on n.oid = c.relnamespace
         cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger'])
               as p (privilege)
         where n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_t%'
           and c.relkind in ('r', 'p', 'v', 'm', 'f')
           and (has_table_privilege(c.oid, p.privilege)
                or p.privilege in ('select', 'insert', 'update', 'references')
                   and has_any_column_privilege(c.oid, p.privilege))
         order by 1, 2`)
      const views = await relations('guest', ['v'])
      expect(views).to.include.members(['page', 'revision', 'search'])
      expect(privileges).to.deep.equal(views.map((view) => ({ name: `guest.${view}`, privilege: 'select' })))
    })

    it('can use only the schema guest, create nothing, and call only the functions of guests, which run with its own rights', async () => {
      const schemas = await reader.rows(`
        select nspname as name from pg_namespace
         where has_schema_privilege(oid, 'usage') and nspname not in ('pg_catalog', 'information_schema', 'public')
           and nspname not like 'pg\\_t%'`)
      expect(schemas).to.deep.equal([{ name: 'guest' }])
      const creatable = await reader.rows(
        `select nspname as name from pg_namespace where has_schema_privilege(oid, 'create') and nspname not like 'pg\\_temp%'`,
      )
      expect(creatable).to.deep.equal([])
      expect(
        await reader.rows(`select has_database_privilege(current_database(), 'create') as may`),
      ).to.deep.equal([{ may: false }])
      const functions = await reader.rows(`
        select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
         where p.prosecdef or n.nspname = 'wiki' and has_function_privilege(p.oid, 'execute')
            or n.nspname = 'guest' and p.proname not in ('best_matches', 'category_name', 'change_code', 'change_locales', 'edits_within', 'is_address_within', 'is_within', 'page_of_name', 'search_best', 'search_filter', 'search_matches', 'search_tail', 'similar_titles')`)
      expect(functions).to.deep.equal([])
      const sequences = await reader.rows(`
        select oid::regclass::text as name from pg_class
         where relkind = 'S' and (has_sequence_privilege(oid, 'usage') or has_sequence_privilege(oid, 'select'))`)
      expect(sequences).to.deep.equal([])
    })

    for (const [sql, ...codes] of isOwnLogin ? [...ATTEMPTS, ...BECOMING_ANOTHER] : ATTEMPTS) {
      it(`refuses: ${sql}`, async () => {
        const failure = await reader.failure(sql)
        expect(failure?.code).to.be.oneOf([...codes, READ_ONLY, NO_TRANSACTION])
        expect(failure?.text).not.to.include(CANARY)
      })

      it(`refuses, also in a transaction that may write: ${sql}`, async () => {
        const failure = (await reader.failure('begin transaction read write')) ?? (await reader.failure(sql))
        await reader.rows('rollback')
        expect(failure?.code).to.be.oneOf(codes)
        expect(failure?.text).not.to.include(CANARY)
      })
    }

    it('sees no hidden row in any view of schema guest', async () => {
      await setHotSet({ from: 0, pages: 1, least: 1, most: 1 })
      for (const view of await relations('guest', ['v'])) {
        const rows = await reader.rows(`select v::text as row from guest.${view} v`)
        const text = JSON.stringify(rows)
        if (view !== 'category') expect(rows, `guest.${view}`).not.to.be.empty
        expect(text.toLowerCase(), `guest.${view}`).not.to.include(CANARY).and.not.to.include('canary')
      }
    })

    it('sees neither bytes nor hashes of hidden files, and those of visible ones', async () => {
      const seen = await reader.rows(
        `select (select string_agg(encode(sha256, 'hex'), ' ') from guest.file) as hashes,
                (select string_agg(encode(data, 'hex'), ' ') from guest.file_part) as bytes`,
      )
      expect(seen).to.deep.equal([{ hashes: sha256(png(2, 2)), bytes: png(2, 2).toString('hex') }])
    })

    it('sees positions only of revisions that it sees', async () => {
      const positions = await reader.rows('select created_at::text, revision_id as id from guest.position')
      const seen = await reader.rows(
        `select created_at::text, id from guest.revision where created_at = '${AT_ONCE}'`,
      )
      expect(seen).to.have.length(2)
      expect(positions).to.have.deep.members(seen)
    })

    it('has views without a condition, which show their whole tables, and texts of visible revisions', async () => {
      for (const view of await relations('guest', ['v'])) {
        const [{ sql }] = (await reader.rows(`select pg_get_viewdef('guest.${view}'::regclass) as sql`)) as [
          { sql: string },
        ]
        const shared = sql.match(/\bFROM wiki\.\w+/g)!.slice(0, -1)
        expect(shared, view).to.deep.equal(view === 'revision' ? ['FROM wiki.live_shared_text'] : [])
        expect(sql.replace(/CASE\s.*\sEND AS markdown/s, 'markdown'), view).to.match(
          /^ SELECT [\w.,\s"]+\n +FROM wiki\.(wiki|locale|category|search_\w+|live_\w+|tombstone|change_feed|revision_visible)(?: r)?;$/,
        )
      }
    })

    it('gets no hidden text in errors of failing casts, for any column', async () => {
      const errors = await errorsOfCasts(reader)
      for (const { sql, text } of errors) expect(text, sql).not.to.include(CANARY)
      expect(errors.filter(({ code }) => code === NO_NUMBER).length).to.be.greaterThan(10)
    })

    it('sees nothing hidden in statistics, words and running statements', async () => {
      const queries = [
        'select * from pg_stats',
        'select * from pg_stats_ext',
        'select * from pg_stat_activity',
        'select * from pg_prepared_statements',
        'select * from pg_settings',
        `select * from ts_stat('select words from guest.search')`,
      ]
      for (const sql of queries) {
        const failure = await reader.failure(sql)
        const text = failure ? failure.text : JSON.stringify(await reader.rows(sql))
        expect(text, sql).not.to.include(CANARY)
      }
      const statistics = await reader.rows(`select 1 from pg_stats where schemaname in ('wiki', 'guest')`)
      expect(statistics).to.deep.equal([])
    })
  })
}

/** Names of relations of a schema, of the given kinds, in order: the owner sees all of them. */
const relations = async (schema: string, kinds: string[]): Promise<string[]> => {
  const rows = await rowsOf<{ name: string }>(
    `select relname::text as name from pg_class
      where relnamespace = $1::regnamespace and relkind::text = any ($2) order by relname collate "C"`,
    [schema, kinds],
  )
  return rows.map(({ name }) => name)
}

describe('what the serving connection can see', () => {
  before(async () => {
    const { opened } = await makeWorldWithFiles(
      { pages, categories: [{ locale: 'en', key: 'drinks', name: 'Drinks' }] },
      files,
    )
    expect(opened).to.have.members(['cup.png', `${CANARY}.png`, 'named-alike.png'])
    const { owner } = await testDatabase()
    await storeHtml(owner)
    await importRecords(recordsOf({ pages: withdrawn }))
    for (const text of FOLLOWED) await rowsOf(text)
  })

  const isEmbedded = !process.env.LECTERN_TEST_DATABASE_URL

  suite('opened as by the service', async () => (await testDatabase()).reader, { isOwnLogin: isEmbedded })

  if (!isEmbedded) {
    const login = `lectern_test_login_${process.pid}`
    suite(
      'with a login that is only a member of lectern_reader',
      async () => {
        const { place } = await testDatabase()
        await rowsOf(`create role ${login} login password 'reader' in role lectern_reader`)
        const url = new URL(place.databaseUrl!)
        url.username = login
        url.password = 'reader'
        return openDatabase({ ...place, databaseUrl: url.href }, 'reader')
      },
      { isOwnLogin: true },
    )
    after(() => rowsOf(`drop role if exists ${login}`))

    it('cannot take a lock for which an import or a migration waits', async () => {
      const { owner, reader } = await testDatabase()
      const client = await reader.connect()
      const refusal = async (sql: string) =>
        client.query(sql).then(
          () => 'was allowed',
          (error: { code?: string }) => error.code,
        )
      try {
        for (const table of await relations('wiki', ['r', 'p']))
          expect(
            await refusal(`do $$ begin lock table wiki.${table} in access share mode; end $$`),
            table,
          ).to.equal('42501')
        expect(await refusal(`select pg_advisory_xact_lock(${FIRST_MIGRATION_LOCK})`)).to.equal('42501')
        await client.query('begin')
        for (const view of await relations('guest', ['v']))
          await client.query(`lock table guest.${view} in access share mode`)
        await importRecords(recordsOf({ pages: withdrawn }))
        expect(await migrate(owner)).to.deep.equal([])
      } finally {
        await client.query('rollback')
        client.release()
      }
    })
  }
})
