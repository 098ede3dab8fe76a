import { z } from 'zod'
import { answerText, callText, cutText, missingPageMessage, oneLine, roomFor } from '../answer.ts'
import { defineTool, localeArgument, pathArgument, type Tool, type ToolTexts } from '../tool.ts'
import {
  findPage,
  type Page,
  type PageReference,
  type ReadWiki,
  readRoute,
  ToolFailure,
  withQuery,
} from '../wiki-api.ts'

/** The tools that return a text. */

interface TextTool<Declared extends z.ZodRawShape> extends ToolTexts {
  /** Its arguments, besides `offset` and `max_characters`. */
  fields: Declared
  read(values: z.output<z.ZodObject<Declared>>, wiki: ReadWiki): Promise<TextParts>
}

interface TextParts {
  /** Lines of the server above the text. */
  head: readonly string[]
  text: string
  /** What the head calls the text: `the text`, `the outline`. */
  name: string
  /** Lines of the server below the text, if the answer has only a part of it. */
  hints?: readonly string[]
}

/** A tool that returns a text, or as much of it as fits. It fails if the text ends before the offset. */
const defineTextTool = <Declared extends z.ZodRawShape>(tool: TextTool<Declared>): Tool => {
  const { fields, read, ...texts } = tool
  return defineTool<z.output<z.ZodObject<Declared>> & { offset: number }>({
    ...texts,
    fields: {
      ...fields,
      offset: z.int().min(0).default(0).meta({
        description: 'Where to begin in the text, characters. A cut answer says where it goes on.',
      }),
    },
    run: async (values, wiki, callWith) => {
      const { offset, max_characters } = values
      const { head, text, name, hints = [] } = await read(values, wiki)
      if (offset > text.length) throw new ToolFailure(`offset: ${name} has ${text.length} characters.`)
      const frame = (end: number) => ({
        head: [
          ...head,
          text === '' ? `${name} is empty` : `characters ${offset} to ${end} of ${text.length} of ${name}`,
        ],
        tail: [
          ...(end < text.length ? [`${name} goes on: call ${callText(callWith({ offset: end }))}`] : []),
          ...(offset > 0 || end < text.length ? hints : []),
        ],
      })
      // A smaller offset is not longer in the frame than this one.
      const room = roomFor(frame(Math.max(0, text.length - 1)), max_characters)
      const { part, end } = cutText(text, offset, room)
      return { text: answerText({ ...frame(end), content: part }) }
    },
  })
}

const readPageFields = {
  path: pathArgument.meta({ description: 'Path or URL of the page, or a link as it stands in a text.' }),
  locale: localeArgument,
  from: pathArgument.optional().meta({ description: 'For a relative link (../tea.md): path of its page.' }),
  view: z.enum(['text', 'outline']).default('text').meta({
    description:
      'outline returns the sections of the page with their ids, and its pictures and documents, instead of its text.',
  }),
  section: z.string().max(1_024).optional().meta({
    description: 'Return only the section with this id of the outline, with its subsections.',
  }),
  format: z.enum(['markdown', 'text']).default('markdown').meta({
    description: 'text leaves out all markup, and so the paths of links.',
  }),
}

type Values = z.output<z.ZodObject<typeof readPageFields>>

export const readPageTool = defineTextTool({
  name: 'read_page',
  title: 'Read a page',
  description:
    'Returns a page with its URL, license and last edit: its text, its outline, or one section. For a long page, call it with view=outline first, and then with the section that you need.',
  fields: readPageFields,
  read: async (values, wiki) => {
    const page = await readPage(values, wiki)
    const isOutline = values.view === 'outline'
    const isWhole = values.section === undefined
    return {
      head: pageHead(page, values),
      text: isOutline ? outlineText(page) : (page.text ?? page.markdown ?? ''),
      name: isOutline ? 'the outline' : isWhole ? 'the text' : 'the section',
      hints: isOutline || !isWhole ? [] : [`For one section: ${outlineAdvice(page)}`],
    }
  },
})

