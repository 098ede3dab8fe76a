import { serveMcpStdio } from '@lectern/mcp/stdio'
import type { ReadWiki } from '@lectern/mcp/wiki-api'
import { type Logger, pino } from 'pino'
import { type Config, readConfig } from '../config.ts'
import { checkDatabaseExists, openDatabase } from '../db/open-database.ts'
import { explainSchemaMismatch } from '../db/session.ts'
import { LINE_FORMAT } from '../log/log.ts'
import { API_PATH, packageVersion, siteRootOf } from '../paths.ts'
import { makeFixedWindow } from '../rate/fixed-window.ts'
import { makeApi, toWikiAnswer } from '../server/api.ts'
import { migrateAndReindex } from '../upgrade.ts'
import { makeRemoteWiki, remoteBase } from './remote-wiki.ts'

/**
 * Serves MCP on standard input and output until the input ends or a signal comes: of the Lectern at an address, or of
 * the configured database. Standard output carries the protocol alone; the log goes to standard error.
 * @param stop the signal aborts it
 */
export const serveMcpProcess = async (address: string | undefined, stop: AbortSignal): Promise<void> => {
  const config = readConfig()
  const standardError = pino.destination({ dest: 2, sync: true })
  const logger: Logger = pino({ level: config.logLevel, ...LINE_FORMAT }, standardError)
  const version = packageVersion()
  const serveWiki = (wiki: ReadWiki) =>
    serveMcpStdio({ wiki, version, logger, stop, input: process.stdin, output: process.stdout })
  if (address !== undefined) return serveWiki(makeRemoteWiki(remoteBase(address), version))
  checkDatabaseExists(config)
  // The owner's connection stays open: an embedded database lives as long as its owner.
  const owner = config.databaseUrl === undefined ? await openDatabase(config, 'owner', logger) : undefined
  try {
    if (owner) await migrateAndReindex(owner)
    await serveDatabase(config, logger, serveWiki)
  } finally {
    await owner?.close()
  }
}

type ServeWiki = (wiki: ReadWiki) => Promise<void>

const serveDatabase = async (config: Config, logger: Logger, serveWiki: ServeWiki): Promise<void> => {
  const database = await openDatabase(config, 'reader', logger)
  try {
    const origin = config.baseUrl ? siteRootOf(config.baseUrl) : `http://localhost:${config.port}`
    const unlimited = { ...config, rateLimit: 0 } // the limit is for clients of the service
    const options = { config: unlimited, database, origin, consume: makeFixedWindow(), logger }
    const { publicListener, invalidate, close } = await makeApi(options)
    database.onChange(invalidate)
    const read = (url: string) => publicListener.read(API_PATH + url, { clientKey: '', isStrict: true })
    await serveWiki(async (url) => toWikiAnswer(await read(url))).finally(close)
  } catch (error) {
    throw explainSchemaMismatch(error)
  } finally {
    await database.close()
  }
}
