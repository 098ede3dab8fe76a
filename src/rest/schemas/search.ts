import { z } from 'zod'
import { includedPageFields } from './pages.ts'
import { highlightsField, listSchema, nextField, pageReference } from './shared.ts'

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

const suggestionSchema = z
  .strictObject({
    ...pageReference.shape,
    highlights: highlightsField(
      'What was typed: its start and its end (exclusive) in `title`, in UTF-16 code units. Empty if the title of a redirect to the page begins so.',
    ),
  })
  .meta({ id: 'Suggestion', description: 'A page whose title begins with what was typed.' })

export const suggestionListSchema = listSchema(
  'SuggestionList',
  suggestionSchema,
  'Pages for what was typed, best first. The list has no further parts, so `next` is empty.',
)
