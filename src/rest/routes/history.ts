import { NotFound } from '../../errors.ts'
import { HistoryDocument } from '../../generated/queries.ts'
import { withAddresses } from '../edits.ts'
import { beforePosition, part } from '../paging.ts'
import { before, limit, locale, path } from '../parameters.ts'
import { route } from '../route.ts'
import { historyList } from '../shapes.ts'

export const history = route({
  name: 'history',
  operationId: 'listPageHistory',
  path: '/pages/{path}/history',
  tag: 'Edits',
  summary: 'History of a page',
  description: 'Accepted edits of a page, newest first.',
  parameters: { path, locale, limit: limit(), before },
  query: HistoryDocument,
  variables: ({ path, locale, limit, before }) => ({ path, locale, first: limit + 1, ...before }),
  answer: historyList,
  reshape: ({ history }, { limit, locale }, place) => {
    if (!history) throw new NotFound(`There is no such page in this language (${locale}).`)
    const { items, next } = part(history, limit, beforePosition)
    return { body: { items: withAddresses(items, place), next }, locale }
  },
  pagedBy: 'before',
  examples: [{ name: 'newest', summary: 'The two newest edits', url: '/pages/sencha/history?limit=2' }],
})
