import { setTimeout as pause } from 'node:timers/promises'
import { type FollowedChange, follow } from '../../clients/javascript/src/index.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { runImport } from '../../src/write/run-import.ts'
import { randomChoices } from '../support/random-choices.ts'
import { importStep } from '../support/random-imports.ts'
import { rounds } from '../support/rounds.ts'
import { StreamClient } from '../support/stream-client.ts'
import { until } from '../support/until.ts'
import { type Lectern, startLectern } from './support/lectern.ts'
import { type Postgres, startWiki } from './support/postgres.ts'
import { freePort } from './support/server-process.ts'

const SEED = Number(process.env.LECTERN_TEST_SEED ?? Math.floor(Math.random() * 1e9))
const KILLS = rounds(4)
const IMPORTS_PER_KILL = 6

describe('streams of a service that is killed while imports run', () => {
  let postgres: Postgres
  let lectern: Lectern
  let port: number
  before(async () => {
    postgres = await startWiki()
    port = await freePort()
  })
  after(async () => {
    await lectern?.stop()
    await postgres?.remove()
  })
  const start = async () => {
    lectern = await startLectern({ DATABASE_URL: postgres.url, PORT: String(port), CACHE_SECONDS: '0' })
  }
  const base = () => `http://127.0.0.1:${port}/api/v1`

  /** The list from its beginning to its end. */
  const list = async (query: string): Promise<FollowedChange['item'][]> => {
    const items = []
    for (let next: string | undefined; next !== ''; ) {
      const { text } = await lectern.get(`/changes?limit=200&${query}&after=${next ?? ''}`)
      const part = JSON.parse(text)
      items.push(...part.items)
      next = part.next
    }
    return items
  }

  it(`clients that go on with their last cursors have exactly the list, in its order (seed ${SEED})`, async () => {
    const random = randomChoices(SEED)
    const nextImport = importStep(random)
    const owner = await openDatabase({ databaseUrl: postgres.url, dataDir: '' }, 'owner')
    await start()
    const queries = ['', '?limit=1', '?locale=en', '?ns=main&limit=3']
    const clients = queries.map((query) => new StreamClient((all) => `${base()}/changes${all}`, query))
    const followed = new Map<string, FollowedChange['item']>()
    const stop = new AbortController()
    const following = (async () => {
      for await (const { item } of follow({ base: base(), signal: stop.signal, firstPause: 0.1 }))
        followed.set(`${item.locale} ${item.path}`, item)
    })().catch((error: Error) => error)
    try {
      for (let n = 0; n < KILLS; n += 1) {
        for (let i = random.below(IMPORTS_PER_KILL); i >= 0; i -= 1) {
          const { source, options, fails } = nextImport()
          const importing = runImport(owner, async () => source, options).catch((error: unknown) => {
            if (!fails) throw error
          })
          if (random.once(2)) random.pick(clients).reconnect()
          if (i === 0) {
            // At any moment of an import, and of what the streams send of it.
            await pause(random.below(60))
            process.kill(lectern.pid, 'SIGKILL')
          }
          await importing
        }
        for (const client of clients) client.apply()
        await start()
        for (const client of clients) client.reconnect()
      }
      for (const client of clients) {
        const items = await list(client.query.replace(/[?&]limit=\d/, '').replace('?', ''))
        await until(`the client of ${client.query} has the list`, () => client.has(items))
      }
      const items = await list('')
      await until('follow() has the list', () => {
        const short = (all: Iterable<FollowedChange['item']>) =>
          [...all]
            .map(({ type, locale, path, changed_at }) => [type, locale, path, changed_at].join(' '))
            .sort()
        return short(followed.values()).join('\n') === short(items).join('\n')
      })
    } finally {
      stop.abort()
      await following
      for (const client of clients) client.close()
      await owner.close()
    }
  })
})
