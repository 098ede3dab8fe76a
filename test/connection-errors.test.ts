import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Unavailable } from '@lectern/wiki/errors'
import { expect } from 'chai'
import { isWorthRetrying } from '../src/db/connection-error.ts'
import { withUnavailable } from '../src/db/connection-settings.ts'
import type { Database } from '../src/db/database.ts'
import { migrationNumbers } from '../src/db/migrations.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { makePool } from '../src/db/pool.ts'
import type { Statement } from '../src/db/statements.ts'
import { scriptOfWiki, startScriptedServer } from './support/scripted-postgres.ts'
import { until } from './support/until.ts'

describe('errors of statements', () => {
  const errorOf = (code: string, routine?: string) => {
    const failing = async () => {
      throw Object.assign(new Error('canceled'), { code, routine })
    }
    const query = withUnavailable(failing as Database['query'], 'reader')
    return query({ name: 'x', text: 'x' }, []).catch((error: unknown) => error)
  }

  it('of a lost server, and of one that fails, lacks something or replays, are a 503, because a retry helps', async () => {
    const lost =
      '57P01 57P02 57P03 57P04 57P05 25P03 08006 08P01 53300 ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETDOWN EPROTO'
    const failing = '57014 40001 40P01 55P03 53100 53200 58030 26000 42P05 42P01 3F000 42501'
    for (const code of `${lost} ${failing}`.split(' '))
      expect(await errorOf(code), code).to.be.instanceOf(Unavailable)
    expect(await errorOf('0A000', 'RevalidateCachedQuery')).to.be.instanceOf(Unavailable)
  })

  it('of a wrong statement, or within PostgreSQL, are not: they repeat. Within PostgreSQL, another server may do', async () => {
    for (const code of ['22012', '0A000', 'XX000'])
      expect(await errorOf(code), code)
        .to.be.instanceOf(Error)
        .and.not.instanceOf(Unavailable)
    expect(['22012', '0A000', 'XX000'].filter((code) => isWorthRetrying({ code }))).to.deep.equal(['XX000'])
  })
})

