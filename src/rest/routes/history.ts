import { HistoryDocument } from '../../generated/queries.ts'
import { example, exampleUrl } from '../openapi/example-values.ts'
import { defineRoute } from '../route.ts'
import * as fields from './shared/fields.ts'
import { includeParameter } from './shared/include.ts'
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
    after: parameters.anyText('With `order=asc`: `next` of the previous response.'),
    include: includeParameter(['parent']),
  },
  query: HistoryDocument,
  variables: ({ include, limit: first, before, order, after, ...others }) => ({
    ...{ ...others, first, parent: include !== '', oldestFirst: order === 'asc' },
    ...before,
    ...readLaterEditCursor(after, order),
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
  reshape: ({ history }, { locale, order }, { base }) => {
    if (!history || order === 'desc') return history && { body: editList(history, base), locale }
    const last = history.items.at(-1)
    const next = history.next && `${last?.created_at}_${last?.id}`
    return { body: editList({ ...history, next }, base), locale }
  },
  pagedBy: 'before',
  examples: ({ page }) => [
    example('newest', 'The two newest edits', exampleUrl`/pages/${page?.path}/history?limit=2`),
  ],
})
