import { z } from 'zod'
import type { pageSchema } from '../../rest/schemas/page.ts'
import { callText, changedArguments, oneLine } from '../answer.ts'
import { localeArgument, maxCharactersArgument, pathArgument } from '../arguments.ts'
import { missingPageMessage } from '../missing-page.ts'
import { textAnswer } from '../text-answer.ts'
import { defineTool, readRoute, ToolFailure } from '../tool.ts'
import { pageAddress, type ReadWiki, withQuery } from '../wiki-reader.ts'

type Page = z.infer<typeof pageSchema>

const input = z.strictObject({
  path: pathArgument,
  locale: localeArgument,
  view: z
    .enum(['text', 'outline'])
    .default('text')
    .meta({ description: 'outline returns the sections of the page with their ids, instead of its text.' }),
  section: z
    .string()
    .max(1_024)
    .optional()
    .meta({
      description: 'Return only the section with this id of the outline, with its subsections.',
      examples: ['brewing'],
    }),
  format: z
    .enum(['markdown', 'text'])
    .default('markdown')
    .meta({ description: 'text leaves out all markup, and so the paths of links.' }),
  offset: z
    .int()
    .min(0)
    .default(0)
    .meta({ description: 'Where to begin in the text, characters. A cut answer says where it goes on.' }),
  max_characters: maxCharactersArgument,
})

type Values = z.output<typeof input>

export const readPageTool = defineTool({
  name: 'read_page',
  title: 'Read a page',
  description:
    'Returns a page with its URL, license and last edit: its text, its outline, or one section. For a long page, call it with view=outline first, and then with the section that you need.',
  input,
  run: async (values, wiki) => {
    const page = await readPage(values, wiki)
    const isOutline = values.view === 'outline'
    const text = textAnswer({
      head: pageLines(page, values),
      text: isOutline ? outlineText(page) : ((values.format === 'text' ? page.text : page.markdown) ?? ''),
      name: isOutline ? 'the outline' : values.section === undefined ? 'the text' : 'the section',
      offset: values.offset,
      maxCharacters: values.max_characters,
      nextCall: (offset) => ({
        tool: 'read_page',
        arguments: changedArguments(values, input, { offset }),
      }),
      hints: isOutline || values.section !== undefined ? [] : [`For one section: ${outlineAdvice(values)}`],
    })
    return { text }
  },
})

const readPage = async (values: Values, wiki: ReadWiki): Promise<Page> => {
  const { path, locale, view, section, format } = values
  const isOutline = view === 'outline'
  const url = withQuery(pageAddress(path), {
    locale,
    section: isOutline ? undefined : section,
    format: isOutline || format === 'markdown' ? undefined : format,
    include: isOutline ? 'sections' : undefined,
  })
  const missing = missingPageMessage('read_page', values)
  const answer = await wiki(url)
  const bare = path.replace(/^\/+/, '')
  // Links in texts often begin with a slash, and paths hardly ever.
  if (answer.status === 404 && bare !== path && bare !== '') return readPage({ ...values, path: bare }, wiki)
  if (answer.status === 404 && section !== undefined) {
    // The page does not exist, or it has no such section.
    await readRoute<Page>(wiki, withQuery(pageAddress(path), { locale }), missing)
    throw new ToolFailure(
      `The page has no section with the id ${JSON.stringify(section)}. For its sections, ${outlineAdvice(values)}`,
    )
  }
  return (await readRoute<Page>(async () => answer, url, missing)).body
}

const outlineAdvice = ({ path, locale }: Values): string =>
  `call ${callText({ tool: 'read_page', arguments: { path, ...(locale && { locale }), view: 'outline' } })}`

/** What an agent needs to cite a page. */
const pageLines = ({ title, path, locale, url, license, revision }: Page, { section }: Values): string[] => [
  `Page ${JSON.stringify(oneLine(title))}, path ${JSON.stringify(path)} (${locale})`,
  ...(section === undefined ? [] : [`section ${JSON.stringify(section)}`]),
  `url: ${url}`,
  `license: ${license}`,
  `last edit: ${revision.created_at} by ${JSON.stringify(oneLine(revision.author.name))}, revision ${revision.id}`,
]

const outlineText = ({ sections = [] }: Page): string =>
  sections
    .map(({ id, level, title, start, end }) => {
      const name = level === 0 ? '(before the first heading)' : oneLine(title)
      return `${'  '.repeat(Math.max(0, level - 1))}- ${name} · section ${JSON.stringify(id)} · ${end - start} characters`
    })
    .join('\n')
