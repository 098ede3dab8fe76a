import { CategoriesDocument } from '../../generated/queries.ts'
import { defineRoute } from '../route.ts'
import * as fields from './shared/fields.ts'
import { slice } from './shared/paging.ts'
import * as parameters from './shared/parameters.ts'

export const categoriesRoute = defineRoute({
  name: 'categories',
  operationId: 'listCategories',
  path: '/categories',
  requestClass: 'list',
  tag: 'Pages',
  summary: 'Categories',
  description:
    'Lists the categories of one language that have live pages, with how many, sorted by the bytes of their keys.',
  parameters: {
    locale: parameters.contentLocale,
    limit: parameters.limit(),
    after: parameters.after('categories whose key is'),
  },
  query: CategoriesDocument,
  variables: ({ locale, limit, after }) => ({ locale, first: limit + 1, after }),
  responseSchema: fields.list(
    'CategoryEntryList',
    fields.object('CategoryEntry', 'A category with live pages.', {
      ...fields.categoryReference.shape,
      pages: fields.integer('How many live pages it has.', 1),
    }),
    'One part of the list of categories.',
  ),
  reshape: ({ categories }, { limit, locale }) => ({
    body: slice(categories, limit, (last) => last.key),
    locale,
  }),
  pagedBy: 'after',
  examples: () => [{ name: 'two', summary: 'The first two categories', url: '/categories?limit=2' }],
})
