import { Unavailable } from '@lectern/wiki/errors'
import { errorReason, isConnectionEnded, isServerLost, isWorthRetrying } from './connection-error.ts'
import type { Replication } from './replication.ts'
import type { DatabaseServer, ServerState } from './server.ts'
import type { Statement } from './statements.ts'
import type { WatchOptions } from './watch.ts'

/** After this time a statement is not tried on another server: its client has waited long enough, milliseconds. */
const RETRY_WINDOW_MS = 2_000
/** A replica with less lag than this will soon have replayed a change, seconds. */
const NEARLY_CURRENT_SECONDS = 2

/** The servers of a database, the state of the replication between them, and how they are watched. */
interface Servers extends Pick<WatchOptions, 'listensForChanges' | 'sendsHeartbeats'> {
  primary: DatabaseServer
  replicas: readonly DatabaseServer[]
  replication: Replication<DatabaseServer>
}

/**
 * Spreads statements over replicas, and uses the primary when no replica can be read from. `replication.ts` decides which
 * replicas can: after an import, a replica is not read from until it has replayed it. Otherwise the primary would report the
 * change before a replica has it, and a response made in between would stay in the cache.
 */
export const makeReadServers = (servers: Servers) => {
  const { primary, replicas } = servers
  const all = [primary, ...replicas]
  return {
    query: makeReadQuery(servers),
    isReady: () => all.some((server) => isReadable(servers, server)),
    /** What the reading role lacks on a server that can be read from. */
    missingRights: () =>
      all.find((server) => isReadable(servers, server) && server.missingRights().length > 0)?.missingRights(),
    roundTripMs: () => Math.max(...all.map((server) => server.roundTripMs())),
    states: () => all.map((server) => stateOf(servers, server)),
    /** Begins to watch all servers. @param onChange the wiki may have changed */
    watch: (onChange: () => void) =>
      Promise.all([
        watchPrimary(servers, onChange),
        ...replicas.map((replica) => watchReplica(servers, replica)),
      ]),
    close: async (): Promise<void> => {
      await Promise.all(all.map((server) => server.close()))
    },
  }
}

const isReadable = ({ primary, replication }: Servers, server: DatabaseServer): boolean =>
  !server.isLost() &&
  (server === primary ? replication.isPrimaryCurrent() : replication.stateOf(server) === 'current')

const stateOf = (servers: Servers, server: DatabaseServer): ServerState => ({
  name: server.name,
  health: server.isLost() ? 'lost' : isReadable(servers, server) ? 'up' : 'behind',
  loss: server.loss(),
  lag: servers.replication.lagOf(server),
  connections: server.pool.counts(),
  errors: server.errors,
})

/** Runs a statement on one server after another, until one returns rows. */
const makeReadQuery = (servers: Servers) => {
  const { primary, sendsHeartbeats } = servers
  const nextServer = makeRotation(servers)
  return async <Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> => {
    const startedAt = performance.now()
    const tried: DatabaseServer[] = []
    for (;;) {
      const server = nextServer(tried)
      try {
        return await server.pool.query<Row>(statement, values)
      } catch (error) {
        server.errors[errorReason(error)] += 1
        if (sendsHeartbeats && isServerLost(error)) server.markSuspect(error)
        // A server that restarts, or a pooler, ends connections that a statement has just been sent on.
        const isFinal = server === primary && (tried.includes(primary) || !isConnectionEnded(error))
        if (isFinal || performance.now() - startedAt > RETRY_WINDOW_MS) throw error
        // The replica had no free connection: it is busy, or will soon count as lost. One retry, not one per replica.
        const isBusy = error instanceof Unavailable && tried.length === 0
        if (!(isBusy || server.isLost() || isWorthRetrying(error))) throw error
        tried.push(server)
      }
    }
  }
}

/** The next untried replica that can be read from, else the primary, lost or not. @throws why none may be read from */
const makeRotation = (servers: Servers): ((tried: readonly DatabaseServer[]) => DatabaseServer) => {
  const { primary, replicas, replication } = servers
  let last = 0
  return (tried) => {
    for (let i = 0; i < replicas.length; i += 1) {
      last = (last + 1) % replicas.length
      const replica = replicas[last]!
      if (isReadable(servers, replica) && !tried.includes(replica)) return replica
    }
    const refusal = primary.refusal()
    if (refusal) throw refusal
    if (replication.isPrimaryCurrent()) return primary
    const reason = 'The standby has not replayed a change that is known to be committed'
    throw new Unavailable(undefined, 1, new Error(reason))
  }
}

const watchPrimary = (
  { primary, replicas, replication, listensForChanges, sendsHeartbeats }: Servers,
  onChange: () => void,
): Promise<void> =>
  primary.watch({
    listensForChanges,
    sendsHeartbeats,
    shouldPollFast: () => replication.isAwaitingPrimary() || !replication.isPrimaryCurrent(),
    onChange: (isInRecovery) => {
      // A standby in place of the primary has no notice of a change.
      if (!isInRecovery) {
        replication.onChange(performance.now())
        primary.checkNow()
      }
      onChange()
    },
    onHeartbeat: (heartbeat) => {
      if (heartbeat.isInRecovery) replication.onStandbyHeartbeat(heartbeat)
      else replication.onPrimaryHeartbeat(heartbeat, heartbeat.sentAt)
      for (const replica of replicas) if (replication.stateOf(replica) === 'behind') replica.checkNow()
    },
    onLost: replication.onPrimaryLost,
  })

const watchReplica = ({ replication }: Servers, replica: DatabaseServer): Promise<void> =>
  replica.watch({
    listensForChanges: false,
    sendsHeartbeats: true,
    shouldPollFast: () =>
      !replication.isAwaitingPrimary() &&
      replication.stateOf(replica) === 'behind' &&
      replication.lagOf(replica) < NEARLY_CURRENT_SECONDS,
    onChange: () => {},
    onHeartbeat: (report) => replication.onReplicaHeartbeat(replica, report, performance.now()),
    onLost: () => replication.onReplicaLost(replica),
  })
