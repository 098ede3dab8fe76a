import { HistoryDocument } from '../../generated/queries.ts'
import { example, exampleUrl } from '../openapi/example-values.ts'
import { defineRoute } from '../route.ts'
import * as fields from './shared/fields.ts'
import { includeParameter } from './shared/include.ts'
import { editList } from './shared/paging.ts'
import * as parameters from './shared/parameters.ts'

export const historyRoute = defineRoute({
  name: 'history',
  operationId: 'listPageHistory',
  path: '/pages/{path}/history',
  requestClass: 'list',
  tag: 'Edits',
  summary: 'History of a page',
  description: 'Lists the accepted edits of a page, newest first.',
  parameters: {
    path: parameters.pathOfPage,
    locale: parameters.contentLocale,
    limit: parameters.limit(),
    ...parameters.ofEdits,
    include: includeParameter(['parent']),
  },
  query: HistoryDocument,
  variables: ({ include, limit: first, before, ...others }) => ({
    ...{ ...others, first, parent: include !== '' },
    ...before,
  }),
  responseSchema: fields.list(
    'HistoryList',
    fields.object('HistoryItem', 'An accepted edit.', {
      ...fields.ofEdit,
      url: fields.revisionUrl,
      ...fields.ofParent,
    }),
    'One part of the history of a page.',
    fields.nextEdits,
  ),
  reshape: ({ history }, { locale }, { base }) => history && { body: editList(history, base), locale },
  pagedBy: 'before',
  examples: ({ page }) => [
    example('newest', 'The two newest edits', exampleUrl`/pages/${page?.path}/history?limit=2`),
  ],
})
