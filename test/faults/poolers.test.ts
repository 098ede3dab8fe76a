import { expect } from 'chai'
import { lectern as command } from '../support/cli.ts'
import { until } from '../support/until.ts'
import { type Lectern, startLectern } from './support/lectern.ts'
import { takesAtMost } from './support/measured.ts'
import { type Pgbouncer, startPgbouncer } from './support/pgbouncer.ts'
import { type Postgres, startWiki } from './support/postgres.ts'

const READER = 'lectern_web'

describe('pooler in transaction mode', () => {
  let postgres: Postgres
  let pooler: Pgbouncer

  before(async () => {
    postgres = await startWiki({ timezone: 'Europe/Berlin' })
    await postgres.query(`create role ${READER} login in role lectern_reader`)
    pooler = await startPooler()
  })
  after(async () => {
    await pooler?.stop()
    await postgres?.remove()
  })

  const startPooler = () =>
    startPgbouncer(postgres, [READER, 'postgres'], { ignore_startup_parameters: 'options' })

  /** The error of a `lectern serve` that does not start. */
  const startFailure = async (url: string): Promise<string> => {
    const { status, stderr } = await command(['serve'], {
      DATABASE_URL: url,
      PREPARED_STATEMENTS: 'false',
      PORT: '0',
      INTERNAL_PORT: '0',
    })
    expect(status).to.equal(1)
    return stderr
  }

  it('if it refuses startup options, `lectern serve` does not start, and names the setting of the pooler', async () => {
    const strict = await startPgbouncer(postgres, [READER])
    try {
      expect(await startFailure(strict.url(READER))).to.include('set ignore_startup_parameters = options')
    } finally {
      await strict.stop()
    }
  })

  it('if it drops startup options, and the login can read drafts, `lectern serve` does not start', async () => {
    expect(await startFailure(pooler.url('postgres'))).to.include(
      'its user postgres may read what guests may not',
    )
  })

  describe('that drops startup options, with a login that is only a member of lectern_reader', () => {
    let lectern: Lectern

    it('`lectern serve` does not start until the login has the settings that the error names', async () => {
      const error = await startFailure(pooler.url(READER))
      const statements = /run: (alter role .*;)/.exec(error)?.[1]
      expect(statements).to.include(`alter role "${READER}" set TimeZone = 'UTC';`)
      await postgres.query(statements!)
      // The pooler remembers the settings of its connections.
      await pooler.stop()
      pooler = await startPooler()
      lectern = await startLectern({ DATABASE_URL: pooler.url(READER), PREPARED_STATEMENTS: 'false' })
    })
    after(() => lectern?.stop())

    it('responses have the same bytes as without the pooler, also from shared connections', async () => {
      const direct = await startLectern({ DATABASE_URL: postgres.url })
      try {
        const paths = ['/recent', '/pages/sencha?format=both', '/search?q=tea', '/categories/green-tea', '/']
        const all = paths.concat(Array.from({ length: 100 }, (_, i) => `/pages?limit=${i + 1}`))
        // Five requests at a time need more connections than the pooler has to the server.
        while (all.length > 0) {
          await Promise.all(
            all.splice(0, 5).map(async (path) => {
              const [{ status, text }, expected] = await Promise.all([lectern.get(path), direct.get(path)])
              expect(status, path).to.equal(200)
              expect(text.replaceAll(new URL(lectern.url).host, ''), path).to.equal(
                expected.text.replaceAll(new URL(direct.url).host, ''),
              )
            }),
          )
        }
        expect(direct.logged()).to.not.include('PREPARED_STATEMENTS')
      } finally {
        await direct.stop()
      }
    })

    it('a text that is redacted in place disappears from HTML when cached responses expire, although no notification arrives', async () => {
      const other = await startLectern({
        DATABASE_URL: pooler.url(READER),
        PREPARED_STATEMENTS: 'false',
        CACHE_SECONDS: '1',
      })
      const html = async () => JSON.parse((await other.get('/pages/sencha?format=html')).text).html as string
      try {
        await postgres.query(
          "update wiki.revision set markdown = 'a secret' where id = (select revision_id from wiki.live_page where (locale, path) = ('en', 'sencha'))",
        )
        await until('the text shows', async () => (await html()).includes('a secret'))
        await postgres.query(
          "update wiki.revision set markdown = 'redacted' where id = (select revision_id from wiki.live_page where (locale, path) = ('en', 'sencha'))",
        )
        const ms = await until('the redacted text shows', async () => (await html()).includes('redacted'))
        takesAtMost(2000, 'a text redacted in place disappears, CACHE_SECONDS=1 without LISTEN', ms)
      } finally {
        await other.stop()
      }
    })

    it('with prepared statements, the log says to turn them off', async () => {
      const other = await startLectern({ DATABASE_URL: pooler.url(READER) })
      try {
        await until('it is logged', () => other.logged().includes('PREPARED_STATEMENTS=false'))
      } finally {
        await other.stop()
      }
    })
  })
})
