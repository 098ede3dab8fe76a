import { setTimeout } from 'node:timers/promises'
import { SchemaMismatch, Unavailable, UsageError } from '@lectern/wiki/errors'
import { formatDuration } from '@lectern/wiki/time'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { listedNames, queryOne, servedName, wikiDiagnostics } from '../db/diagnostics.ts'
import { followedSources, type SourceStatus, sourceFailures } from '../db/followed-sources.ts'
import { checkMigrated, NewerSchema, rightsAdvice, UTF8_ADVICE } from '../db/migrate.ts'
import { hasDatabase, openDatabase } from '../db/open-database.ts'
import { checkSchema, missingRightsText, notSetUp, READER_ROLE, readSession } from '../db/session.ts'
import { statement } from '../db/statements.ts'
import { withConnection } from '../db/write-lock.ts'
import { retryFor } from '../shared/timers.ts'
import { attachmentOf } from '../wikijs/follow.ts'
import * as content from './content.ts'
import { type Diagnostic, failure, listText, ok, reportErrors, warning } from './diagnostic.ts'

const OLDEST_POSTGRESQL = 15

/** Whether a service that serves a wiki of this name, if it tells one, may serve the checked database. */
export type MayServe = (wiki: string | null | undefined) => boolean

export const checkDatabase = async (config: Config) => {
  let mayServe: MayServe = () => true
  let isLost = false
  const diagnostics = await reportErrors('database', async () => {
    if (!hasDatabase(config)) {
      mayServe = () => false
      return [ok('database', `does not exist: "lectern serve" or an import creates it in ${config.dataDir}`)]
    }
    const database = await openDatabase({ ...config, lockTimeout: 2_000 }, 'owner').catch((error) => {
      isLost = true
      throw error
    })
    const onWiki = (name: string | null) => {
      mayServe = (wiki) => !database.isOwner && (wiki === undefined || wiki === name)
    }
    return checkOpenDatabase(config, database, onWiki).finally(() => database.close())
  })
  const replicas = isLost ? await checkReplicas(config) : []
  return { diagnostics, replicas, mayServe }
}

/** @param onWiki gets the name that a service of this database tells; null before it is set up */
const checkOpenDatabase = async (
  config: Config,
  database: Database,
  onWiki: (name: string | null) => void,
): Promise<Diagnostic[]> => {
  const server = await queryOne(database, statement('check_server'))
  const { name, version, versionName, encoding, login, connections, isSetUp, isOwner } = server
  const source = database.kind === 'embedded' ? `embedded, in ${config.dataDir}` : `user ${login}`
  const upgrade = `Use PostgreSQL ${OLDEST_POSTGRESQL} or newer.`
  const diagnostics = [
    version < OLDEST_POSTGRESQL * 10_000
      ? failure('database', `PostgreSQL ${versionName} is too old.`, upgrade)
      : ok('database', `PostgreSQL ${versionName}, ${source}`),
  ]

  if (encoding !== 'UTF8')
    diagnostics.push(failure('database', `The encoding is ${encoding}, not UTF8.`, UTF8_ADVICE))
  const needed = config.workers * (config.databasePoolSize + 1)
  if (database.kind === 'postgresql' && needed > connections) {
    const message = `The service may open ${needed} connections, but ${login} can have ${connections}.`
    diagnostics.push(warning('database', message, 'Lower WORKERS or DATABASE_POOL_SIZE, or raise the limit.'))
  }
  if (!isSetUp) {
    onWiki(null)
    const advice = await withConnection(database, (client) => rightsAdvice(client, ''))
    return [...diagnostics, failure('schema', notSetUp(name).message, advice)]
  }
  const schema = await checkMigrations(database, isOwner)
  diagnostics.push(...schema)
  if (schema.some(({ status }) => status === 'wrong')) return diagnostics
  // Before the next check, which itself reads as the service does.
  diagnostics.push(...(await reportErrors('login', () => checkLogins(database))))
  const guest = await checkGuest(config, database)
  diagnostics.push(...guest.found)
  if (!guest.isMigrated) return diagnostics
  const wiki = await wikiDiagnostics(database)
  onWiki(servedName(wiki.name, wiki.locales))
  for (const check of [
    () => content.checkAttachment(database),
    () => content.checkSearch(database, wiki),
    () => content.checkIndexes(database),
    () => content.checkStatistics(database, isOwner),
    () => checkSources(database, isOwner),
    () => checkReplicas(config, database),
    () => content.checkExamplePage(config, database, wiki),
  ]) {
    diagnostics.push(...(await reportErrors('database', check)))
  }
  return [...diagnostics, ...content.checkWiki(config, wiki)]
}

