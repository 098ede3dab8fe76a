import pg from 'pg'

/** Runs a statement that needs a session of its own, such as `create database`. */
export const onServer = async (server: string, sql: string): Promise<void> => {
  const client = new pg.Client(server)
  await client.connect()
  await client.query(sql).finally(() => client.end())
}
