import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import pg from 'pg'
import { type EmbeddedDatabase, openEmbeddedDatabase } from '../src/db/embedded/embedded.ts'
import { buildSnapshot } from '../src/db/embedded/snapshot.ts'
import { UsageError } from '../src/errors.ts'

const top = mkdtempSync(join(tmpdir(), 'embedded-'))
const snapshot = join(top, 'snapshot')
const READER = 'lectern_reader'

interface Place {
  host: string
  port: number
}

const clientOf = async (
  { host, port }: Place,
  user = 'postgres',
  more: pg.ClientConfig = {},
): Promise<pg.Client> => {
  const client = new pg.Client({ host, port, user, database: 'postgres', ...more })
  client.on('error', () => {})
  await client.connect()
  return client
}

const withClient = async <Result>(
  place: Place,
  user: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> => {
  const client = await clientOf(place, user)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** First column of the first row. */
const one = async (client: pg.Client, sql: string, values?: unknown[]): Promise<unknown> =>
  Object.values((await client.query(sql, values)).rows[0])[0]

const errorOf = (promise: Promise<unknown>): Promise<Error & { code?: string; severity?: string }> =>
  promise.then(
    () => expect.fail('nothing was refused'),
    (error) => error,
  )

const folder = (name: string): string => join(top, name)

/** A folder with an empty database, which opens faster than a new one. */
const filledFolder = (name: string): string => {
  cpSync(folder('template'), folder(name), {
    recursive: true,
    filter: (path) => statSync(path).mode < 0o140000,
  })
  return folder(name)
}

describe('embedded database', () => {
  before(async function () {
    this.timeout(60_000)
    await buildSnapshot(snapshot)
    await (await openEmbeddedDatabase(folder('template'), { snapshot })).close()
  })

  after(() => rmSync(top, { recursive: true, force: true }))

  describe('clients', () => {
    let place: EmbeddedDatabase
    let owner: pg.Client

    before(async () => {
      place = await openEmbeddedDatabase(filledFolder('clients'))
      owner = await clientOf(place)
    })

    after(async () => {
      await owner.end()
      await place.close()
    })

    it('connect through a socket that only its user may use', () => {
      expect(place.isOwner).to.equal(true)
      expect(statSync(join(folder('clients'), '.s.PGSQL.5432')).mode & 0o777).to.equal(0o600)
    })

    it('get right answers, hundreds of prepared queries and transactions of 20 connections mixed', async () => {
      await owner.query('create table account (id int primary key, sum int not null)')
      await owner.query('insert into account select n, 0 from generate_series(0, 19) n')
      const pool = new pg.Pool({
        host: place.host,
        port: place.port,
        user: 'postgres',
        database: 'postgres',
        max: 20,
      })
      const client = async (n: number): Promise<void> => {
        for (let round = 0; round < 20; round++) {
          const { rows } = await pool.query({
            name: 'same name',
            text: 'select $1::int * 2 as a',
            values: [n * 100 + round],
          })
          expect(rows).to.deep.equal([{ a: (n * 100 + round) * 2 }])
          const connection = await pool.connect()
          await connection.query('begin')
          const name = {
            name: `of ${n}`,
            text: `select sum + ${n} as next from account where id = $1`,
            values: [n],
          }
          const next = (await connection.query(name)).rows[0].next
          await connection.query('update account set sum = $1 where id = $2', [next, n])
          await connection.query(round % 4 === 3 ? 'rollback' : 'commit')
          connection.release()
          const error = await errorOf(pool.query(`select ${n} / (${round} - ${round})`))
          expect(error.code).to.equal('22012')
        }
      }
      await Promise.all(Array.from({ length: 20 }, (_, n) => client(n)))
      const { rows } = await owner.query('select sum from account order by id')
      expect(rows.map(({ sum }) => sum)).to.deep.equal(Array.from({ length: 20 }, (_, n) => 15 * n))
      await pool.end()
    })

    it('wait while another is in a transaction, and are served first come first served after it', async () => {
      const [first, second, third] = await Promise.all([clientOf(place), clientOf(place), clientOf(place)])
      const order: string[] = []
      await first.query('begin')
      const waiting = [
        second.query('select 1').then(() => order.push('second')),
        third.query('select 1').then(() => order.push('third')),
      ]
      await first.query('select 1')
      const ended = first.query('commit').then(() => order.push('first'))
      const again = first.query('select 1').then(() => order.push('first again'))
      await Promise.all([...waiting, ended, again])
      expect(order.indexOf('first')).to.equal(0)
      expect(order.indexOf('second')).to.be.below(order.indexOf('third'))
      await Promise.all([first.end(), second.end(), third.end()])
    })

    it('who hold an advisory lock of their session keep the others waiting', async () => {
      const [first, second] = await Promise.all([clientOf(place), clientOf(place)])
      await first.query('select pg_advisory_lock($1)', [1])
      let isDone = false
      const waiting = second.query('select pg_advisory_lock(1), pg_advisory_unlock(1)').then(() => {
        isDone = true
      })
      await first.query('begin')
      await first.query('commit')
      expect(isDone).to.equal(false)
      await first.query('select pg_advisory_unlock(1)')
      await waiting
      await first.query('select pg_advisory_lock(1)')
      await first.end()
      await second.query('select 1')
      await second.end()
    })

    it('who disappear in a transaction have it rolled back, and nobody waits for them', async () => {
      await owner.query('create table lost (n int)')
      const gone = await clientOf(place)
      await gone.query('begin')
      await gone.query('insert into lost values (1)')
      ;(gone as unknown as { connection: { stream: Socket } }).connection.stream.destroy()
      expect(await one(owner, 'select count(*)::int from lost')).to.equal(0)
    })

    it('have their prepared statements to themselves, and closed when they go', async () => {
      const count = 'select count(*)::int from pg_prepared_statements'
      const before = await one(owner, count)
      const [first, second] = await Promise.all([clientOf(place), clientOf(place)])
      const named = (n: number) => ({ name: 'x'.repeat(62), text: `select ${n} as n` })
      expect((await first.query(named(1))).rows).to.deep.equal([{ n: 1 }])
      expect((await second.query(named(2))).rows).to.deep.equal([{ n: 2 }])
      expect((await first.query(named(1))).rows).to.deep.equal([{ n: 1 }])
      await second.query('deallocate all')
      expect((await first.query(named(1))).rows).to.deep.equal([{ n: 1 }])
      expect(await one(owner, count)).to.equal((before as number) + 1)
      await Promise.all([once(first, 'end'), first.end(), second.end()])
      await owner.query('select 1')
      expect(await one(owner, count)).to.equal(before)
    })

    it('never run an unnamed statement of another', async () => {
      const raw = await rawClient(place)
      await raw.send(parse('', `select 'mine'`), SYNC)
      await one(owner, `select 'another', $1::int`, [2])
      expect(await raw.send(BIND, EXECUTE, SYNC))
        .to.include('mine')
        .and.not.include('another')
      await raw.send(query('select 1'))
      await one(owner, `select 'another', $1::int`, [2])
      expect(await raw.send(BIND, EXECUTE, SYNC))
        .to.include('26000')
        .and.not.include('another')
      raw.close()
    })

    it('may send COPY FROM STDIN; one without its data is an error and ends nobody', async () => {
      await owner.query('create table copied (n int, t text)')
      await copyInto(owner, 'copy copied from stdin', '1\ta\n2\tb\n')
      expect(await one(owner, `select string_agg(n || t, ',' order by n) from copied`)).to.equal('1a,2b')
      expect((await errorOf(copyInto(owner, 'copy copied from stdin', 'x\ta\n'))).code).to.equal('22P02')
      expect((await errorOf(owner.query('select 1; copy copied from stdin'))).code).to.equal('57014')
      expect((await errorOf(owner.query({ name: 'c', text: 'copy copied from stdin' }))).code).to.equal(
        '0A000',
      )
      expect(await one(owner, 'select count(*)::int from copied')).to.equal(2)
    })

    it('may pipeline, ask for encryption and cancel without harm', async () => {
      const socket = connect(join(place.host, `.s.PGSQL.${place.port}`))
      socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]))
      expect(String((await once(socket, 'data'))[0])).to.equal('N')
      socket.write(Buffer.from([0, 0, 0, 16, 4, 210, 22, 46, 0, 0, 0, 1, 0, 0, 0, 1]))
      await once(socket, 'close')
      const raw = await rawClient(place)
      const queries = Array.from({ length: 300 }, (_, n) => query(`select ${n}`))
      const answer = await raw.send(...queries)
      expect(answer.match(/SELECT 1/g)).to.have.length(300)
      raw.close()
    })

    it('whose message is over 64 MB, or no message, are told so and ended; the others stay', async () => {
      const big = await clientOf(place)
      const error = await errorOf(big.query(`select length($1)`, ['x'.repeat(64 * 1024 * 1024)]))
      expect(error).to.include({ code: '54000', severity: 'FATAL' })
      const raw = await rawClient(place)
      expect(await raw.send(Buffer.from([0x5a, 0, 0, 0, 4]))).to.include('C08P01')
      const large = await clientOf(place)
      expect(await one(large, 'select length($1)', ['x'.repeat(32 * 1024 * 1024)])).to.equal(32 * 1024 * 1024)
      await large.end()
    })

    it('hear what is notified on the channels that they listen on, when it is committed', async () => {
      const [listener, other] = await Promise.all([clientOf(place), clientOf(place)])
      const heard: string[] = []
      listener.on('notification', ({ channel, payload }) => heard.push(`${channel} ${payload}`))
      other.on('notification', () => heard.push('other'))
      await listener.query('listen news; ')
      await listener.query('listen "Big News"')
      await other.query('listen weather')
      await owner.query('begin')
      await owner.query(`notify news, 'one'`)
      await owner.query('rollback')
      await owner.query('begin')
      await owner.query(`select pg_notify('Big News', 'two')`)
      expect(heard).to.deep.equal([])
      await owner.query('commit')
      await other.query('unlisten *')
      await owner.query(`notify news, 'three'`)
      await listener.query('unlisten news')
      await owner.query(`notify news, 'four'; notify weather, 'five'`)
      await listener.query('select 1')
      expect(heard).to.deep.equal(['Big News two', 'news three'])
      await Promise.all([listener.end(), other.end()])
    })

    it('of the reading role are refused until the migrations have made it, and told so', async () => {
      const error = await errorOf(clientOf(place, READER))
      expect(error).to.include({ code: '28000', severity: 'FATAL' })
      expect(error.message).to.equal('role "lectern_reader" does not exist: run `lectern migrate` first')
      await owner.query('begin')
      await owner.query(`create role ${READER} nologin`)
      const waiting = clientOf(place, READER)
      await owner.query('commit')
      await (await waiting).end()
    })

    it('are ended with a clear error when PostgreSQL breaks down, and served again after it', async () => {
      await owner.query('create table kept as select 1 as n')
      const [culprit, bystander] = await Promise.all([clientOf(place), clientOf(place)])
      const told = new Promise<Error>((resolve) => bystander.on('error', resolve))
      const error = await errorOf(culprit.query(`select repeat('[', 3000000)::jsonb`))
      expect(error.message).to.include('the embedded database has failed')
      expect((await told).message).to.include('the embedded database has failed')
      owner = await eventually(() => clientOf(place))
      expect(await one(owner, 'select n from kept')).to.equal(1)
    })
  })

  describe('the reader', () => {
    let place: EmbeddedDatabase
    let owner: pg.Client
    let reader: pg.Client

    before(async () => {
      place = await openEmbeddedDatabase(filledFolder('reader'))
      owner = await clientOf(place)
      await owner.query(`create role ${READER} nologin`)
      await owner.query(`create table secret as select 'hidden' as word`)
      await owner.query(`create schema guest; create table guest.page as select 'shown' as word`)
      await owner.query(`grant usage on schema guest to ${READER}; grant select on guest.page to ${READER}`)
      reader = await clientOf(place, READER)
    })

    after(async () => {
      await Promise.all([reader?.end(), owner.end()])
      await place.close()
    })

    it('and the owner are the only users', async () => {
      expect(await errorOf(clientOf(place, 'somebody'))).to.include({ code: '28000', severity: 'FATAL' })
    })

    it('reads what it may, by simple and by prepared queries, in transactions too', async () => {
      expect(await one(reader, 'select word from guest.page')).to.equal('shown')
      expect(
        await one(reader, '/* a /* b */ */ -- c\n (select word from guest.page where $1)', [true]),
      ).to.equal('shown')
      await reader.query('begin isolation level repeatable read, read only;')
      expect((await reader.query({ name: 'p', text: 'table guest.page' })).rows).to.deep.equal([
        { word: 'shown' },
      ])
      await reader.query('commit')
      expect((await reader.query('explain select 1')).rows).to.not.equal([])
      expect((await reader.query('')).rows).to.deep.equal([])
      expect((await errorOf(reader.query('select * from public.secret'))).code).to.equal('42501')
    })

    it('has its own settings, and so has the owner, whichever was there before', async () => {
      const settings = (client: pg.Client): Promise<unknown> =>
        one(
          client,
          `select concat_ws(' ', session_user, current_user, current_setting('default_transaction_read_only'),
             current_setting('search_path'), current_setting('TimeZone'), current_setting('DateStyle'))`,
        )
      const readers = `${READER} ${READER} on "" UTC ISO, MDY`
      const owners = 'postgres postgres off public UTC ISO, MDY'
      const [other, sought] = await Promise.all([
        clientOf(place),
        clientOf(place, READER, {
          options: '-c role=postgres -c search_path=guest,pg_catalog -c timezone=Asia/Tokyo',
        }),
      ])
      for (let round = 0; round < 3; round++) {
        expect(await settings(reader)).to.equal(readers)
        expect(await settings(sought)).to.equal(`${READER} ${READER} on guest, pg_catalog UTC ISO, MDY`)
        expect(await one(sought, 'select word from page')).to.equal('shown')
        expect(await settings(owner)).to.equal(owners)
        await owner.query(`set timezone = 'Asia/Tokyo'; set datestyle = 'German'; set role ${READER}`)
        expect(await settings(other)).to.equal(owners)
        await owner.query(`set timezone = 'Asia/Tokyo'; set datestyle = 'German'; set search_path = guest`)
      }
      await Promise.all([other.end(), sought.end()])
    })

    it('has answered what would change the session for the others', async () => {
      for (const sql of [
        'set statement_timeout = 3000',
        `set application_name to 'x'`,
        'deallocate all',
        'discard all',
        'unlisten *',
      ]) {
        await reader.query(sql)
      }
      expect(await one(reader, 'select current_user::text')).to.equal(READER)
      expect(await one(owner, 'show statement_timeout')).to.equal('0')
    })

    const climbs = [
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
    for (const sql of climbs) {
      it(`cannot climb by ${JSON.stringify(sql)}`, async () => {
        const refusals = [
          errorOf(withClient(place, READER, (client) => client.query(sql))),
          errorOf(withClient(place, READER, (client) => client.query({ name: 'climb', text: sql }))),
          errorOf(
            withClient(place, READER, async (client) => {
              await client.query('begin')
              await client.query(sql)
            }),
          ),
        ]
        for (const error of await Promise.all(refusals)) {
          expect(error.code).to.match(/^(42501|42601|0A000|25006|25001)$/)
        }
        const after = await withClient(place, READER, (client) =>
          one(client, 'select session_user || current_user'),
        )
        expect(after).to.equal(READER + READER)
        expect(await one(owner, 'select session_user || current_user')).to.equal('postgrespostgres')
      })
    }

    it("cannot climb by pipelining, by binding what was refused, or by another's prepared statement", async () => {
      const raw = await rawClient(place, READER)
      expect(
        await raw.send(
          parse('', 'reset role'),
          BIND,
          EXECUTE,
          parse('', 'table secret'),
          BIND,
          EXECUTE,
          SYNC,
        ),
      ).to.match(/^E.*42501.*Z.{4}I$/s)
      expect(await raw.send(BIND, EXECUTE, SYNC)).to.match(/^E.*26000/s)
      expect(await raw.send(query('discard all'), query('table public.secret'))).to.include('42501')
      await owner.query({ name: 'owners', text: 'table secret' })
      const names = (await owner.query('select name from pg_prepared_statements')).rows.map(
        ({ name }) => name,
      )
      for (const name of [...names, 'owners']) {
        const bind = message('B', Buffer.from(`\0${name}\0\0\0\0\0\0\0`))
        expect(await raw.send(bind, EXECUTE, SYNC)).to.match(/^E.*26000/s)
      }
      expect(await raw.send(message('F', Buffer.alloc(10)))).to.include('08P01')
      raw.close()
    })

    it('changes nothing by updating pg_settings in a CTE, which PostgreSQL leaves out', async () => {
      await reader.query(
        `with x as (update pg_settings set setting = 'postgres' where name = 'role') select 1`,
      )
      expect(await one(reader, 'select session_user || current_user')).to.equal(READER + READER)
    })

    it('whose statement was refused in a transaction has that transaction failed', async () => {
      await reader.query('begin')
      await errorOf(reader.query('set role postgres'))
      expect((await errorOf(reader.query('select 1'))).code).to.equal('25P02')
      await reader.query('rollback')
      expect(await one(reader, 'select 1')).to.equal(1)
    })
  })

  describe('processes', () => {
    it('race to open a new folder: one owns it, the others join, nothing is lost', async () => {
      const dataDir = folder('race')
      const children = Array.from({ length: 5 }, () => child(dataDir))
      await Promise.all(children.map(({ loaded }) => loaded))
      const owners = await Promise.all(children.map(({ open }) => open()))
      expect(owners.filter((isOwner) => isOwner)).to.have.length(1)
      await Promise.all(children.map(({ run }) => run('create table if not exists t (n int)')))
      const rows = children.flatMap(({ run }, n) =>
        Array.from({ length: 20 }, (_, i) => run(`insert into t values (${n * 20 + i})`)),
      )
      await Promise.all(rows)
      expect(await children[0]!.run('select count(distinct n)::int from t')).to.equal(100)
      await Promise.all(children.map(({ close }) => close()))
      expect(readdirSync(dataDir).filter((name) => name.startsWith('.owner.'))).to.have.length(1)
    })

    it('lose no committed row when the owner is killed, and the next takes over at once', async () => {
      const dataDir = filledFolder('killed')
      for (let round = 0; round < 2; round++) {
        const first = child(dataDir)
        expect(await first.open()).to.equal(true)
        await first.run('create table if not exists t (n int)')
        for (let i = 0; i < 20; i++) await first.run(`insert into t values (${i})`)
        void first.run('begin; insert into t select n from generate_series(1, 100000) n').catch(() => {})
        const ended = once(first.process, 'exit')
        first.process.kill('SIGKILL')
        const next = await openEmbeddedDatabase(dataDir)
        expect(next.isOwner).to.equal(true)
        expect(
          await withClient(next, 'postgres', (client) => one(client, 'select count(*)::int from t')),
        ).to.equal(20 * (round + 1))
        await next.close()
        await ended
      }
    })

    it('that joined go on as the owner when the owner is killed, under the same address', async () => {
      const dataDir = filledFolder('orphaned')
      const first = child(dataDir)
      await first.open()
      await first.run('create table t as select 7 as n')
      const joined = await openEmbeddedDatabase(dataDir)
      expect(joined.isOwner).to.equal(false)
      const { host, port } = joined
      first.process.kill('SIGKILL')
      const client = await eventually(() => clientOf({ host, port }))
      expect(await one(client, 'select n from t')).to.equal(7)
      expect(joined.isOwner).to.equal(true)
      await client.end()
      await joined.close()
    })

    it('that leave let the others finish what they are in or wait for', async () => {
      const first = await openEmbeddedDatabase(filledFolder('leaving'))
      const second = await openEmbeddedDatabase(folder('leaving'))
      const importing = await clientOf(second)
      const migrating = await clientOf(second)
      const idle = await clientOf(second)
      const ended = new Promise((resolve) => idle.once('end', resolve))
      await importing.query('create table t (n int)')
      await importing.query('begin')
      const waiting = migrating.query('select pg_advisory_lock(1)')
      await importing.query('select 1') // by its answer, the bridge has read what was sent before it
      const closed = first.close()
      await ended
      expect(await errorOf(clientOf(second))).to.include({ code: '57P03' })
      await importing.query('insert into t values (1)')
      await importing.query('commit')
      await waiting
      await migrating.query('insert into t values (2)')
      await migrating.query('select pg_advisory_unlock(1)')
      await closed
      const count = await eventually(() =>
        withClient(second, 'postgres', (client) => one(client, 'select count(*)::int from t')),
      )
      expect(count).to.equal(2)
      await second.close()
    })

    it('that are gone leave a folder that the same process can open again, and close twice', async () => {
      const first = await openEmbeddedDatabase(filledFolder('again'))
      const second = await openEmbeddedDatabase(folder('again'))
      await withClient(second, 'postgres', (client) => client.query('create table t as select 1 as n'))
      await first.close()
      const third = await openEmbeddedDatabase(folder('again'))
      expect(await withClient(third, 'postgres', (client) => one(client, 'select n from t'))).to.equal(1)
      await Promise.all([second.close(), third.close()])
      await second.close()
    })
  })

  describe('folders', () => {
    it('may have a path too long for a socket', async () => {
      const dataDir = filledFolder(`${'deep/'.repeat(30)}end`)
      const place = await openEmbeddedDatabase(dataDir)
      expect(Buffer.byteLength(place.host)).to.be.below(90)
      const joined = await openEmbeddedDatabase(dataDir)
      expect(joined.isOwner).to.equal(false)
      expect(await withClient(joined, 'postgres', (client) => one(client, 'select 1'))).to.equal(1)
      await joined.close()
      await place.close()
    })

    it('are made for their user alone', async () => {
      const place = await openEmbeddedDatabase(folder('new'), { snapshot })
      expect(statSync(folder('new')).mode & 0o777).to.equal(0o700)
      expect(statSync(join(folder('new'), 'postgres')).mode & 0o777).to.equal(0o700)
      await place.close()
    })

    it('are copies of what every user may read, and its maker alone may write', () => {
      const modes = readdirSync(snapshot, { recursive: true, withFileTypes: true }).map(
        (entry) => statSync(join(entry.parentPath, entry.name)).mode & 0o777,
      )
      expect([...new Set([...modes, statSync(snapshot).mode & 0o777])].sort()).to.deep.equal([0o644, 0o755])
    })

    it('are reached by 127.0.0.1 where there are no unix sockets, by the same port again', async () => {
      const options = { isTcp: true }
      const place = await openEmbeddedDatabase(filledFolder('tcp'), options)
      expect(place.host).to.equal('127.0.0.1')
      const joined = await openEmbeddedDatabase(folder('tcp'), options)
      expect(joined.isOwner).to.equal(false)
      expect(joined.port).to.equal(place.port)
      expect(await withClient(joined, 'postgres', (client) => one(client, 'select 1'))).to.equal(1)
      await place.close()
      await eventually(() => withClient(joined, 'postgres', (client) => client.query('select 1')))
      expect(joined.port).to.equal(place.port)
      await joined.close()
    })

    it('that were left half made by a killed start are made again', async () => {
      const dataDir = folder('half')
      mkdirSync(join(dataDir, 'postgres.new', 'base'), { recursive: true })
      writeFileSync(join(dataDir, 'postgres.new', 'PG_VERSION'), '18\n')
      const place = await openEmbeddedDatabase(dataDir, { snapshot })
      expect(await withClient(place, 'postgres', (client) => one(client, 'select 1'))).to.equal(1)
      await place.close()
    })

    it('of another version of PostgreSQL, or that cannot be written, are refused by name', async () => {
      const other = filledFolder('other')
      writeFileSync(join(other, 'postgres', 'PG_VERSION'), '17\n')
      const version = await errorOf(openEmbeddedDatabase(other))
      expect(version).to.be.instanceOf(UsageError)
      expect(version.message).to.include(other).and.include('version 17')

      writeFileSync(folder('file'), '')
      const file = await errorOf(openEmbeddedDatabase(folder('file')))
      expect(file).to.be.instanceOf(UsageError)
      expect(file.message).to.include(folder('file'))

      mkdirSync(folder('server'))
      writeFileSync(join(folder('server'), 'PG_VERSION'), '18\n')
      const server = await errorOf(openEmbeddedDatabase(folder('server')))
      expect(server).to.be.instanceOf(UsageError)
      expect(server.message).to.include(folder('server'))
    })
  })
})

