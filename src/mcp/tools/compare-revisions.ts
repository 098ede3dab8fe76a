import { z } from 'zod'
import type { diffSchema } from '../../rest/schemas/diff.ts'
import { changedArguments, oneLine } from '../answer.ts'
import { maxCharactersArgument } from '../arguments.ts'
import { textAnswer } from '../text-answer.ts'
import { defineTool, readRoute } from '../tool.ts'
import { withQuery } from '../wiki-reader.ts'

type Diff = z.infer<typeof diffSchema>

const revisionId = z.uuid()

const input = z.strictObject({
  to: revisionId.meta({
    description: 'Id of a revision, from page_history or recent_changes.',
    examples: ['b5250365-b0ff-49df-be05-9a646457bfc1'],
  }),
  from: revisionId
    .optional()
    .meta({ description: 'The revision to compare with. Default: the one before it.' }),
  offset: z.int().min(0).default(0).meta({
    description: 'Where to begin in the differences, characters. A cut answer says where it goes on.',
  }),
  max_characters: maxCharactersArgument,
})

export const compareRevisionsTool = defineTool({
  name: 'compare_revisions',
  title: 'Compare revisions',
  description:
    'Shows what an edit changed, or how two revisions differ, as lines in the unified format: - is removed, + is added. Get the ids from page_history or recent_changes.',
  input,
  run: async (values, wiki) => {
    const { to, from } = values
    const { body: diff } = await readRoute<Diff>(
      wiki,
      withQuery(`/revisions/${to}/diff`, { from }),
      () =>
        'There is no such revision. Call page_history with the path of a page to get the ids of its revisions.',
    )
    const text = textAnswer({
      head: diffLines(diff),
      text: diff.truncated ? '' : diff.hunks.map(hunkText).join('\n'),
      name: 'the list of differences',
      offset: values.offset,
      maxCharacters: values.max_characters,
      nextCall: (offset) => ({
        tool: 'compare_revisions',
        arguments: changedArguments(values, input, { offset }),
      }),
    })
    return { text }
  },
})

const diffLines = ({ page, from, to, added, removed, truncated, license }: Diff): string[] => [
  `Page ${JSON.stringify(oneLine(page.title))}, path ${JSON.stringify(page.path)} (${page.locale})`,
  `url: ${page.url}`,
  `license: ${license}`,
  `from revision ${from ?? '(none: the other one is the first of its page)'} to revision ${to}`,
  `${added} lines added, ${removed} lines removed`,
  ...(truncated ? ['The revisions differ too much to list the lines.'] : []),
]

type Hunk = Diff['hunks'][number]

const SIGNS = { context: ' ', removed: '-', added: '+' } as const

const hunkText = ({ from, to, lines }: Hunk): string =>
  [
    `@@ -${from.line},${from.lines} +${to.line},${to.lines} @@`,
    ...lines.map(({ kind, text }) => SIGNS[kind] + text),
  ].join('\n')
