import { z } from 'zod'
import { highlightsField, listSchema, pageReference } from './shared.ts'

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
