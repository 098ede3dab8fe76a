import type pg from 'pg'

/**
 * Drops the indexes of tables: it is faster to build them after the rows are there.
 * @param keep pattern of `like`: names of the indexes that stay, such as the primary key; absent: none
 * @returns the statements that create them again
 */
export const dropIndexes = async (
  client: pg.ClientBase,
  tables: string[],
  keep: string | null = null,
): Promise<string[]> => {
  const { rows } = await client.query<{ indexdef: string; name: string }>(
    `select indexdef, format('%I.%I', schemaname, indexname) as name
       from pg_indexes
      where schemaname = 'wiki' and tablename = any ($1) and ($2::text is null or indexname not like $2)`,
    [tables, keep],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ indexdef }) => indexdef)
}
