import { FIELD_BYTES_MAX, LIST_LIMIT, OFFSET_MAX, QUERY_LIMITS, SEARCH_LIMIT } from '@lectern/wiki/limits'
import { LISTED_NAMESPACES } from '@lectern/wiki/locales'
import { z } from 'zod'
import { missingPageMessage, oneLine } from '../answer.ts'
import { defineListTool } from '../list-tool.ts'
import { cursorArgument, limitArgument, localeArgument, pathArgument } from '../tool.ts'
import {
  categoryUrl,
  missingCategory,
  type PageReference,
  pageAddress,
  pageFields,
  type RevisionReference,
  ToolFailure,
  withQuery,
} from '../wiki-api.ts'

/** The tools that return lists. */

const pageLines = ({ title, path, locale, ns, url }: PageReference): string =>
  `- ${oneLine(title)}\n  path: ${JSON.stringify(path)} (${locale}, ${ns})\n  url: ${url}`

interface Edit extends RevisionReference {
  comment: string
  size: number
  url: string
}

/** Fields of an edit in a structured answer. */
const editFields = {
  revision: z.string().meta({ description: 'Id of the revision, for compare_revisions.' }),
  created_at: z.string(),
  author: z.string(),
  comment: z.string().meta({ description: 'Summary of the author. A long one is cut, and ends with …' }),
  size: z.int().meta({ description: 'Size of the text, bytes.' }),
  url: z.string().meta({ description: 'URL of the revision in the API.' }),
}

const structuredEdit = ({ id, author, comment, ...edit }: Edit) => ({
  ...edit,
  revision: id,
  author: author.name,
  comment: oneLine(comment, COMMENT_CHARACTERS),
})

const editLine = ({ id, created_at, author, comment, size, url }: Edit): string => {
  const summary =
    comment.trim() === '' ? '' : ` · ${oneLine(comment, COMMENT_CHARACTERS, ` (cut; whole: ${url})`)}`
  return `${created_at} · revision ${id} · by ${oneLine(author.name)} · ${size} bytes${summary}`
}

/** The longest comment has 8 KB. */
const COMMENT_CHARACTERS = 500
/** A passage has at most 300 characters. */
const PASSAGE_CHARACTERS = 400

const beforeArgument = cursorArgument('Return edits before this time, such as 2026-05-01T00:00:00Z.')

/** Narrow a list. */
const narrowing = {
  category: z.string().min(1).max(FIELD_BYTES_MAX.key).optional().meta({
    description: 'Only pages of this category: the part of its path after "category:".',
  }),
  prefix: z.string().max(FIELD_BYTES_MAX.path).optional().meta({
    description: 'Only pages whose path begins with this text.',
  }),
}

export const searchTool = defineListTool({
  name: 'search',
  title: 'Search the wiki',
  description:
    'Finds pages of the wiki by words of their titles and texts, best match first, with excerpts. Start here when you do not know the path of a page. Titles are also found by their beginning, and with one typo.',
  fields: {
    query: z.string().min(1).max(QUERY_LIMITS.characters).meta({
      description: 'Words that the page contains. You can use "a phrase", or, and -without.',
    }),
    locale: localeArgument,
    ...narrowing,
    all_locales: z.boolean().default(false).meta({ description: 'Search all languages, not one locale.' }),
    limit: limitArgument({ max: SEARCH_LIMIT.max, default: 10 }),
    offset: z.int().min(0).max(OFFSET_MAX).default(0).meta({ description: 'How many results to skip.' }),
  },
  cursor: 'offset',
  url: ({ query: q, locale, all_locales: all, category, prefix, offset, limit }) =>
    withQuery('/search', { q, ...(all ? { all } : { locale }), category, prefix, offset, limit }),
  notFound: missingCategory,
  scope: ({ category, locale, all_locales }) =>
    category === undefined || all_locales ? undefined : categoryUrl(category, { locale, limit: 1 }),
  head: ({ query, offset }, count) =>
    count > 0
      ? `Results ${offset + 1} to ${offset + count} for ${JSON.stringify(query)}, best match first. To read one, call read_page with its path and locale.`
      : `No ${offset > 0 ? 'further ' : ''}page matches ${JSON.stringify(query)}. Try fewer or other words, or another language.`,
  render: (hit: PageReference & { passages: { text: string }[] }) =>
    pageLines(hit) + hit.passages.map(({ text }) => `\n  > ${oneLine(text, PASSAGE_CHARACTERS)}`).join(''),
  item: { ...pageFields, passages: z.array(z.string()) },
  structured: (hit) => ({ ...hit, passages: hit.passages.map(({ text }) => text) }),
})

