import { type Logger, pino } from 'pino'
import { makeApi } from './api.ts'
import { API_PATH } from './api-path.ts'
import { type Config, readConfig } from './config.ts'
import { openDatabase } from './db/open-database.ts'
import { explainSchemaMismatch } from './db/session.ts'
import { UsageError } from './errors.ts'
import { makeRemoteWiki, remoteBase } from './mcp/remote-wiki.ts'
import { serveMcpStdio } from './mcp/stdio.ts'
import { type ReadWiki, toWikiAnswer } from './mcp/wiki-reader.ts'
import { makeFixedWindow } from './rate/fixed-window.ts'
import { migrateAndReindex } from './upgrade.ts'

/**
 * Serves MCP on standard input and output until the input ends or a signal comes: of the Lectern at an address, or of
 * the configured database. Standard output carries the protocol alone; the log goes to standard error.
 * @param stop the signal aborts it
 */
export const serveMcpProcess = async (address: string | undefined, stop: AbortSignal): Promise<void> => {
  const config = readConfig()
  const logger: Logger = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }))
  const serveWiki = (wiki: ReadWiki) =>
    serveMcpStdio({ wiki, logger, stop, input: process.stdin, output: process.stdout })
  if (address !== undefined) return serveWiki(makeRemoteWiki(remoteBase(address)))
  // The owner's connection stays open: an embedded database lives as long as its owner.
  const owner = config.databaseUrl === undefined ? await openDatabase(config, 'owner', logger) : undefined
  try {
    if (owner) await migrateAndReindex(owner)
    await serveDatabase(config, logger, serveWiki)
  } finally {
    await owner?.close()
  }
}

const serveDatabase = async (
  config: Config,
  logger: Logger,
  serveWiki: (wiki: ReadWiki) => Promise<void>,
): Promise<void> => {
  const database = await openDatabase(config, 'reader', logger)
  try {
    const origin = config.baseUrl?.slice(0, -API_PATH.length) ?? `http://localhost:${config.port}`
    const { context, publicListener, renderer, differ } = await makeApi({
      // The limit is for clients of the service.
      config: { ...config, rateLimit: 0 },
      database,
      origin,
      consume: makeFixedWindow(),
      logger,
    })
    const stopListening = database.onChange(() => {
      publicListener.invalidate()
      context.forget()
    })
    try {
      await serveWiki(async (url) =>
        toWikiAnswer(await publicListener.read(API_PATH + url, { clientKey: '' })),
      )
    } finally {
      stopListening()
      publicListener.close()
      await renderer.close()
      await differ.close()
    }
  } catch (error) {
    throw error instanceof UsageError ? error : explainSchemaMismatch(error)
  } finally {
    await database.close()
  }
}
