import { FIELD_BYTES_MAX, LIST_LIMIT, OFFSET_MAX, QUERY_LIMITS, SEARCH_LIMIT } from '@lectern/wiki/limits'
import { LISTED_NAMESPACES, NAMESPACES } from '@lectern/wiki/locales'
import { z } from 'zod'
import { missingPageMessage, oneLine } from '../answer.ts'
import { defineListTool } from '../list-tool.ts'
import * as tool from '../tool.ts'
import * as api from '../wiki-api.ts'

/** The tools that return lists. */

const pageLines = ({ title, path, locale, ns, url }: api.PageReference): string =>
  `- ${oneLine(title)}\n  path: ${JSON.stringify(path)} (${locale}, ${ns})\n  url: ${url}`

interface Edit extends api.RevisionReference {
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

/** The period of a list of edits. */
const ofEdits = {
  before: tool.cursorArgument('Return edits before this time, such as 2026-05-01T00:00:00Z.'),
  since: tool.textOption(64, 'Only edits from this time or date on, such as 2026-05-01.'),
  until: tool.textOption(64, 'Only edits before this time or date.'),
}

/** Narrow a list. */
const narrowing = {
  category: tool.textOption(FIELD_BYTES_MAX.key, 'Only pages of the category with this key.'),
  prefix: tool.textOption(FIELD_BYTES_MAX.path, 'Only pages whose path begins with this text.', 0),
}

export const searchTool = defineListTool({
  name: 'search',
  title: 'Search the wiki',
  description:
    'Finds pages of the wiki by words of their titles and texts, best match first, with excerpts. Start here when you do not know the path of a page. Titles are also found by their beginning, and with one typo.',
  fields: {
    query: tool.textArgument(QUERY_LIMITS.characters, 'Words. You can use "a phrase", or, and -without.'),
    locale: tool.localeArgument,
    ...narrowing,
    all_locales: z.boolean().default(false).meta({ description: 'Search all languages, not one locale.' }),
    limit: tool.limitArgument(SEARCH_LIMIT.max, 10),
    offset: z.int().min(0).max(OFFSET_MAX).default(0).meta({ description: 'How many results to skip.' }),
  },
  cursor: 'offset',
  url: ({ query: q, locale, all_locales: all, ...query }) =>
    api.withQuery('/search', { q, ...(all ? { all } : { locale }), ...query }),
  head: ({ query, offset }) =>
    `Pages that match ${JSON.stringify(query)}, best match first${offset > 0 ? `, from number ${offset + 1}` : ''}`,
  advice: 'Try fewer or other words, or another language.',
  render: (hit: api.PageReference & { passages: { text: string }[] }) =>
    pageLines(hit) + hit.passages.map(({ text }) => `\n  > ${oneLine(text, PASSAGE_CHARACTERS)}`).join(''),
  item: { ...api.pageFields, passages: z.array(z.string()) },
  structured: (hit) => ({ ...hit, passages: hit.passages.map(({ text }) => text) }),
})

export const pageHistoryTool = defineListTool({
  name: 'page_history',
  title: 'History of a page',
  description:
    'Lists the edits of one page, newest first: when, by whom, and why. Use it to find out who wrote a page, when something changed, or the ids that compare_revisions needs.',
  fields: {
    path: tool.pathArgument,
    locale: tool.localeArgument,
    limit: tool.limitArgument(LIST_LIMIT.max, 20),
    ...ofEdits,
  },
  cursor: 'before',
  url: ({ path, ...query }) => api.withQuery(api.pageAddress(path, '/history'), query),
  notFound: (values) => missingPageMessage('page_history', values),
  head: ({ path }) => `Edits of the page ${JSON.stringify(path)}, newest first`,
  render: (edit: Edit) => `- ${editLine(edit)}`,
  item: editFields,
  structured: structuredEdit,
  echo: { path: z.string() },
})

export const recentChangesTool = defineListTool({
  name: 'recent_changes',
  title: 'Recent changes',
  description:
    'Lists the edits of the whole wiki, newest first, also of one author, namespace or period. Use it for questions such as "what is new since Monday". For one page, use page_history.',
  fields: {
    locale: tool.localeArgument.meta({ description: 'Only this language. Default: all languages.' }),
    limit: tool.limitArgument(LIST_LIMIT.max, 20),
    ...ofEdits,
    author: tool.textOption(FIELD_BYTES_MAX.name, 'Only edits by the author with this name.'),
    ns: z.enum(NAMESPACES).optional().meta({ description: 'Only pages of this namespace. Default: all.' }),
  },
  cursor: 'before',
  url: (query) => api.withQuery('/recent', query),
  head: () => 'Edits of the wiki, newest first',
  render: (edit: Edit & { page: api.PageReference }) => `${pageLines(edit.page)}\n  ${editLine(edit)}`,
  item: { ...editFields, page: z.object(api.pageFields) },
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
    locale: tool.localeArgument,
    limit: tool.limitArgument(LIST_LIMIT.max, 50),
    after: tool.cursorArgument('Return pages after this one. Without category, a path.'),
  },
  cursor: 'after',
  url: ({ category, ns, prefix, ...query }) => {
    if (category === undefined) return api.withQuery('/pages', { ns, prefix, ...query })
    if (ns === undefined && !prefix)
      return api.withQuery(`/categories/${encodeURIComponent(category)}`, query)
    throw new api.ToolFailure('category: give it without ns and prefix. search takes a prefix, too.')
  },
  notFound: api.missingCategory,
  head: ({ category }) =>
    category === undefined ? 'Pages by path' : `Pages of the category ${JSON.stringify(category)}`,
  render: (page: api.PageReference & { revision: api.RevisionReference }) => pageLines(page),
  item: { ...api.pageFields, last_edit: z.string().meta({ description: 'Time of the last edit.' }) },
  structured: (page) => ({ ...page, last_edit: page.revision.created_at }),
})

const link = { ...api.pageFields, title: z.string().nullable(), exists: z.boolean(), redirect: z.boolean() }

export const linksTool = defineListTool({
  name: 'links',
  title: 'Links to or from a page',
  description:
    'Lists the pages that link to a page, or the pages to which it links. Use it to find related pages, what uses a page, or links to pages that do not exist.',
  fields: {
    path: tool.pathArgument,
    direction: z.enum(['to', 'from']).default('to').meta({
      description: 'to: pages that link to this page. from: pages to which this page links.',
    }),
    locale: tool.localeArgument,
    limit: tool.limitArgument(LIST_LIMIT.max, 50),
    after: tool.cursorArgument('Return links after this one.'),
  },
  cursor: 'after',
  url: ({ path, direction, ...query }) => api.withQuery('/links', { [direction]: path, ...query }),
  notFound: (values) => missingPageMessage('links', values),
  head: ({ path, direction }) =>
    `Pages ${direction === 'to' ? 'that link to' : 'linked from'} the page ${JSON.stringify(path)}`,
  render: (page: z.output<z.ZodObject<typeof link>>) => {
    const title = page.title ?? '(this page does not exist)'
    return pageLines({ ...page, title }).replace('\n', page.redirect ? ' (redirect)\n' : '\n')
  },
  item: link,
  structured: (page) => page,
})
