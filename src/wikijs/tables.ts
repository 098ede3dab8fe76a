import { UsageError } from '@lectern/wiki/errors'
import type pg from 'pg'
import { readValue, statementRunner } from '../db/statements.ts'

/** The columns that Lectern reads from each table of Wiki.js 2.5. */
const COLUMNS: Record<string, string> = {
  pages:
    'id path title isPrivate isPublished publishStartDate publishEndDate content render contentType createdAt ' +
    'updatedAt localeCode authorId',
  pageHistory:
    'id pageId path title isPrivate isPublished publishStartDate publishEndDate action content contentType ' +
    'createdAt versionDate localeCode authorId',
  pageTags: 'id pageId tagId',
  pageHistoryTags: 'id pageId tagId',
  tags: 'id tag title',
  users: 'id name',
  groups: 'id permissions pageRules',
  userGroups: 'id userId groupId',
  locales: 'code nativeName',
  assets: 'id filename folderId authorId updatedAt',
  assetData: 'id data',
  assetFolders: 'id slug parentId',
  settings: 'key value',
}

export const TABLES = Object.keys(COLUMNS)

/**
 * @param schema the schema of Wiki.js's tables
 * @throws UsageError when the tables are not those of Wiki.js 2.5, or cannot be attached
 */
export const checkTables = async (client: pg.PoolClient, schema: string): Promise<void> => {
  const run = statementRunner(client)
  const { rows } = await run('columns_of_schema', [schema])
  const found = new Set(rows.map(({ name }) => name))
  const missing = Object.entries(COLUMNS)
    .flatMap(([table, columns]) => columns.split(' ').map((column) => `${table}.${column}`))
    .filter((name) => !found.has(name))
  if (missing.length > 0) {
    const some = missing.slice(0, 3).join(', ')
    throw new UsageError(
      `Schema "${schema}" does not contain the tables of a Wiki.js 2.5. Missing: ${some}${missing.length > 3 ? ', and more' : ''}. Set DATABASE_URL to the database of Wiki.js, and --schema to the schema of its tables.`,
    )
  }
  const encoding = await readValue<string>(client, 'show server_encoding')
  if (encoding !== 'UTF8')
    throw new UsageError(`The encoding of the database is ${encoding}, but Lectern needs UTF8.`)
  const [other] = (await run('tables_of_others', [schema, TABLES])).rows
  if (other)
    throw new UsageError(
      `The table ${other.name} belongs to ${other.owner}. Attach with a user in DATABASE_URL that is ${other.owner}, or a member of that role.`,
    )
}

/** @throws UsageError that says what to revoke, if the serving role can read the tables of Wiki.js themselves */
export const checkReader = async (client: pg.PoolClient, schema: string): Promise<void> => {
  const run = statementRunner(client)
  const [readable] = (await run('tables_of_readers', [schema, TABLES])).rows
  if (readable)
    throw new UsageError(
      `The role that serves guests may read the table ${readable.name}, including hidden pages. First run \`revoke all on all tables in schema "${schema}" from public, lectern_reader\`.`,
    )
}
