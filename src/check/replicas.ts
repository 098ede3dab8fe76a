import { setTimeout } from 'node:timers/promises'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { replicationPosition, serverDiagnostics } from '../db/diagnostics.ts'
import { openDatabase } from '../db/open-database.ts'
import { type Diagnostic, failure, ok, reportErrors, warning } from './diagnostic.ts'

/** How long a replica may take to replay what the primary has now, milliseconds. */
const CATCH_UP_TIMEOUT_MS = 2_000
const POLL_INTERVAL_MS = 20

export const checkReplicas = async (config: Config, primary: Database): Promise<Diagnostic[]> => {
  const diagnostics: Diagnostic[] = []
  for (const [i, url] of config.databaseReplicaUrls.entries()) {
    const subject = `replica ${i + 1}`
    diagnostics.push(
      ...(await reportErrors(subject, async () => {
        const replica = await openDatabase({ ...config, databaseUrl: url, databaseReplicaUrls: [] }, 'reader')
        try {
          return [await checkReplica(subject, primary, replica)]
        } finally {
          await replica.close()
        }
      })),
    )
  }
  return diagnostics
}

const checkReplica = async (subject: string, primary: Database, replica: Database): Promise<Diagnostic> => {
  const [{ position, cluster }, { isReplica }] = await Promise.all([
    replicationPosition(primary),
    serverDiagnostics(replica),
  ])
  const startedAt = performance.now()
  const advice = 'Correct DATABASE_REPLICA_URLS.'
  if (!isReplica) return failure(subject, 'It is an independent server, not a streaming replica.', advice)
  for (;;) {
    const current = await replicationPosition(replica)
    const ms = performance.now() - startedAt
    if (current.cluster !== cluster) return failure(subject, 'It is a replica of another server.', advice)
    if (current.position >= position) return ok(subject, `caught up with the primary in ${Math.ceil(ms)} ms`)
    if (ms > CATCH_UP_TIMEOUT_MS) {
      const behind = `${((position - current.position) / 1e6).toFixed(1)} MB`
      return warning(
        subject,
        `It is ${behind} behind the primary and did not catch up within ${CATCH_UP_TIMEOUT_MS / 1000} s. Lectern does not read from a replica beyond MAX_REPLICA_LAG.`,
        'Look at pg_stat_replication on the primary, and at the log of the replica.',
      )
    }
    await setTimeout(POLL_INTERVAL_MS)
  }
}
