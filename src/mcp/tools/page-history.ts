import { z } from 'zod'
import { LIST_LIMIT } from '../../limits.ts'
import type { historyListSchema } from '../../rest/schemas/history.ts'
import { changedArguments } from '../answer.ts'
import {
  cursorArgument,
  limitArgument,
  localeArgument,
  maxCharactersArgument,
  pathArgument,
} from '../arguments.ts'
import { editLine, editSchemaFields, structuredEdit } from '../edits.ts'
import { listAnswer } from '../list-answer.ts'
import { missingPageMessage } from '../missing-page.ts'
import { defineTool, nextCallField, readRoute } from '../tool.ts'
import { pageAddress, withQuery } from '../wiki-reader.ts'

type HistoryList = z.infer<typeof historyListSchema>

const input = z.strictObject({
  path: pathArgument,
  locale: localeArgument,
  limit: limitArgument({ max: LIST_LIMIT.max, default: 20 }),
  before: cursorArgument('Return edits before this time, such as 2026-05-01T00:00:00Z.'),
  max_characters: maxCharactersArgument,
})

export const pageHistoryTool = defineTool({
  name: 'page_history',
  title: 'History of a page',
  description:
    'Lists the edits of one page, newest first: when, by whom, and why. Use it to find out who wrote a page, when something changed, or the ids that compare_revisions needs.',
  input,
  output: z.strictObject({
    path: z.string(),
    items: z.array(z.strictObject(editSchemaFields)),
    next: nextCallField,
    license: z.string(),
  }),
  run: async (values, wiki) => {
    const { path, locale, before } = values
    const url = pageAddress(path, '/history')
    const missing = missingPageMessage('page_history', values)
    const answer = await listAnswer({
      read: (limit) => readRoute<HistoryList>(wiki, withQuery(url, { locale, before, limit }), missing),
      limit: values.limit,
      maxCharacters: values.max_characters,
      head: (count) => [
        count > 0
          ? `The edits of the page ${JSON.stringify(path)}, newest first.`
          : `The page ${JSON.stringify(path)} has no ${before === undefined ? '' : 'earlier '}edits.`,
      ],
      render: (edit) => `- ${editLine(edit)}`,
      nextCall: (next) => ({
        tool: 'page_history',
        arguments: changedArguments(values, input, { before: next }),
      }),
    })
    const items = answer.items.map(structuredEdit)
    return { text: answer.text, structured: { path, items, next: answer.next, license: answer.license } }
  },
})
