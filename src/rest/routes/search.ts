import { SearchDocument } from '../../generated/queries.ts'
import { OFFSET_MAX, SEARCH_LIMIT } from '../../limits.ts'
import { includeParameter, PAGE_FIELDS } from '../include.ts'
import { slice } from '../paging.ts'
import {
  flagParameter,
  limitParameter,
  localeParameter,
  offsetParameter,
  textParameter,
} from '../parameters.ts'
import { defineRoute } from '../route.ts'
import { searchListSchema } from '../schemas/search.ts'

export const searchRoute = defineRoute({
  name: 'search',
  operationId: 'searchPages',
  path: '/search',
  requestClass: 'search',
  tag: 'Search',
  summary: 'Search pages',
  description:
    'Searches titles and texts, and returns the matching pages with excerpts, best match first. A page must match all words; if no page does, the search returns the pages that match most of them. You can use `"a phrase"`, `or` and `-without`. The search also finds titles by their beginning, and titles with one typo. Case and accents do not matter. A query without words returns no results.',
  parameters: {
    q: textParameter('The words to search for.', 'steamed leaves'),
    locale: localeParameter,
    all: flagParameter('all', 'Search all languages, and ignore `locale`.'),
    limit: limitParameter(SEARCH_LIMIT),
    offset: offsetParameter,
    include: includeParameter(PAGE_FIELDS),
  },
  query: SearchDocument,
  variables: ({ q, locale, all, limit, offset, include }) => ({
    q,
    locale: all ? null : locale,
    first: limit + 1,
    offset,
    revision: include !== '',
  }),
  responseSchema: searchListSchema,
  reshape: ({ search }, { limit, offset, locale, all }) => {
    const offsetAfter = (count: number) => (offset + count > OFFSET_MAX ? '' : String(offset + count))
    const { items, next } = slice(search, limit, () => offsetAfter(limit))
    const body = {
      items: items.map(({ page: { revision: _, ...page }, passages }) => ({
        ...page,
        passages: passages.map(({ text, highlights }) => ({ text, highlights })),
      })),
      next,
    }
    const content = () => ({
      revisions: items.map(({ page }) => page.revision!.id),
      nextAfter: offsetAfter,
    })
    return { body, locale: all ? undefined : locale, content }
  },
  pagedBy: 'offset',
  examples: [{ name: 'words', summary: 'Pages about steaming', url: '/search?q=steamed%20leaves&limit=2' }],
})
