import { RecentDocument } from '../../generated/queries.ts'
import { example, exampleUrl } from '../openapi/example-values.ts'
import { defineRoute } from '../route.ts'
import * as fields from './shared/fields.ts'
import { includeParameter, TEXT_FIELDS } from './shared/include.ts'
import { editList } from './shared/paging.ts'
import * as parameters from './shared/parameters.ts'

export const recentRoute = defineRoute({
  name: 'recent',
  operationId: 'listRecentEdits',
  path: '/recent',
  requestClass: 'list',
  tag: 'Edits',
  summary: 'Recent edits',
  description: 'Lists the accepted edits of the whole wiki, newest first.',
  parameters: {
    locale: parameters.localeFilter,
    author: parameters.author,
    ns: parameters.namespaceFilter,
    limit: parameters.limit(),
    ...parameters.ofEdits,
    include: includeParameter([...TEXT_FIELDS, 'parent']),
  },
  query: RecentDocument,
  variables: ({ include, limit: first, before, ...others }) => {
    const parent = include.endsWith('parent')
    return { ...others, first, parent, ...before }
  },
  responseSchema: fields.list(
    'RecentList',
    fields.object('RecentItem', 'An accepted edit, with its page.', {
      ...fields.ofListedEdit,
      page: fields.pageReference,
    }),
    'One part of the recent edits.',
    fields.nextEdits,
  ),
  reshape: ({ recent }, { locale, include }, { base }) => ({
    ...editList(recent, base),
    itemToJson: include === '' ? fields.recentEditJson : undefined,
    locale: locale ?? undefined,
  }),
  pagedBy: 'before',
  examples: ({ locale }) => [
    example('newest', 'The two newest edits in one language', exampleUrl`/recent?locale=${locale}&limit=2`),
  ],
})