/** Tries again until it works, while the process that serves changes. */
const eventually = async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
  for (const end = Date.now() + 15_000; ; ) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}

/**
 * Lines come in: one to begin, then SQL. Lines of JSON go out: one when it may begin, whether it owns the
 * folder, then the first value of each answer.
 */
const CHILD = `
import { createInterface } from 'node:readline'
import pg from 'pg'
const [module, dataDir, snapshot] = process.argv.slice(1)
const { openEmbeddedDatabase } = await import(module)
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
console.log('{}')
await lines.next()
const place = await openEmbeddedDatabase(dataDir, { snapshot })
const client = new pg.Client({ host: place.host, port: place.port, user: 'postgres', database: 'postgres' })
client.on('error', () => {})
await client.connect()
console.log(JSON.stringify({ value: place.isOwner }))
for await (const sql of lines) {
  const { rows } = await client.query(sql)
  console.log(JSON.stringify({ value: rows?.[0] && Object.values(rows[0])[0] }))
}
await client.end()
await place.close()
`

interface Child {
  process: ChildProcess
  loaded: Promise<unknown>
  /** Whether it owns the folder. */
  open(): Promise<unknown>
  run(sql: string): Promise<unknown>
  close(): Promise<void>
}

/** Another process that opens the folder and runs SQL, one statement after the other. */
const child = (dataDir: string): Child => {
  const module = new URL('../src/db/embedded/embedded.js', import.meta.url).href
  const args = ['--input-type=module', '-e', CHILD, module, dataDir, snapshot]
  const started = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(started, 'exit')
  const lines = createInterface({ input: started.stdout })[Symbol.asyncIterator]()
  const answer = async (): Promise<unknown> => {
    const { value, done } = await lines.next()
    if (done) throw new Error('the child has ended')
    return JSON.parse(value).value
  }
  let last = answer()
  return {
    process: started,
    loaded: last,
    open() {
      started.stdin.write('begin\n')
      last = last.then(answer)
      return last
    },
    run(sql) {
      started.stdin.write(`${sql}\n`)
      last = last.then(answer)
      return last
    },
    async close() {
      started.stdin.end()
      expect((await exited)[0]).to.equal(0)
    },
  }
}