const checkMigrations = (database: Database, isOwner: boolean): Promise<Diagnostic[]> =>
  reportErrors('schema', async () => {
    if (!isOwner) {
      const { schema } = await withConnection(database, (client) => readSession(client, []))
      checkSchema(schema)
      return [ok('schema', `migration ${schema}, which this version can serve`)]
    }
    try {
      await checkMigrated(database)
    } catch (error) {
      if (!(error instanceof NewerSchema) || database.kind === 'embedded') throw error
      return [warning('schema', error.message, 'This one can only serve.')]
    }
    return [ok('schema', 'up to date')]
  })

const EXCESS =
  'may also use the tables of the schema wiki, which have drafts. The service gives that up when it connects; others with this password need not.'

/** Whether the service reads, or has to, with a login that may do more. Wiki.js is indexed with such a login. */
const checkLogins = async (database: Database): Promise<Diagnostic[]> => {
  if (database.kind === 'embedded' || (await attachmentOf(database)).isAttached) return []
  const logins = await database.query(statement('check_logins'), [])
  const serving = logins.filter(({ mayWrite, isServing }) => mayWrite && isServing)
  const excessive = logins.filter(({ mayRead, mayWrite, seesHidden }) => mayRead && seesHidden && !mayWrite)
  if (excessive.length > 0)
    return excessive.map(({ login, revokes }) =>
      warning('login', `${login} ${EXCESS}`, `As an administrator, run:\n${revokes}`),
    )
  const reader = logins.find(({ mayRead, mayWrite }) => mayRead && !mayWrite)?.login
  const isWebOwner = logins.some(({ login, mayWrite }) => login === 'lectern_web' && mayWrite)
  const login = reader ?? (isWebOwner ? 'lectern_guest' : 'lectern_web')
  const change = logins.some((one) => one.login === login)
    ? `As an administrator, run:\ngrant ${READER_ROLE} to ${login};\n`
    : `As an administrator, run:\ncreate role ${login} login password '…' in role ${READER_ROLE};\n`
  const advice = `${reader ? '' : change}Name ${login} in the DATABASE_URL of the service.`
  if (serving.length > 0) {
    const names = serving.map(({ login, isSuperuser }) => login + (isSuperuser ? ' (a superuser)' : ''))
    const message = `A service reads with ${listText(names)}, which may also change the wiki.`
    return [warning('login', message, advice)]
  }
  const used = logins.find(({ mayWrite, isUsed }) => mayWrite && isUsed)
  if (reader !== undefined && used !== undefined)
    return [warning('login', `${used.login}, which DATABASE_URL names, may also change the wiki.`, advice)]
  if (reader !== undefined) return [ok('login', `${reader} can serve, and may do nothing else`)]
  const message = 'No login may only read what guests see. After a restore, it can be missing.'
  return [warning('login', message, advice)]
}

/**
 * Connects as the service does, with its role and its settings, and checks the privileges of the role.
 * @returns `isMigrated`: false if the database must be migrated before anything else can be read
 */
const checkGuest = async (config: Config, database: Database) => {
  let isMigrated = true
  const found = await reportErrors('guest', async () => {
    const missing = await listedNames(database, statement('check_missing_rights'))
    isMigrated = missing.length === 0
    if (!isMigrated) return [failure('guest', missingRightsText(missing))]
    const reader = await openDatabase({ ...config, databaseReplicaUrls: [] }, 'reader').catch((error) => {
      isMigrated = !(error instanceof SchemaMismatch)
      throw error
    })
    await reader.close()
    const excess = await listedNames(database, statement('check_reader'))
    if (excess.length === 0)
      return [ok('guest', `${READER_ROLE} can read what guests may see, and nothing else`)]
    const problem = `${READER_ROLE} has privileges that a guest must not have: ${listText(excess)}.`
    return [failure('guest', problem, `Revoke them (revoke … from ${READER_ROLE}, or from public).`)]
  })
  return { found, isMigrated }
}

/** How long a replica may take to replay what the primary has now, and how often it is asked, milliseconds. */
const CATCH_UP = { ms: 2_000, pauseMs: 20 }

