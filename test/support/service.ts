import { pino } from 'pino'
import { type Config, readConfig } from '../../src/config.ts'
import type { ServingDatabase } from '../../src/db/database.ts'
import { type ProcessOptions, type Service, serve } from '../../src/server.ts'
import { type Client, makeClient, type TestResponse } from './client.ts'
import { testDatabase } from './database.ts'
import { makeWorld, type WorldSpec } from './world.ts'

/** A running service over the shared database, and a client of it. */
export interface TestService extends Client {
  service: Service
}

export interface ServiceOptions {
  /** What stands between the service and the database, such as a counter of statements. */
  wrap?: (database: ServingDatabase) => ServingDatabase
  /** Sees every answer that the client gets. */
  onAnswer?: (answer: TestResponse) => void
  /** The workers that the service believes itself one of. */
  fleet?: ProcessOptions
}

/**
 * Starts a service for the tests of a `describe` and stops it after them. Its base is fixed, so that tests
 * can write links out; ports are the system's choice.
 */
export const withService = (
  config: Partial<Config> = {},
  { wrap = (database) => database, onAnswer, fleet }: ServiceOptions = {},
): TestService => {
  const started = {} as TestService
  before(async () => {
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
      fleet,
    )
    Object.assign(started, { service }, makeClient(service.listeningUrl, onAnswer))
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
