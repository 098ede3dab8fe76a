import { writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import pg from 'pg'
import { endProcesses, start as startCommand, succeed } from '../support/cli.ts'
import { until } from '../support/until.ts'
import { request, startLectern } from './support/lectern.ts'
import { newFolder, type Postgres, startWiki } from './support/postgres.ts'
import { startProxy, type TcpProxy } from './support/proxy.ts'
import { freePort } from './support/server-process.ts'

describe('SIGTERM and SIGINT during the start', () => {
  let postgres: Postgres
  before(async () => {
    postgres = await startWiki()
  })
  after(() => postgres?.remove())

  const start = async (environment: Record<string, string>) => {
    const port = String(await freePort())
    const running = startCommand(['serve'], {
      HOST: '127.0.0.1',
      PORT: port,
      INTERNAL_PORT: '0',
      ...environment,
    })
    return { ...running, url: `http://127.0.0.1:${port}/api/v1` }
  }
  /** Locks tables, so that statements of the start wait until `rollback`. */
  const lock = async (tables = 'wiki.live_page, wiki.wiki') => {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    await client.query(`begin; lock table ${tables} in access exclusive mode`)
    return client
  }

  /** How many statements wait for a lock. */
  const waiting = async (): Promise<number> =>
    (await postgres.query("select count(*)::int n from pg_stat_activity where wait_event_type = 'Lock'"))[0]!
      .n as number

  /** Prints a line on standard error when the program has installed its signal handlers, for which Node needs time. */
  const PRINT_WHEN_LISTENING = `--import="data:text/javascript,process.on('newListener',(name)=>name==='SIGTERM'&&setImmediate(()=>console.error('listening')))"`

  it('SIGTERM and SIGINT at any time end the start of an embedded database with status 0, and the next start serves', async () => {
    const folder = newFolder()
    try {
      // In whichever step of the start it is then.
      for (const [signal, ms] of [
        ['SIGTERM', 0],
        ['SIGINT', 100],
        ['SIGINT', 700],
        ['SIGTERM', 2_000],
      ] as const) {
        const running = await start({ DATA_DIR: folder.path, NODE_OPTIONS: PRINT_WHEN_LISTENING })
        await running.prints(/listening/)
        await wait(ms)
        running.process.kill(signal)
        const { status, signal: by, stderr } = await running.ended
        expect([status, by], `${signal} after ${ms} ms: ${stderr}`).to.deep.equal([0, null])
        expect(stderr, `${signal} after ${ms} ms`).not.to.match(/Error|at file:/)
      }
      const last = await start({ DATA_DIR: folder.path })
      await last.prints(/Lectern serves/)
      expect((await request(`${last.url}/pages/sencha`)).status).to.equal(200)
      last.process.kill('SIGTERM')
      expect((await last.ended).status).to.equal(0)
    } finally {
      folder.remove()
    }
  })

  /** Sends a request on a new connection. */
  const requestOnce = (url: string) =>
    new Promise<{ status: number } | { error: string }>((resolve) => {
      get(url, { agent: false }, (response) =>
        response.resume().once('end', () => resolve({ status: response.statusCode! })),
      ).on('error', ({ message }) => resolve({ error: message }))
    })

  it('while one worker serves and others start, its running requests are completed, and the status is 0', async () => {
    const running = await start({ DATABASE_URL: postgres.url, WORKERS: '4', RATE_LIMIT: '0' })
    await until('the first worker serves', async () => (await request(`${running.url}/`)).status === 200)
    expect(running.printed()).not.to.match(/Lectern serves/)
    const locked = await lock()
    const responses = [1, 2, 3, 4, 5, 6].map((limit) => requestOnce(`${running.url}/pages?limit=${limit}`))
    // Connections are accepted in order: requests before one with a response have been read, too.
    for (let n = 0; n < 16; n++)
      expect(await requestOnce(`${running.url}/nothing`)).to.deep.equal({ status: 404 })
    running.process.kill('SIGTERM')
    await wait(300)
    await locked.query('rollback')
    await locked.end()
    const failed = (await Promise.all(responses)).filter((response) => 'error' in response)
    expect(failed, 'a locked table may cause 503, but no response may be cut off').to.deep.equal([])
    const { status, signal } = await running.ended
    expect([status, signal]).to.deep.equal([0, null])
  })

  it('SIGTERM before it serves: the log does not say afterwards that it does', async () => {
    const locked = await lock('wiki.live_page') // of which the last statement of the start counts the pages
    const running = await start({ DATABASE_URL: postgres.url, LOG_FORMAT: 'json' })
    await until('the start waits for the lock', async () => (await waiting()) !== 0)
    running.process.kill('SIGTERM')
    await until('it stops', () => running.logged().includes('"msg":"stopping"'))
    await locked.query('rollback')
    await locked.end()
    expect((await running.ended).stdout).not.to.include('"msg":"serving"')
  })

  it('a second signal, which npm and systemd send, has no effect', async () => {
    const running = await start({ DATABASE_URL: postgres.url })
    await running.prints(/Lectern serves/)
    const locked = await lock()
    const response = request(`${running.url}/pages?limit=7`)
    await until('the request runs', async () => (await waiting()) !== 0)
    for (const signal of ['SIGTERM', 'SIGTERM', 'SIGINT'] as const) {
      running.process.kill(signal)
      await wait(50)
    }
    await locked.query('rollback')
    await locked.end()
    expect((await response).status).to.equal(200)
    expect((await running.ended).status).to.equal(0)
  })
})

describe('a start on PostgreSQL while each connection takes 0.6 s, as on a machine under load', () => {
  let postgres: Postgres
  let proxy: TcpProxy
  let environment: Record<string, string>
  const notes = newFolder()
  before(async () => {
    postgres = await startWiki()
    proxy = await startProxy(postgres.port, 0, 600)
    const url = new URL(postgres.url)
    url.port = String(proxy.port)
    environment = { DATABASE_URL: url.href }
    writeFileSync(join(notes.path, 'note.md'), '# Note')
  })
  afterEach(endProcesses)
  after(async () => {
    await proxy?.stop()
    await postgres?.remove()
    notes.remove()
  })

  const followNotes = () =>
    startCommand(['follow', notes.path, '--source', 'notes'], { ...environment, LOG_FORMAT: 'json' })
  const follows = (follower: ReturnType<typeof followNotes>) => () =>
    follower.logged().includes('"msg":"following"')

  it('commands and followers wait for their connections', async () => {
    await succeed(
      [['migrate'], ['import', 'folder', notes.path, '--source', 'notes'], ['reindex']],
      environment,
    )
    const follower = followNotes()
    await until('it follows', follows(follower))
    follower.process.kill('SIGTERM')
    expect((await follower.ended).status).to.equal(0)
  })

  it('a request waits for the first connection, at the start and after the server has ended all', async () => {
    const lectern = await startLectern(environment)
    try {
      const get = async (limit: number) => {
        const { status, text } = await lectern.get(`/pages?limit=${limit}`)
        return status === 200 ? status : text + lectern.logged()
      }
      const statuses = (limit: number) => Promise.all([1, 2, 3].map((n) => get(limit + n)))
      expect(await statuses(10)).to.deep.equal([200, 200, 200])
      const end =
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lectern reader'"
      await postgres.query(end)
      await until('it is ready', async () => (await lectern.ready()).status === 200)
      await postgres.query(`${end} and query not like '%pg_is_in_recovery%'`)
      expect(await statuses(20)).to.deep.equal([200, 200, 200])
    } finally {
      await lectern.stop()
    }
  })

  it('a follower tries again until the database can be reached, and says so once', async () => {
    await postgres.stop()
    const follower = followNotes()
    const waits = /tries again every 5 s/g
    await until('it says that it waits', () => waits.test(follower.logged()))
    await postgres.start()
    await until('it follows', follows(follower))
    expect(follower.logged().match(waits)).to.have.length(1)
  })

  it('an error at the start of a follower that is none of the connection ends it with status 1', async () => {
    await postgres.query(`create function public.refuse() returns trigger language plpgsql as
      $$ begin raise 'no sources today'; end $$;
      create trigger refuse before insert or update on wiki.source execute function public.refuse()`)
    const { status, stderr } = await followNotes().ended
    expect(stderr).to.include('no sources today')
    expect(status).to.equal(1)
  })
})
