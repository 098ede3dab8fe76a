import { PagesDocument } from '../../generated/queries.ts'
import { slice } from '../paging.ts'
import { limitParameter, localeParameter, namespaceParameter, textParameter } from '../parameters.ts'
import { pageListSchema } from '../response-schemas.ts'
import { defineRoute } from '../route.ts'

export const pagesRoute = defineRoute({
  name: 'pages',
  operationId: 'listPages',
  path: '/pages',
  requestClass: 'list',
  tag: 'Pages',
  summary: 'Live pages by path',
  description: 'Live pages of one language and one namespace, in the order of the bytes of their paths.',
  parameters: {
    ns: namespaceParameter,
    locale: localeParameter,
    limit: limitParameter(),
    after: textParameter('Only paths after this one; take it from `next`.', 'camellia-sinensis'),
  },
  query: PagesDocument,
  variables: ({ ns, locale, limit, after }) => ({ ns, locale, first: limit + 1, after }),
  responseSchema: pageListSchema,
  reshape: (data, { limit, locale }) => {
    const { items, next } = slice(data.pages, limit, (last) => last.path)
    return { body: { items, next }, locale }
  },
  pagedBy: 'after',
  examples: [{ name: 'two', summary: 'The first two pages', url: '/pages?limit=2' }],
})
