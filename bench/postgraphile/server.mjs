import { createServer } from 'node:http'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'
import { jsonPgSmartTags } from 'postgraphile/utils'
import { PostGraphileConnectionFilterPreset } from 'postgraphile-plugin-connection-filter'

/**
 * PostGraphile with its usual preset, on the views that guests read. The views have no keys, so tags name them. The
 * plugin is the usual one for conditions other than equality. Packages of this folder: `npm ci --prefix bench/postgraphile`.
 */
const keys = jsonPgSmartTags({
  version: 1,
  config: {
    class: {
      'guest.page': {
        tags: {
          primaryKey: 'id',
          unique: 'locale,path',
          foreignKey: '(revision_id) references guest.revision (id)',
        },
      },
      'guest.revision': { tags: { primaryKey: 'id', foreignKey: '(page_id) references guest.page (id)' } },
      'guest.category': { tags: { primaryKey: 'locale,key' } },
      'guest.category_member': {
        tags: {
          primaryKey: 'page_id,key',
          foreignKey: [
            '(page_id) references guest.page (id)',
            '(locale,key) references guest.category (locale,key)',
          ],
        },
      },
    },
  },
})

const instance = postgraphile({
  extends: [PostGraphileAmberPreset, PostGraphileConnectionFilterPreset],
  plugins: [keys],
  disablePlugins: ['MutationPlugin'],
  pgServices: [
    makePgService({
      connectionString: process.env.DATABASE_URL,
      schemas: ['guest'],
      poolConfig: { max: 10 },
    }),
  ],
  grafserv: { graphiql: false, watch: false },
  grafast: { explain: false },
})

const server = createServer()
await instance.createServ(grafserv).addTo(server)
server.listen(Number(process.env.PORT), process.env.HOST)