/** @param primary undefined: it cannot be reached */
const checkReplicas = async (config: Config, primary?: Database): Promise<Diagnostic[]> => {
  const checks = config.databaseReplicaUrls.map((url, i) => {
    const subject = `replica ${i + 1}`
    return reportErrors(subject, async () => {
      const options = { ...config, databaseUrl: url, databaseReplicaUrls: [] }
      const replica = await openDatabase(options, 'reader').catch((error: Error) => {
        throw new UsageError(error.message.replace(/^DATABASE_URL/, 'DATABASE_REPLICA_URLS'))
      })
      const alone = async () => {
        const { name } = await wikiDiagnostics(replica)
        return ok(subject, `can be read, and serves while the primary is away: ${name}`)
      }
      const checking = primary ? checkReplica(config, subject, primary, replica) : alone()
      return [await checking.finally(() => replica.close())]
    })
  })
  return (await Promise.all(checks)).flat()
}

/** What DATABASE_REPLICA_URLS names, and is the primary: expected after a failover between the hosts of DATABASE_URL. */
const primaryAsReplica = (config: Config, subject: string): Diagnostic => {
  if (!config.databaseUrl?.includes(','))
    return warning(subject, 'It is the primary itself: it adds neither capacity nor safety.', 'Remove it.')
  if (config.databaseReplicaUrls.length > 1) return ok(subject, 'is the primary now')
  const advice = 'Set up the lost server as a replica, and name it in DATABASE_REPLICA_URLS.'
  return warning(subject, 'Since a failover, it is the primary: no replica is left.', advice)
}

const checkReplica = async (config: Config, subject: string, primary: Database, replica: Database) => {
  const askReplica = () => queryOne(replica, statement('check_server'))
  const [{ position, data, instance }, { isReplica }] = await Promise.all([
    queryOne(primary, statement('check_position')),
    // One that has not replayed what it had received refuses to be read, often for milliseconds only.
    retryFor(CATCH_UP, askReplica, (error) => error instanceof Unavailable),
  ])
  const startedAt = performance.now()
  const advice = 'Correct DATABASE_REPLICA_URLS.'
  for (;;) {
    const current = await queryOne(replica, statement('check_position'))
    if (current.data !== data) return failure(subject, `It is database ${current.data}, not ${data}.`, advice)
    if (current.instance === instance) return primaryAsReplica(config, subject)
    if (!isReplica) return failure(subject, 'It is an independent server, not a streaming replica.', advice)
    const ms = performance.now() - startedAt
    if (current.position >= position) return ok(subject, `caught up with the primary in ${Math.ceil(ms)} ms`)
    if (ms > CATCH_UP.ms) {
      const behind = `${((position - current.position) / 1e6).toFixed(1)} MB`
      const message = `It is ${behind} behind the primary and did not catch up within ${CATCH_UP.ms / 1000} s. Lectern does not read from a replica beyond MAX_REPLICA_LAG.`
      const look = 'Look at pg_stat_replication on the primary, and at the log of the replica.'
      return warning(subject, message, look)
    }
    await setTimeout(CATCH_UP.pauseMs)
  }
}

/** Checks the sources that processes follow. @param isOwner whether the connection may read what failed */
const checkSources = async (database: Database, isOwner: boolean): Promise<Diagnostic[]> => {
  const sources = await followedSources(database)
  const failures = isOwner && sources.length > 0 ? await sourceFailures(database) : new Map<string, string>()
  return sources.map((source) => checkSource(source, failures.get(source.name)))
}

const checkSource = (
  { name, checkedAgo, failingFor, endedAgo }: SourceStatus,
  message: string | undefined,
): Diagnostic => {
  const subject = `source ${name}`
  const age = checkedAgo === null ? 'never checked' : `last checked ${formatDuration(checkedAgo)} ago`
  if (endedAgo !== null) {
    const ended = `Its follower ended ${formatDuration(endedAgo)} ago (${age}).`
    const advice =
      'Start `lectern follow` or `lectern serve` with the source again, or import it once without.'
    return warning(subject, ended, advice)
  }
  if (failingFor === null) return ok(subject, `up to date, ${age}`)
  const failing = `Following it has failed for ${formatDuration(failingFor)} (${age})`
  if (message !== undefined) return failure(subject, `${failing}: ${message}`)
  return failure(subject, `${failing}.`, 'Look at the log of the follower.')
}
