import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { packagePath } from '../paths.ts'
import { readValue } from './statements.ts'
import { withLockRetries } from './write-lock.ts'

/** Which views of `schema/views` a database has: those of an imported wiki or those of an attached Wiki.js. */
type GuestViews = 'imported' | 'wikijs'

const viewsFor = async (client: pg.PoolClient): Promise<GuestViews> =>
  (await isAttached(client)) ? 'wikijs' : 'imported'

const scriptOf = (views: GuestViews): string =>
  [`${views}.sql`, 'common.sql']
    .map((file) => readFileSync(packagePath('schema', 'views', file), 'utf8'))
    .join('\n')

const labelOf = (views: GuestViews): string => `${views} ${hash('sha256', scriptOf(views))}`

/**
 * Whether the database has the views of `guest` that this version defines. The label is a comment of one of the views,
 * so that it disappears when a migration drops them.
 */
export const hasCurrentViews = async (client: pg.PoolClient): Promise<boolean> => {
  const label = "select obj_description(to_regclass('guest.wiki')::oid, 'pg_class')"
  return (await readValue(client, label)) === labelOf(await viewsFor(client))
}

/** Drops all views and functions of `guest`. Guests wait from here to the end of the transaction. */
export const dropGuestViews = (client: pg.PoolClient) =>
  withLockRetries(client, () => client.query('select wiki.drop_guest_views()'))

/** Replaces all views and functions of `guest`. (D84) */
export const createGuestViews = async (client: pg.PoolClient): Promise<void> => {
  const views = await viewsFor(client)
  await dropGuestViews(client)
  await client.query(scriptOf(views))
  await client.query(`comment on view guest.wiki is '${labelOf(views)}'`)
}

/** Whether the database serves an attached Wiki.js. Only the owner of the database can call this. */
export const isAttached = (client: pg.PoolClient): Promise<boolean> =>
  readValue(client, "select to_regclass('wikijs.attachment') is not null")
