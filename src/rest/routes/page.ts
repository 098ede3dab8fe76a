import { NotFound } from '../../errors.ts'
import { PageDocument } from '../../generated/queries.ts'
import { format, formsOf, locale, path } from '../parameters.ts'
import { route } from '../route.ts'
import { pageAnswer } from '../shapes.ts'

export const page = route({
  name: 'page',
  operationId: 'getPage',
  path: '/pages/{path}',
  tag: 'Pages',
  summary: 'One page',
  description: 'A live page: its text, last accepted edit, categories and translations.',
  parameters: { path, locale, format },
  query: PageDocument,
  variables: ({ path, locale, format }) => ({ path, locale, ...formsOf(format) }),
  answer: pageAnswer,
  reshape: ({ page }, { locale }, { license }) => {
    if (!page) throw new NotFound(`There is no such page in this language (${locale}).`)
    const { markdown, html, ...revision } = page.revision
    return { body: { ...page, revision, markdown, html, license }, locale }
  },
  examples: [
    { name: 'markdown', summary: 'A page as Markdown', url: '/pages/sencha' },
    { name: 'html', summary: 'A page as HTML', url: '/pages/sencha?format=html' },
  ],
})
