import { z } from 'zod'
import { namespaceField } from './fields.ts'
import { listedPageFields } from './included.ts'
import { categoryReference, nextField } from './shared.ts'

const categoryItemSchema = z
  .strictObject({
    ...listedPageFields,
    ns: namespaceField,
    sort_key: z.string().meta({ description: 'The text by which the list of the category is sorted.' }),
  })
  .meta({ id: 'CategoryItem', description: 'A page in a category.' })

export const categoryListSchema = z
  .strictObject({ items: z.array(categoryItemSchema), next: nextField, category: categoryReference })
  .meta({ id: 'CategoryList', description: 'One part of the list of pages of a category.' })
