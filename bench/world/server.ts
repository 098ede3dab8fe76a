import pg from 'pg'

/** Runs a statement that needs its own session, such as `create database`. */
export const onServer = async (server: string, sql: string): Promise<void> => {
  const client = new pg.Client(server)
  await client.connect()
  await client.query(sql).finally(() => client.end())
}
