import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import pg from 'pg'
import { packagePath } from '../../src/paths.ts'
import { type Running, lectern as run, start } from '../support/cli.ts'
import { until } from '../support/until.ts'
import { type Lectern, startLectern } from './support/lectern.ts'
import { takesAtMost } from './support/measured.ts'
import { type Postgres, startWiki } from './support/postgres.ts'
import { mountSmallDisk, type SmallDisk } from './support/small-disk.ts'

const MB = 1024 ** 2

/** Pages of 120 KB that do not get shorter by compression, in words so long that search takes few. */
const writeWiki = (file: string, pages: number): void => {
  const lines = Array.from({ length: pages }, (_, n) =>
    JSON.stringify({
      type: 'page',
      path: `imported-${n}`,
      locale: 'en',
      state: 'live',
      revisions: [
        {
          created_at: '2024-01-01T00:00:00Z',
          author: 'Ada',
          comment: '',
          status: 'accepted',
          title: `Imported ${n}`,
          markdown: randomBytes(60_000)
            .toString('hex')
            .replace(/.{2000}/g, '$& '),
        },
      ],
    }),
  )
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
}

/** Requests that go on until told to stop, all uncached. */
const readOn = (lectern: Lectern) => {
  const paths = ['/pages/sencha', '/recent?limit=5', '/search?q=tea', '/pages/sencha/history', '/pages']
  const statuses: number[] = []
  let isOver = false
  const reading = (async () => {
    while (!isOver) statuses.push((await lectern.get(paths[statuses.length % paths.length]!)).status)
  })()
  return {
    made: () => statuses.length,
    stop: async () => {
      isOver = true
      await reading
      return statuses
    },
  }
}

const oneMessage = (stderr: string, pattern: RegExp) => {
  const said = stderr.split('\n').filter((line) => line.startsWith('lectern: '))
  expect(said, stderr).to.have.length(1)
  expect(said[0]).to.match(pattern)
  expect(stderr).not.to.match(/\n +at /)
}

let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-disk-'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

