import { type EmbeddedDatabase, openEmbeddedDatabase } from '@lectern/embedded/embedded'
import { expect } from 'chai'
import type pg from 'pg'
import {
  openClient,
  queryValue,
  READER,
  rejectionOf,
  withClient,
  withDataDirectories,
} from '../../../test/support/embedded.ts'
import {
  BIND,
  EXECUTE,
  openProtocolClient,
  parseRequest,
  protocolMessage,
  SYNC,
  simpleQuery,
} from '../../../test/support/wire-protocol.ts'

describe('embedded database: the reading role', () => {
  const directories = withDataDirectories()
  let database: EmbeddedDatabase
  let owner: pg.Client
  let reader: pg.Client

  before(async () => {
    database = await openEmbeddedDatabase(directories.create('reader'))
    owner = await openClient(database)
    await owner.query(`create role ${READER} nologin`)
    await owner.query(`create table secret as select 'hidden' as word`)
    await owner.query(`create schema guest; create table guest.page as select 'shown' as word`)
    await owner.query(`grant usage on schema guest to ${READER}; grant select on guest.page to ${READER}`)
    reader = await openClient(database, READER)
  })

  after(async () => {
    await Promise.all([reader?.end(), owner.end()])
    await database.close()
  })

  it('accepts only the reading role and the owner as users', async () => {
    expect(await rejectionOf(openClient(database, 'somebody'))).to.include({
      code: '28000',
      severity: 'FATAL',
    })
  })

  it('lets the reading role read what it may: with simple and prepared queries, in transactions too', async () => {
    expect(await queryValue(reader, 'select word from guest.page')).to.equal('shown')
    expect(
      await queryValue(reader, '/* a /* b */ */ -- c\n (select word from guest.page where $1)', [true]),
    ).to.equal('shown')
    await reader.query('begin isolation level repeatable read, read only;')
    expect((await reader.query({ name: 'p', text: 'table guest.page' })).rows).to.deep.equal([
      { word: 'shown' },
    ])
    await reader.query('commit')
    expect((await reader.query('explain select 1')).rows).to.not.equal([])
    expect((await reader.query('')).rows).to.deep.equal([])
    expect((await rejectionOf(reader.query('select * from public.secret'))).code).to.equal('42501')
  })

  it('gives the reading role and the owner their own settings, whichever of them ran before', async () => {
    const settings = (client: pg.Client): Promise<unknown> =>
      queryValue(
        client,
        `select concat_ws(' ', session_user, current_user, current_setting('default_transaction_read_only'),
           current_setting('search_path'), current_setting('TimeZone'), current_setting('DateStyle'))`,
      )
    const readers = `${READER} ${READER} on "" UTC ISO, MDY`
    const owners = 'postgres postgres off public UTC ISO, MDY'
    const [other, sought] = await Promise.all([
      openClient(database),
      openClient(database, READER, {
        options: '-c role=postgres -c search_path=guest,pg_catalog -c timezone=Asia/Tokyo',
      }),
    ])
    for (let round = 0; round < 3; round++) {
      expect(await settings(reader)).to.equal(readers)
      expect(await settings(sought)).to.equal(`${READER} ${READER} on guest, pg_catalog UTC ISO, MDY`)
      expect(await queryValue(sought, 'select word from page')).to.equal('shown')
      expect(await settings(owner)).to.equal(owners)
      await owner.query(`set timezone = 'Asia/Tokyo'; set datestyle = 'German'; set role ${READER}`)
      expect(await settings(other)).to.equal(owners)
      await owner.query(`set timezone = 'Asia/Tokyo'; set datestyle = 'German'; set search_path = guest`)
    }
    await Promise.all([other.end(), sought.end()])
  })

  it('accepts statements of the reading role that would change the shared session, without effect', async () => {
    for (const sql of [
      'set statement_timeout = 3000',
      `set application_name to 'x'`,
      'deallocate all',
      'discard all',
      'unlisten *',
    ]) {
      await reader.query(sql)
    }
    expect(await queryValue(reader, 'select current_user::text')).to.equal(READER)
    expect(await queryValue(owner, 'show statement_timeout')).to.equal('0')
  })

  const escalations = [
    'reset session authorization',
    'set session authorization postgres',
    'set session authorization default',
    'set role postgres',
    'reset role',
    'reset all',
    'set local role postgres',
    `set statement_timeout = 1; set role postgres`,
    `do $$ begin perform 1; end $$`,
    `;do $$ begin perform 1; end $$`,
    `--\rset session authorization postgres`,
    `/* /* */ select */ do $$ begin perform 1; end $$`,
    `select set_config('role', 'postgres', false)`,
    `select pg_catalog."set_config"('session_authorization', 'postgres', false)`,
    `select U&"set\\005fconfig"('session_authorization', 'postgres', false)`,
    `select query_to_xml('select set' || '_config(''session_authorization'', ''postgres'', false)', true, true, '')`,
    `with x as (update pg_settings set setting = 'postgres' where name = 'role' returning 1) select 1`,
    `update pg_settings set setting = 'postgres' where name = 'session_authorization'`,
    'begin read write',
    'begin; set role postgres',
    'select 1; set session authorization postgres',
    'select 1; select word from public.secret',
    'commit; set session authorization postgres',
    'discard temp',
    'deallocate p',
    'prepare a as select 1',
    'execute a',
    'create temp table t (n int)',
    'select 1 as n into temp t',
    'explain analyze create temp table t as select 1',
    'copy public.secret to stdout',
    `copy public.secret from program 'true'`,
    'lock table guest.page',
    `notify news, 'x'`,
    `select pg_notify('news', 'x')`,
    'select pg_advisory_lock(1)',
    'select lo_creat(-1)',
    `select pg_read_file('PG_VERSION')`,
    'select pg_terminate_backend(pg_backend_pid())',
    "load 'plpgsql'",
    'vacuum',
    'checkpoint',
  ]
  for (const sql of escalations) {
    it(`refuses the reading role the privileges of the owner: ${JSON.stringify(sql)}`, async () => {
      const refusals = [
        rejectionOf(withClient(database, READER, (client) => client.query(sql))),
        rejectionOf(
          withClient(database, READER, (client) => client.query({ name: 'escalation', text: sql })),
        ),
        rejectionOf(
          withClient(database, READER, async (client) => {
            await client.query('begin')
            await client.query(sql)
          }),
        ),
      ]
      for (const error of await Promise.all(refusals)) {
        expect(error.code).to.match(/^(42501|42601|0A000|25006|25001)$/)
      }
      const after = await withClient(database, READER, (client) =>
        queryValue(client, 'select session_user || current_user'),
      )
      expect(after).to.equal(READER + READER)
      expect(await queryValue(owner, 'select session_user || current_user')).to.equal('postgrespostgres')
    })
  }

  it("refuses the reading role the privileges of the owner: by pipelining, by binding a refused statement, or by another client's prepared statement", async () => {
    const raw = await openProtocolClient(database, READER)
    expect(
      await raw.send(
        parseRequest('', 'reset role'),
        BIND,
        EXECUTE,
        parseRequest('', 'table secret'),
        BIND,
        EXECUTE,
        SYNC,
      ),
    ).to.match(/^E.*42501.*Z.{4}I$/s)
    expect(await raw.send(BIND, EXECUTE, SYNC)).to.match(/^E.*26000/s)
    expect(await raw.send(simpleQuery('discard all'), simpleQuery('table public.secret'))).to.include('42501')
    await owner.query({ name: 'owners', text: 'table secret' })
    const names = (await owner.query('select name from pg_prepared_statements')).rows.map(({ name }) => name)
    for (const name of [...names, 'owners']) {
      const bind = protocolMessage('B', Buffer.from(`\0${name}\0\0\0\0\0\0\0`))
      expect(await raw.send(bind, EXECUTE, SYNC)).to.match(/^E.*26000/s)
    }
    expect(await raw.send(protocolMessage('F', Buffer.alloc(10)))).to.include('08P01')
    raw.close()
  })

  it('keeps the reading role when it updates pg_settings in a CTE, which PostgreSQL does not run', async () => {
    await reader.query(`with x as (update pg_settings set setting = 'postgres' where name = 'role') select 1`)
    expect(await queryValue(reader, 'select session_user || current_user')).to.equal(READER + READER)
  })

  it("fails the reading role's transaction when it refuses a statement in it", async () => {
    await reader.query('begin')
    await rejectionOf(reader.query('set role postgres'))
    expect((await rejectionOf(reader.query('select 1'))).code).to.equal('25P02')
    await reader.query('rollback')
    expect(await queryValue(reader, 'select 1')).to.equal(1)
  })

  it('loses a right that somebody gave to PUBLIC when the database is opened again', async () => {
    const dataDir = directories.create('rights')
    const mayNotify = async (sql: string) => {
      const opened = await openEmbeddedDatabase(dataDir)
      try {
        return await withClient(opened, 'postgres', async (client) => {
          await client.query(sql)
          return queryValue(
            client,
            `select has_function_privilege('public', 'pg_notify(text,text)', 'execute')`,
          )
        })
      } finally {
        await opened.close()
      }
    }
    expect(await mayNotify('grant execute on function pg_notify(text, text) to public')).to.equal(true)
    expect(await mayNotify('select 1')).to.equal(false)
  })
})
