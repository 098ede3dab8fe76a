import { z } from 'zod'
import { FIELD_BYTES_MAX, LIST_LIMIT } from '../../limits.ts'
import type { categoryListSchema } from '../../rest/schemas/category.ts'
import type { pageListSchema } from '../../rest/schemas/pages.ts'
import { LISTED_NAMESPACES } from '../../wiki/namespaces.ts'
import { changedArguments, oneLine } from '../answer.ts'
import { cursorArgument, limitArgument, localeArgument, maxCharactersArgument } from '../arguments.ts'
import { listAnswer } from '../list-answer.ts'
import { defineTool, nextCallField, readRoute } from '../tool.ts'
import { type ReadWiki, withQuery } from '../wiki-reader.ts'

type PageList = z.infer<typeof pageListSchema>
type CategoryList = z.infer<typeof categoryListSchema>
type ListedPage = PageList['items'][number] | CategoryList['items'][number]

const input = z.strictObject({
  category: z
    .string()
    .min(1)
    .max(FIELD_BYTES_MAX.key)
    .optional()
    .meta({
      description: 'List the pages of this category: the part of its path after "category:".',
      examples: ['green-tea'],
    }),
  ns: z
    .enum(LISTED_NAMESPACES)
    .optional()
    .meta({ description: 'Namespace of the pages. Default: main. A list of a category has all namespaces.' }),
  locale: localeArgument,
  limit: limitArgument({ max: LIST_LIMIT.max, default: 50 }),
  after: cursorArgument('Return pages after this one. Without category, a path.'),
  max_characters: maxCharactersArgument,
})

export const listPagesTool = defineTool({
  name: 'list_pages',
  title: 'List pages',
  description:
    'Lists the pages of the wiki by path, or those of one category. Use it to see what the wiki covers, or to visit every page. To find a page about something, use search.',
  input,
  output: z.strictObject({
    items: z.array(
      z.strictObject({
        path: z.string(),
        title: z.string(),
        locale: z.string(),
        ns: z.string(),
        url: z.string(),
        last_edit: z.string().meta({ description: 'Time of the last edit.' }),
      }),
    ),
    next: nextCallField,
    license: z.string(),
  }),
  run: async (values, wiki) => {
    const { category } = values
    const what =
      category === undefined ? 'Pages by path' : `Pages of the category ${JSON.stringify(category)}`
    const answer = await listAnswer({
      read: (limit) => readList(values, limit, wiki),
      limit: values.limit,
      maxCharacters: values.max_characters,
      head: (count) => [
        count > 0 ? `${what}.` : `${what}: there are no${values.after ? ' more' : ''} pages.`,
      ],
      render: ({ title, path, locale, ns, url }) =>
        `- ${oneLine(title)}\n  path: ${JSON.stringify(path)} (${locale}, ${ns})\n  url: ${url}`,
      nextCall: (next) => ({
        tool: 'list_pages',
        arguments: changedArguments(values, input, { after: next }),
      }),
    })
    const items = answer.items.map(({ path, title, locale, ns, url, revision }) => {
      return { path, title, locale, ns, url, last_edit: revision.created_at }
    })
    return { text: answer.text, structured: { items, next: answer.next, license: answer.license } }
  },
})

const readList = (
  { category, ns, locale, after }: z.output<typeof input>,
  limit: number,
  wiki: ReadWiki,
): Promise<{ body: { items: ListedPage[]; next: string }; license: string }> =>
  category === undefined
    ? readRoute<PageList>(wiki, withQuery('/pages', { ns, locale, after, limit }))
    : readRoute<CategoryList>(
        wiki,
        withQuery(`/categories/${encodeURIComponent(category)}`, { locale, after, limit }),
        () => `There is no category with the key ${JSON.stringify(category)}. Use search to find its name.`,
      )
