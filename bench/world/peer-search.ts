import type { Database } from '../../src/db/database.ts'
import { runSql } from './fill.ts'

/**
 * The search of the hand-written servers: PostgreSQL's full text search as its documentation shows it, with a stored
 * `tsvector`, titles above texts, and a GIN index.
 * @see https://www.postgresql.org/docs/current/textsearch-tables.html
 */
export const fillPeerSearch = async (database: Database): Promise<void> => {
  await runSql(
    database,
    `create table bench.search as
     select p.id as page_id, p.locale,
            setweight(to_tsvector(l.search_config, p.title), 'A') || to_tsvector(l.search_config, r.markdown) as words
       from guest.page p
       join guest.locale l on l.locale = p.locale
       join guest.revision r on r.id = p.revision_id
      where p.ns <> 'category'`,
  )
  await runSql(database, 'alter table bench.search add primary key (page_id)')
  await runSql(database, 'create index on bench.search using gin (words)')
  await runSql(database, 'vacuum analyze bench.search')
}
