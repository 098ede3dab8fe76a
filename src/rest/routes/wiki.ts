import { LIST_LIMIT, SEARCH_LIMIT } from '@lectern/wiki/limits'
import { LISTED_NAMESPACES, prefixOf } from '@lectern/wiki/locales'
import { z } from 'zod'
import { WikiDocument } from '../../generated/queries.ts'
import { LIST_CONTENT_LIMITS } from '../../limits/responses.ts'
import { STREAM_LIMITS } from '../../limits/service.ts'
import { packageVersion } from '../../paths.ts'
import { defineRoute } from '../route.ts'
import * as fields from './shared/fields.ts'

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
  responseSchema: fields.object(
    'Wiki',
    'The wiki, its languages, and the endpoints and limits of this API.',
    {
      name: fields.text('Name of the wiki.'),
      version: z.literal('1').meta({ description: 'Version of this API.' }),
      url: fields.url('URL of the wiki in the default language of the requested host.'),
      locale: fields.locale,
      locales: z.array(
        fields.object('Locale', 'A language of the wiki.', {
          locale: fields.locale,
          name: fields.text('Name of the language, in that language.'),
          url: fields.url('URL of the wiki in this language.'),
        }),
      ),
      namespaces: z.array(
        fields.object('Namespace', 'A namespace whose pages can be listed.', {
          ns: fields.listedNamespace,
          prefix: fields.text('Prefix of the paths in this namespace. Empty for `main`.'),
        }),
      ),
      license: fields.license,
      attribution: fields.text('How to credit the wiki if you use its content.'),
      software: fields.object('Software', 'What serves this API.', {
        name: fields.text('Name of the software: `Lectern`.'),
        version: fields.text('Version of the software, such as `1.4.0`.'),
      }),
      limits: fields.object('Limits', 'Limits of this instance.', {
        requests_per_minute: fields.integer(
          'Requests per minute for each network address. 0 means no limit.',
        ),
        list_limit_max: fields.integer('Maximum of the parameter `limit` in lists.', 1),
        search_limit_max: fields.integer('Maximum of the parameter `limit` in searches.', 1),
        cache_seconds: fields.integer('How long responses may be cached, seconds.'),
        list_bytes_max: fields.integer(
          'Length of the body of a list with `include`, bytes. A part of a list ends early instead of being longer, unless one item alone is.',
          1,
        ),
        streams_max: fields.integer(
          'How many streams of changes a process of this instance serves at a time. It responds to further ones with 503.',
          1,
        ),
      }),
      endpoints: z
        .record(z.string(), z.string())
        .meta({ description: 'Absolute URI templates (RFC 6570) of the endpoints, by name.' }),
      openapi: fields.url('URL of the OpenAPI document.'),
      docs: fields.url('URL of the documentation.'),
    },
  ),
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
