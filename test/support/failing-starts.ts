import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { expect } from 'chai'
import { readConfigToServe } from '../../src/check/start.ts'
import { expectFailure, lectern } from './cli.ts'

/**
 * A value of each setting with which a service must not start, and what the message says. Of a setting that is absent
 * here, every value is valid.
 */
const WRONG_SETTINGS: Record<string, [value: string, expected: string]> = {
  PORT: ['x', 'must be a whole number'],
  HOST: ['192.0.2.1', 'must be an address of this machine, but is "192.0.2.1"'],
  INTERNAL_PORT: ['70000', 'must be a whole number'],
  INTERNAL_HOST: ['192.0.2.1', 'must be an address of this machine, but is "192.0.2.1"'],
  BASE_URL: ['https://wiki.example', 'must be a URL that ends with /api/v1'],
  DATABASE_URL: ['mysql://wiki', 'must be a URL such as'],
  DATABASE_REPLICA_URLS: ['mysql://wiki', 'must be a URL such as'],
  MAX_REPLICA_LAG: ['0', 'must be a whole number'],
  PREPARED_STATEMENTS: ['no', 'must be true or false'],
  DATABASE_POOL_SIZE: ['0', 'must be a whole number'],
  DATABASE_CONNECTION_LIFETIME: ['0', 'must be a whole number'],
  WIKI_ADDRESSES: ['wiki.example', 'must be a list such as'],
  LICENSE_URL: ['CC0', 'must be an http or https URL'],
  ATTRIBUTION: ['x'.repeat(501), 'must be one line of at most 500 characters'],
  RATE_LIMIT: ['-1', 'must be a whole number'],
  MEDIA_RATE_LIMIT: ['-1', 'must be a whole number'],
  TRUSTED_PROXIES: ['all', 'must be a whole number'],
  REDIS_URL: ['http://redis', 'must be a URL such as redis:'],
  WORKERS: ['0', 'must be a whole number'],
  CACHE_SECONDS: ['3601', 'must be a whole number'],
  MEDIA_CACHE_SECONDS: ['-1', 'must be a whole number'],
  FILE_BYTES_MAX: ['0', 'must be a whole number'],
  FILES_ALLOW: [
    'image/jpg',
    'must be a list such as image,application/pdf,.zip, with image/jpeg instead of image/jpg',
  ],
  FILES_URL: ['https://bucket.example', 'must be a URL such as s3://bucket'],
  MCP: ['yes', 'must be true or false'],
  FOLLOW_SECRET: ['short', 'must be a random text'],
  EXAMPLE_PAGE: ['https://wiki.example/tea', 'must be the path of a page'],
  SITE_NAME: ['x'.repeat(61), 'must be one line of at most 60 characters'],
  SITE_LOGO: ['/no/such/logo.svg', 'cannot be read: ENOENT'],
  SITE_ACCENT_COLOR: ['green', 'must be a color of six digits, such as'],
  SITE_HOME: ['reader', 'must be one of api, wiki'],
  GRAPHQL_DOCUMENTS: ['/no/such/folder', 'must be a folder that Lectern can read'],
  LOG_LEVEL: ['loud', 'must be one of'],
  LOG_FORMAT: ['text', 'must be one of'],
}

/** Of the embedded database. The folder is one in which nobody can create others, not even root. */
export const WRONG_DATA_DIR = ['/proc/lectern', ': this user cannot write to /proc'] as const

/** A server on a free port of 127.0.0.1, such as another program that takes a port. */
export const listenOn = async (port = 0): Promise<{ server: Server; port: string }> => {
  const server = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: String((server.address() as AddressInfo).port) }
}

const close = async (server: Server): Promise<void> => {
  server.close()
  await once(server, 'close')
}

/** Two ports that nothing uses. */
const freePorts = async () => {
  const [first, second] = [await listenOn(), await listenOn()]
  await Promise.all([close(first.server), close(second.server)])
  return { PORT: first.port, INTERNAL_PORT: second.port }
}

/**
 * Starts a service that cannot start, and expects one message that contains all of `expected`, status 1, or 78 if a setting is wrong whatever else happens, and that no
 * process and no open port is left. (Its output ends when the last of its processes has ended.)
 */
export const expectFailedStart = async (
  environment: Record<string, string>,
  ...expected: string[]
): Promise<void> => {
  const ports = await freePorts()
  const ended = await lectern(['serve'], { HOST: '127.0.0.1', ...ports, ...environment })
  const status = expected.some((text) => /\(environment\) must/.test(text)) ? 78 : 1
  if (expected.length === 1) expectFailure(ended, expected[0]!, status)
  for (const text of expected) expect(ended.stderr).to.include(text)
  expect(ended.status, ended.stderr).to.equal(status)
  expect(ended.stderr.match(/lectern: /g), ended.stderr).to.have.length(1)
  for (const port of Object.values(ports)) await close((await listenOn(Number(port))).server)
}

/** Tests of starts that fail, for a `describe`. @param environment that makes the service use a database */
export const testFailingStarts = (environment: () => Record<string, string>): void => {
  it('with any one setting wrong, says so before it opens anything', async () => {
    for (const [name, [value, expected]] of Object.entries(WRONG_SETTINGS)) {
      const wrong = { PORT: '0', INTERNAL_PORT: '0', ...environment(), [name]: value }
      const failure = await readConfigToServe(wrong).then(
        () => 'none',
        ({ message }: Error) => message,
      )
      expect(failure).to.match(/^[^\n]+$/, name)
      expect(failure.startsWith(`${name} ${expected}`), failure).to.equal(true)
    }
  })

  for (const WORKERS of ['1', '2']) {
    it(`all settings wrong, WORKERS=${WORKERS}: names each of them, and ends`, async () => {
      const { HOST, WORKERS: _, ...others } = WRONG_SETTINGS
      const wrong = Object.entries(others)
      await expectFailedStart(
        { ...environment(), WORKERS, ...Object.fromEntries(wrong.map(([name, [value]]) => [name, value])) },
        ...wrong
          .filter(([name]) => name !== 'INTERNAL_HOST')
          .map(([name, [, expected]]) => `\n  ${name} (environment) ${expected}`),
      )
    })
  }

  const logo = { SITE_LOGO: WRONG_SETTINGS.SITE_LOGO![0] }
  const taken: [WORKERS: string, names: string[], more: Record<string, string>][] = [
    ['2', ['INTERNAL_PORT'], {}],
    ['2', ['PORT', 'INTERNAL_PORT'], logo],
  ]
  for (const [WORKERS, names, more] of taken) {
    it(`${names.join(' and ')} taken, WORKERS=${WORKERS}: says so, with other problems, and ends`, async () => {
      const others = await Promise.all(names.map(() => listenOn()))
      const ports = Object.fromEntries(names.map((name, i) => [name, others[i]!.port]))
      try {
        await expectFailedStart(
          { ...environment(), WORKERS, ...more, ...ports },
          ...names.map((name) => `${name} (environment): another program uses port ${ports[name]}`),
          ...Object.keys(more).map((name) => `${name} (environment) cannot be read`),
        )
      } finally {
        await Promise.all(others.map(({ server }) => close(server)))
      }
    })
  }
}