const message = (type: string, body = Buffer.alloc(0)): Buffer => {
  const head = Buffer.from(`${type}\0\0\0\0`)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const query = (sql: string): Buffer => message('Q', Buffer.from(`${sql}\0`))
const parse = (name: string, sql: string): Buffer => message('P', Buffer.from(`${name}\0${sql}\0\0\0`))
const BIND = message('B', Buffer.alloc(8))
const EXECUTE = message('E', Buffer.alloc(5))
const SYNC = message('S')

/**
 * A client that sends what no library would. `send` gives the answer, as latin1, once it holds as many
 * ReadyForQuery as were asked for, or the connection has ended.
 */
const rawClient = async ({ host, port }: Place, user = 'postgres') => {
  const socket = connect(join(host, `.s.PGSQL.${port}`))
  let answer = ''
  let check: () => void = () => {}
  socket.on('data', (bytes) => {
    answer += bytes.toString('latin1')
    check()
  })
  socket.on('close', () => check())
  const ready = (count: number): Promise<string> =>
    new Promise((resolve) => {
      check = () => {
        if ((answer.match(/Z\0\0\0\x05[ITE]/g)?.length ?? 0) < count && !socket.closed) return
        resolve(answer)
        answer = ''
        check = () => {}
      }
      check()
    })
  const parameters = Buffer.from(`\0\x03\0\0user\0${user}\0\0`, 'latin1')
  const length = Buffer.alloc(4)
  length.writeInt32BE(parameters.length + 4)
  socket.write(Buffer.concat([length, parameters]))
  await ready(1)
  return {
    send(...messages: Buffer[]): Promise<string> {
      socket.write(Buffer.concat(messages))
      const count = messages.filter((bytes) => 'QS'.includes(String.fromCharCode(bytes[0]!))).length
      return ready(count || 1)
    },
    close: () => socket.destroy(),
  }
}

/** COPY FROM STDIN through a client of pg. */
const copyInto = (client: pg.Client, sql: string, data: string): Promise<void> =>
  new Promise((resolve, reject) => {
    client.query({
      submit: (connection: pg.Connection) => connection.query(sql),
      handleCopyInResponse(connection: { sendCopyFromChunk(data: Buffer): void; endCopyFrom(): void }) {
        connection.sendCopyFromChunk(Buffer.from(data))
        connection.endCopyFrom()
      },
      handleCommandComplete() {},
      handleError: reject,
      handleReadyForQuery: () => resolve(),
    } as unknown as pg.Submittable)
  })
