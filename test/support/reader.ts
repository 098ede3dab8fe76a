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

/** SQLSTATE of what a role has no privilege for. */
export const DENIED = '42501'
