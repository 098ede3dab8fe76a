import { existsSync, readdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import {
  indexProblems,
  readerPrivileges,
  replicationPosition,
  schemaProblem,
  serverDiagnostics,
  tablesWithoutStatistics,
  type WikiDiagnostics,
  wikiDiagnostics,
} from '../db/diagnostics.ts'
import { openDatabase } from '../db/open-database.ts'
import { READER_ROLE } from '../db/session.ts'
import { changedLanguages, searchDiagnostics } from '../search/index/diagnostics.ts'
import { attachmentDiagnostics } from '../wikijs/diagnostics.ts'
import { attachmentOf } from '../wikijs/follow.ts'
import { type Diagnostic, failure, listText, ok, warning } from './diagnostic.ts'

/** PostgreSQL's oldest version that is supported. */
const OLDEST = 15
/** How long a replica may take to have what the primary has, milliseconds. */
const CATCH_UP_MS = 2_000
const LOOK_EVERY_MS = 20

/** Runs checks that follow from each other; what fails unforeseen is wrong, too. */
const guarded = async (about: string, check: () => Promise<Diagnostic[]>): Promise<Diagnostic[]> => {
  try {
    return await check()
  } catch (error) {
    return [failure(about, (error as Error).message)]
  }
}

export const checkDatabase = (config: Config): Promise<Diagnostic[]> =>
  guarded('database', async () => {
    if (config.databaseUrl === undefined && !isMade(config.dataDir)) {
      return [ok('database', `none yet: "lectern serve" or an import makes one in ${config.dataDir}`)]
    }
    const database = await openDatabase(config, 'owner')
    try {
      return await checkOpened(config, database)
    } finally {
      await database.close()
    }
  })

/** Looking makes no embedded database. */
const isMade = (dataDir: string): boolean => existsSync(dataDir) && readdirSync(dataDir).length > 0

const checkOpened = async (config: Config, database: Database): Promise<Diagnostic[]> => {
  const { version, versionName, encoding, login, isSetUp, isOwner } = await serverDiagnostics(database)
  const where = database.kind === 'embedded' ? `embedded, in ${config.dataDir}` : `user ${login}`
  const findings = [
    version < OLDEST * 10_000
      ? failure('database', `PostgreSQL ${versionName} is too old.`, `Use PostgreSQL ${OLDEST} or newer.`)
      : ok('database', `PostgreSQL ${versionName}, ${where}`),
  ]
  if (encoding !== 'UTF8') {
    findings.push(
      failure(
        'database',
        `Its encoding is ${encoding}.`,
        'Make a new one: createdb --encoding=UTF8 --template=template0',
      ),
    )
  }
  if (!isSetUp)
    return [...findings, failure('schema', 'The database is not set up.', 'Run `lectern migrate`.')]
  findings.push(...(await checkSchema(database, isOwner)))
  if (findings.some(({ about, status }) => about === 'schema' && status === 'wrong')) return findings
  findings.push(...(await checkGuest(config, database)))
  const wiki = await wikiDiagnostics(database)
  for (const check of [
    () => checkAttached(database),
    () => checkSearch(database, wiki),
    () => checkIndexes(database),
    () => (isOwner ? checkStatistics(database) : Promise.resolve([])),
    () => checkReplicas(config, database),
  ]) {
    findings.push(...(await guarded('database', check)))
  }
  return [...findings, ...checkWiki(config, wiki)]
}

const checkSchema = async (database: Database, isOwner: boolean): Promise<Diagnostic[]> => {
  if (!isOwner) return [ok('schema', 'set up; its version can be told as the owner')]
  const problem = await schemaProblem(database)
  return [problem === undefined ? ok('schema', 'up to date') : failure('schema', problem)]
}

/** As the service itself would: with its role, its settings, and nothing more in sight. */
const checkGuest = (config: Config, database: Database): Promise<Diagnostic[]> =>
  guarded('guest', async () => {
    const reader = await openDatabase({ ...config, databaseReplicaUrls: [] }, 'reader')
    await reader.close()
    const { tooMany, lacking } = await readerPrivileges(database)
    const findings: Diagnostic[] = []
    if (tooMany.length > 0) {
      findings.push(
        failure(
          'guest',
          `${READER_ROLE} may do more than a guest: ${listText(tooMany)}.`,
          `Take it back (revoke … from ${READER_ROLE}, or from public).`,
        ),
      )
    }
    if (lacking.length > 0) {
      findings.push(
        failure(
          'guest',
          `${READER_ROLE} may not read ${listText(lacking)}.`,
          `As the owner: grant usage on schema guest to ${READER_ROLE}; grant select on all tables in schema guest to ${READER_ROLE};`,
        ),
      )
    }
    return findings.length > 0
      ? findings
      : [ok('guest', `${READER_ROLE} sees what a guest may see, and no more`)]
  })

const checkSearch = async (database: Database, { locales }: WikiDiagnostics): Promise<Diagnostic[]> => {
  const { pages, stale } = await searchDiagnostics(database)
  const changed = await changedLanguages(database, locales)
  const todo = 'Run `lectern reindex`; the service goes on meanwhile.'
  const findings: Diagnostic[] = []
  if (stale > 0)
    findings.push(warning('search', `${stale} of ${pages} pages are not indexed as they should be.`, todo))
  if (changed.length > 0) {
    findings.push(
      warning('search', `This PostgreSQL knows words of ${listText(changed)} that the index does not.`, todo),
    )
  }
  return findings.length > 0 ? findings : [ok('search', `${pages} pages are indexed`)]
}

const checkAttached = async (database: Database): Promise<Diagnostic[]> => {
  const { isAttached, mayFollow } = await attachmentOf(database)
  if (!isAttached) return []
  if (!mayFollow) return [ok('wikijs', 'attached; how well can be told as the user that attached')]
  const facts = await attachmentDiagnostics(database)
  const again = 'Run `lectern attach wikijs`; saving in Wiki.js waits meanwhile.'
  if (facts === undefined) return [failure('wikijs', 'Another version of Lectern attached it.', again)]
  const findings: Diagnostic[] = []
  if (facts.disabledTriggers > 0)
    findings.push(
      failure(
        'wikijs',
        `${facts.disabledTriggers} triggers do not listen: edits may not show, nor hide.`,
        again,
      ),
    )
  if (facts.missedChanges > 0)
    findings.push(
      failure(
        'wikijs',
        `${facts.missedChanges} pages or rules were changed past the triggers, as by some restores: what is shown may be out of date.`,
        again,
      ),
    )
  if (facts.missingIndexes.length > 0)
    findings.push(
      failure('wikijs', `There is no index ${listText(facts.missingIndexes)}: saving is slow.`, again),
    )
  for (const pattern of facts.undecided)
    findings.push(
      warning(
        'wikijs',
        `The page rule ${pattern} cannot be decided here: what it could be about is hidden.`,
        'Write it without what JavaScript and PostgreSQL read differently: docs/wikijs.md, Limits.',
      ),
    )
  return findings.length > 0 ? findings : [ok('wikijs', 'attached, and listened to')]
}

const checkIndexes = async (database: Database): Promise<Diagnostic[]> => {
  const { missing, invalid } = await indexProblems(database)
  const findings: Diagnostic[] = []
  if (missing.length > 0) {
    findings.push(
      failure(
        'indexes',
        `There is no index ${listText(missing)}.`,
        'Make it again as schema/migrations has it.',
      ),
    )
  }
  for (const name of invalid) {
    findings.push(
      failure('indexes', `The index ${name} is not valid.`, `As the owner: reindex index wiki.${name};`),
    )
  }
  return findings.length > 0 ? findings : [ok('indexes', 'all there, and valid')]
}

const checkStatistics = async (database: Database): Promise<Diagnostic[]> => {
  const tables = await tablesWithoutStatistics(database)
  if (tables.length === 0) return [ok('statistics', 'gathered')]
  return [
    warning(
      'statistics',
      `PostgreSQL knows nothing of what is in ${listText(tables)}, as after a restore: lists and search may be slow.`,
      `As the owner: analyze ${tables.map((name) => `wiki.${name}`).join(', ')};`,
    ),
  ]
}

const checkReplicas = async (config: Config, primary: Database): Promise<Diagnostic[]> => {
  const findings: Diagnostic[] = []
  for (const [i, url] of config.databaseReplicaUrls.entries()) {
    const name = `replica ${i + 1}`
    findings.push(
      ...(await guarded(name, async () => {
        const replica = await openDatabase({ ...config, databaseUrl: url, databaseReplicaUrls: [] }, 'reader')
        try {
          return [await checkReplica(name, primary, replica)]
        } finally {
          await replica.close()
        }
      })),
    )
  }
  return findings
}

const checkReplica = async (name: string, primary: Database, replica: Database): Promise<Diagnostic> => {
  const [{ position, cluster }, { isReplica }] = await Promise.all([
    replicationPosition(primary),
    serverDiagnostics(replica),
  ])
  const began = performance.now()
  if (!isReplica) {
    return failure(
      name,
      'It is a server of its own, not a streaming replica.',
      'Correct DATABASE_REPLICA_URLS.',
    )
  }
  for (;;) {
    const now = await replicationPosition(replica)
    const ms = performance.now() - began
    if (now.cluster !== cluster) {
      return failure(name, 'It is a replica of another server.', 'Correct DATABASE_REPLICA_URLS.')
    }
    if (now.position >= position) return ok(name, `has what the primary has, within ${Math.ceil(ms)} ms`)
    if (ms > CATCH_UP_MS) {
      const behind = `${((position - now.position) / 1e6).toFixed(1)} MB`
      return warning(
        name,
        `It is ${behind} behind and did not catch up in ${CATCH_UP_MS / 1000} s; guests are not served from it beyond MAX_REPLICA_LAG.`,
        "Look at the primary's pg_stat_replication and at the replica's log.",
      )
    }
    await setTimeout(LOOK_EVERY_MS)
  }
}

const checkWiki = (
  { wikiAddresses, licenseUrl }: Config,
  { name, license, locales }: WikiDiagnostics,
): Diagnostic[] => {
  if (name === null && locales.length === 0) {
    return [warning('wiki', 'There is none yet.', 'Put one in: `lectern import --help`.')]
  }
  const findings = [ok('wiki', `${name ?? 'no name'}: ${listText(locales)}`)]
  const without = locales.filter((locale) => !(locale in wikiAddresses))
  const unknown = Object.keys(wikiAddresses).filter((locale) => !locales.includes(locale))
  if (without.length > 0) {
    findings.push(
      warning(
        'wiki',
        `WIKI_ADDRESSES has no address for ${listText(without)}: links to its pages lead nowhere.`,
        `Set WIKI_ADDRESSES=${without[0]}=https://wiki.example/… (with a comma between languages).`,
      ),
    )
  }
  if (unknown.length > 0) {
    findings.push(
      warning(
        'wiki',
        `WIKI_ADDRESSES names ${listText(unknown)}, which the wiki has not.`,
        'Correct WIKI_ADDRESSES.',
      ),
    )
  }
  if (license === null && licenseUrl === undefined) {
    findings.push(warning('wiki', 'No license is known.', 'Set LICENSE_URL.'))
  }
  return findings
}
