import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type EmbeddedDatabase, openEmbeddedDatabase } from '@lectern/embedded/embedded'
import { expect } from 'chai'
import type pg from 'pg'
import {
  openClient,
  queryValue,
  READER,
  withClient,
  withDataDirectories,
} from '../../../test/support/embedded.ts'
import { startEmbeddedProcess } from '../../../test/support/embedded-process.ts'
import { until } from '../../../test/support/until.ts'
import { BIND, EXECUTE, openProtocolClient, parseRequest, SYNC } from '../../../test/support/wire-protocol.ts'

const ANNOUNCEMENT = 'set lectern.long_transaction = on'
const WORD = 'select word from guest.page'

const SETUP = [
  `create role ${READER} nologin`,
  'create schema guest',
  `create table guest.page as select 'old' as word`,
  `grant usage on schema guest to ${READER}`,
  `grant select on guest.page to ${READER}`,
].join('; ')

const copiesIn = (dataDir: string): string[] =>
  readdirSync(dataDir).filter((name) => name.startsWith('postgres.readers-'))

describe('embedded database: readers during a long transaction', () => {
  const directories = withDataDirectories()
  let dataDir: string
  let database: EmbeddedDatabase
  let importer: pg.Client
  let reader: pg.Client
  const warnings: string[] = []

  before(async () => {
    dataDir = directories.create('long')
    database = await openEmbeddedDatabase(dataDir, {
      channels: ['news'],
      onWarning: (message) => warnings.push(message),
    })
    await withClient(database, 'postgres', (client) => client.query(SETUP))
  })
  beforeEach(async () => {
    importer = await openClient(database)
    await write('old')
    reader = await openClient(database, READER)
  })
  afterEach(async () => {
    await Promise.all([reader.end(), importer.end()])
    await until('no copy is left', () => copiesIn(dataDir).length === 0)
    expect(warnings).to.deep.equal([])
  })
  after(() => database.close())

  const begin = async (client = importer): Promise<void> => {
    await client.query(ANNOUNCEMENT)
    await client.query('begin')
  }
  const write = (word: string, client = importer) => client.query('update guest.page set word = $1', [word])
  const word = (client = reader) => queryValue(client, WORD)

  it('see nothing of one whose client is lost, and the next one can begin', async () => {
    const lost = await openClient(database)
    await begin(lost)
    await write('half', lost)
    expect(await word()).to.equal('old')
    ;(lost as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    await begin()
    await write('new')
    expect(await word()).to.equal('old')
    await importer.query('commit')
    expect(await word()).to.equal('new')
  })

  it('are served again if its client is lost before the copy is ready', async () => {
    const lost = await openClient(database)
    await lost.query(ANNOUNCEMENT)
    ;(lost as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    await write('new')
    expect(await word()).to.equal('new')
  })

  it('are answered before it ends, with what was committed before; a second one waits for the first', async () => {
    const second = await openClient(database)
    await begin()
    await write('half')
    expect(await word()).to.equal('old')
    expect(copiesIn(dataDir)).to.have.length(1)
    await write('first')
    let hasBegun = false
    const waiting = begin(second).then(() => {
      hasBegun = true
    })
    expect(await word()).to.equal('old')
    expect(hasBegun).to.equal(false)
    await importer.query('commit')
    await waiting
    await write('second', second)
    expect(await word()).to.equal('first')
    await second.query('commit')
    expect(await word()).to.equal('second')
    await second.end()
  })

  it('can prepare statements before and during it, and use them ever after', async () => {
    const before = { name: 'before', text: WORD }
    const during = { name: 'during', text: `${WORD} where word <> $1`, values: ['no'] }
    const run = async (query: pg.QueryConfig) => (await reader.query(query)).rows[0].word
    expect(await run(before)).to.equal('old')
    await begin()
    await write('new')
    for (const query of [before, during, before, during]) expect(await run(query)).to.equal('old')
    await importer.query('commit')
    for (const query of [during, before]) expect(await run(query)).to.equal('new')
    await begin()
    await reader.query('deallocate all')
    await importer.query('commit')
    // The client takes it for prepared: the bridge must have forgotten it.
    const error = await run(before).catch(({ code }) => code)
    expect(error).to.equal('26000')
  })

  it('get the replies to their own messages alone when the bridge prepares a statement again', async () => {
    const client = await openProtocolClient(database, READER)
    await client.send(parseRequest('', WORD), BIND, EXECUTE, SYNC)
    const expected = await client.send(BIND, EXECUTE, SYNC)
    const bind = Buffer.concat([Buffer.from('B\0\0\0\x0e\0mine\0'), Buffer.alloc(6)])
    bind.writeInt32BE(bind.length - 1, 1)
    await client.send(parseRequest('mine', WORD), SYNC)
    await begin()
    expect(await client.send(bind, EXECUTE, SYNC)).to.equal(expected)
    expect(await client.send(BIND, EXECUTE, SYNC)).to.equal(expected)
    await importer.query('commit')
    client.close()
  })

  it('read what it committed from the moment they are notified, also if they began to listen during it', async () => {
    expect(await word()).to.equal('old')
    await begin()
    await write('new')
    const late = await openClient(database, READER)
    await late.query('listen news')
    await reader.query('listen news')
    const read = [reader, late].map(async (client) => {
      await once(client, 'notification')
      return word(client)
    })
    expect(await word(late)).to.equal('old')
    await importer.query('notify news')
    await importer.query('commit')
    expect(await Promise.all(read)).to.deep.equal(['new', 'new'])
    await late.end()
  })

  it('listen to any other channel when it has ended', async () => {
    await begin()
    const listening = reader.query('listen other')
    const later = word()
    expect(await withClient(database, READER, word)).to.equal('old')
    await write('new')
    await importer.query('commit')
    await listening
    expect(await later).to.equal('new')
    const notified = once(reader, 'notification')
    await importer.query('notify other')
    await notified
  })

  it('keep the snapshot of their own transaction after its end', async () => {
    const other = await openClient(database, READER)
    await begin()
    await write('new')
    await reader.query('begin isolation level repeatable read')
    expect(await word()).to.equal('old')
    await importer.query('commit')
    expect(await word()).to.equal('old')
    expect(await word(other)).to.equal('new')
    await begin()
    await write('newer')
    expect(await word(other)).to.equal('new')
    expect(await word()).to.equal('old')
    expect(copiesIn(dataDir)).to.have.length(2)
    await importer.query('commit')
    await reader.query('commit')
    expect(await word()).to.equal('newer')
    await other.end()
  })

  it('finish their own transaction before it begins', async () => {
    await reader.query('begin isolation level repeatable read')
    expect(await word()).to.equal('old')
    const began = begin().then(() => write('new'))
    expect(await word()).to.equal('old')
    await reader.query('commit')
    await began
    expect(await word()).to.equal('old')
    await importer.query('commit')
    expect(await word()).to.equal('new')
  })

  it('are answered before it ends if nobody announced it, whether its client is idle or not', async () => {
    await importer.query('begin')
    await write('half')
    expect(await word()).to.equal('old')
    await write('new')
    await importer.query('commit')
    expect(await word()).to.equal('new')

    await importer.query({ name: 'held', text: 'select $1::text', values: ['x'] })
    await importer.query('begin')
    await write('newer')
    let isAnswered = false
    const answered = word().then((value) => {
      isAnswered = true
      return value
    })
    while (!isAnswered) await importer.query({ name: 'held', text: 'select $1::text', values: ['x'] })
    expect(await answered).to.equal('new')
    await importer.query('commit')
    expect(await word()).to.equal('newer')
  })

  it('see no older state when one transaction follows another in the same query', async () => {
    await begin()
    await write('new')
    expect(await word()).to.equal('old')
    await importer.query('commit; begin')
    const reading = word()
    await importer.query('commit')
    expect(await reading).to.equal('new')
  })

  it('may be few or many: every one of 20 connections reads one of the two states, and never the older one again', async () => {
    const readers = await Promise.all(Array.from({ length: 20 }, () => openClient(database, READER)))
    await write('0')
    let isOver = false
    const reading = readers.map(async (client) => {
      let last = 0
      while (!isOver) {
        const now = Number(await word(client))
        expect(now).to.be.at.least(last)
        last = now
      }
      expect(Number(await word(client))).to.equal(2)
    })
    for (const next of ['1', '2']) {
      await begin()
      await write('-1')
      await write(next)
      await importer.query('commit')
    }
    isOver = true
    await Promise.all(reading)
    await Promise.all(readers.map((client) => client.end()))
  })
})

describe('embedded database: processes and long transactions', () => {
  const directories = withDataDirectories()

  it('no copy is made without readers', async () => {
    const dataDir = directories.create('alone')
    const database = await openEmbeddedDatabase(dataDir)
    const importer = await openClient(database)
    await importer.query(SETUP)
    await importer.query(ANNOUNCEMENT)
    await importer.query("begin; update guest.page set word = 'new'")
    expect(copiesIn(dataDir)).to.deep.equal([])
    const reader = await openClient(database, READER)
    expect(await queryValue(reader, WORD)).to.equal('old')
    await importer.query('commit')
    await Promise.all([reader.end(), importer.end()])
    await database.close()
    expect(copiesIn(dataDir)).to.deep.equal([])
  })

  it('readers wait for it if the database cannot be copied, which the service reports', async () => {
    const dataDir = directories.create('not-copied')
    const warnings: string[] = []
    const database = await openEmbeddedDatabase(dataDir, { onWarning: (message) => warnings.push(message) })
    const importer = await openClient(database)
    await importer.query(SETUP)
    const reader = await openClient(database, READER)
    writeFileSync(join(dataDir, 'postgres.readers-1'), '')
    await importer.query(ANNOUNCEMENT)
    await importer.query("begin; update guest.page set word = 'new'")
    const reading = queryValue(reader, WORD)
    await importer.query('commit')
    expect(await reading).to.equal('new')
    expect(warnings).to.have.length(1)
    expect(warnings[0]).to.match(/^Readers wait until an import has ended: /)
    await Promise.all([reader.end(), importer.end()])
    await database.close()
    expect(copiesIn(dataDir)).to.deep.equal([])
  })

  it('a killed one leaves a copy, which the next owner removes; nothing of the transaction is stored', async () => {
    const dataDir = directories.create('killed')
    const owner = startEmbeddedProcess(dataDir)
    await owner.open()
    await owner.run(SETUP)
    const joined = await openEmbeddedDatabase(dataDir)
    expect(joined.isOwner).to.equal(false)
    const reader = await openClient(joined, READER)
    await owner.run(ANNOUNCEMENT)
    await owner.run('begin')
    await owner.run("update guest.page set word = 'half'")
    expect(await queryValue(reader, WORD)).to.equal('old')
    expect(copiesIn(dataDir)).to.have.length(1)
    owner.process.kill('SIGKILL')
    await until('the other process owns the database', () => joined.isOwner)
    expect(await withClient(joined, READER, (client) => queryValue(client, WORD))).to.equal('old')
    expect(copiesIn(dataDir)).to.deep.equal([])
    await reader.end()
    await joined.close()
  })
})
