import { SuggestDocument } from '../../generated/queries.ts'
import { SUGGEST_LIMIT } from '../../limits/service.ts'
import { example, exampleUrl } from '../openapi/example-values.ts'
import { defineRoute } from '../route.ts'
import * as fields from './shared/fields.ts'
import * as parameters from './shared/parameters.ts'

export const suggestRoute = defineRoute({
  name: 'suggest',
  operationId: 'listSuggestions',
  path: '/suggest',
  // Its cost is that of a list, and somebody who types should not wait for searches. (D105)
  requestClass: 'list',
  tag: 'Search',
  summary: 'Suggest pages while somebody types',
  description:
    'Returns pages whose title begins with a text, for a search field: first the page with this title, then pages with many edits. Pages follow whose title has the text at the beginning of a later word, then pages of whose title words begin with its words, in any order. A redirect, or another name of a page that begins so, stands for the page. If there are too few such pages, pages follow whose title begins with the text, or has it as a whole later word, but for one typo: a wrong letter, a missing or additional one, or two swapped letters. Pages that describe categories are not returned. Case and accents do not matter. A text without letters and digits returns nothing.',
  parameters: {
    q: { ...parameters.anyText('What was typed.', ({ prefix }) => prefix), isRequired: true },
    locale: parameters.contentLocale,
    limit: parameters.limit(SUGGEST_LIMIT),
  },
  query: SuggestDocument,
  variables: ({ q, locale, limit }) => ({ q, locale, first: limit }),
  responseSchema: fields.list(
    'SuggestionList',
    fields.object('Suggestion', 'A page whose title begins with what was typed.', {
      ...fields.pageReference.shape,
      highlights: fields.highlights(
        'What was typed: its start and its end (exclusive) in `title`, in UTF-16 code units. Empty if the title of a redirect to the page, or another name of it, begins so.',
      ),
    }),
    'Pages for what was typed, best first. The list has no further parts, so `next` is empty.',
  ),
  reshape: ({ suggest }, { locale }) => ({
    body: { items: suggest.map(({ page, highlights }) => Object.assign(page, { highlights })), next: '' },
    locale,
  }),
  examples: ({ prefix, typo }) => [
    example('beginning', 'Pages that begin with a text', exampleUrl`/suggest?q=${prefix}&limit=2`),
    example('typo', 'The same with a typo', exampleUrl`/suggest?q=${typo}`),
  ],
})
