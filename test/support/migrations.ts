import type { Database } from '../../src/db/database.ts'

/** Runs SQL as the owner, on a connection of its own. */
export const runAsOwner = async (owner: Database, sql: string): Promise<Record<string, unknown>[]> => {
  const client = await owner.connect()
  return client
    .query(sql)
    .then(({ rows }) => rows)
    .finally(() => client.release())
}
