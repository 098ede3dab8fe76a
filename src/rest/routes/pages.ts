import { PagesDocument } from '../../generated/queries.ts'
import { part } from '../paging.ts'
import { limit, locale, ns, text } from '../parameters.ts'
import { route } from '../route.ts'
import { pageList } from '../shapes.ts'

export const pages = route({
  name: 'pages',
  operationId: 'listPages',
  path: '/pages',
  tag: 'Pages',
  summary: 'Live pages by path',
  description: 'Live pages of one language and one namespace, in the order of the bytes of their paths.',
  parameters: {
    ns,
    locale,
    limit: limit(),
    after: text('Only paths after this one; take it from `next`.', 'camellia-sinensis'),
  },
  query: PagesDocument,
  variables: ({ ns, locale, limit, after }) => ({ ns, locale, first: limit + 1, after }),
  answer: pageList,
  reshape: (data, { limit, locale }) => {
    const { items, next } = part(data.pages, limit, (last) => last.path)
    return { body: { items, next }, locale }
  },
  pagedBy: 'after',
  examples: [{ name: 'two', summary: 'The first two pages', url: '/pages?limit=2' }],
})
