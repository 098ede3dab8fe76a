import { z } from 'zod'
import { LIST_LIMIT } from '../../limits.ts'
import type { recentListSchema } from '../../rest/schemas/recent.ts'
import { changedArguments, oneLine } from '../answer.ts'
import { cursorArgument, limitArgument, localeArgument, maxCharactersArgument } from '../arguments.ts'
import { editLine, editSchemaFields, structuredEdit } from '../edits.ts'
import { listAnswer } from '../list-answer.ts'
import { defineTool, nextCallField, readRoute } from '../tool.ts'
import { withQuery } from '../wiki-reader.ts'

type RecentList = z.infer<typeof recentListSchema>

const input = z.strictObject({
  locale: localeArgument.meta({
    description: 'Only this language. Default: all languages.',
    examples: ['en'],
  }),
  limit: limitArgument({ max: LIST_LIMIT.max, default: 20 }),
  before: cursorArgument('Return edits before this time, such as 2026-05-01T00:00:00Z.'),
  max_characters: maxCharactersArgument,
})

export const recentChangesTool = defineTool({
  name: 'recent_changes',
  title: 'Recent changes',
  description:
    'Lists the latest edits of the whole wiki, newest first. Use it for questions such as "what is new" or "what changed last week". For one page, use page_history.',
  input,
  output: z.strictObject({
    items: z.array(
      z.strictObject({
        ...editSchemaFields,
        page: z.strictObject({
          path: z.string(),
          title: z.string(),
          locale: z.string(),
          ns: z.string(),
          url: z.string(),
        }),
      }),
    ),
    next: nextCallField,
    license: z.string(),
  }),
  run: async (values, wiki) => {
    const { locale, before } = values
    const answer = await listAnswer({
      read: (limit) => readRoute<RecentList>(wiki, withQuery('/recent', { locale, before, limit })),
      limit: values.limit,
      maxCharacters: values.max_characters,
      head: (count) => [count > 0 ? 'The latest edits, newest first.' : 'There are no edits in this period.'],
      render: ({ page, ...edit }) =>
        [
          `- ${oneLine(page.title)}`,
          `  path: ${JSON.stringify(page.path)} (${page.locale}, ${page.ns})`,
          `  url: ${page.url}`,
          `  ${editLine(edit)}`,
        ].join('\n'),
      nextCall: (next) => ({
        tool: 'recent_changes',
        arguments: changedArguments(values, input, { before: next }),
      }),
    })
    const items = answer.items.map(({ page, ...edit }) => ({ ...structuredEdit(edit), page }))
    return { text: answer.text, structured: { items, next: answer.next, license: answer.license } }
  },
})
