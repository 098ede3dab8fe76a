import { describeFile, FILE_HEAD_BYTES } from '@lectern/wiki/files/media-type'
import type pg from 'pg'

/** Assets that pages refer to, and that are not known yet. */
const NEW_ASSETS = `
  select distinct a.asset_id as id, a.path
    from wikijs.assets_of($1::bigint[]) a
   where not exists (select from wiki.live_file f where f.path = a.path and f.version = a.version)
   order by a.asset_id`

const HEAD = 'select substring(data for $2::int) as head from wikijs.asset_bytes where asset_id = $1'

/** Shows the assets that pages use, as far as guests may see them. Call it after the pages were indexed. */
export const publishAssets = async (client: pg.PoolClient, pageIds: readonly string[]): Promise<void> => {
  const { rows } = await client.query<{ id: number; path: string }>(NEW_ASSETS, [pageIds])
  for (const { id, path } of rows) {
    const { head } = (await client.query<{ head: Buffer }>(HEAD, [id, FILE_HEAD_BYTES])).rows[0]!
    const { mediaType, width, height } = describeFile(head, path)
    await client.query('select wikijs.add_file($1, $2, $3, $4)', [id, mediaType, width, height])
  }
  await client.query('select wikijs.use_files($1::bigint[])', [pageIds])
}
