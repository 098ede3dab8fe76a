import type pg from 'pg'

/** Whether the database serves an attached Wiki.js. Only the owner of the database can call this. */
export const isAttached = async (client: pg.PoolClient): Promise<boolean> => {
  const { rows } = await client.query<{ attached: boolean }>(
    "select to_regclass('wikijs.attachment') is not null as attached",
  )
  return rows[0]!.attached
}
