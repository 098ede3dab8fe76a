import { z } from 'zod'
import { integerField } from './fields.ts'
import { categoryReference, listSchema } from './shared.ts'

const categoryEntrySchema = z
  .strictObject({ ...categoryReference.shape, pages: integerField('How many live pages it has.', 1) })
  .meta({ id: 'CategoryEntry', description: 'A category with live pages.' })

export const categoryEntryListSchema = listSchema(
  'CategoryEntryList',
  categoryEntrySchema,
  'One part of the list of categories.',
)
