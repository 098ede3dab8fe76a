import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { openEmbeddedDatabase } from '@lectern/embedded/embedded'
import { expect } from 'chai'
import {
  openClient,
  queryValue,
  rejectionOf,
  untilSuccess,
  withClient,
  withDataDirectories,
} from '../../../test/support/embedded.ts'
import { startEmbeddedProcess } from '../../../test/support/embedded-process.ts'

describe('embedded database: processes that share it', () => {
  const directories = withDataDirectories()

  it('gives a new data directory that 3 processes open at once to one owner; the others join it, and no row is lost', async () => {
    const dataDir = directories.path('race')
    const children = Array.from({ length: 3 }, () => startEmbeddedProcess(dataDir))
    await Promise.all(children.map(({ loaded }) => loaded))
    const owners = await Promise.all(children.map(({ open }) => open()))
    expect(owners.filter((isOwner) => isOwner)).to.have.length(1)
    await Promise.all(children.map(({ run }) => run('create table if not exists t (n int)')))
    const rows = children.flatMap(({ run }, n) =>
      Array.from({ length: 20 }, (_, i) => run(`insert into t values (${n * 20 + i})`)),
    )
    await Promise.all(rows)
    expect(await children[0]!.run('select count(distinct n)::int from t')).to.equal(60)
    await Promise.all(children.map(({ close }) => close()))
    expect(readdirSync(dataDir).filter((name) => name.startsWith('.owner.'))).to.have.length(1)
  })

  it('loses no committed row when the owner is killed; the next process takes over at once', async () => {
    const dataDir = directories.create('killed')
    const first = startEmbeddedProcess(dataDir)
    expect(await first.open()).to.equal(true)
    await first.run('create table t (n int)')
    for (let i = 0; i < 20; i++) await first.run(`insert into t values (${i})`)
    void first.run('begin; insert into t select n from generate_series(1, 100000) n').catch(() => {})
    const ended = once(first.process, 'exit')
    first.process.kill('SIGKILL')
    const next = await openEmbeddedDatabase(dataDir)
    expect(next.isOwner).to.equal(true)
    expect(
      await withClient(next, 'postgres', (client) => queryValue(client, 'select count(*)::int from t')),
    ).to.equal(20)
    await next.close()
    await ended
  })

  it('lets other processes finish the transactions that they are in or wait for when the owner closes', async () => {
    const first = await openEmbeddedDatabase(directories.create('leaving'))
    const second = await openEmbeddedDatabase(directories.path('leaving'))
    const importing = await openClient(second)
    const migrating = await openClient(second)
    const idle = await openClient(second)
    const ended = new Promise((resolve) => idle.once('end', resolve))
    await importing.query('create table t (n int)')
    await importing.query('begin')
    const waiting = migrating.query('select pg_advisory_lock(1)')
    await importing.query('select 1') // by its answer, the bridge has read what was sent before it
    const closed = first.close()
    await ended
    expect(await rejectionOf(openClient(second))).to.include({ code: '57P03' })
    await importing.query('insert into t values (1)')
    await importing.query('commit')
    await waiting
    await migrating.query('insert into t values (2)')
    await migrating.query('select pg_advisory_unlock(1)')
    await closed
    const count = await untilSuccess(() =>
      withClient(second, 'postgres', (client) => queryValue(client, 'select count(*)::int from t')),
    )
    expect(count).to.equal(2)
    await second.close()
  })

  it('can be opened again by the process that closed it, and closed twice', async () => {
    const first = await openEmbeddedDatabase(directories.create('again'))
    const second = await openEmbeddedDatabase(directories.path('again'))
    await withClient(second, 'postgres', (client) => client.query('create table t as select 1 as n'))
    await first.close()
    const third = await openEmbeddedDatabase(directories.path('again'))
    expect(await withClient(third, 'postgres', (client) => queryValue(client, 'select n from t'))).to.equal(1)
    await Promise.all([second.close(), third.close()])
    await second.close()
  })
})
