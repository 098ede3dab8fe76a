import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { Unavailable } from '@lectern/wiki/errors'
import { expect } from 'chai'
import { pino } from 'pino'
import { readConfig } from '../src/config.ts'
import { serve } from '../src/server/server.ts'
import { makeRunning } from '../src/serving/running-service.ts'
import { explainNoServer } from '../src/serving/serving.ts'
import { freePort } from './faults/support/server-process.ts'
import { type ExitResult, endProcesses, environmentOf, expectFailure, lectern } from './support/cli.ts'
import { copyTemplate, MIGRATED, type TemporaryDatabase, testDatabase } from './support/database.ts'
import { withTemporaryFolder } from './support/temporary-folder.ts'

const SERVER = process.env.LECTERN_TEST_DATABASE_URL

/** A value of a setting of each kind with which a service must not start, and what the message says. */
const WRONG_SETTINGS: Record<string, [value: string, expected: string]> = {
  PORT: ['x', 'must be a whole number from 0 to 65535, but is'],
  BASE_URL: ['https://wiki.example', 'must be a URL that ends with /api/v1'],
  DATABASE_URL: ['mysql://wiki', 'must be a URL such as postgresql://user:password@host:5432/database.'],
  FILES_ALLOW: ['image/jpg', 'must be a list such as image,application/pdf,.zip, with image/jpeg'],
  SITE_LOGO: ['/no/such/logo.svg', 'cannot be read: ENOENT'],
  GRAPHQL_DOCUMENTS: ['/no/such/folder', 'must be a folder that Lectern can read'],
}

/** A server on a free port of 127.0.0.1, such as another program that takes a port. */
const listenOn = async (port = 0): Promise<{ server: Server; port: string }> => {
  const server = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: String((server.address() as AddressInfo).port) }
}

const close = async (server: Server): Promise<void> => {
  server.close()
  await once(server, 'close')
}

/**
 * Starts a service that cannot start, and expects one message that contains all of `expected`, status 1, or 78 if a setting is wrong whatever else happens, and that no
 * process and no open port is left. (Its output ends when the last of its processes has ended.)
 */
const expectFailedStart = async (
  environment: Record<string, string>,
  ...expected: string[]
): Promise<ExitResult> => {
  const ports = { PORT: String(await freePort()), INTERNAL_PORT: String(await freePort()) }
  const ended = await lectern(['serve'], { HOST: '127.0.0.1', ...ports, ...environment })
  const status = expected.some((text) => /\(environment\) must/.test(text)) ? 78 : 1
  if (expected.length === 1) expectFailure(ended, expected[0]!, status)
  for (const text of expected) expect(ended.stderr).to.include(text)
  expect(ended.status, ended.stderr).to.equal(status)
  expect(ended.stderr.match(/lectern: /g), ended.stderr).to.have.length(1)
  for (const port of Object.values(ports)) await close((await listenOn(Number(port))).server)
  return ended
}

describe('a start that fails', () => {
  const folder = withTemporaryFolder()
  let database: TemporaryDatabase
  before(async () => {
    database = await copyTemplate(MIGRATED)
  })
  after(() => database.remove())
  afterEach(endProcesses)

  it('several settings wrong, WORKERS=2: names each of them, and ends', async () => {
    const wrong = Object.entries(WRONG_SETTINGS)
    await expectFailedStart(
      {
        ...environmentOf(database.place),
        WORKERS: '2',
        ...Object.fromEntries(wrong.map(([name, [value]]) => [name, value])),
      },
      ...wrong.map(([name, [, expected]]) => `\n  ${name} (environment) ${expected}`),
    )
  })

  it('both ports taken, WORKERS=2: says so, with other problems, and ends', async () => {
    const names = ['PORT', 'INTERNAL_PORT']
    const others = await Promise.all(names.map(() => listenOn()))
    const ports = Object.fromEntries(names.map((name, i) => [name, others[i]!.port]))
    try {
      await expectFailedStart(
        { ...environmentOf(database.place), WORKERS: '2', SITE_LOGO: '/no/such/logo.svg', ...ports },
        ...names.map((name) => `${name} (environment): another program uses port ${ports[name]}`),
        'SITE_LOGO (environment) cannot be read',
      )
    } finally {
      await Promise.all(others.map(({ server }) => close(server)))
    }
  })

  it('a database that cannot be reached, WORKERS=2: names DATABASE_URL, and ends; the log tells nothing else', async () => {
    const exposed = { INTERNAL_HOST: '0.0.0.0', FOLLOW_SECRET: 'a secret of some length' }
    const { stdout } = await expectFailedStart(
      { WORKERS: '2', DATABASE_URL: 'postgresql://127.0.0.1:1/wiki', ...exposed },
      'lectern: DATABASE_URL (environment): ',
    )
    expect(stdout, 'without the secret, it would warn').to.equal('')
  })

  if (SERVER === undefined) {
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
