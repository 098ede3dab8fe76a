import { RecentDocument } from '../../generated/queries.ts'
import { withAddresses } from '../edits.ts'
import { beforePosition, part } from '../paging.ts'
import { before, limit, localeFilter } from '../parameters.ts'
import { route } from '../route.ts'
import { recentList } from '../shapes.ts'

export const recent = route({
  name: 'recent',
  operationId: 'listRecentEdits',
  path: '/recent',
  tag: 'Edits',
  summary: 'Recent edits',
  description: 'Accepted edits of the whole wiki, newest first.',
  parameters: { locale: localeFilter, limit: limit(), before },
  query: RecentDocument,
  variables: ({ locale, limit, before }) => ({ locale, first: limit + 1, ...before }),
  answer: recentList,
  reshape: ({ recent }, { limit, locale }, place) => {
    const { items, next } = part(recent, limit, beforePosition)
    return { body: { items: withAddresses(items, place), next }, locale: locale ?? undefined }
  },
  pagedBy: 'before',
  examples: [
    { name: 'newest', summary: 'The two newest edits in English', url: '/recent?locale=en&limit=2' },
  ],
})
