import { existsSync, readdirSync } from 'node:fs'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { readerPrivileges, schemaProblem, serverDiagnostics, wikiDiagnostics } from '../db/diagnostics.ts'
import { openDatabase } from '../db/open-database.ts'
import { READER_ROLE } from '../db/session.ts'
import { checkAttachment, checkIndexes, checkSearch, checkStatistics, checkWiki } from './content.ts'
import { type Diagnostic, failure, listText, ok, reportErrors } from './diagnostic.ts'
import { checkReplicas } from './replicas.ts'
import { checkSources } from './sources.ts'

/** The oldest supported version of PostgreSQL. */
const OLDEST_POSTGRESQL = 15

/** Whether a service that serves a wiki of this name, if it tells one, may serve the checked database. */
export type MayServe = (wiki: string | null | undefined) => boolean

interface CheckedDatabase {
  diagnostics: Diagnostic[]
  mayServe: MayServe
}

export const checkDatabase = async (config: Config): Promise<CheckedDatabase> => {
  let mayServe: MayServe = () => true
  const diagnostics = await reportErrors('database', async () => {
    // Opening an embedded database would create it.
    if (config.databaseUrl === undefined && !hasFiles(config.dataDir)) {
      mayServe = () => false
      return [
        ok('database', `does not exist yet: "lectern serve" or an import creates it in ${config.dataDir}`),
      ]
    }
    const database = await openDatabase(config, 'owner')
    try {
      return await checkOpenDatabase(config, database, (name) => {
        mayServe = (wiki) => !database.isOwner && (wiki === undefined || wiki === name)
      })
    } finally {
      await database.close()
    }
  })
  return { diagnostics, mayServe }
}

/** Whether a folder has other files than the clones of remote repositories. */
const hasFiles = (folder: string): boolean =>
  existsSync(folder) && readdirSync(folder).some((name) => name !== 'sources')

/** @param onWiki gets the name of the wiki; null if there is none */
const checkOpenDatabase = async (
  config: Config,
  database: Database,
  onWiki: (name: string | null) => void,
): Promise<Diagnostic[]> => {
  const { version, versionName, encoding, login, isSetUp, isOwner } = await serverDiagnostics(database)
  const source = database.kind === 'embedded' ? `embedded, in ${config.dataDir}` : `user ${login}`
  const diagnostics = [
    version < OLDEST_POSTGRESQL * 10_000
      ? failure(
          'database',
          `PostgreSQL ${versionName} is too old.`,
          `Use PostgreSQL ${OLDEST_POSTGRESQL} or newer.`,
        )
      : ok('database', `PostgreSQL ${versionName}, ${source}`),
  ]
  if (encoding !== 'UTF8') {
    diagnostics.push(
      failure(
        'database',
        `The encoding of the database is ${encoding}, not UTF8.`,
        'Create a new database: createdb --encoding=UTF8 --template=template0',
      ),
    )
  }
  if (!isSetUp) {
    onWiki(null)
    return [...diagnostics, failure('schema', 'The database is not set up.', 'Run `lectern migrate`.')]
  }
  const schema = await checkSchema(database, isOwner)
  diagnostics.push(...schema)
  if (schema.some(({ status }) => status === 'wrong')) return diagnostics
  const guest = await checkGuest(config, database)
  diagnostics.push(...guest)
  if (guest.some(({ subject, status }) => subject === 'schema' && status === 'wrong')) return diagnostics
  const wiki = await wikiDiagnostics(database)
  onWiki(wiki.name)
  for (const check of [
    () => checkAttachment(database),
    () => checkSearch(database, wiki),
    () => checkIndexes(database),
    () => (isOwner ? checkStatistics(database) : Promise.resolve([])),
    () => checkSources(database, isOwner),
    () => checkReplicas(config, database),
  ]) {
    diagnostics.push(...(await reportErrors('database', check)))
  }
  return [...diagnostics, ...checkWiki(config, wiki)]
}

const checkSchema = async (database: Database, isOwner: boolean): Promise<Diagnostic[]> => {
  if (!isOwner) return [ok('schema', 'set up; run the check as the owner to check its version')]
  const problem = await schemaProblem(database)
  return [problem === undefined ? ok('schema', 'up to date') : failure('schema', problem)]
}

/** What prevents the service from reading a database without its migrations; undefined if nothing does. */
const readerFailure = async (config: Config): Promise<string | undefined> => {
  try {
    await (await openDatabase({ ...config, databaseReplicaUrls: [] }, 'reader')).close()
    return undefined
  } catch (error) {
    const { message } = error as Error
    if (message.includes('`lectern migrate`')) return message
    throw error
  }
}

/** Connects as the service does, with its role and its settings, and checks the privileges of the role. */
const checkGuest = (config: Config, database: Database): Promise<Diagnostic[]> =>
  reportErrors('guest', async () => {
    const mismatch = await readerFailure(config)
    if (mismatch !== undefined) return [failure('schema', mismatch)]
    const { excess, missing } = await readerPrivileges(database)
    const diagnostics: Diagnostic[] = []
    if (excess.length > 0) {
      diagnostics.push(
        failure(
          'guest',
          `${READER_ROLE} has privileges that a guest must not have: ${listText(excess)}.`,
          `Revoke them (revoke … from ${READER_ROLE}, or from public).`,
        ),
      )
    }
    if (missing.length > 0) {
      diagnostics.push(
        failure(
          'guest',
          `${READER_ROLE} cannot read ${listText(missing)}.`,
          `As the owner, run: grant usage on schema guest to ${READER_ROLE}; grant select on all tables in schema guest to ${READER_ROLE};`,
        ),
      )
    }
    return diagnostics.length > 0
      ? diagnostics
      : [ok('guest', `${READER_ROLE} can read what guests may see, and nothing else`)]
  })
