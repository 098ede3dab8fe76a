import { NotFound } from '../../errors.ts'
import { CategoryDocument } from '../../generated/queries.ts'
import { afterPosition, part, readAfter } from '../paging.ts'
import { limit, locale, pathText, text } from '../parameters.ts'
import { route } from '../route.ts'
import { categoryList } from '../shapes.ts'

export const category = route({
  name: 'category',
  operationId: 'listCategoryPages',
  path: '/categories/{key}',
  tag: 'Pages',
  summary: 'Pages of a category',
  description: 'Live pages of a category, in the order of the bytes of their sort keys.',
  parameters: {
    key: pathText('Address of the category: what follows `category:`.', 'green-tea'),
    locale,
    limit: limit(),
    after: text('Only sort keys after this one; take it from `next`.', 'gyokuro'),
  },
  query: CategoryDocument,
  variables: ({ key, locale, limit, after }) => ({ key, locale, first: limit + 1, ...readAfter(after) }),
  answer: categoryList,
  reshape: ({ category }, { limit, locale }) => {
    if (!category) throw new NotFound(`There is no such category in this language (${locale}).`)
    const { key, name, url } = category
    const { items, next } = part(category.members, limit, afterPosition)
    const shown = items.map(({ page, sort_key }) => ({ ...page, sort_key }))
    return { body: { items: shown, next, category: { key, name, url } }, locale }
  },
  pagedBy: 'after',
  examples: [
    { name: 'members', summary: 'The first two pages of a category', url: '/categories/green-tea?limit=2' },
  ],
})
