import { z } from 'zod'
import { urlField } from './fields.ts'
import { editFields, listSchema, nextEditsField } from './shared.ts'

const historyItemSchema = z
  .strictObject({ ...editFields, url: urlField('URL of the revision in this API.') })
  .meta({ id: 'HistoryItem', description: 'An accepted edit.' })

export const historyListSchema = listSchema(
  'HistoryList',
  historyItemSchema,
  'One part of the history of a page.',
  nextEditsField,
)
