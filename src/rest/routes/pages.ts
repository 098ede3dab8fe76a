import { PagesDocument } from '../../generated/queries.ts'
import { defineRoute } from '../route.ts'
import { pageListSchema } from '../schemas/pages.ts'
import { includeParameter, PAGE_FIELDS } from './shared/include.ts'
import { slice } from './shared/paging.ts'
import { limitParameter, localeParameter, namespaceParameter, textParameter } from './shared/parameters.ts'

export const pagesRoute = defineRoute({
  name: 'pages',
  operationId: 'listPages',
  path: '/pages',
  requestClass: 'list',
  tag: 'Pages',
  summary: 'Live pages by path',
  description: 'Lists the live pages of one language and one namespace, sorted by the bytes of their paths.',
  parameters: {
    ns: namespaceParameter,
    locale: localeParameter,
    prefix: textParameter('Return only pages whose path begins with this text, such as `guides/`.'),
    limit: limitParameter(),
    after: textParameter(
      'Return only pages whose path is after this one. Use `next` of the previous response.',
    ),
    include: includeParameter(PAGE_FIELDS),
  },
  query: PagesDocument,
  variables: ({ ns, locale, prefix, limit, after }) => ({ ns, locale, prefix, first: limit + 1, after }),
  responseSchema: pageListSchema,
  reshape: (data, { limit, locale }) => {
    const { items, next } = slice(data.pages, limit, (last) => last.path)
    const content = () => ({
      revisions: items.map(({ revision }) => revision.id),
      nextAfter: (count: number) => items[count - 1]!.path,
    })
    return { body: { items, next }, locale, content }
  },
  pagedBy: 'after',
  examples: () => [
    { name: 'two', summary: 'The first two pages', url: '/pages?limit=2' },
    {
      name: 'texts',
      summary: 'The first two pages with their texts and categories',
      url: '/pages?limit=2&include=markdown,categories',
    },
  ],
})
