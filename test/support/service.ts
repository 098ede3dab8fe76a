import { pino } from 'pino'
import { type Config, readConfig } from '../../src/config.ts'
import type { ServingDatabase } from '../../src/db/database.ts'
import { type RenderProcess, startRenderProcess } from '../../src/render/process.ts'
import { type ProcessOptions, type Service, serve } from '../../src/server/server.ts'
import { type Client, makeClient, type TestResponse } from './client.ts'
import { testDatabase } from './database.ts'
import { makeWorld, type WorldSpec } from './world.ts'

/** A running service over the shared database, and a client of it. */
export interface TestService extends Client {
  service: Service
}

export interface ServiceOptions {
  /** Wraps the database, for example with a counter of statements. */
  wrap?: (database: ServingDatabase) => ServingDatabase
  /** Called with every response that the client gets. */
  onResponse?: (answer: TestResponse) => void
  /** The workers of which the service is one. */
  fleet?: ProcessOptions
}

/** Processes of renderers that have closed, for the next ones: starting one takes a second of processor time. */
const idle = new Set<RenderProcess>()

const startRenderer = async (): Promise<RenderProcess> => {
  const [former] = idle
  const process = former ?? (await startRenderProcess())
  idle.delete(process)
  let isRunning = false
  void process.exited.then(() => idle.delete(process))
  return {
    ...process,
    run: async (job) => {
      isRunning = true
      const outcome = await process.run(job)
      isRunning = outcome.isFinal
      return outcome
    },
    kill: (signal) => (isRunning ? process.kill(signal) : void idle.add(process)),
  }
}

/** Starts a service. Its base URL is fixed, so that tests can contain links. The system chooses the ports. */
export const startService = async (
  config: Partial<Config> = {},
  { wrap = (database) => database, onResponse, fleet }: ServiceOptions = {},
): Promise<TestService> => {
  const { reader, place } = await testDatabase()
  const service = await serve(
    {
      ...readConfig({}),
      ...place,
      port: 0,
      host: '127.0.0.1',
      internalPort: 0,
      baseUrl: 'http://localhost:3000/api/v1',
      rateLimit: 1_000_000,
      wikiAddresses: { en: 'https://en.wiki.example', ru: 'https://ru.wiki.example' },
      logLevel: 'silent',
      ...config,
    },
    wrap(reader),
    pino({ level: config.logLevel ?? 'silent' }),
    { startRenderer, ...fleet },
  )
  return { service, ...makeClient(service.listeningUrl, onResponse) }
}

/** Starts a service for the tests of a `describe`, and stops it after them. */
export const withService = (config: Partial<Config> = {}, options: ServiceOptions = {}): TestService => {
  const started = {} as TestService
  before(async () => {
    Object.assign(started, await startService(config, options))
  })
  after(() => started.service?.close())
  return started
}

/** A world for all the tests of a `describe`. */
export const withWorld = (test: { service?: Service }, spec: WorldSpec): void => {
  before(async () => {
    await makeWorld(spec)
    test.service?.invalidate()
  })
}
