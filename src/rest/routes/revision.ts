import { NotFound } from '../../errors.ts'
import { RevisionDocument } from '../../generated/queries.ts'
import { editFields } from '../edits.ts'
import { format, formsOf, uuid } from '../parameters.ts'
import { route } from '../route.ts'
import { revisionAnswer } from '../shapes.ts'

export const revision = route({
  name: 'revision',
  path: '/revisions/{id}',
  tag: 'Edits',
  summary: 'One revision',
  description: 'An accepted edit of a live page, with its text.',
  parameters: { id: uuid, format },
  query: RevisionDocument,
  variables: ({ id, format }) => ({ id, ...formsOf(format) }),
  answer: revisionAnswer,
  reshape: ({ revision }, _, { license }) => {
    if (!revision) throw new NotFound('There is no such revision.')
    const { page, parent, markdown, html } = revision
    const body = { ...editFields(revision), page, parent: parent?.id ?? null, markdown, html, license }
    return { body, locale: page.locale }
  },
  examples: [
    {
      name: 'markdown',
      summary: 'An edit as Markdown',
      url: '/revisions/b5250365-b0ff-49df-be05-9a646457bfc1',
    },
  ],
})