export const pageHistoryTool = defineListTool({
  name: 'page_history',
  title: 'History of a page',
  description:
    'Lists the edits of one page, newest first: when, by whom, and why. Use it to find out who wrote a page, when something changed, or the ids that compare_revisions needs.',
  fields: {
    path: pathArgument,
    locale: localeArgument,
    limit: limitArgument({ max: LIST_LIMIT.max, default: 20 }),
    before: beforeArgument,
  },
  cursor: 'before',
  url: ({ path, locale, before, limit }) =>
    withQuery(pageAddress(path, '/history'), { locale, before, limit }),
  notFound: (values) => missingPageMessage('page_history', values),
  head: ({ path, before }, count) =>
    count > 0
      ? `The edits of the page ${JSON.stringify(path)}, newest first.`
      : `The page ${JSON.stringify(path)} has no ${before === undefined ? '' : 'earlier '}edits.`,
  render: (edit: Edit) => `- ${editLine(edit)}`,
  item: editFields,
  structured: structuredEdit,
  echo: { path: z.string() },
})

export const recentChangesTool = defineListTool({
  name: 'recent_changes',
  title: 'Recent changes',
  description:
    'Lists the latest edits of the whole wiki, newest first. Use it for questions such as "what is new". For earlier edits, go on with before until created_at is older than you need. For one page, use page_history.',
  fields: {
    locale: localeArgument.meta({ description: 'Only this language. Default: all languages.' }),
    limit: limitArgument({ max: LIST_LIMIT.max, default: 20 }),
    before: beforeArgument,
  },
  cursor: 'before',
  url: ({ locale, before, limit }) => withQuery('/recent', { locale, before, limit }),
  head: (_, count) => (count > 0 ? 'The latest edits, newest first.' : 'There are no edits in this period.'),
  render: ({ page, ...edit }: Edit & { page: PageReference }) => `${pageLines(page)}\n  ${editLine(edit)}`,
  item: { ...editFields, page: z.object(pageFields) },
  structured: ({ page, ...edit }) => ({ ...structuredEdit(edit), page }),
})

export const listPagesTool = defineListTool({
  name: 'list_pages',
  title: 'List pages',
  description:
    'Lists the pages of the wiki by path, or those of one category. Use it to see what the wiki covers, or to visit every page. To find a page about something, use search.',
  fields: {
    ...narrowing,
    ns: z.enum(LISTED_NAMESPACES).optional().meta({
      description: 'Namespace of the pages. Default: main. With category: all, and neither ns nor prefix.',
    }),
    locale: localeArgument,
    limit: limitArgument({ max: LIST_LIMIT.max, default: 50 }),
    after: cursorArgument('Return pages after this one. Without category, a path.'),
  },
  cursor: 'after',
  url: ({ category, ns, locale, prefix, after, limit }) => {
    if (category === undefined) return withQuery('/pages', { ns, locale, prefix, after, limit })
    if (ns === undefined && !prefix) return categoryUrl(category, { locale, after, limit })
    throw new ToolFailure('category: list_pages takes it without ns and prefix. search takes a prefix, too.')
  },
  notFound: missingCategory,
  head: ({ category, after }, count) => {
    const which = category === undefined ? 'by path' : `of the category ${JSON.stringify(category)}`
    return count > 0 ? `Pages ${which}.` : `Pages ${which}: there are no${after ? ' more' : ''} pages.`
  },
  render: (page: PageReference & { revision: RevisionReference }) => pageLines(page),
  item: { ...pageFields, last_edit: z.string().meta({ description: 'Time of the last edit.' }) },
  structured: (page) => ({ ...page, last_edit: page.revision.created_at }),
})

const linkFields = { ...pageFields, title: z.string().nullable(), exists: z.boolean(), redirect: z.boolean() }

export const linksTool = defineListTool({
  name: 'links',
  title: 'Links to or from a page',
  description:
    'Lists the pages that link to a page, or the pages to which it links. Use it to find related pages, what uses a page, or links to pages that do not exist.',
  fields: {
    path: pathArgument,
    direction: z.enum(['to', 'from']).default('to').meta({
      description: 'to: pages that link to this page. from: pages to which this page links.',
    }),
    locale: localeArgument,
    limit: limitArgument({ max: LIST_LIMIT.max, default: 50 }),
    after: cursorArgument('Return links after this one.'),
  },
  cursor: 'after',
  url: ({ path, direction, locale, after, limit }) =>
    withQuery('/links', { [direction]: path, locale, after, limit }),
  notFound: (values) => missingPageMessage('links', values),
  head: ({ path, direction, after }, count) => {
    const name = JSON.stringify(path)
    const what = direction === 'to' ? `Pages that link to ${name}` : `Pages to which the page ${name} links`
    return count > 0 ? `${what}.` : `${what}: there are none${after ? ' more' : ''}.`
  },
  render: (link: z.output<z.ZodObject<typeof linkFields>>) => {
    const title = link.title ?? '(this page does not exist)'
    return pageLines({ ...link, title }).replace('\n', link.redirect ? ' (redirect)\n' : '\n')
  },
  item: linkFields,
  structured: (link) => link,
})
