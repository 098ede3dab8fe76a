import { cpSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { leaveNote, readNote } from '@lectern/embedded/data-directory'
import { openEmbeddedDatabase } from '@lectern/embedded/embedded'
import { snapshotPath } from '@lectern/embedded/snapshot'
import { UsageError } from '@lectern/wiki/errors'
import { expect } from 'chai'
import {
  queryValue,
  rejectionOf,
  untilSuccess,
  withClient,
  withDataDirectories,
} from '../../../test/support/embedded.ts'

describe('embedded database: data directories', () => {
  const directories = withDataDirectories()
  it('can have a path that is too long for a socket', async () => {
    const dataDir = directories.create(`${'deep/'.repeat(30)}end`)
    const database = await openEmbeddedDatabase(dataDir)
    expect(Buffer.byteLength(database.host)).to.be.below(90)
    const joined = await openEmbeddedDatabase(dataDir)
    expect(joined.isOwner).to.equal(false)
    expect(await withClient(joined, 'postgres', (client) => queryValue(client, 'select 1'))).to.equal(1)
    await joined.close()
    await database.close()
  })

  it('are created for their user alone', async () => {
    const database = await openEmbeddedDatabase(directories.path('new'))
    expect(statSync(directories.path('new')).mode & 0o777).to.equal(0o700)
    expect(statSync(join(directories.path('new'), 'postgres')).mode & 0o777).to.equal(0o700)
    await database.close()
  })

  it('are copies of a snapshot that every user may read and only its builder may write', async () => {
    const snapshot = snapshotPath()
    const modes = readdirSync(snapshot, { recursive: true, withFileTypes: true }).map(
      (entry) => statSync(join(entry.parentPath, entry.name)).mode & 0o777,
    )
    expect([...new Set([...modes, statSync(snapshot).mode & 0o777])].sort()).to.deep.equal([0o644, 0o755])
  })

  it('are reached at 127.0.0.1 where there are no Unix sockets, at the same port under the next owner', async () => {
    const options = { isTcp: true }
    const database = await openEmbeddedDatabase(directories.create('tcp'), options)
    expect(database.host).to.equal('127.0.0.1')
    const joined = await openEmbeddedDatabase(directories.path('tcp'), options)
    expect(joined.isOwner).to.equal(false)
    expect(joined.port).to.equal(database.port)
    expect(await withClient(joined, 'postgres', (client) => queryValue(client, 'select 1'))).to.equal(1)
    await database.close()
    await untilSuccess(() => withClient(joined, 'postgres', (client) => client.query('select 1')))
    expect(joined.port).to.equal(database.port)
    await joined.close()
  })

  it('have notes that count while the database is closed, until somebody writes, or it is not closed in order', async () => {
    const dataDir = directories.create('noted')
    let copies = 0
    const notes = async (folder = dataDir) => [await readNote(folder, 'tea'), await readNote(folder, 'mate')]
    /** @param name of a note that is left between two statements @returns a copy of the folder before it is closed */
    const useFor = async (before: string, name: string | null, after = 'select 1', folder = dataDir) => {
      const database = await openEmbeddedDatabase(folder)
      expect(await notes(folder)).to.deep.equal([null, null])
      await withClient(database, 'postgres', async (client) => {
        await client.query(before)
        const snapshot = await queryValue(client, 'select pg_current_snapshot()::text')
        if (name !== null) await leaveNote(folder, snapshot as string, name, `about ${name}`)
        await client.query(after)
      })
      expect(await notes(folder)).to.deep.equal([null, null])
      copies += 1
      const killed = directories.path(`killed-${copies}`)
      cpSync(join(folder, 'postgres'), join(killed, 'postgres'), { recursive: true })
      await database.close()
      return killed
    }
    expect(await notes()).to.deep.equal([null, null])
    await useFor('create table leaf (id int)', 'tea')
    expect(await notes()).to.deep.equal(['about tea', null])
    await useFor('select * from leaf', 'mate')
    expect(await notes()).to.deep.equal(['about tea', 'about mate'])
    const killed = await useFor('select * from leaf', null)
    expect(await notes()).to.deep.equal(['about tea', 'about mate'])
    for (const sql of ['select 1', 'insert into leaf values (1)']) {
      expect(await notes(killed)).to.deep.equal([null, null])
      await useFor(sql, null, 'select 1', killed)
    }
    expect(await notes(killed)).to.deep.equal([null, null])
    await useFor('insert into leaf values (1)', 'mate')
    expect(await notes()).to.deep.equal([null, 'about mate'])
    await useFor('select 1', 'tea', 'delete from leaf')
    expect(await notes()).to.deep.equal([null, null])
    await useFor('select 1', null)
    expect(await notes()).to.deep.equal([null, null])
  })

  it('are created again when a killed start left them incomplete', async () => {
    const dataDir = directories.path('half')
    mkdirSync(join(dataDir, 'postgres.new', 'base'), { recursive: true })
    writeFileSync(join(dataDir, 'postgres.new', 'PG_VERSION'), '18\n')
    const database = await openEmbeddedDatabase(dataDir)
    expect(await withClient(database, 'postgres', (client) => queryValue(client, 'select 1'))).to.equal(1)
    await database.close()
  })

  it('are refused by name when they belong to another version of PostgreSQL, to a server, or cannot be written', async () => {
    const other = directories.create('other')
    writeFileSync(join(other, 'postgres', 'PG_VERSION'), '17\n')
    const version = await rejectionOf(openEmbeddedDatabase(other))
    expect(version).to.be.instanceOf(UsageError)
    expect(version.message).to.include(other).and.include('version 17')

    writeFileSync(directories.path('file'), '')
    const file = await rejectionOf(openEmbeddedDatabase(directories.path('file')))
    expect(file).to.be.instanceOf(UsageError)
    expect(file.message).to.include(directories.path('file'))

    mkdirSync(directories.path('server'))
    writeFileSync(join(directories.path('server'), 'PG_VERSION'), '18\n')
    const server = await rejectionOf(openEmbeddedDatabase(directories.path('server')))
    expect(server).to.be.instanceOf(UsageError)
    expect(server.message).to.include(directories.path('server'))
  })
})
