import type { Database } from '../../db/database.ts'
import { statement } from '../../db/statements.ts'
import { searchConfiguration } from '../configurations.ts'
import { INDEX_VERSION } from './index-pages.ts'

/** Pages that are searched, and of these the ones that were indexed otherwise than they would be now. */
export const searchDiagnostics = async (database: Database): Promise<{ pages: number; stale: number }> =>
  (await database.query<{ pages: number; stale: number }>(statement('check_search'), [INDEX_VERSION]))[0]!

/** Languages that this server would search otherwise than they are. */
export const changedLanguages = async (database: Database, locales: string[]): Promise<string[]> =>
  (
    await database.query<{ locale: string }>(statement('check_languages'), [
      locales,
      locales.map(searchConfiguration),
    ])
  ).map(({ locale }) => locale)
