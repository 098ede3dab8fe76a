import { RecentDocument } from '../../generated/queries.ts'
import { editList } from '../edits.ts'
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
  variables: ({ locale, limit, before }) => ({ locale, first: limit, ...before }),
  answer: recentList,
  reshape: ({ recent }, { locale }, place) => ({
    body: editList(recent, place),
    locale: locale ?? undefined,
  }),
  pagedBy: 'before',
  examples: [
    { name: 'newest', summary: 'The two newest edits in English', url: '/recent?locale=en&limit=2' },
  ],
})
