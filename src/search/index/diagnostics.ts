import type { Database } from '../../db/database.ts'
import { statement } from '../../db/statements.ts'
import { searchConfiguration } from '../configurations.ts'
import { INDEX_VERSION } from './index-pages.ts'

/** How many pages are searched, and how many of these were indexed by another version or configuration. */
export const searchDiagnostics = async (database: Database): Promise<{ pages: number; stale: number }> =>
  (await database.query(statement('check_search'), [INDEX_VERSION]))[0]!

/** Languages for which this server has another text search configuration than the index uses. */
export const changedLanguages = async (database: Database, locales: string[]): Promise<string[]> =>
  (await database.query(statement('check_languages'), [locales, locales.map(searchConfiguration)])).map(
    ({ locale }) => locale,
  )
