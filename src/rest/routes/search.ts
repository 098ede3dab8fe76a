import { SearchDocument } from '../../generated/queries.ts'
import { OFFSET_MAX, SEARCH_LIMIT } from '../../limits.ts'
import { slice } from '../paging.ts'
import {
  flagParameter,
  limitParameter,
  localeParameter,
  offsetParameter,
  textParameter,
} from '../parameters.ts'
import { searchListSchema } from '../response-schemas.ts'
import { defineRoute } from '../route.ts'

export const searchRoute = defineRoute({
  name: 'search',
  operationId: 'searchPages',
  path: '/search',
  requestClass: 'search',
  tag: 'Search',
  summary: 'Search',
  description:
    'Pages whose title or text matches, best first, with excerpts. All words must match; where no page has them all, those that have most of them are answered. `"a phrase"`, `or` and `-without` are understood; the beginning of a title and one slip in it are forgiven; case and accents do not matter. Without words nothing is found.',
  parameters: {
    q: textParameter('The words to search.', 'steamed leaves'),
    locale: localeParameter,
    all: flagParameter('all', 'Search every language; `locale` then does not matter.'),
    limit: limitParameter(SEARCH_LIMIT),
    offset: offsetParameter,
  },
  query: SearchDocument,
  variables: ({ q, locale, all, limit, offset }) => ({
    q,
    locale: all ? null : locale,
    first: limit + 1,
    offset,
  }),
  responseSchema: searchListSchema,
  reshape: ({ search }, { limit, offset, locale, all }) => {
    const { items, next } = slice(search, limit, () =>
      offset + limit > OFFSET_MAX ? '' : String(offset + limit),
    )
    const body = {
      items: items.map(({ page, passages }) => ({
        ...page,
        passages: passages.map(({ text, highlights }) => ({ text, highlights })),
      })),
      next,
    }
    return { body, locale: all ? undefined : locale }
  },
  pagedBy: 'offset',
  examples: [{ name: 'words', summary: 'Pages about steaming', url: '/search?q=steamed%20leaves&limit=2' }],
})
