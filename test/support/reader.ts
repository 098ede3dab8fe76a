import type pg from 'pg'

/** A connection as the service has it, and errors by their SQLSTATE. */
export interface Reader {
  rows(sql: string): Promise<Record<string, unknown>[]>
  /** SQLSTATE and the whole text of the error, null where there was none. */
  failure(sql: string): Promise<{ code: string; text: string } | null>
}

export const readerOf = (client: pg.PoolClient): Reader => ({
  rows: async (sql) => (await client.query(sql)).rows,
  failure: async (sql) => {
    try {
      await client.query(sql)
      return null
    } catch (error) {
      const { code = '', message, detail, hint, where } = error as pg.DatabaseError
      return { code, text: [message, detail, hint, where].join('\n') }
    }
  },
})

/**
 * Texts of the errors that casts of every column of every view that guests may read end in.
 */
export const errorsOfCasts = async (
  reader: Reader,
): Promise<{ sql: string; code: string; text: string }[]> => {
  const columns = await reader.rows(`
    select format('select 1 from guest.%I where %I::text::int = 1 order by %I::text::int', c.relname, a.attname,
                  a.attname) as sql
      from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'guest'::regnamespace and a.attnum > 0`)
  const errors = []
  for (const { sql } of columns) {
    const failure = await reader.failure(String(sql))
    if (failure) errors.push({ sql: String(sql), ...failure })
  }
  return errors
}

/** SQLSTATE of a text that is no number. */
export const NO_NUMBER = '22P02'

/** SQLSTATE of what a role has no privilege for. */
export const DENIED = '42501'
