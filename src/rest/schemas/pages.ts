import { z } from 'zod'
import { listedPageFields } from './included.ts'
import { listSchema } from './shared.ts'

const pageItemSchema = z
  .strictObject(listedPageFields)
  .meta({ id: 'PageItem', description: 'A page in a list.' })

export const pageListSchema = listSchema('PageList', pageItemSchema, 'One part of the list of pages.')
