import { z } from 'zod'
import { NotFound } from '../../errors.ts'
import { HistoryDocument } from '../../generated/queries.ts'
import { beforeParameter, limitParameter, localeParameter, pathParameter } from '../parameters.ts'
import { editFields, listSchema, nextEditsField } from '../response-schemas.ts'
import { withRevisionUrls } from '../revision-urls.ts'
import { defineRoute } from '../route.ts'
import { urlField } from '../schema-fields.ts'

const historyItemSchema = z
  .strictObject({ ...editFields, url: urlField('URL of the revision in this API.') })
  .meta({ id: 'HistoryItem', description: 'An accepted edit.' })

export const historyListSchema = listSchema(
  'HistoryList',
  historyItemSchema,
  'One part of the history of a page.',
  nextEditsField,
)

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
  variables: ({ path, locale, limit, before }) => ({ path, locale, first: limit, ...before }),
  responseSchema: historyListSchema,
  reshape: ({ history }, { locale }, context) => {
    if (!history) throw new NotFound(`There is no such page in this language (${locale}).`)
    return { body: withRevisionUrls(history, context), locale }
  },
  pagedBy: 'before',
  examples: [{ name: 'newest', summary: 'The two newest edits', url: '/pages/sencha/history?limit=2' }],
})
