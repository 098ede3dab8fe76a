import { NotFound } from '../../errors.ts'
import { HistoryDocument } from '../../generated/queries.ts'
import { editList } from '../edits.ts'
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
  variables: ({ path, locale, limit, before }) => ({ path, locale, first: limit, ...before }),
  answer: historyList,
  reshape: ({ history }, { locale }, place) => {
    if (!history) throw new NotFound(`There is no such page in this language (${locale}).`)
    return { body: editList(history, place), locale }
  },
  pagedBy: 'before',
  examples: [{ name: 'newest', summary: 'The two newest edits', url: '/pages/sencha/history?limit=2' }],
})
