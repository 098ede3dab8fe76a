import { NotFound } from '@lectern/wiki/errors'
import { z } from 'zod'
import { DiffDocument, type DiffQuery } from '../../generated/queries.ts'
import { example, exampleUrl } from '../openapi/example-values.ts'
import { defineRoute } from '../route.ts'
import * as fields from './shared/fields.ts'
import * as parameters from './shared/parameters.ts'

type Hunk = NonNullable<NonNullable<DiffQuery['diff']>['hunks']>[number]

/** A line without a line feed is rare, so only such a line says so. */
const hunkOf = ({ from, to, lines }: Hunk) => ({
  from,
  to,
  lines: lines.map(({ kind, text, highlights, newline }) =>
    newline ? { kind, text, highlights } : { kind, text, highlights, newline: false as const },
  ),
})

const lineRange = fields.object('LineRange', 'Part of a text.', {
  line: fields.integer('Number of the first line, from 1.', 1),
  lines: fields.integer('Number of lines.'),
})

const hunkLine = fields.object('HunkLine', 'A line of a hunk.', {
  kind: z
    .enum(['context', 'removed', 'added'])
    .meta({ id: 'HunkLineKind', description: 'Whether a line is in both texts, or only in one of them.' }),
  text: fields.text('The line without its line feed.'),
  highlights: fields.highlights(
    'What differs from the similar line that it replaces, or that replaces it: for each difference, its start and its end (exclusive) in `text`, in UTF-16 code units. Empty if no line is similar.',
  ),
  newline: z
    .literal(false)
    .meta({ description: 'Present if it is the last line of its text, and has no line feed.' })
    .optional(),
})

const hunk = fields.object(
  'Hunk',
  'Changed lines that are near each other, with up to three lines before and after them.',
  { from: lineRange, to: lineRange, lines: z.array(hunkLine) },
)

export const diffRoute = defineRoute({
  name: 'diff',
  operationId: 'getRevisionDiff',
  path: '/revisions/{id}/diff',
  requestClass: 'diff',
  tag: 'Edits',
  summary: 'What an edit changed',
  description:
    'Compares the text of a revision with that of the revision before it, or with any other revision, line by line. If the texts differ too much to compare all lines, the only hunk lists the old lines from the first change to the last as removed, and the new ones as added. If there is too much to list, the only hunk has no lines (`truncated`). With `from`, the differences never change, so caches keep the response for a day, with `page` as it was.',
  parameters: { id: parameters.revisionId, from: parameters.from, format: parameters.diffFormat },
  query: DiffDocument,
  variables: ({ id: to, from, format }) => ({ to, from, json: format === 'json' }),
  responseSchema: fields.object('RevisionDiff', 'The differences between two revisions, line by line.', {
    page: fields.pageReference,
    from: fields.nullableUuid(
      'Id of the revision to compare with. Null if the other one is the first of its page: then all its lines are added.',
    ),
    to: fields.uuid('Id of the revision.'),
    added: fields.integer('Number of added lines.'),
    removed: fields.integer('Number of removed lines.'),
    truncated: fields.flag(
      'Whether the changed lines are too many or too long to list. Then the only hunk says where the first change begins and how many lines are replaced up to the last one (`added` and `removed` are these numbers), and has no lines: read the two revisions instead.',
    ),
    hunks: z.array(hunk),
    license: fields.license,
  }),
  textTypes: {
    'text/plain': 'With `format=unified`: a patch in the unified format. Empty if the texts are equal.',
  },
  textQuery: { format: 'unified' },
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
  examples: ({ edit }) => [example('edit', 'What an edit changed', exampleUrl`/revisions/${edit}/diff`)],
})
