import { NotFound } from '../../errors.ts'
import { RevisionDocument } from '../../generated/queries.ts'
import { format, formsOf, uuid } from '../parameters.ts'
import { route } from '../route.ts'
import { revisionAnswer } from '../shapes.ts'

export const revision = route({
  name: 'revision',
  operationId: 'getRevision',
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
    const body = { ...revision, parent: revision.parent?.id ?? null, license }
    return { body, locale: revision.page.locale }
  },
  examples: [
    {
      name: 'markdown',
      summary: 'An edit as Markdown',
      url: '/revisions/b5250365-b0ff-49df-be05-9a646457bfc1',
    },
  ],
})
