import { z } from 'zod'
import { includedPageFields } from './pages.ts'
import { highlightsField, listSchema, nextField, objectSchema, pageReference, textField } from './shared.ts'

const passage = objectSchema('Passage', 'An excerpt of the page around matches.', {
  text: textField('Excerpt, plain text.'),
  highlights: highlightsField(
    'The matches: for each, its start and its end (exclusive) in `text`, in UTF-16 code units.',
  ),
})

const searchHitSchema = objectSchema('SearchHit', 'A page that matches the query, with excerpts.', {
  ...pageReference.shape,
  passages: z.array(passage),
  score: z.number().min(0).max(1).meta({
    description:
      'How well the page matches, falling in the order of the items. Compare scores only within one response. 1: the query is the title or path of the page.',
  }),
  ...includedPageFields,
})

export const searchListSchema = objectSchema(
  'SearchList',
  'One part of the search results, best match first.',
  {
    items: z.array(searchHitSchema),
    next: nextField,
    did_you_mean: z.string().optional().meta({
      description:
        'The query without its typo. Only present if an item was found despite a typo in the query.',
    }),
  },
)

const suggestionSchema = objectSchema('Suggestion', 'A page whose title begins with what was typed.', {
  ...pageReference.shape,
  highlights: highlightsField(
    'What was typed: its start and its end (exclusive) in `title`, in UTF-16 code units. Empty if the title of a redirect to the page begins so.',
  ),
})

export const suggestionListSchema = listSchema(
  'SuggestionList',
  suggestionSchema,
  'Pages for what was typed, best first. The list has no further parts, so `next` is empty.',
)
