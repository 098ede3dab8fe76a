import { z } from 'zod'
import { includedPageFields } from './included.ts'
import { highlightsField, nextField, pageReference } from './shared.ts'

const passage = z
  .strictObject({
    text: z.string().meta({ description: 'Excerpt, plain text.' }),
    highlights: highlightsField(
      'The matches: for each, its start and its end (exclusive) in `text`, in UTF-16 code units.',
    ),
  })
  .meta({ id: 'Passage', description: 'An excerpt of the page around matches.' })

const searchHitSchema = z
  .strictObject({
    ...pageReference.shape,
    passages: z.array(passage),
    score: z.number().min(0).max(1).meta({
      description:
        'How well the page matches, falling in the order of the items. Compare scores only within one response. 1: the query is the title or path of the page.',
    }),
    ...includedPageFields,
  })
  .meta({ id: 'SearchHit', description: 'A page that matches the query, with excerpts.' })

export const searchListSchema = z
  .strictObject({
    items: z.array(searchHitSchema),
    next: nextField,
    did_you_mean: z.string().optional().meta({
      description:
        'The query without its typo. Only present if an item was found despite a typo in the query.',
    }),
  })
  .meta({ id: 'SearchList', description: 'One part of the search results, best match first.' })
