import { z } from 'zod'
import { CategoryDocument } from '../../generated/queries.ts'
import { example, exampleUrl } from '../openapi/example-values.ts'
import { defineRoute } from '../route.ts'
import * as fields from './shared/fields.ts'
import { includeParameter, PAGE_FIELDS } from './shared/include.ts'
import { categoryCursor, readAfter, slice } from './shared/paging.ts'
import * as parameters from './shared/parameters.ts'

export const categoryRoute = defineRoute({
  name: 'category',
  operationId: 'listCategoryPages',
  path: '/categories/{key}',
  requestClass: 'list',
  tag: 'Pages',
  summary: 'Pages of a category',
  description: 'Lists the live pages of a category, sorted by the bytes of their sort keys.',
  parameters: {
    key: parameters.pathText(
      'Key of the category: the part of its path after `category:`.',
      ({ category }) => category,
    ),
    locale: parameters.contentLocale,
    limit: parameters.limit(),
    after: parameters.after('pages whose sort key is'),
    include: includeParameter([...PAGE_FIELDS, 'total']),
  },
  query: CategoryDocument,
  variables: ({ key, locale, limit, after, include }) => {
    const total = include.endsWith('total')
    return { key, locale, first: limit + 1, total, ...readAfter(after) }
  },
  responseSchema: fields.object('CategoryList', 'One part of the list of pages of a category.', {
    items: z.array(
      fields.object('CategoryItem', 'A page in a category.', {
        ...fields.ofListedPage,
        sort_key: fields.text('The text by which the list of the category is sorted.'),
      }),
    ),
    next: fields.next,
    category: fields.categoryReference,
    total: fields.integer('How many pages the whole list has. Present if `include` names it.').optional(),
  }),
  reshape: ({ category }, { limit, locale }) => {
    if (!category) return null
    const { key, name, url, total } = category
    const { items, next } = slice(category.members, limit, categoryCursor)
    const pages = items.map(({ page, sort_key }) => Object.assign(page, { sort_key }))
    const content = () => ({
      revisions: pages.map(({ revision }) => revision.id),
      nextAfter: (count: number) => categoryCursor(items[count - 1]!, items[count]!),
    })
    const body = { items: pages, next, category: { key, name, url }, ...(total !== undefined && { total }) }
    return { body, locale, itemToJson: fields.memberJson, content }
  },
  pagedBy: 'after',
  examples: ({ category }) => [
    example('members', 'The first two pages of a category', exampleUrl`/categories/${category}?limit=2`),
  ],
})
