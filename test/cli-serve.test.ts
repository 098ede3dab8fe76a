import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { expect } from 'chai'
import type { Database } from '../src/db/database.ts'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { endProcesses, environmentOf, lectern, lockedAnswers, serviceUrl, start } from './support/cli.ts'
import { copyTemplate, type DatabaseTemplate, newPlace, type TemporaryDatabase } from './support/database.ts'
import { importText } from './support/importing.ts'
import { withTemporaryFolder } from './support/temporary-folder.ts'
import { until } from './support/until.ts'
import { onePageFile } from './support/world.ts'

const SERVER = process.env.LECTERN_TEST_DATABASE_URL

const ONE_PAGE: DatabaseTemplate = {
  name: 'one_page',
  fill: async (owner) => {
    await migrate(owner)
    await importText(owner, onePageFile('tea'))
  },
}

describe('lectern serve', () => {
  const folder = withTemporaryFolder()

  let database: TemporaryDatabase
  let environment: Record<string, string>
  afterEach(async () => {
    await endProcesses()
    await database.remove()
  })

  const use = async (created: Promise<TemporaryDatabase>): Promise<void> => {
    database = await created
    environment = { ...environmentOf(database.place), PORT: '0', INTERNAL_PORT: '0', HOST: '127.0.0.1' }
  }

  /** Uses a database with one page, which this process keeps open too. */
  const withOwner = async (work: (owner: Database) => Promise<void>) => {
    await use(copyTemplate(ONE_PAGE))
    const owner = await openDatabase(database.place, 'owner')
    try {
      await work(owner)
    } finally {
      await endProcesses()
      await owner.close()
    }
  }

  it('prints commands to try, which all work; logs each request as one line of JSON; ends on SIGTERM with status 0', async () => {
    await withOwner(async () => {
      const service = start(['serve'], environment)
      await serviceUrl(service)
      const examples = [...service.printed().matchAll(/curl '(\S+)'/g)].map((match) => match[1]!)
      expect(examples.length).to.be.at.least(4)
      for (const url of examples) expect((await fetch(url)).status, url).to.equal(200)
      service.process.kill('SIGTERM')
      const { status, stdout } = await service.ended
      expect(status).to.equal(0)
      const lines = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(lines.filter(({ msg }) => msg === 'request')).to.have.length(examples.length)
      expect(lines.at(-1)).to.include({ msg: 'stopping', signal: 'SIGTERM' })
    })
  })

  it('finishes a running request after SIGTERM, and accepts no new one', async () => {
    await withOwner(async (owner) => {
      const service = start(['serve'], environment)
      const url = await serviceUrl(service)
      const internal = service.printed().match(/(http:\S+)\/graphql/)![1]!
      const client = await owner.connect()
      await client.query('begin')
      await client.query('lock table wiki.live_page in access exclusive mode')
      const askedAt = performance.now()
      const response = fetchFresh(`${url}/pages`)
      // Responses to later requests show that the service has read the first one.
      for (let i = 0; i < 3; i++) expect((await fetch(`${internal}/live`)).status).to.equal(200)
      service.process.kill('SIGTERM')
      await until('it accepts no connection', async () => !(await isListening(url)))
      expect(service.process.exitCode).to.equal(null)
      await client.query('commit')
      client.release()
      const { status, body } = await response
      expect(lockedAnswers(performance.now() - askedAt)).to.include(status)
      if (status === 200) expect(body).to.include('"tea"')
      expect((await service.ended).status).to.equal(0)
    })
  })

  if (SERVER === undefined) {
    it('starts with the sample wiki in a new data directory, and says so; an import by another process replaces it at once; keeps its data through restarts and SIGKILL', async () => {
      await use(newPlace())
      const first = start(['serve'], environment)
      expect((await (await fetch(`${await serviceUrl(first)}/pages/sencha`)).json()).title).to.equal('Sencha')
      expect(first.printed()).to.include('sample wiki').and.include(database.place.dataDir)
      const file = folder.write('mine.ndjson', onePageFile('mine'))
      expect((await lectern(['import', 'ndjson', file], environment)).status).to.equal(0)
      expect((await fetch(`${await serviceUrl(first)}/pages/mine`)).status, 'while it serves').to.equal(200)
      first.process.kill('SIGTERM')
      expect((await first.ended).status).to.equal(0)
      for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
        const next = start(['serve'], environment)
        const url = await serviceUrl(next)
        expect(next.printed()).not.to.include('sample')
        expect((await fetch(`${url}/pages/mine`)).status).to.equal(200)
        expect((await fetch(`${url}/pages/sencha`)).status, 'a page of the sample wiki').to.equal(404)
        next.process.kill(signal)
        await next.ended
      }
    })

    it('shows an imported wiki alone, with or without pages, when the import came before the first start', async () => {
      await use(newPlace())
      const wikiAlone = folder.write('alone.ndjson', onePageFile('x').split('\n')[0]!)
      expect((await lectern(['import', 'ndjson', wikiAlone], environment)).status).to.equal(0)
      const service = start(['serve'], environment)
      const url = await serviceUrl(service)
      expect((await (await fetch(url)).json()).name).to.equal('The wiki of x')
      expect((await (await fetch(`${url}/pages`)).json()).items).to.deep.equal([])
      expect(service.printed()).not.to.include('sample')
    })
  }
})

/** Fetches with a connection of its own. */
const fetchFresh = (url: string): Promise<{ status: number | undefined; body: string }> =>
  new Promise((resolve, reject) => {
    get(url, { agent: new Agent() }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text
      })
      response.on('end', () => resolve({ status: response.statusCode, body }))
    }).on('error', reject)
  })

const isListening = async (url: string): Promise<boolean> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isOpen
}
