import { NotFound } from '../../errors.ts'
import { HistoryDocument } from '../../generated/queries.ts'
import { exampleUrl } from '../examples/example-values.ts'
import { beforeParameter, limitParameter, localeParameter, pathParameter } from '../parameters.ts'
import { withRevisionUrls } from '../revision-urls.ts'
import { defineRoute } from '../route.ts'
import { historyListSchema } from '../schemas/history.ts'

export const historyRoute = defineRoute({
  name: 'history',
  operationId: 'listPageHistory',
  path: '/pages/{path}/history',
  requestClass: 'list',
  tag: 'Edits',
  summary: 'History of a page',
  description: 'Lists the accepted edits of a page, newest first.',
  parameters: {
    path: pathParameter,
    locale: localeParameter,
    limit: limitParameter(),
    before: beforeParameter,
  },
  query: HistoryDocument,
  writtenList: ['history', 'items'],
  variables: ({ path, locale, limit, before }) => ({ path, locale, first: limit, ...before }),
  responseSchema: historyListSchema,
  reshape: ({ history }, { locale }, context) => {
    if (!history) throw new NotFound(`There is no such page in this language (${locale}).`)
    return { body: withRevisionUrls(history, context), locale }
  },
  pagedBy: 'before',
  examples: ({ page }) => [
    {
      name: 'newest',
      summary: 'The two newest edits',
      url: exampleUrl`/pages/${page?.path}/history?limit=2`,
    },
  ],
})
