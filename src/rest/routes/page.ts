import { z } from 'zod'
import { NotFound } from '../../errors.ts'
import { PageDocument } from '../../generated/queries.ts'
import { formatParameter, formatsOf, localeParameter, pathParameter } from '../parameters.ts'
import { categoryReference, htmlField, markdownField, revisionReference } from '../response-schemas.ts'
import { defineRoute } from '../route.ts'
import { licenseField, localeField, pathField, titleField, urlField } from '../schema-fields.ts'

const translation = z
  .strictObject({
    locale: localeField,
    title: titleField,
    url: urlField('Link to the translation on the wiki.'),
  })
  .meta({ id: 'Translation', description: 'The page in another language.' })

export const pageSchema = z
  .strictObject({
    path: pathField,
    title: titleField,
    locale: localeField,
    url: urlField('Link to the page on the wiki.'),
    revision: revisionReference,
    categories: z.array(categoryReference),
    translations: z.array(translation),
    markdown: markdownField,
    html: htmlField,
    license: licenseField,
  })
  .meta({ id: 'Page', description: 'A live page at its last accepted edit.' })

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
