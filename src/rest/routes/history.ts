import { HistoryDocument } from '../../generated/queries.ts'
import { example, exampleUrl } from '../openapi/example-values.ts'
import { defineRoute } from '../route.ts'
import { editFields, listSchema, nextEditsField, objectSchema, urlField } from './shared/fields.ts'
import { editList } from './shared/paging.ts'
import { editParameters, limitParameter, localeParameter, pathParameter } from './shared/parameters.ts'

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
    ...editParameters,
  },
  query: HistoryDocument,
  variables: ({ limit, before, ...others }) => ({ ...others, first: limit, ...before }),
  responseSchema: listSchema(
    'HistoryList',
    objectSchema('HistoryItem', 'An accepted edit.', {
      ...editFields,
      url: urlField('URL of the revision in this API.'),
    }),
    'One part of the history of a page.',
    nextEditsField,
  ),
  reshape: ({ history }, { locale }, { base }) => history && { body: editList(history, base), locale },
  pagedBy: 'before',
  examples: ({ page }) => [
    example('newest', 'The two newest edits', exampleUrl`/pages/${page?.path}/history?limit=2`),
  ],
})
