import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import pg from 'pg'
import { type Embedded, openEmbedded } from '../src/data/embedded/embedded.ts'
import { UsageError } from '../src/errors.ts'

const CHILD = fileURLToPath(new URL('./support/embedded-child.js', import.meta.url))

describe('the embedded database', function () {
  this.timeout(60_000)
  let folder: string
  let database: Embedded
  let owner: pg.Pool
  const clients: pg.Client[] = []

  const clientOf = async (user: string): Promise<pg.Client> => {
    const client = new pg.Client({ host: database.host, port: database.port, user, database: 'postgres' })
    client.on('error', () => {})
    await client.connect()
    clients.push(client)
    return client
  }
  const codeOf = (query: Promise<unknown>): Promise<string> =>
    query.then(
      () => 'no error',
      (error: { code?: string; message: string }) => error.code ?? error.message,
    )

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lectern-embedded-'))
    database = await openEmbedded(folder)
    owner = new pg.Pool({
      host: database.host,
      port: database.port,
      user: 'postgres',
      database: 'postgres',
      max: 40,
    })
    owner.on('error', () => {})
  })
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()))
  })
  after(async () => {
    await owner?.end()
    await database?.close()
    await rm(folder, { recursive: true, force: true })
  })

  describe('before it is set up', () => {
    it('tells a reader to run `lectern migrate`', async () => {
      const refused = await clientOf('lectern_reader').catch((error: Error) => error)
      expect(refused).to.be.an('error').with.property('message').that.includes('lectern migrate')
    })

    it('knows no other user', async () => {
      expect(await codeOf(clientOf('somebody'))).to.equal('28000')
    })
  })

  describe('for ordinary clients', () => {
    it('answers 2,000 prepared queries and transactions on 40 connections, each with its own rows', async () => {
      await owner.query('create table account (id int primary key, amount int)')
      await owner.query('insert into account select n, 0 from generate_series(0, 39) n')
      const one = async (n: number) => {
        if (n % 4 > 0) {
          const { rows } = await owner.query({
            name: `add${n % 5}`,
            text: `select $1::int + ${n % 5} as sum`,
            values: [n],
          })
          return expect(rows).to.deep.equal([{ sum: n + (n % 5) }])
        }
        const client = await owner.connect()
        try {
          await client.query('begin')
          const { rows } = await client.query('select amount from account where id = $1', [n % 40])
          await client.query('update account set amount = $2 where id = $1', [n % 40, rows[0].amount + 1])
          await client.query('commit')
        } finally {
          client.release()
        }
      }
      await Promise.all(Array.from({ length: 2000 }, (_, n) => one(n)))
      const { rows } = await owner.query('select sum(amount)::int as sum from account')
      expect(rows).to.deep.equal([{ sum: 500 }])
    })

    it('keeps a transaction to its client while others wait', async () => {
      await owner.query('create table seen (n int)')
      const writer = await clientOf('postgres')
      await writer.query('begin')
      await writer.query('insert into seen values (1)')
      const counted = owner.query('select count(*)::int as n from seen')
      await writer.query('insert into seen values (2)')
      await writer.query('commit')
      expect((await counted).rows).to.deep.equal([{ n: 2 }])
    })

    it('rolls back the transaction of a client that disappears', async () => {
      await owner.query('create table lost (n int)')
      const client = await clientOf('postgres')
      await client.query('begin')
      await client.query('insert into lost values (1)')
      ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
      expect((await owner.query('select count(*)::int as n from lost')).rows).to.deep.equal([{ n: 0 }])
    })

    it('goes on after an error, in and out of a transaction', async () => {
      const client = await clientOf('postgres')
      expect(await codeOf(client.query('select 1/0'))).to.equal('22012')
      await client.query('begin')
      expect(await codeOf(client.query('select $1::int', ['x']))).to.equal('22P02')
      expect(await codeOf(client.query('select 1'))).to.equal('25P02')
      await client.query('rollback')
      expect((await client.query('select 1 as one')).rows).to.deep.equal([{ one: 1 }])
    })

    it('answers time stamps in UTC and ISO form', async () => {
      const { rows } = await owner.query("select timestamptz '2024-05-01 12:00:00+02'::text as t")
      expect(rows).to.deep.equal([{ t: '2024-05-01 10:00:00+00' }])
    })

    it('refuses a message of more than 64 MB, and only that client suffers', async () => {
      const { host, port } = database
      const socket = connect(join(host, `.s.PGSQL.${port}`))
      await once(socket, 'connect')
      const startup = Buffer.from('\0\0\0\0\0\x03\0\0user\0postgres\0\0', 'latin1')
      startup.writeInt32BE(startup.length)
      const query = Buffer.from([0x51, 0x10, 0, 0, 0])
      socket.write(Buffer.concat([startup, query]))
      let answered = ''
      socket.on('data', (chunk) => {
        answered += chunk.toString('latin1')
      })
      await once(socket, 'close')
      expect(answered).to.include('54000')
      expect((await owner.query('select 1 as one')).rows).to.deep.equal([{ one: 1 }])
    })

    it('hands a notification to those who listen, and to no others', async () => {
      const [listening, reading, other] = await Promise.all([
        clientOf('postgres'),
        clientOf('postgres'),
        clientOf('postgres'),
      ])
      const heard: string[] = []
      for (const [name, client] of Object.entries({ listening, reading, other })) {
        client.on('notification', ({ channel }) => heard.push(`${name} ${channel}`))
      }
      await listening.query('listen changed')
      await reading.query('listen changed')
      await other.query('listen elsewhere')
      await owner.query('notify changed')
      await Promise.all([listening, reading, other].map((client) => client.query('select 1')))
      expect(heard.sort()).to.deep.equal(['listening changed', 'reading changed'])
    })
  })

  describe('for a reader', () => {
    before(async () => {
      await owner.query(`
        create role lectern_reader nologin;
        create schema hidden; create table hidden.secret (word text); insert into hidden.secret values ('sesame');
        create schema guest; create view guest.open as select 1 as one;
        grant usage on schema guest to lectern_reader; grant select on guest.open to lectern_reader`)
    })

    it('reads what is granted, as lectern_reader, read-only', async () => {
      const reader = await clientOf('lectern_reader')
      const { rows } = await reader.query(
        "select one, current_user::text as who, session_user::text as session, current_setting('transaction_read_only') as read_only from guest.open",
      )
      expect(rows).to.deep.equal([
        { one: 1, who: 'lectern_reader', session: 'lectern_reader', read_only: 'on' },
      ])
    })

    const climbs = [
      'reset session authorization',
      'set session authorization postgres',
      'set role postgres',
      'reset role',
      "select set_config('role', 'postgres', false)",
      "select pg_catalog . SET_CONFIG('session_authorization', 'postgres', false)",
      "select U&\"set\\005fconfig\"('role', 'postgres', false)",
      "do $$ begin perform set_config('role', 'postgres', false); end $$",
      'begin; reset session authorization; select word from hidden.secret; commit',
      'select 1; reset session authorization',
      '/* select */ reset all',
      '-- select\nset role postgres',
      'set local role postgres',
      'set default_transaction_read_only = off',
      'begin read write',
      'prepare climb as select word from hidden.secret',
      'declare climb cursor for select word from hidden.secret',
      'copy hidden.secret to stdout',
      'explain analyze select word from hidden.secret',
      'select word from hidden.secret',
      'table hidden.secret',
      'with w as (select word from hidden.secret) select * from w',
      'create table guest.mine (n int)',
      'create temporary table mine (n int)',
      "select pg_notify('changed', '')",
      'select pg_advisory_lock(7305002)',
      "select pg_read_file('PG_VERSION')",
      "select lo_import('/etc/passwd')",
      "select query_to_xml('select word from hidden.secret', true, true, '')",
      'select rolpassword from pg_authid',
      'vacuum',
      'lock table hidden.secret',
    ]
    for (const sql of climbs) {
      it(`is refused: ${sql.replace('\n', ' ')}`, async () => {
        const reader = await clientOf('lectern_reader')
        for (const form of [sql, { text: sql, values: [] }, { name: 'climb', text: sql }]) {
          const outcome = await codeOf(reader.query(form as string))
          expect(outcome).to.be.oneOf(['42501', '42601', '25006', '0A000', '42704'])
        }
        const { rows } = await reader.query('select session_user::text as who')
        expect(rows).to.deep.equal([{ who: 'lectern_reader' }])
        expect(await codeOf(reader.query('select word from hidden.secret'))).to.equal('42501')
      })
    }

    it('and an owner taking turns each keep their own role', async () => {
      const reader = await clientOf('lectern_reader')
      const who = async (client: { query(sql: string): Promise<{ rows: { who: string }[] }> }) =>
        (await client.query('select current_user::text as who')).rows[0]!.who
      const turns = await Promise.all(Array.from({ length: 200 }, (_, n) => who(n % 2 ? reader : owner)))
      expect(turns.filter((name) => name === 'lectern_reader')).to.have.length(100)
      expect(turns.filter((name) => name === 'postgres')).to.have.length(100)
    })
  })

  describe('among processes', () => {
    const children: ChildProcess[] = []
    const start = (name: string, rows: number, dataDir: string) => {
      const child = spawn(process.execPath, [CHILD, dataDir, name, String(rows)], {
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      children.push(child)
      const lines: string[] = []
      const reader = createInterface({ input: child.stdout! })
      const said = (text: string): Promise<void> =>
        new Promise((resolve, reject) => {
          if (lines.includes(text)) return resolve()
          reader.on('line', (line) => line === text && resolve())
          child.once('exit', (status) =>
            reject(new Error(`${name} ended with ${status} before it said ${text}`)),
          )
        })
      reader.on('line', (line) => lines.push(line))
      return { child, lines, said }
    }
    let shared: string
    beforeEach(async () => {
      shared = await mkdtemp(join(tmpdir(), 'lectern-shared-'))
    })
    afterEach(async () => {
      for (const child of children.splice(0)) {
        if (child.exitCode === null && child.signalCode === null) {
          child.kill('SIGKILL')
          await once(child, 'exit')
        }
      }
      await rm(shared, { recursive: true, force: true })
    })

    it('that race to open one new folder: one owns it, the others join, and no row is lost', async () => {
      const racers = ['a', 'b', 'c', 'd'].map((name) => start(name, 25, shared))
      await Promise.all(racers.map(({ said }) => said('done')))
      expect(racers.filter(({ lines }) => lines.includes('owner true'))).to.have.length(1)
      const joined = await openEmbedded(shared)
      const pool = new pg.Pool({
        host: joined.host,
        port: joined.port,
        user: 'postgres',
        database: 'postgres',
      })
      try {
        expect(joined.owner).to.equal(false)
        const { rows } = await pool.query(
          'select name, count(*)::int as n from row group by name order by name',
        )
        expect(rows).to.deep.equal(['a', 'b', 'c', 'd'].map((name) => ({ name, n: 25 })))
      } finally {
        await pool.end()
        await joined.close()
      }
    })

    it('SIGKILL of the owner: the next start keeps every committed row and leaves no process behind', async () => {
      const victim = start('victim', 1_000_000, shared)
      await victim.said('wrote 200')
      victim.child.kill('SIGKILL')
      await once(victim.child, 'exit')
      const written = victim.lines.filter((line) => line.startsWith('wrote')).length
      const next = await openEmbedded(shared)
      const pool = new pg.Pool({ host: next.host, port: next.port, user: 'postgres', database: 'postgres' })
      try {
        expect(next.owner).to.equal(true)
        const { rows } = await pool.query('select count(*)::int as n from row')
        expect(rows[0].n).to.be.at.least(written)
      } finally {
        await pool.end()
        await next.close()
      }
    })
  })

  describe('its folder', () => {
    it('has a socket for this user alone', async () => {
      const { mode } = await stat(join(database.host, `.s.PGSQL.${database.port}`))
      expect(mode & 0o777).to.equal(0o600)
    })

    it('may have a path that is too long for a socket', async () => {
      const long = join(folder, 'x'.repeat(120))
      const deep = await openEmbedded(long)
      const client = new pg.Client({
        host: deep.host,
        port: deep.port,
        user: 'postgres',
        database: 'postgres',
      })
      try {
        await client.connect()
        expect((await client.query('select 1 as one')).rows).to.deep.equal([{ one: 1 }])
      } finally {
        await client.end()
        await deep.close()
      }
    })

    it("is named when it cannot be one, as a PostgreSQL server's own or a file", async () => {
      const refused = await openEmbedded('/dev/null').catch((error: unknown) => error)
      expect(refused).to.be.instanceOf(UsageError).with.property('message').that.includes('/dev/null')
    })
  })
})
