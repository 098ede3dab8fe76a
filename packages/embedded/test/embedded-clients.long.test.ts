import { once } from 'node:events'
import { statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { type EmbeddedDatabase, openEmbeddedDatabase } from '@lectern/embedded/embedded'
import { expect } from 'chai'
import pg from 'pg'
import {
  openClient,
  queryValue,
  READER,
  rejectionOf,
  untilSuccess,
  withDataDirectories,
} from '../../../test/support/embedded.ts'
import {
  BIND,
  copyFromStdin,
  EXECUTE,
  openProtocolClient,
  parseRequest,
  SYNC,
  simpleQuery,
} from '../../../test/support/wire-protocol.ts'

describe('embedded database: clients', () => {
  const directories = withDataDirectories()
  let database: EmbeddedDatabase
  let owner: pg.Client

  before(async () => {
    database = await openEmbeddedDatabase(directories.create('clients'))
    owner = await openClient(database)
  })

  after(async () => {
    await owner.end()
    await database.close()
  })

  it('accepts connections on a socket that only its own user may open', () => {
    expect(database.isOwner).to.equal(true)
    expect(statSync(join(directories.path('clients'), '.s.PGSQL.5432')).mode & 0o777).to.equal(0o600)
  })

  it('returns correct results to 20 connections that mix hundreds of prepared queries and transactions', async () => {
    await owner.query('create table account (id int primary key, sum int not null)')
    await owner.query('insert into account select n, 0 from generate_series(0, 19) n')
    const pool = new pg.Pool({
      host: database.host,
      port: database.port,
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
        const error = await rejectionOf(pool.query(`select ${n} / (${round} - ${round})`))
        expect(error.code).to.equal('22012')
      }
    }
    await Promise.all(Array.from({ length: 20 }, (_, n) => client(n)))
    const { rows } = await owner.query('select sum from account order by id')
    expect(rows.map(({ sum }) => sum)).to.deep.equal(Array.from({ length: 20 }, (_, n) => 15 * n))
    await pool.end()
  })

  it('lets clients wait while another is in a transaction, then serves them in the order in which they came', async () => {
    const [first, second, third] = await Promise.all([
      openClient(database),
      openClient(database),
      openClient(database),
    ])
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

  it('lets the others wait while a client holds a session advisory lock', async () => {
    const [first, second] = await Promise.all([openClient(database), openClient(database)])
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

  it('rolls back the transaction of a client that disappears, and serves the others', async () => {
    await owner.query('create table lost (n int)')
    const lost = await openClient(database)
    await lost.query('begin')
    await lost.query('insert into lost values (1)')
    ;(lost as unknown as { connection: { stream: Socket } }).connection.stream.destroy()
    expect(await queryValue(owner, 'select count(*)::int from lost')).to.equal(0)
  })

  it('keeps the prepared statements of clients apart, and closes them when their client disconnects', async () => {
    const count = 'select count(*)::int from pg_prepared_statements'
    const before = await queryValue(owner, count)
    const [first, second] = await Promise.all([openClient(database), openClient(database)])
    const named = (n: number) => ({ name: 'x'.repeat(62), text: `select ${n} as n` })
    expect((await first.query(named(1))).rows).to.deep.equal([{ n: 1 }])
    expect((await second.query(named(2))).rows).to.deep.equal([{ n: 2 }])
    expect((await first.query(named(1))).rows).to.deep.equal([{ n: 1 }])
    await second.query('deallocate all')
    expect((await first.query(named(1))).rows).to.deep.equal([{ n: 1 }])
    expect(await queryValue(owner, count)).to.equal((before as number) + 1)
    await Promise.all([once(first, 'end'), first.end(), second.end()])
    await owner.query('select 1')
    expect(await queryValue(owner, count)).to.equal(before)
  })

  it('never runs the unnamed statement of another client', async () => {
    const raw = await openProtocolClient(database)
    await raw.send(parseRequest('', `select 'mine'`), SYNC)
    await queryValue(owner, `select 'another', $1::int`, [2])
    expect(await raw.send(BIND, EXECUTE, SYNC))
      .to.include('mine')
      .and.not.include('another')
    await raw.send(simpleQuery('select 1'))
    await queryValue(owner, `select 'another', $1::int`, [2])
    expect(await raw.send(BIND, EXECUTE, SYNC))
      .to.include('26000')
      .and.not.include('another')
    raw.close()
  })

  it('supports COPY FROM STDIN; a COPY without its data is an error that ends no connection', async () => {
    await owner.query('create table copied (n int, t text)')
    await copyFromStdin(owner, 'copy copied from stdin', '1\ta\n2\tb\n')
    expect(await queryValue(owner, `select string_agg(n || t, ',' order by n) from copied`)).to.equal('1a,2b')
    expect((await rejectionOf(copyFromStdin(owner, 'copy copied from stdin', 'x\ta\n'))).code).to.equal(
      '22P02',
    )
    expect((await rejectionOf(owner.query('select 1; copy copied from stdin'))).code).to.equal('57014')
    expect((await rejectionOf(owner.query({ name: 'c', text: 'copy copied from stdin' }))).code).to.equal(
      '0A000',
    )
    expect(await queryValue(owner, 'select count(*)::int from copied')).to.equal(2)
  })

  it('accepts pipelines, requests for encryption and cancel requests without harm', async () => {
    const socket = connect(join(database.host, `.s.PGSQL.${database.port}`))
    socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]))
    expect(String((await once(socket, 'data'))[0])).to.equal('N')
    socket.write(Buffer.from([0, 0, 0, 16, 4, 210, 22, 46, 0, 0, 0, 1, 0, 0, 0, 1]))
    await once(socket, 'close')
    const raw = await openProtocolClient(database)
    const queries = Array.from({ length: 300 }, (_, n) => simpleQuery(`select ${n}`))
    const answer = await raw.send(...queries)
    expect(answer.match(/SELECT 1/g)).to.have.length(300)
    raw.close()
  })

  it('ends a client whose message is over 64 MB or malformed, with an error; the others stay connected', async () => {
    const big = await openClient(database)
    const error = await rejectionOf(big.query(`select length($1)`, ['x'.repeat(64 * 1024 * 1024)]))
    expect(error).to.include({ code: '54000', severity: 'FATAL' })
    const raw = await openProtocolClient(database)
    expect(await raw.send(Buffer.from([0x5a, 0, 0, 0, 4]))).to.include('C08P01')
    const large = await openClient(database)
    expect(await queryValue(large, 'select length($1)', ['x'.repeat(32 * 1024 * 1024)])).to.equal(
      32 * 1024 * 1024,
    )
    await large.end()
  })

  it('delivers notifications after the commit, to the clients that listen on the channel', async () => {
    const [listener, other] = await Promise.all([openClient(database), openClient(database)])
    const received: string[] = []
    listener.on('notification', ({ channel, payload }) => received.push(`${channel} ${payload}`))
    other.on('notification', () => received.push('other'))
    await listener.query('listen news; ')
    await listener.query('listen "Big News"')
    await other.query('listen weather')
    await owner.query('begin')
    await owner.query(`notify news, 'one'`)
    await owner.query('rollback')
    await owner.query('begin')
    await owner.query(`select pg_notify('Big News', 'two')`)
    expect(received).to.deep.equal([])
    await owner.query('commit')
    await other.query('unlisten *')
    await owner.query(`notify news, 'three'`)
    await listener.query('unlisten news')
    await owner.query(`notify news, 'four'; notify weather, 'five'`)
    await listener.query('select 1')
    expect(received).to.deep.equal(['Big News two', 'news three'])
    await Promise.all([listener.end(), other.end()])
  })

  it('refuses clients of the reading role, with the reason, until the migrations have created the role', async () => {
    const error = await rejectionOf(openClient(database, READER))
    expect(error).to.include({ code: '28000', severity: 'FATAL' })
    expect(error.message).to.equal('role "lectern_reader" does not exist: run `lectern migrate` first')
    await owner.query('begin')
    await owner.query(`create role ${READER} nologin`)
    const waiting = openClient(database, READER)
    await owner.query('commit')
    await (await waiting).end()
  })

  it('ends all clients with a clear error when PostgreSQL crashes, then serves again', async () => {
    await owner.query('create table survivor as select 1 as n')
    const [culprit, bystander] = await Promise.all([openClient(database), openClient(database)])
    const bystanderError = new Promise<Error>((resolve) => bystander.on('error', resolve))
    const error = await rejectionOf(culprit.query(`select repeat('[', 3000000)::jsonb`))
    expect(error.message).to.include('the embedded database has failed')
    expect((await bystanderError).message).to.include('the embedded database has failed')
    owner = await untilSuccess(() => openClient(database))
    expect(await queryValue(owner, 'select n from survivor')).to.equal(1)
  })
})
