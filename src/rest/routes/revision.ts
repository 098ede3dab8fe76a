import { NotFound } from '@lectern/wiki/errors'
import { RevisionDocument } from '../../generated/queries.ts'
import { example, exampleUrl } from '../openapi/example-values.ts'
import { defineRoute } from '../route.ts'
import * as fields from './shared/fields.ts'
import * as parameters from './shared/parameters.ts'

export const revisionRoute = defineRoute({
  name: 'revision',
  operationId: 'getRevision',
  path: '/revisions/{id}',
  requestClass: 'page',
  tag: 'Edits',
  summary: 'One revision',
  description:
    'Returns an accepted edit of a live page, with the text of the page after that edit. Send `Accept: text/markdown` to get the Markdown itself instead of JSON.',
  parameters: { id: parameters.revisionId, format: parameters.format },
  query: RevisionDocument,
  variables: ({ id, format }) => ({ id, ...parameters.formatsOf(format) }),
  responseSchema: fields.object('Revision', 'An accepted edit, with the text of the page after it.', {
    ...fields.ofEdit,
    page: fields.pageReference,
    parent: fields.parent,
    markdown: fields.markdown,
    html: fields.html,
    text: fields.withoutMarkup,
    license: fields.license,
  }),
  reshape: ({ revision }, _, { license }) => {
    if (!revision) throw new NotFound('There is no such revision.')
    const body = { ...revision, parent: revision.parent?.id ?? null, license }
    return { body, locale: revision.page.locale }
  },
  markdownOf: ({ markdown = '', page }) => ({ text: markdown, canonicalUrl: page.url }),
  examples: ({ revision }) => [
    example('markdown', 'An edit as Markdown', exampleUrl`/revisions/${revision}`),
  ],
})
