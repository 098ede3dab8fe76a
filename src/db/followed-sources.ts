import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { StatementRows } from '../generated/statement-rows.ts'
import { makeSingleFlight } from '../shared/memoize.ts'
import { withTimeout } from '../shared/timers.ts'
import type { Database } from './database.ts'
import { FOLLOW_CHANNEL } from './session.ts'
import { statement } from './statements.ts'
import { withConnection } from './write-lock.ts'

/** A source that a process follows, or did. */
export type SourceStatus = StatementRows['followed_sources']

/** The sources that processes follow, or followed at their last import, by name. */
export const followedSources = (database: Database): Promise<SourceStatus[]> =>
  database.query(statement('followed_sources'), [])

/** Asks all followers to check their sources now. @throws Unavailable when the primary cannot be reached */
export const notifyFollowers = async (database: Database): Promise<void> => {
  // A connection is one of the primary: a replica cannot notify.
  await withConnection(database, (client) =>
    client.query('select pg_catalog.pg_notify($1, $2)', [FOLLOW_CHANNEL, '']),
  )
}

/** What failed last, by the name of the source. Only the owner of the database may ask. */
export const sourceFailures = async (owner: Database): Promise<Map<string, string>> => {
  const rows = await owner.query(statement('source_failures'), [])
  return new Map(rows.flatMap(({ name, failure }) => (failure === null ? [] : [[name, failure]])))
}

/** A connection that receives requests to check sources now. */
export type FollowRequests = Awaited<ReturnType<typeof listenForRequests>>

/** Listens for requests to check sources now. Behind a pooler, none arrive. @throws the error of the database */
export const listenForRequests = async (owner: Database, onRequest: () => void) => {
  const client = await owner.connect()
  let isReleased = false
  const release = () => {
    if (!isReleased) client.release(true)
    isReleased = true
  }
  client.once('error', release)
  client.once('end', release)
  client.on('notification', onRequest)
  await client.query(`listen ${FOLLOW_CHANNEL}`)
  const { localPort = null } = client.connection.stream as Socket
  const { rows } = await client.query<{ session: string }>(statement('own_session').text, [localPort])
  return {
    /** The session of this connection; null if the server or a pooler shares it. */
    session: rows[0]?.session ?? null,
    /** Whether the connection is lost, or closed. */
    get isClosed(): boolean {
      return isReleased
    },
    close: release,
  }
}

/** A named source and its follower, as the database knows them. */
export type FollowedSource = Awaited<ReturnType<typeof openFollowedSource>>

/** The version of a source at its last import; null if it was not imported, or its version was not known. */
export const importedVersion = async (owner: Database, name: string): Promise<string | null> =>
  (await owner.query(statement('source_version'), [name]))[0]?.version ?? null

export const openFollowedSource = async (owner: Database, name: string) => {
  const follower = randomUUID()
  await owner.query(statement('source_id'), [name])
  return {
    /**
     * Makes this process the follower of the source, or keeps it so.
     * @param seconds after which another process may take its place
     * @param session whose end lets another process take its place at once; null: not known
     * @returns whether it is, or how long the lease of the other one lasts; the version of the source at its last import
     */
    take: async (seconds: number, session: string | null) =>
      (await owner.query(statement('take_source'), [name, follower, seconds, session]))[0],
    /** Records that the source is as it was at its last import. */
    markChecked: () => owner.query(statement('mark_source_checked'), [name]),
    /** Records that the source could not be checked or imported. @param message without passwords */
    markFailed: (message: string) => owner.query(statement('mark_source_failed'), [name, message]),
    /** Lets another process be the follower. */
    release: () => owner.query(statement('release_source'), [name, follower]),
  }
}

/** How long a probe or a scrape waits for what the database knows of sources, milliseconds. */
const SOURCES_TIMEOUT_MS = 500

/** What a service needs to know of followers. @param request asks them to check. Default: through this database */
export const followingOf = (database: Database, request = () => notifyFollowers(database)) => {
  const reading = makeSingleFlight<void>()
  let last: { sources: SourceStatus[]; readAt: number } = { sources: [], readAt: 0 }
  const read = async () => {
    last = { sources: await followedSources(database), readAt: performance.now() }
  }
  return {
    /** These sources, as last known if the database cannot tell now. Takes half a second at most. */
    sources: async (): Promise<SourceStatus[]> => {
      await withTimeout(reading.run('', read), SOURCES_TIMEOUT_MS).catch(() => {})
      const seconds = (performance.now() - last.readAt) / 1000
      return last.sources.map((one) => ({ ...one, checkedAgo: one.checkedAgo && one.checkedAgo + seconds }))
    },
    request,
  }
}
