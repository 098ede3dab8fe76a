import { BadParameter, NotFound } from '@lectern/wiki/errors'
import { LinksDocument } from '../../generated/queries.ts'
import { example, exampleUrl } from '../openapi/example-values.ts'
import { defineRoute } from '../route.ts'
import * as fields from './shared/fields.ts'
import { linkCursor, readLinkCursor, slice } from './shared/paging.ts'
import * as parameters from './shared/parameters.ts'

export const linksRoute = defineRoute({
  name: 'links',
  operationId: 'listLinks',
  path: '/links',
  requestClass: 'list',
  tag: 'Pages',
  summary: 'Links to or from a page',
  description:
    'Lists the pages that link to a page (`to`), or the pages to which a page links (`from`), sorted by the bytes of their languages and paths. Send one of these two parameters. A page that links to another one several times is listed once. A page that does not exist can have links to it.',
  parameters: {
    to: parameters.optionalText(
      'List the pages that link to the page with this path.',
      ({ linkedPath }) => linkedPath,
    ),
    from: parameters.optionalText('List the pages to which the page with this path links.'),
    locale: {
      ...parameters.contentLocale,
      description:
        'Language of the page in `to` or `from`. Listed pages can have other languages. Default: the language of the host that you call.',
    },
    ns: parameters.namespaceFilter,
    limit: parameters.limit(),
    after: parameters.after('pages'),
  },
  query: LinksDocument,
  variables: ({ to, from, locale, ns, limit, after }) => {
    if ((to === null) === (from === null))
      throw new BadParameter('to', 'send either `to` or `from`, with the path of a page')
    return { locale, to, from, ns, first: limit + 1, ...readLinkCursor(after) }
  },
  responseSchema: fields.linkList,
  reshape: ({ links }, { limit, locale, to }) => {
    if (!links) {
      const nor = to === null ? '' : ', and no page links to it'
      throw new NotFound(`There is no such page in this language (${locale})${nor}.`)
    }
    return { body: slice(links, limit, linkCursor) }
  },
  pagedBy: 'after',
  examples: ({ linkedPath, page }) => [
    example('to', 'Two pages that link to a page', exampleUrl`/links?to=${linkedPath}&limit=2`),
    example('from', 'Two pages to which a page links', exampleUrl`/links?from=${page?.path}&limit=2`),
  ],
})
