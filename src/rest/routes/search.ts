import { OFFSET_MAX, SEARCH_LIMIT } from '@lectern/wiki/limits'
import { z } from 'zod'
import { SearchDocument } from '../../generated/queries.ts'
import { example, exampleUrl } from '../openapi/example-values.ts'
import { defineRoute } from '../route.ts'
import * as fields from './shared/fields.ts'
import { includeParameter, PAGE_FIELDS } from './shared/include.ts'
import * as parameters from './shared/parameters.ts'

const passage = fields.object('Passage', 'An excerpt of the page around matches.', {
  heading: fields.text('Heading of the section, plain text; empty before the first heading.'),
  text: fields.text('Excerpt, plain text.'),
  highlights: fields.highlights(
    'The matches in `text`, not those in `heading`: for each, its start and its end (exclusive), in UTF-16 code units.',
  ),
})

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
    q: { ...parameters.anyText('The words to search for.', ({ words }) => words), isRequired: true },
    locale: parameters.contentLocale,
    all: parameters.boolean('all', 'Search all languages, and ignore `locale`.'),
    ns: parameters.searchedNamespace,
    category: parameters.optionalText('Return only pages of the category with this key. Empty: all.'),
    prefix: parameters.optionalText('Return only pages whose path begins with this text, such as `guides/`.'),
    limit: parameters.limit(SEARCH_LIMIT),
    offset: parameters.offset,
    include: includeParameter(PAGE_FIELDS),
  },
  query: SearchDocument,
  variables: ({ locale, all, limit: first, include, ...search }) => {
    const revision = include !== ''
    return { ...search, first, revision, locale: all ? null : locale }
  },
  responseSchema: fields.object('SearchList', 'One part of the search results, best match first.', {
    items: z.array(
      fields.object('SearchHit', 'A page that matches the query, with excerpts.', {
        ...fields.pageReference.shape,
        passages: z.array(passage),
        score: z.number().min(0).max(1).meta({
          description:
            'How well the page matches, falling in the order of the items. Compare scores only within one response. 1: the query is the title or path of the page.',
        }),
        ...fields.ofIncludedPages,
      }),
    ),
    next: fields.next,
    did_you_mean: z.string().optional().meta({
      description: 'The query without its typo. Only present if it seems to have one that a title corrects.',
    }),
  }),
  reshape: ({ searchList: { items, pageInfo, didYouMean } }, { offset, locale, all }) => {
    const body = {
      items: items.map(({ page: { revision: _, ...page }, passages, score }) =>
        Object.assign(page, { passages, score }),
      ),
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
    example('words', 'Pages with these words', exampleUrl`/search?q=${words}&limit=2`),
  ],
})
