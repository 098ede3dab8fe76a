import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { openGitSource } from '@lectern/import-files/git/source'
import { Command } from 'commander'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { exportNdjson } from '../src/export/ndjson.ts'
import { packagePath } from '../src/paths.ts'
import { runImport } from '../src/write/run-import.ts'
import type { TestResponse } from '../test/support/client.ts'
import {
  copyTemplate,
  type DatabaseTemplate,
  mochaGlobalSetup,
  mochaGlobalTeardown,
} from '../test/support/database.ts'
import { fixChanges, serveCopy, WITH_SAMPLE } from '../test/support/sample.ts'
import { wikijsDatabase } from '../test/support/wikijs.ts'
import { type Ask, askEverything } from './recorded-requests.ts'

/**
 * `npm run record -- --into FOLDER`: records what a change of the code must not change: the answers of the API for the
 * sample wiki and for other git repositories, an export, the generated documents and, with
 * LECTERN_TEST_DATABASE_URL, what pg_dump writes of the database. Compare the records of two commits with `diff -r`.
 */

const BASE = 'http://localhost:3000/api/v1'
/** A longer body is recorded as its beginning and its hash. */
const BODY_CHARACTERS_MAX = 1000
const BEGINNING_CHARACTERS = 200

const { repositories, into, whole } = ((): { repositories: string[]; into: string; whole: boolean } => {
  const command = new Command('npm run record --')
    .description('Records the answers of the API, to compare them with those of another commit.')
    .argument('[repositories...]', 'git repositories or bundles to serve besides the sample wiki')
    .requiredOption('--into <folder>', 'folder of the record; what it contains is removed')
    .option('--whole', 'record long bodies as a whole', false)
    .parse()
  return { repositories: command.args, ...command.opts<{ into: string; whole: boolean }>() }
})()

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const UNSTABLE_HEADERS = ['date', 'x-request-id', 'age', 'connection', 'keep-alive']

/** The headers without those of the moment and the connection, and without numbers that count down. */
const stableHeaders = ({ headers }: TestResponse): string[] =>
  Object.entries(headers)
    .filter(([name]) => !UNSTABLE_HEADERS.includes(name))
    .map(([name, value]) =>
      `${name}: ${value}`.replace(/^(ratelimit: .*r)=\d+;t=\d+|(max-age)=[1-9]\d?$/, '$1$2'),
    )
    .sort()

const bodyText = (text: string): string =>
  whole || text.length <= BODY_CHARACTERS_MAX
    ? text
    : `${text.slice(0, BEGINNING_CHARACTERS)}\n… ${Buffer.byteLength(text)} bytes, sha256 ${sha256(text)}`

/** Serves a database, asks for everything, and writes a file for each endpoint. */
const recordWiki = async (template: DatabaseTemplate, folder: string, pages: number): Promise<void> => {
  const { call, stop } = await serveCopy(template, { baseUrl: BASE, rateLimit: 10_000_000, mcp: true })
  const files = new Map<string, string[]>()
  const ask: Ask = async (path, { method = 'GET', headers = {} } = {}) => {
    const response = await call(path, { method, headers })
    const endpoint = /^(?:\/api\/v1)?\/?([\w.]*)/.exec(path)![1] || 'root'
    const title = [method, path, ...Object.entries(headers).map((header) => header.join(': '))].join(' ')
    const entry = [title, response.status, ...stableHeaders(response), '', bodyText(response.text), '', '']
    files.set(endpoint, [...(files.get(endpoint) ?? []), entry.join('\n')])
    return response
  }
  await askEverything(ask, pages).finally(stop)
  mkdirSync(join(into, folder), { recursive: true })
  for (const [endpoint, entries] of files)
    writeFileSync(join(into, folder, `${endpoint}.txt`), entries.join(''))
}

/** A database with the wiki of a git repository or bundle: its first branch, if the bundle has no HEAD. */
const repositoryTemplate = (location: string, n: number): DatabaseTemplate => ({
  name: `repository_${n}`,
  fill: async (owner) => {
    const clone = mkdtempSync(join(process.env.TMPDIR!, 'clone-'))
    const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
    git('clone', '--quiet', '--mirror', location, clone)
    const ref = git('-C', clone, 'for-each-ref', '--count=1', '--format=%(refname)', 'refs/heads')
    await migrate(owner)
    const name = basename(location)
    await runImport(owner, () => openGitSource(clone, { layouts: [], ref, name }))
    await fixChanges(owner)
    rmSync(clone, { recursive: true, force: true })
  },
})

const recordExports = async (): Promise<void> => {
  const { place, remove } = await copyTemplate(WITH_SAMPLE)
  const owner = await openDatabase(place, 'owner')
  await exportNdjson(owner, join(into, 'sample.ndjson'))
  await exportNdjson(owner, join(into, 'sample-public.ndjson'), { view: 'guest' })
  await owner.close()
  await remove()
}

const UNSTABLE_TABLES = 'wiki.migration wiki.change_feed wiki.change_number wikijs.synced_subject_digest'

/** What pg_dump writes of a database: all but what contains a date, a random key or an id of the server. */
const dump = (url: string, file: string): void => {
  const without = UNSTABLE_TABLES.split(' ').map((table) => `--exclude-table-data=${table}`)
  const args = ['--no-owner', '--inserts', ...without, url]
  const sql = execFileSync('pg_dump', args, { encoding: 'utf8', maxBuffer: 1e9 })
  writeFileSync(join(into, file), sql.replace(/^\\(un)?restrict .*\n/gm, ''))
}

const recordSchemas = async (): Promise<void> => {
  const migrated = await copyTemplate({
    name: 'migrated',
    fill: async (owner) => void (await migrate(owner)),
  })
  dump(migrated.place.databaseUrl!, 'migrated.sql')
  await migrated.remove()
  const attached = await wikijsDatabase()
  dump(attached.place.databaseUrl!, 'attached.sql')
  await attached.remove()
}

mochaGlobalSetup()
try {
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into, { recursive: true })
  for (const file of ['openapi.json', 'wiki.graphql'])
    copyFileSync(packagePath('schema', file), join(into, file))
  await recordExports()
  if (process.env.LECTERN_TEST_DATABASE_URL !== undefined) await recordSchemas()
  await recordWiki(WITH_SAMPLE, 'sample', 1000)
  for (const [i, location] of repositories.entries())
    await recordWiki(repositoryTemplate(location, i), basename(location), 40)
} finally {
  await mochaGlobalTeardown()
}
