import { HistoryDocument } from '../../generated/queries.ts'
import { example, exampleUrl } from '../openapi/example-values.ts'
import { defineRoute } from '../route.ts'
import * as fields from './shared/fields.ts'
import { includeParameter, TEXT_FIELDS } from './shared/include.ts'
import { editList, readLaterEditCursor } from './shared/paging.ts'
import * as parameters from './shared/parameters.ts'

export const historyRoute = defineRoute({
  name: 'history',
  operationId: 'listPageHistory',
  path: '/pages/{path}/history',
  requestClass: 'list',
  tag: 'Edits',
  summary: 'History of a page',
  description: 'Lists the accepted edits of a page, newest first, or oldest first.',
  parameters: {
    path: parameters.pathOfPage,
    locale: parameters.contentLocale,
    limit: parameters.limit(),
    ...parameters.ofEdits,
    order: parameters.order,
    after: parameters.anyText('With `order=asc`, return only later edits: `next` of the previous response.'),
    include: includeParameter([...TEXT_FIELDS, 'parent']),
  },
  query: HistoryDocument,
  variables: ({ include, limit: first, before, order, after, ...others }) => {
    const parent = include.endsWith('parent')
    const cursor = { ...before, ...readLaterEditCursor(after, order) }
    return { ...others, first, parent, oldestFirst: order === 'asc', ...cursor }
  },
  responseSchema: fields.list(
    'HistoryList',
    fields.object('HistoryItem', 'An accepted edit.', fields.ofListedEdit),
    'One part of the history of a page.',
    fields.nextEdits,
  ),
  reshape: ({ history }, { locale, order }, { base }) =>
    history && { ...editList(history, base, order), locale },
  pagedBy: 'before',
  examples: ({ page }) => [
    example('newest', 'The two newest edits', exampleUrl`/pages/${page?.path}/history?limit=2`),
  ],
})
