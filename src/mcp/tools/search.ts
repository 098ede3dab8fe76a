import { z } from 'zod'
import { OFFSET_MAX, QUERY_LIMITS, SEARCH_LIMIT } from '../../limits.ts'
import type { searchListSchema } from '../../rest/schemas/search.ts'
import { changedArguments, oneLine } from '../answer.ts'
import { limitArgument, localeArgument, maxCharactersArgument } from '../arguments.ts'
import { listAnswer } from '../list-answer.ts'
import { defineTool, nextCallField, readRoute } from '../tool.ts'
import { withQuery } from '../wiki-reader.ts'

type SearchList = z.infer<typeof searchListSchema>

const input = z.strictObject({
  query: z
    .string()
    .min(1)
    .max(QUERY_LIMITS.characters)
    .meta({
      description: 'Words that the page contains. You can use "a phrase", or, and -without.',
      examples: ['steamed leaves'],
    }),
  locale: localeArgument,
  all_locales: z.boolean().default(false).meta({ description: 'Search every language of the wiki.' }),
  limit: limitArgument({ max: SEARCH_LIMIT.max, default: 10 }),
  offset: z.int().min(0).max(OFFSET_MAX).default(0).meta({ description: 'How many results to skip.' }),
  max_characters: maxCharactersArgument,
})

const output = z.strictObject({
  items: z.array(
    z.strictObject({
      path: z.string(),
      title: z.string(),
      locale: z.string(),
      ns: z.string(),
      url: z.string(),
      passages: z.array(z.string()),
    }),
  ),
  next: nextCallField,
  license: z.string(),
})

export const searchTool = defineTool({
  name: 'search',
  title: 'Search the wiki',
  description:
    'Finds pages of the wiki by words of their titles and texts, best match first, with excerpts. Start here when you do not know the path of a page. Titles are also found by their beginning, and with one typo.',
  input,
  output,
  run: async (values, wiki) => {
    const { query, locale, all_locales: all, offset } = values
    const parameters = { q: query, all: all || undefined, locale: all ? undefined : locale, offset }
    const answer = await listAnswer({
      read: (limit) => readRoute<SearchList>(wiki, withQuery('/search', { ...parameters, limit })),
      limit: values.limit,
      maxCharacters: values.max_characters,
      head: (count) => [
        count > 0
          ? `Results ${offset + 1} to ${offset + count} for ${JSON.stringify(query)}, best match first.`
          : `No ${offset > 0 ? 'further ' : ''}page matches ${JSON.stringify(query)}. Try fewer or other words, or another language.`,
      ],
      render: (hit) =>
        [
          `- ${oneLine(hit.title)}`,
          `  path: ${JSON.stringify(hit.path)} (${hit.locale}, ${hit.ns})`,
          `  url: ${hit.url}`,
          ...hit.passages.map(({ text }) => `  > ${oneLine(text, PASSAGE_CHARACTERS)}`),
        ].join('\n'),
      nextCall: (next) => ({
        tool: 'search',
        arguments: changedArguments(values, input, { offset: Number(next) }),
      }),
      hints: ['To read a page: call read_page with its path and locale.'],
    })
    const items = answer.items.map(({ passages, score: _, ...page }) => ({
      ...page,
      passages: passages.map(({ text }) => text),
    }))
    return { text: answer.text, structured: { items, next: answer.next, license: answer.license } }
  },
})

/** A passage has at most 300 characters. */
const PASSAGE_CHARACTERS = 400
