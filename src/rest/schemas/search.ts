import { z } from 'zod'
import { includedPageFields } from './included.ts'
import { highlightsField, listSchema, pageReference } from './shared.ts'

const passage = z
  .strictObject({
    text: z.string().meta({ description: 'Excerpt, plain text.' }),
    highlights: highlightsField(
      'The matches: for each, its start and its end (exclusive) in `text`, in UTF-16 code units.',
    ),
  })
  .meta({ id: 'Passage', description: 'An excerpt of the page around matches.' })

const searchHitSchema = z
  .strictObject({ ...pageReference.shape, passages: z.array(passage), ...includedPageFields })
  .meta({ id: 'SearchHit', description: 'A page that matches the query, with excerpts.' })

export const searchListSchema = listSchema(
  'SearchList',
  searchHitSchema,
  'One part of the search results, best match first.',
)
