import { NotFound } from '@lectern/wiki/errors'
import { DiffDocument, type DiffQuery } from '../../generated/queries.ts'
import { exampleUrl } from '../openapi/example-values.ts'
import { defineRoute } from '../route.ts'
import { diffSchema } from '../schemas/edits.ts'
import { diffFormatParameter, fromParameter, uuidParameter } from './shared/parameters.ts'

type Hunk = NonNullable<NonNullable<DiffQuery['diff']>['hunks']>[number]

/** A line without a line feed is rare, so only such a line says so. */
const hunkOf = ({ from, to, lines }: Hunk) => ({
  from,
  to,
  lines: lines.map(({ kind, text, highlights, newline }) =>
    newline ? { kind, text, highlights } : { kind, text, highlights, newline: false as const },
  ),
})

export const diffRoute = defineRoute({
  name: 'diff',
  operationId: 'getRevisionDiff',
  path: '/revisions/{id}/diff',
  requestClass: 'diff',
  tag: 'Edits',
  summary: 'What an edit changed',
  description:
    'Compares the text of a revision with that of the revision before it, or with any other revision, line by line. If the texts differ too much to compare all lines, one hunk replaces everything between the first and the last change. With `from`, the differences never change, so caches keep the response for a day, with `page` as it was.',
  parameters: { id: uuidParameter, from: fromParameter, format: diffFormatParameter },
  query: DiffDocument,
  variables: ({ id, from, format }) => ({
    to: id,
    from,
    json: format === 'json',
    unified: format === 'unified',
  }),
  responseSchema: diffSchema,
  textTypes: {
    'text/plain': 'With `format=unified`: a patch in the unified format. Empty if the texts are equal.',
  },
  // A revision can be hidden at any time, and texts are compared fast enough.
  cache: 'outside',
  reshape: ({ diff }, { from }, { license }) => {
    if (!diff) throw new NotFound('There is no such revision.')
    const { page, id } = diff.to
    const cached = { locale: page.locale, isImmutable: from !== null }
    if (diff.patch !== undefined) return { body: diff.patch, type: 'text/plain', ...cached }
    const body = {
      page,
      from: diff.from?.id ?? null,
      to: id,
      added: diff.added!,
      removed: diff.removed!,
      truncated: diff.truncated!,
      hunks: diff.hunks!.map(hunkOf),
      license,
    }
    return { body, ...cached }
  },
  examples: ({ edit }) => [
    { name: 'edit', summary: 'What an edit changed', url: exampleUrl`/revisions/${edit}/diff` },
  ],
})
