import { z } from 'zod'
import { answerText, callText, cutText, missingPageMessage, oneLine, roomFor } from '../answer.ts'
import { defineTool, localeArgument, pathArgument, type Tool, type ToolTexts, textOption } from '../tool.ts'
import * as api from '../wiki-api.ts'

/** The tools that return a text. */

interface TextTool<Declared extends z.ZodRawShape> extends ToolTexts {
  /** Its arguments, besides `offset` and `max_characters`. */
  fields: Declared
  read(values: z.output<z.ZodObject<Declared>>, wiki: api.ReadWiki): Promise<TextParts>
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
    run: async (values, { wiki, callWith, maxCharacters }) => {
      const { offset } = values
      const { head, text, name, hints = [] } = await read(values, wiki)
      if (offset > text.length) throw new api.ToolFailure(`offset: ${name} has ${text.length} characters.`)
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
      const room = roomFor(frame(Math.max(0, text.length - 1)), maxCharacters)
      const { part, end } = cutText(text, offset, room)
      return { text: answerText({ ...frame(end), content: part }) }
    },
  })
}

const revisionArgument = z.guid().meta({ description: 'Id of a revision, from page_history.' })

const readPageFields = {
  path: pathArgument.meta({ description: 'Path or URL of the page, or a link as it stands in a text.' }),
  locale: localeArgument,
  from: pathArgument.optional().meta({ description: 'For a relative link (../tea.md): path of its page.' }),
  view: z.enum(['text', 'outline']).default('text').meta({
    description: 'outline returns the sections with their ids, and the pictures and documents, not the text.',
  }),
  section: textOption(1_024, 'Only the section with this id of the outline, with its subsections.', 0),
  format: z.enum(['markdown', 'text']).default('markdown').meta({
    description: 'text leaves out all markup, and so the paths of links.',
  }),
  revision: revisionArgument.optional().meta({ description: 'Return the text after this edit of the page.' }),
}

type Values = z.output<z.ZodObject<typeof readPageFields>>

export const readPageTool = defineTextTool({
  name: 'read_page',
  title: 'Read a page',
  description:
    'Returns a page with its URL, license and last edit: its text, its outline, one section, or its text after an earlier edit. For a long page, call it with view=outline first, and then with the section that you need.',
  fields: readPageFields,
  read: async (values, wiki) => {
    const page = await readPage(values, wiki)
    const isOutline = values.view === 'outline'
    const isWhole = values.section === undefined
    return {
      head: pageHead(page, values),
      text: isOutline ? outlineText(page) : (page.text ?? page.markdown ?? ''),
      name: isOutline ? 'the outline' : isWhole ? 'the text' : 'the section',
      hints: isOutline || !isWhole || page.edit ? [] : [`For one section: ${outlineAdvice(page)}`],
    }
  },
})

const readPage = async (values: Values, wiki: api.ReadWiki): Promise<api.Page> => {
  const { view, section, format, revision, ...wanted } = values
  const isOutline = view === 'outline'
  if ([isOutline, section !== undefined, revision !== undefined].filter(Boolean).length > 1)
    throw new api.ToolFailure('section: give only one of section, revision and view=outline.')
  const query = isOutline ? { include: 'sections,files' } : { section, format }
  const page = await api.findPage(wiki, wanted, query, async ({ answer, address }) => {
    if (section === undefined) return missingPageMessage('read_page', address)(answer)
    // The page does not exist, or it has no such section.
    const advice = outlineAdvice(await readPage({ ...values, section: undefined }, wiki))
    return `The page has no section with the id ${JSON.stringify(section)}. For its sections, ${advice}`
  })
  if (revision === undefined) return page
  const url = api.withQuery(`/revisions/${revision}`, { format })
  const { body: edit } = await api.readRoute<api.Revision>(wiki, url, () => NO_REVISION)
  const { path, locale } = edit.page
  if (path === page.path && locale === page.locale) return { ...page, ...edit, revision: page.revision, edit }
  const call = { tool: 'read_page', arguments: { path, locale, revision } }
  throw new api.ToolFailure(`revision: is an edit of another page. To read it, call ${callText(call)}`)
}

const outlineAdvice = ({ path, locale }: api.Page): string =>
  `call ${callText({ tool: 'read_page', arguments: { path, locale, view: 'outline' } })}`

/** What an agent needs to cite a page. */
const pageHead = (page: api.Page, { section }: Values): string[] => [
  pageLine(page),
  ...(section === undefined ? [] : [`section ${JSON.stringify(section)}`]),
  ...(page.edit ? [`text after the edit: ${editText(page.edit)}`] : []),
  `url: ${page.url}`,
  `license: ${page.license}`,
  `last edit: ${editText(page.revision)}`,
]

const pageLine = ({ title, path, locale }: api.PageReference): string =>
  `Page ${JSON.stringify(oneLine(title))}, path ${JSON.stringify(path)} (${locale})`

const editText = ({ created_at, author, id }: api.RevisionReference): string =>
  `${created_at} by ${JSON.stringify(oneLine(author.name))}, revision ${id}`

const outlineText = ({ sections = [], files = [] }: api.Page): string =>
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
  page: api.PageReference
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
    to: revisionArgument,
    from: revisionArgument.optional().meta({ description: 'Default: the revision before it.' }),
  },
  read: async ({ to, from }, wiki) => {
    const url = api.withQuery(`/revisions/${to}/diff`, { from })
    const { body: diff } = await api.readRoute<Diff>(wiki, url, () => NO_REVISION)
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
  pageLine(page),
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