describe('connections to a server that fails', () => {
  const closing: (() => unknown)[] = []
  afterEach(() => Promise.all(closing.splice(0).map((close) => close())))
  const startServer = async (...options: Parameters<typeof startScriptedServer>) => {
    const server = await startScriptedServer(...options)
    closing.push(server.close)
    return server
  }
  /** Runs statements on one pipelined connection. @returns the value of each, or `retry` */
  const runPipelined = async (url: string, names: string[], begin = () => {}) => {
    const pool = makePool({
      config: () => ({ connectionString: url }),
      ...{ prepares: true, isPipelined: true, roundTripMs: () => 50, queryTimeout: 2_000 },
      limits: { size: 1, lifetime: () => Infinity },
      onConnect: async () => {},
    })
    const run = (name: string, value: string) =>
      pool.query<{ value: string }>({ name, text: name }, [value]).then(
        ([row]) => row!.value,
        (error) => (isWorthRetrying(error) ? 'retry' : error),
      )
    await run('first', '')
    begin()
    const running = names.map(async (name, i) => {
      if (i > 0) await nextTurn() // a statement that runs lends its connection
      return run(name, String(i))
    })
    return Promise.all(running).finally(pool.close)
  }

  it('that is cut after any byte of pipelined replies: each statement has its own row, or is retried', async () => {
    let bytesLeft = Infinity
    const server = await startServer(
      (_, [value] = []) => ({ value, other: 'x' }),
      (socket, reply) => {
        const part = reply.subarray(0, bytesLeft)
        bytesLeft -= part.length
        socket.write(part)
        if (bytesLeft === 0) socket.end()
      },
    )
    for (let [bytes, served] = [0, 0]; served < 3; bytes += 1) {
      const results = await runPipelined(server.url, ['a', 'b', 'a'], () => {
        bytesLeft = bytes
      })
      served = results.filter((result) => result !== 'retry').length
      const expected = ['0', '1', '2'].map((value, i) => (i < served ? value : 'retry'))
      expect(results, `cut after ${bytes} bytes`).to.deep.equal(expected)
      bytesLeft = Infinity
    }
  })

  it('while it prepares a statement: those behind it, which do not prepare it again, are retried', async () => {
    let isFailing = false
    const server = await startServer((_, values) => {
      if (!isFailing || values) return { value: values?.[0] ?? '' }
      isFailing = false
      return '40001'
    })
    const results = await runPipelined(server.url, ['a', 'a', 'a'], () => {
      isFailing = true
    })
    expect(results).to.deep.equal(['retry', 'retry', 'retry'])
  })

  /** A server of a wiki that can have a fault: it responds to no heartbeat, or refuses connections. */
  const startWiki = async (name: string, isInRecovery: boolean) => {
    const silent = new Set<Socket>()
    const script = scriptOfWiki(name, isInRecovery, { name, isInRecovery })
    const wiki = { fault: '', url: '', delayMs: 0 }
    const server = await startServer(
      (sql, values) => {
        if (/28P01|42883/.test(wiki.fault) && sql.includes('session_user')) return wiki.fault
        if (wiki.fault === 'defect' && sql.includes('session_user') && values)
          return { isSetUp: true, schema: String(migrationNumbers().at(-1)) } // without its settings
        if (wiki.fault !== '57P01' || sql !== 'x') return script(sql, values)
        wiki.fault = ''
        return '57P01'
      },
      (socket, reply) => {
        if (wiki.fault === 'silent' && reply.includes('missingRights')) silent.add(socket)
        if (silent.has(socket)) return
        const isLast = reply.includes('57P01')
        setTimeout(() => (isLast ? socket.end(reply) : socket.write(reply)), wiki.delayMs)
      },
    )
    return Object.assign(wiki, { url: server.url })
  }
  const openReader = async (databaseUrl: string, ...databaseReplicaUrls: string[]) => {
    const database = await openDatabase({ databaseUrl, databaseReplicaUrls, dataDir: '' }, 'reader')
    closing.push(database.close)
    const statement = { name: 'x', text: 'x' } as Statement<{ name: string }>
    /** Who responds to statements that run at the same time. */
    return (count = 1) =>
      Promise.all(Array.from({ length: count }, () => database.query(statement, []))).then((all) =>
        all.map(([row]) => row!.name).join(),
      )
  }

  it('a replica that does not respond on a new connection, or refuses it: the primary serves', async () => {
    const [primary, replica] = [await startWiki('primary', false), await startWiki('replica', true)]
    const served = await openReader(primary.url, replica.url)
    for (const fault of ['silent', '28P01']) {
      replica.fault = ''
      await until('the replica serves', async () => (await served()) === 'replica')
      replica.fault = fault
      expect(await served(3), fault).to.include('primary')
    }
  })

  it('a new connection of a database without a function names the migration; a defect is no lost server', async () => {
    const wiki = await startWiki('primary', false)
    const served = await openReader(wiki.url)
    wiki.fault = '42883'
    const error = await served(3).catch((error: unknown) => error)
    expect(error)
      .to.be.instanceOf(Unavailable)
      .and.have.nested.property('cause.message')
      .that.includes('lectern migrate')
    wiki.fault = 'defect'
    expect(await served(3).catch((error: unknown) => error)).to.be.instanceOf(TypeError)
    expect(await served()).to.equal('primary')
  })

  it('that ended when a statement was sent: it runs on a new connection', async () => {
    const wiki = await startWiki('primary', false)
    for (const delayMs of [0, 50]) {
      wiki.delayMs = delayMs // statements share a connection to a server that is far away
      const served = await openReader(wiki.url)
      expect(await served()).to.equal('primary')
      wiki.fault = '57P01'
      expect(await served(3)).to.equal('primary,primary,primary')
      expect(wiki.fault).to.equal('')
    }
  })

  it('one of several hosts that does not respond any more: the next one serves', async () => {
    const [first, second] = [await startWiki('first', false), await startWiki('second', false)]
    const served = await openReader(first.url.replace('/wiki', `,${new URL(second.url).host}/wiki`))
    expect(await served()).to.equal('first')
    first.fault = 'silent'
    await until('the second serves', async () => (await served()) === 'second')
  })
})
