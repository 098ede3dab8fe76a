import { BadParameter } from '@lectern/wiki/errors'
import { LIST_LIMIT } from '@lectern/wiki/limits'
import { z } from 'zod'
import { PagesDocument } from '../../generated/queries.ts'
import { example, exampleUrl } from '../openapi/example-values.ts'
import { defineRoute, type Parameter } from '../route.ts'
import * as fields from './shared/fields.ts'
import { includeParameter, PAGE_FIELDS } from './shared/include.ts'
import { slice } from './shared/paging.ts'
import * as parameters from './shared/parameters.ts'

const pathsParameter: Parameter<readonly string[]> = {
  description: `Return the page with this path, with its namespace prefix if it has one. Repeat the parameter for up to ${LIST_LIMIT.default} pages, while URL and headers have at most 16 KB: they come in the order of the request, each once, whatever their namespaces are. For a page that does not exist, the item has the path, \`missing\` and, if the page moved, \`moved_to\`.`,
  schema: { type: 'array', items: { type: 'string', pattern: '^[^\\x00]+$' }, maxItems: LIST_LIMIT.default },
  read: () => [],
  readAll: (texts) => {
    if (texts.length > LIST_LIMIT.default)
      throw new BadParameter('path', `can appear at most ${LIST_LIMIT.default} times`)
    if (texts.includes('')) throw new BadParameter('path', 'must not be empty')
    return [...new Set(texts)]
  },
}

/** The paths of one part of the list, and one more if it continues. @throws BadParameter */
const pathsOfPart = (paths: readonly string[], after: string, limit: number): string[] => {
  const start = after === '' ? 0 : paths.indexOf(after) + 1
  if (after !== '' && start === 0) throw new BadParameter('after', 'must be one of the values of `path`')
  return paths.slice(start, start + limit + 1)
}

const listedPageSchema = z.union([
  fields.object('PageItem', 'A page in a list.', {
    ...fields.ofListedPage,
    position: fields.integer('Place in the order of its site. Present with `position=true`.').nullish(),
    group_title: fields.text('Title of its group there: the last of `group_titles`.').nullish(),
    group_titles: z.array(fields.text('Title of a group around it there, the outermost first.')).optional(),
    nav_title: fields.text('Its title in the navigation of its site, if it has one there.').nullish(),
  }),
  fields.object('MissingPage', 'A path of the request that has no live page.', {
    path: fields.path,
    missing: z.literal(true).meta({ description: 'The wiki has no live page at this path.' }),
    moved_to: fields.pageReference.optional(),
  }),
])
export const pagesRoute = defineRoute({
  name: 'pages',
  operationId: 'listPages',
  path: '/pages',
  requestClass: 'list',
  tag: 'Pages',
  summary: 'Live pages by path',
  description:
    'Lists the live pages of one language and one namespace, sorted by the bytes of their paths; or, with `path`, the pages that you name.',
  parameters: {
    ns: parameters.namespace,
    locale: parameters.contentLocale,
    prefix: parameters.anyText('Return only pages whose path begins with this text, such as `guides/`.'),
    limit: parameters.limit(),
    after: parameters.after('pages whose path is'),
    include: includeParameter(PAGE_FIELDS),
    path: pathsParameter,
    position: parameters.boolean(
      'position',
      'Return also the place of each page in the order of its site, and the title of its group there.',
    ),
  },
  query: PagesDocument,
  variables: ({ ns, locale, prefix, limit, after, path, position }) => {
    const isByPath = path.length > 0
    if (isByPath && prefix !== '') throw new BadParameter('prefix', 'cannot be combined with `path`')
    const paths = pathsOfPart(path, isByPath ? after : '', limit)
    return { ns, locale, prefix, first: limit + 1, after, isByPath, paths, position }
  },
  responseSchema: fields.list('PageList', listedPageSchema, 'One part of the list of pages.'),
  reshape: ({ pages = [], pagesByPath, movedTo }, { limit, locale, path, after, position }) => {
    const missing = (one: string, i: number) =>
      ({ path: one, missing: true, moved_to: movedTo?.[i] ?? undefined }) as const
    const listed = pagesByPath
      ? pathsOfPart(path, after, limit).map((one, i) => pagesByPath[i] ?? missing(one, i))
      : pages
    const { items, next } = slice<z.infer<typeof listedPageSchema>>(listed, limit, (last) => last.path)
    const content = () => ({
      revisions: items.map((item) => ('revision' in item ? item.revision.id : null)),
      nextAfter: (count: number) => items[count - 1]!.path,
    })
    const itemToJson = position || pagesByPath ? undefined : fields.listedPageJson
    return { body: { items, next }, locale, itemToJson, content }
  },
  pagedBy: 'after',
  examples: ({ page }) => [
    example('two', 'The first two pages', '/pages?limit=2'),
    example(
      'texts',
      'The first two pages with their texts and categories',
      '/pages?limit=2&include=markdown,categories',
    ),
    example(
      'paths',
      'Pages that you name, of which one does not exist',
      exampleUrl`/pages?path=${page?.path}&path=no-such-page`,
    ),
  ],
})
