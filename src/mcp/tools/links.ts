import { z } from 'zod'
import { LIST_LIMIT } from '../../limits.ts'
import type { linkListSchema } from '../../rest/schemas/links.ts'
import { changedArguments, oneLine } from '../answer.ts'
import {
  cursorArgument,
  limitArgument,
  localeArgument,
  maxCharactersArgument,
  pathArgument,
} from '../arguments.ts'
import { listAnswer } from '../list-answer.ts'
import { missingPageMessage } from '../missing-page.ts'
import { defineTool, nextCallField, readRoute } from '../tool.ts'
import { withQuery } from '../wiki-reader.ts'

type LinkList = z.infer<typeof linkListSchema>

const input = z.strictObject({
  path: pathArgument,
  direction: z
    .enum(['to', 'from'])
    .default('to')
    .meta({ description: 'to: pages that link to this page. from: pages to which this page links.' }),
  locale: localeArgument,
  limit: limitArgument({ max: LIST_LIMIT.max, default: 50 }),
  after: cursorArgument('Return links after this one.'),
  max_characters: maxCharactersArgument,
})

export const linksTool = defineTool({
  name: 'links',
  title: 'Links to or from a page',
  description:
    'Lists the pages that link to a page, or the pages to which it links. Use it to find related pages, what uses a page, or links to pages that do not exist.',
  input,
  output: z.strictObject({
    items: z.array(
      z.strictObject({
        path: z.string(),
        title: z.string().nullable(),
        locale: z.string(),
        ns: z.string(),
        url: z.string(),
        exists: z.boolean(),
        redirect: z.boolean(),
      }),
    ),
    next: nextCallField,
    license: z.string(),
  }),
  run: async (values, wiki) => {
    const { path, direction, locale, after } = values
    const name = JSON.stringify(path)
    const what = direction === 'to' ? `Pages that link to ${name}` : `Pages to which the page ${name} links`
    const missing = missingPageMessage('links', values)
    const answer = await listAnswer({
      read: (limit) =>
        readRoute<LinkList>(wiki, withQuery('/links', { [direction]: path, locale, after, limit }), missing),
      limit: values.limit,
      maxCharacters: values.max_characters,
      head: (count) => [count > 0 ? `${what}.` : `${what}: there are none${after ? ' more' : ''}.`],
      render: (link) =>
        [
          `- ${link.title === null ? '(this page does not exist)' : oneLine(link.title)}${link.redirect ? ' (redirect)' : ''}`,
          `  path: ${JSON.stringify(link.path)} (${link.locale}, ${link.ns})`,
          `  url: ${link.url}`,
        ].join('\n'),
      nextCall: (next) => ({ tool: 'links', arguments: changedArguments(values, input, { after: next }) }),
    })
    return {
      text: answer.text,
      structured: { items: answer.items, next: answer.next, license: answer.license },
    }
  },
})
