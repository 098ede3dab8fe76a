import type pg from 'pg'

/**
 * Drops the indexes of tables, but those of constraints: it is faster to build them after the rows are there.
 * @returns the statements that create them again
 */
export const dropIndexes = async (client: pg.ClientBase, tables: string[]): Promise<string[]> => {
  const { rows } = await client.query<{ definition: string; name: string }>(
    `select pg_get_indexdef(i.indexrelid) as definition, i.indexrelid::regclass::text as name
       from pg_index i
       join pg_class c on c.oid = i.indrelid
      where c.relnamespace = 'wiki'::regnamespace and c.relname = any ($1)
        and not exists (select from pg_constraint o where o.conindid = i.indexrelid)`,
    [tables],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

/** Memory for building an index: a GIN index is written each time this memory is full. */
const BUILD_MEMORY = '1GB'

/** Builds indexes. @param definitions from `dropIndexes` */
export const buildIndexes = async (
  client: pg.ClientBase,
  definitions: readonly string[],
  say: (line: string) => void = () => {},
): Promise<void> => {
  await client.query(`set maintenance_work_mem = '${BUILD_MEMORY}'`)
  for (const definition of definitions) {
    await client.query(definition)
    say(definition)
  }
  await client.query('reset maintenance_work_mem')
}
