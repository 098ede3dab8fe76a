import { NotFound } from '../../errors.ts'
import { PageDocument } from '../../generated/queries.ts'
import { formatParameter, formatsOf, localeParameter, pathParameter } from '../parameters.ts'
import { defineRoute } from '../route.ts'
import { pageSchema } from '../schemas/page.ts'

/** The URL of a page in this API. */
const pageAddress = ({ locale, path }: { locale: string; path: string }, base: string): string =>
  `${base}/pages/${encodeURIComponent(path)}?locale=${locale}`

export const pageRoute = defineRoute({
  name: 'page',
  operationId: 'getPage',
  path: '/pages/{path}',
  requestClass: 'page',
  tag: 'Pages',
  summary: 'One page',
  description: 'Returns a live page: its text, last accepted edit, categories and translations.',
  parameters: { path: pathParameter, locale: localeParameter, format: formatParameter },
  query: PageDocument,
  variables: ({ path, locale, format }) => ({ path, locale, ...formatsOf(format) }),
  responseSchema: pageSchema,
  reshape: ({ page, movedTo }, { locale }, { license, base }) => {
    // RFC 5829 names the relation. The error is the same as that of any other page, so that clients need not know it.
    const headers = movedTo ? { Link: `<${pageAddress(movedTo, base)}>; rel="successor-version"` } : undefined
    if (!page) throw new NotFound(`There is no such page in this language (${locale}).`, headers)
    const { markdown, html, ...revision } = page.revision
    return { body: { ...page, revision, markdown, html, license }, locale }
  },
  examples: [
    { name: 'markdown', summary: 'A page as Markdown', url: '/pages/sencha' },
    { name: 'html', summary: 'A page as HTML', url: '/pages/sencha?format=html' },
  ],
})
