import { AtomDocument } from '../../generated/queries.ts'
import { LIST_LIMIT } from '../../limits.ts'
import { atomFeed } from '../atom-feed.ts'
import { exampleUrl } from '../examples/example-values.ts'
import { localeFilterParameter } from '../parameters.ts'
import { defineRoute } from '../route.ts'

export const atomRoute = defineRoute({
  name: 'atom',
  operationId: 'getRecentFeed',
  path: '/recent.atom',
  requestClass: 'list',
  tag: 'Edits',
  summary: 'Recent edits as a feed',
  description: `Returns the ${LIST_LIMIT.default} newest accepted edits as an Atom feed (RFC 4287), for feed readers. Errors are JSON.`,
  parameters: { locale: localeFilterParameter },
  query: AtomDocument,
  variables: ({ locale }) => ({ locale, first: LIST_LIMIT.default }),
  textTypes: { 'application/atom+xml': 'An Atom feed.' },
  reshape: ({ recent }, { locale }, context) => ({
    body: atomFeed(recent.items, locale, context),
    type: 'application/atom+xml',
    locale: locale ?? undefined,
  }),
  examples: ({ otherLocale }) => [
    {
      name: 'newest',
      summary: 'The newest edits in one language',
      url: exampleUrl`/recent.atom?locale=${otherLocale}`,
    },
  ],
})