describe('a full disk under the embedded database', () => {
  const disks: SmallDisk[] = []
  const mount = async (bytes: number) => {
    const disk = await mountSmallDisk(bytes)
    disks.push(disk)
    return disk
  }
  after(async () => {
    for (const disk of disks) await disk.remove()
  })

  it('at the first start: one message, nothing left behind, and a start as ever when there is room', async () => {
    const disk = await mount(400 * MB)
    const environment = { DATA_DIR: join(disk.path, 'wiki') }
    for (const left of [4 * MB, 60 * MB]) {
      disk.fill(left)
      const { status, stderr } = await run(['serve'], { ...environment, PORT: '0', INTERNAL_PORT: '0' }, disk)
      expect(status, stderr).to.equal(1)
      oneMessage(
        stderr,
        /^lectern: DATA_DIR \(environment\): (no space is left on the disk of .+|only 0\.\d\d GB are free .+)\. Free some space/,
      )
      const file = packagePath('sample', 'tea-wiki.ndjson')
      const importing = await run(['import', 'ndjson', file], environment, disk)
      expect(importing.status, importing.stderr).to.equal(1)
      oneMessage(
        importing.stderr,
        /^lectern: (No space is left on the disk of .+|The (database's )?disk is full)\. Free some space/,
      )
      const left_ = await readdir(join(disk.seenFromHere, 'wiki'))
      expect(left_).not.to.include('postgres.new')
    }
    disk.free()
    const lectern = await startLectern(environment, disk)
    expect((await lectern.get('/pages/sencha')).status).to.equal(200)
    await lectern.stop()
  })

  it('while initdb creates a database, for want of the one that the build made: the message says so', async () => {
    const disk = await mount(20 * MB)
    const script = `
      const [module, dataDir] = process.argv.slice(1)
      const { openEmbeddedDatabase } = await import(module)
      await openEmbeddedDatabase(dataDir, { snapshot: '/none' }).catch(({ message }) => console.log(message))`
    const module = import.meta.resolve('@lectern/embedded/embedded')
    const node = [process.execPath, '--input-type=module', '-e', script, module, join(disk.path, 'wiki')]
    const [command, ...args] = [...disk.through, ...node]
    const { stdout } = await promisify(execFile)(command!, args)
    expect(stdout).to.match(/^No space is left on the disk of .+ \(ENOSPC\)\. Free some space/)
  })

  describe('while it is served', () => {
    let disk: SmallDisk
    let lectern: Lectern
    let environment: Record<string, string>
    const exported = async () => {
      const file = join(folder, 'export.ndjson')
      rmSync(file, { force: true })
      const { status, stderr } = await run(['export', file], environment, disk)
      expect(status, stderr).to.equal(0)
      return readFileSync(file, 'utf8')
    }

    before(async () => {
      disk = await mount(600 * MB)
      environment = { DATA_DIR: join(disk.path, 'wiki') }
      lectern = await startLectern({ ...environment, CACHE_SECONDS: '0' }, disk)
    })
    after(() => lectern?.stop())

    it('an import that fills it fails with one message and leaves nothing; readers go on, and it works with room', async () => {
      const file = join(folder, 'wiki.ndjson')
      writeWiki(file, 200)
      const before = await exported()
      disk.fill(150 * MB)
      const reading = readOn(lectern)
      const { status, stderr } = await run(['import', 'ndjson', file], environment, disk)
      expect(status, stderr).to.equal(1)
      oneMessage(stderr, /^lectern: The database's disk is full\. Free some space/)
      const made = reading.made()
      await until('readers are answered afterwards', () => reading.made() > made + 10)
      const statuses = await reading.stop()
      // While the import runs, a reader may wait so long that it gets 503.
      expect(statuses.filter((status) => status !== 200 && status !== 503)).to.deep.equal([])
      expect(statuses.slice(made)).to.deep.equal(statuses.slice(made).map(() => 200))
      expect((await lectern.get('/pages/imported-1')).status).to.equal(404)
      disk.free()
      expect(await exported()).to.equal(before)
      writeWiki(file, 3)
      const again = await run(['import', 'ndjson', file], environment, disk)
      expect(again.status, again.stderr).to.equal(0)
      expect((await lectern.get('/pages/imported-1')).status).to.equal(200)
    })

    it('a follower that finds a change then says so, and imports it when there is room; readers and /ready go on', async () => {
      const notes = mkdtempSync(join(folder, 'notes-'))
      writeFileSync(join(notes, 'note.md'), '# Note')
      const follow = ['follow', notes, '--source', 'notes', '--every', '1s']
      const follower = start(follow, { ...environment, LOG_FORMAT: 'json' }, disk)
      const status = async (path: string) => (await lectern.get(path)).status
      try {
        await until('it follows', () => follower.logged().includes('"msg":"following"'))
        disk.fill()
        const reading = readOn(lectern)
        writeFileSync(join(notes, 'hojicha.md'), '# Hojicha')
        await until('it says so', () => follower.logged().includes('The source cannot be followed now'))
        expect(follower.logged()).to.include('disk is full. Free some space').and.not.include('"stack"')
        const ready = await lectern.ready()
        takesAtMost(2_000, '/ready responds with a full disk', ready.ms)
        expect(ready.status).to.equal(200)
        const statuses = await reading.stop()
        expect(statuses.filter((one) => one !== 200 && one !== 404)).to.deep.equal([]) // the sample is gone
        disk.free()
        takesAtMost(
          10_000,
          'an answer after there was room again',
          await until('an answer', async () => (await status('/pages?limit=7')) === 200),
        )
        await until('the change shows', async () => (await status('/pages/hojicha')) === 200)
      } finally {
        follower.process.kill('SIGTERM')
        await follower.ended
      }
    })

    it('PostgreSQL’s own log finds no room: 503 until there is some, then answers within 10 s; nothing is lost', async () => {
      const before = await exported()
      disk.fill()
      const client = new pg.Client({
        host: join(disk.seenFromHere, 'wiki'),
        user: 'postgres',
        database: 'postgres',
      })
      client.on('error', () => {})
      await client.connect()
      // Commits that fill the log, which PostgreSQL must not go on without.
      const commit =
        "select pg_current_xact_id(), pg_logical_emit_message(true, 'x', repeat(md5(random()::text), 10000))"
      let failed: unknown
      for (let n = 0; n < 3_000 && failed === undefined; n += 1) {
        await client.query(commit).catch((error: unknown) => {
          failed = error
        })
      }
      expect(failed).to.be.instanceOf(Error)
      await client.end().catch(() => {})
      const answer = await lectern.get('/pages')
      expect(answer.status).to.equal(503)
      expect(Number(answer.headers.get('retry-after'))).to.be.at.least(1)
      await until('the log names the cause', () => lectern.logged().includes('is out of disk space'))
      expect(lectern.isRunning()).to.equal(true)
      expect((await lectern.live()).status).to.equal(200)
      expect((await lectern.ready()).status).to.equal(503)
      disk.free()
      const back = await until(
        'an answer',
        async () => (await lectern.get('/pages/imported-1')).status === 200,
      )
      takesAtMost(10_000, 'an answer after there was room again', back)
      expect(await exported()).to.equal(before)
      expect((await lectern.stop()).status).to.equal(0)
      lectern = await startLectern({ ...environment, CACHE_SECONDS: '0' }, disk)
      expect(await exported()).to.equal(before)
    })
  })
})

describe('a full disk under PostgreSQL', () => {
  let disk: SmallDisk
  let postgres: Postgres
  let lectern: Lectern
  let importing: Running | undefined
  before(async () => {
    disk = await mountSmallDisk(300 * MB)
    postgres = await startWiki({ max_wal_size: '32MB', min_wal_size: '32MB' }, { disk })
    lectern = await startLectern({ DATABASE_URL: postgres.url, CACHE_SECONDS: '0' })
  })
  after(async () => {
    importing?.process.kill('SIGKILL')
    await lectern?.stop()
    await postgres?.remove()
    await disk?.remove()
  })

  it('an import that fills it fails with one message; readers get answers or 503, and answers again within 10 s of room', async () => {
    const file = join(folder, 'wiki.ndjson')
    writeWiki(file, 200)
    disk.fill(20 * MB)
    const reading = readOn(lectern)
    importing = start(['import', 'ndjson', file], { DATABASE_URL: postgres.url })
    const { status, stderr } = await importing.ended
    expect(status, stderr).to.equal(1)
    oneMessage(stderr, /^lectern: (The database's disk is full|The connection to the database was lost)/)
    const statuses = await reading.stop()
    expect(statuses.filter((status) => status !== 200 && status !== 503)).to.deep.equal([])
    disk.free()
    const back = await until('an answer', async () => {
      // Where its log found no room it has ended, and its operator, or systemd, starts it again.
      if (!postgres.isRunning()) await postgres.start()
      // Not a page that is served from the cache while the database is away.
      return (await lectern.get('/pages/imported-1')).status === 404
    })
    takesAtMost(10_000, 'an answer after PostgreSQL had room again', back)
    writeWiki(file, 3)
    const again = await run(['import', 'ndjson', file], { DATABASE_URL: postgres.url })
    expect(again.status, again.stderr).to.equal(0)
    expect((await lectern.get('/pages/imported-1')).status).to.equal(200)
    expect(lectern.isRunning()).to.equal(true)
  })
})
