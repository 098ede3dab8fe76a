import { LIST_LIMIT, SEARCH_LIMIT } from '@lectern/wiki/limits'
import { LISTED_NAMESPACES, prefixOf } from '@lectern/wiki/locales'
import { WikiDocument } from '../../generated/queries.ts'
import { LIST_CONTENT_LIMITS } from '../../limits/responses.ts'
import { STREAM_LIMITS } from '../../limits/service.ts'
import { packageVersion } from '../../paths.ts'
import { defineRoute } from '../route.ts'
import { wikiSchema } from '../schemas/wiki.ts'

const SOFTWARE = { name: 'Lectern' as const, version: packageVersion() }

export const wikiRoute = defineRoute({
  name: 'wiki',
  operationId: 'getWiki',
  path: '/',
  requestClass: 'page',
  tag: 'Wiki',
  summary: 'The wiki and this API',
  description:
    'Returns the name, languages and license of the wiki, and the endpoints and limits of this API.',
  parameters: {},
  query: WikiDocument,
  variables: () => ({}),
  responseSchema: wikiSchema,
  reshape: ({ wiki }, _, { base, locale, license, attribution, settings, endpoints }) => {
    const body = {
      name: wiki.name,
      version: '1' as const,
      url: wiki.locales.find((one) => one.locale === locale)?.url ?? base,
      locale,
      locales: wiki.locales,
      namespaces: LISTED_NAMESPACES.map((ns) => ({ ns, prefix: prefixOf(ns) })),
      license,
      attribution,
      software: SOFTWARE,
      limits: {
        requests_per_minute: settings.requestsPerMinute,
        list_limit_max: LIST_LIMIT.max,
        search_limit_max: SEARCH_LIMIT.max,
        cache_seconds: settings.cacheSeconds,
        list_bytes_max: LIST_CONTENT_LIMITS.bytes,
        streams_max: STREAM_LIMITS.open,
      },
      endpoints,
      openapi: `${base}/openapi.json`,
      docs: `${base}/docs`,
    }
    return { body }
  },
  examples: () => [{ name: 'wiki', summary: 'The wiki', url: '/' }],
})
