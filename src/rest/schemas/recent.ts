import { z } from 'zod'
import { urlField } from './fields.ts'
import { includedTextFields } from './included.ts'
import { editFields, listSchema, nextEditsField, pageReference } from './shared.ts'

const recentItemSchema = z
  .strictObject({
    ...editFields,
    url: urlField('URL of the revision in this API.'),
    page: pageReference,
    ...includedTextFields,
  })
  .meta({ id: 'RecentItem', description: 'An accepted edit, with its page.' })

export const recentListSchema = listSchema(
  'RecentList',
  recentItemSchema,
  'One part of the recent edits.',
  nextEditsField,
)
