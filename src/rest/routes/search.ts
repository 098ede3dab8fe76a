import { SearchDocument } from '../../generated/queries.ts'
import { OFFSET_MAX, SEARCH_LIMIT } from '../../limits.ts'
import { part } from '../paging.ts'
import { flag, limit, locale, offset, text } from '../parameters.ts'
import { route } from '../route.ts'
import { searchList } from '../shapes.ts'

export const search = route({
  name: 'search',
  operationId: 'searchPages',
  path: '/search',
  tag: 'Search',
  summary: 'Search',
  description:
    'Pages whose title or text matches, best first, with excerpts. All words must match; where no page has them all, those that have most of them are answered. `"a phrase"`, `or` and `-without` are understood; the beginning of a title and one slip in it are forgiven; case and accents do not matter. Without words nothing is found.',
  parameters: {
    q: text('The words to search.', 'steamed leaves'),
    locale,
    all: flag('all', 'Search every language; `locale` then does not matter.'),
    limit: limit(SEARCH_LIMIT),
    offset,
  },
  query: SearchDocument,
  variables: ({ q, locale, all, limit, offset }) => ({
    q,
    locale: all ? null : locale,
    first: limit + 1,
    offset,
  }),
  answer: searchList,
  reshape: ({ search }, { limit, offset, locale, all }) => {
    const { items, next } = part(search, limit, () =>
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