const readPage = async (values: Values, wiki: ReadWiki): Promise<Page> => {
  const { view, section, format, ...wanted } = values
  if (view === 'outline' && section !== undefined)
    throw new ToolFailure('section: an outline has all sections. Leave out view or section.')
  const part = { section, format: format === 'text' ? format : undefined }
  const query = view === 'outline' ? { include: 'sections,files' } : part
  return findPage(wiki, wanted, query, async ({ answer, address }) => {
    if (section === undefined) return missingPageMessage('read_page', address)(answer)
    // The page does not exist, or it has no such section.
    const advice = outlineAdvice(await readPage({ ...values, section: undefined }, wiki))
    return `The page has no section with the id ${JSON.stringify(section)}. For its sections, ${advice}`
  })
}

const outlineAdvice = ({ path, locale }: Page): string =>
  `call ${callText({ tool: 'read_page', arguments: { path, locale, view: 'outline' } })}`

/** What an agent needs to cite a page. */
const pageHead = ({ title, path, locale, url, license, revision }: Page, { section }: Values): string[] => [
  `Page ${JSON.stringify(oneLine(title))}, path ${JSON.stringify(path)} (${locale})`,
  ...(section === undefined ? [] : [`section ${JSON.stringify(section)}`]),
  `url: ${url}`,
  `license: ${license}`,
  `last edit: ${revision.created_at} by ${JSON.stringify(oneLine(revision.author.name))}, revision ${revision.id}`,
]

const outlineText = ({ sections = [], files = [] }: Page): string =>
  [
    ...sections.map(({ id, level, title, start, end }) => {
      const name = level === 0 ? '(before the first heading)' : oneLine(title)
      return `${'  '.repeat(Math.max(0, level - 1))}- ${name} · section ${JSON.stringify(id)} · ${end - start} characters`
    }),
    ...(files.length === 0 ? [] : ['Files:']),
    ...files.map(
      ({ path, url, media_type, bytes }) => `- ${oneLine(path)} · ${media_type} · ${bytes} bytes · ${url}`,
    ),
  ].join('\n')

interface Diff {
  page: PageReference
  /** Null: the other revision is the first of its page. */
  from: string | null
  to: string
  added: number
  removed: number
  truncated: boolean
  hunks: {
    from: { line: number; lines: number }
    to: { line: number; lines: number }
    lines: { kind: keyof typeof SIGNS; text: string }[]
  }[]
  license: string
}

const SIGNS = { context: ' ', removed: '-', added: '+' } as const

export const compareRevisionsTool = defineTextTool({
  name: 'compare_revisions',
  title: 'Compare revisions',
  description:
    'Shows what an edit changed, or how two revisions differ, as lines in the unified format: - is removed, + is added. Get the ids from page_history or recent_changes.',
  fields: {
    to: z.guid().meta({ description: 'Id of a revision, from page_history or recent_changes.' }),
    from: z.guid().optional().meta({
      description: 'The revision to compare with. Default: the one before it.',
    }),
  },
  read: async ({ to, from }, wiki) => {
    const url = withQuery(`/revisions/${to}/diff`, { from })
    const { body: diff } = await readRoute<Diff>(wiki, url, () => NO_REVISION)
    return {
      head: diffHead(diff),
      text: diff.truncated ? '' : diff.hunks.map(hunkText).join('\n'),
      name: 'the list of differences',
    }
  },
})

const NO_REVISION =
  'There is no such revision. Call page_history with the path of a page to get the ids of its revisions.'

const diffHead = ({ page, from, to, added, removed, truncated, license }: Diff): string[] => [
  `Page ${JSON.stringify(oneLine(page.title))}, path ${JSON.stringify(page.path)} (${page.locale})`,
  `url: ${page.url}`,
  `license: ${license}`,
  `from revision ${from ?? '(none: the other one is the first of its page)'} to revision ${to}`,
  `${added} lines added, ${removed} lines removed`,
  ...(truncated ? ['The revisions differ too much to list the lines.'] : []),
]

const hunkText = ({ from, to, lines }: Diff['hunks'][number]): string =>
  [
    `@@ -${from.line},${from.lines} +${to.line},${to.lines} @@`,
    ...lines.map(({ kind, text }) => SIGNS[kind] + text),
  ].join('\n')
