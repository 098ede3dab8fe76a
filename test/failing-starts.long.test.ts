import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Unavailable } from '@lectern/wiki/errors'
import { expect } from 'chai'
import { pino } from 'pino'
import { readConfig } from '../src/config.ts'
import { serve } from '../src/server/server.ts'
import { makeRunning } from '../src/serving/running-service.ts'
import { explainNoServer } from '../src/serving/serving.ts'
import { endProcesses, environmentOf } from './support/cli.ts'
import { copyTemplate, MIGRATED, type TemporaryDatabase, testDatabase } from './support/database.ts'
import { expectFailedStart, listenOn, testFailingStarts, WRONG_DATA_DIR } from './support/failing-starts.ts'
import { withTemporaryFolder } from './support/temporary-folder.ts'

const SERVER = process.env.LECTERN_TEST_DATABASE_URL

describe('a start that fails', () => {
  const folder = withTemporaryFolder()
  let database: TemporaryDatabase
  before(async () => {
    database = await copyTemplate(MIGRATED)
  })
  after(() => database.remove())
  afterEach(endProcesses)

  testFailingStarts(() => environmentOf(database.place))

  it('a database that cannot be reached, WORKERS=2: names DATABASE_URL, and ends', () =>
    expectFailedStart(
      { WORKERS: '2', DATABASE_URL: 'postgresql://127.0.0.1:1/wiki' },
      'lectern: DATABASE_URL (environment): ',
    ))

  if (SERVER === undefined) {
    it('DATA_DIR in which nothing can be created: says so, and ends', () =>
      expectFailedStart(
        { DATA_DIR: WRONG_DATA_DIR[0] },
        `lectern: DATA_DIR (environment)${WRONG_DATA_DIR[1]}`,
      ))

    it('an embedded database that is damaged, WORKERS=2: names its folder, and ends', async () => {
      const dataDir = folder.path('damaged')
      mkdirSync(join(dataDir, 'postgres'), { recursive: true })
      await expectFailedStart({ WORKERS: '2', DATA_DIR: dataDir }, join(dataDir, 'postgres'))
    })
  }

  it('an embedded database that does not respond: names no DATABASE_URL', () => {
    const { message } = explainNoServer(new Unavailable('Gone.'), { databaseUrl: undefined })
    expect(message).to.match(/^The embedded database cannot be read from: it does not respond\. .*\(Gone\.\)/)
    const { message: ofServer } = explainNoServer(new Unavailable(), { databaseUrl: 'postgresql://a/b' })
    expect(ofServer).to.include(': DATABASE_URL cannot be reached')
  })

  it('closes the ports that it opened', async () => {
    const { reader, place } = await testDatabase()
    const { server, port } = await listenOn()
    server.close()
    const config = readConfig({
      PORT: port,
      HOST: '127.0.0.1',
      INTERNAL_PORT: '0',
      SITE_LOGO: '/no/such/logo.svg',
    })
    const failure = await serve({ ...config, ...place }, reader, pino({ level: 'silent' })).then(
      (service) => service.close(),
      ({ message }: Error) => message,
    )
    expect(failure).to.match(/^SITE_LOGO cannot be read/)
    const again = await listenOn(Number(port))
    again.server.close()
  })

  // It would end this process after a while.
  it('is reported although a part does not close, and closes the others', async () => {
    const running = makeRunning(pino({ level: 'silent' }), 2 ** 31 - 1)
    let isClosed = false
    await running.add(() => new Promise(() => {}))
    await running.add(async () => {
      isClosed = true
    })
    await running.abandon()
    expect(isClosed).to.equal(true)
  })
})
