import { BadParameter } from '@lectern/wiki/errors'
import { LIST_LIMIT } from '@lectern/wiki/limits'
import { memoizeLast } from '../../../shared/memoize.ts'
import type { Parameter } from '../../route.ts'
import { linkCursor, slice } from './paging.ts'

/** The parameter `include`: fields that a list or a page returns besides its own. (D101) */

/** What an edit can have: the rest belongs to its page, as it is now. */
export const TEXT_FIELDS = ['markdown', 'html', 'text', 'summary', 'sections', 'properties'] as const

const OTHER_FIELDS = ['categories', 'translations', 'links', 'contributors', 'files'] as const

/** Everything that `include` can name, in the order of the documentation. */
export const PAGE_FIELDS = [...TEXT_FIELDS, ...OTHER_FIELDS] as const

type ContentField = (typeof PAGE_FIELDS)[number]

/** Whether a value of the parameter names what is read after the list. */
export const namesContent = (include: unknown) =>
  ![undefined, '', 'total', 'parent'].includes(include as string)

/**
 * Fields to add, as names with commas, each once and in the order of `fields`: requests that mean the same get the same
 * value. Empty: none.
 * @param fields those that make sense for the route. The stored query of a list itself reads its `total`, if the wiki
 * knows it without counting, and the `parent` of each edit
 */
export const includeParameter = (
  fields: readonly (ContentField | 'total' | 'parent')[],
): Parameter<string> => ({
  description: 'Further fields to return: their names in one text, with commas between them.',
  schema: { type: 'array', items: { type: 'string', enum: [...fields] }, uniqueItems: true },
  isList: true,
  example: () => fields.slice(0, 1),
  read: (raw = '') => {
    const names = raw === '' ? [] : raw.split(',').map((name) => name.trim())
    const wrong = names.find((name) => !fields.some((field) => field === name))
    if (wrong !== undefined) {
      const told = /^[\w-]{1,40}$/.test(wrong) ? `, not ${wrong}` : ''
      throw new BadParameter('include', `must be one of ${fields.join(', ')}, or several with commas${told}`)
    }
    return fields.filter((field) => names.includes(field)).join(',')
  },
})

type IncludedFields = Readonly<Record<ContentField, boolean>>

/** @param include the value of the parameter */
export const includedFields = memoizeLast((include: string): IncludedFields => {
  const names = include.split(',')
  return Object.fromEntries(PAGE_FIELDS.map((field) => [field, names.includes(field)])) as IncludedFields
})

/** The links of a page: one more than are returned, if there are more. `/links?from=` continues after `next`. */
export const includedLinks = <Link extends { locale: string; path: string }>(links: Link[]) =>
  slice(links, LIST_LIMIT.max, linkCursor)
