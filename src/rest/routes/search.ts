import { OFFSET_MAX, SEARCH_LIMIT } from '@lectern/wiki/limits'
import { SearchDocument } from '../../generated/queries.ts'
import { exampleUrl } from '../openapi/example-values.ts'
import { defineRoute } from '../route.ts'
import { searchListSchema } from '../schemas/search.ts'
import { includeParameter, PAGE_FIELDS } from './shared/include.ts'
import {
  flagParameter,
  limitParameter,
  localeParameter,
  offsetParameter,
  optionalTextParameter,
  searchedNamespaceParameter,
  textParameter,
} from './shared/parameters.ts'

export const searchRoute = defineRoute({
  name: 'search',
  operationId: 'searchPages',
  path: '/search',
  requestClass: 'search',
  tag: 'Search',
  summary: 'Search pages',
  description:
    'Searches titles and texts, and returns the matching pages with excerpts, best match first. Pages whose title matches come first, then pages that match all words or the words that say most. You can use `"a phrase"`, `or` and `-without`. The search also finds titles by their beginning, and titles with one typo. Case and accents do not matter. A query without words returns no results.',
  parameters: {
    q: textParameter('The words to search for.', ({ words }) => words),
    locale: localeParameter,
    all: flagParameter('all', 'Search all languages, and ignore `locale`.'),
    ns: searchedNamespaceParameter,
    category: optionalTextParameter('Return only pages of the category with this key.'),
    prefix: optionalTextParameter('Return only pages whose path begins with this text, such as `guides/`.'),
    limit: limitParameter(SEARCH_LIMIT),
    offset: offsetParameter,
    include: includeParameter(PAGE_FIELDS),
  },
  query: SearchDocument,
  variables: ({ q, locale, all, ns, category, prefix, limit, offset, include }) => ({
    ...{ q, ns, category, prefix },
    locale: all ? null : locale,
    first: limit,
    offset,
    revision: include !== '',
  }),
  responseSchema: searchListSchema,
  reshape: ({ searchList: { items, pageInfo, didYouMean } }, { offset, locale, all }) => {
    const body = {
      items: items.map(({ page: { revision: _, ...page }, passages, score }) => ({
        ...page,
        passages: passages.map(({ text, highlights }) => ({ text, highlights })),
        score,
      })),
      next: pageInfo.endCursor ?? '',
      ...(didYouMean != null && { did_you_mean: didYouMean }),
    }
    const content = () => ({
      revisions: items.map(({ page }) => page.revision!.id),
      nextAfter: (count: number) => (offset + count > OFFSET_MAX ? '' : String(offset + count)),
    })
    return { body, locale: all ? undefined : locale, content }
  },
  pagedBy: 'offset',
  examples: ({ words }) => [
    { name: 'words', summary: 'Pages with these words', url: exampleUrl`/search?q=${words}&limit=2` },
  ],
})
