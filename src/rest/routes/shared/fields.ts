import { LISTED_NAMESPACES, NAMESPACES } from '@lectern/wiki/locales'
import { z } from 'zod'
import type { ListedPageFieldsFragment as ListedPage, RecentQuery } from '../../../generated/queries.ts'

type RecentEdit = RecentQuery['recent']['items'][number]

/**
 * The parts that the schemas of several responses share. A schema gives the TypeScript type, the schema in openapi.json
 * (named `id`), and the schema against which tests check every response. Schemas are closed here, and open in
 * openapi.json. No two names may be equal in a generated client, such as `page` and `Page`.
 */

export const text = (description: string) => z.string().meta({ description })
export const flag = (description: string) => z.boolean().meta({ description })
/** An object without other fields. @param id its name in openapi.json */
export const object = <Fields extends z.ZodRawShape>(id: string, description: string, fields: Fields) =>
  z.strictObject(fields).meta({ id, description })
export const url = (description: string) => z.url().meta({ description, format: 'uri' })
export const uuid = (description: string) => z.string().meta({ description, format: 'uuid' })
export const nullableUuid = (description: string) =>
  z.string().nullable().meta({ description, format: 'uuid' })
export const locale = text('Language code in lower case.')
export const timestamp = z.string().meta({
  description: 'Date and time in UTC, with microseconds.',
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z$',
})
const title = text('Title of the page.')
export const path = text('Path of the page, with its namespace prefix if it has one.')
export const license = url(
  'URL of the license of the content. If it is unknown, it ends with `#an-unknown-license`: the URL of a text that says so.',
)
export const integer = (description?: string, least = 0) => z.int().min(least).meta({ description })
// Client generators create a type for each use of an enum that has no name.
const namespace = z.enum(NAMESPACES).meta({ id: 'PageNamespace', description: 'Namespace of a page.' })
export const listedNamespace = z
  .enum(LISTED_NAMESPACES)
  .meta({ id: 'ListedNamespace', description: 'Namespace whose pages can be listed.' })

const author = object('Author', 'The author of an edit.', { name: text('Display name.') })

export const revisionReference = object('RevisionReference', 'The last accepted edit of a page.', {
  id: uuid('Id of the revision.'),
  created_at: timestamp,
  author,
})

export const pageReference = object('PageReference', 'A page, without its text.', {
  path,
  title,
  locale,
  ns: namespace,
  url: url('Link to the page on the wiki.'),
})

export const categoryReference = object('CategoryReference', 'A category of the wiki.', {
  key: text('Key of the category: the part of its path after `category:`.'),
  name: text('Display name.'),
  url: url('Link to the category on the wiki.'),
})

export const highlights = (description: string) =>
  z
    // Not a tuple: spectral reports its `items: false` as a mistake, and client generators type its other forms as `unknown`.
    .array(z.array(integer()).length(2))
    .meta({ description })

const MARKDOWN =
  'Text in Markdown. Its links are as the wiki writes them. To find the page of one without a scheme, resolve it like a URL at `/{path}` of its page, and decode it. If the link begins with a slash and a language of the wiki, as `/en/tea`, that is its `locale`, and the rest its path. Cut a last `.md`, then a last `/index`. HTML and `include=links` have resolved links.'
export const markdown = text(`${MARKDOWN} Absent with \`format=html\` and \`format=text\`.`).optional()
export const html = text(
  'Text as sanitized HTML with absolute URLs. Present with `format=html` and `format=both`.',
).optional()

export const withoutMarkup = text('Plain text without markup. Present with `format=text`.').optional()

export const ofEdit = {
  id: uuid('Id of the revision.'),
  created_at: timestamp,
  author,
  comment: text("The author's summary of the edit. It can be empty."),
  size: integer('Size of the Markdown in UTF-8, bytes.'),
}

const PARENT = 'Id of the accepted edit before this one. Null for the first edit of the page.'
export const parent = nullableUuid(PARENT)

export const next = text('Cursor of the next part of the list. Empty at the end of the list.')

export const list = <Item extends z.ZodType>(
  id: string,
  item: Item,
  description: string,
  nextSchema = next,
) => z.strictObject({ items: z.array(item), next: nextSchema }).meta({ id, description })

/** Without `format`, because it is empty at the end of a list. */
export const nextEdits = text(
  'Cursor of the next part of the list: an RFC 3339 date-time for `before`, or with `order=asc` a text for `after`. Empty at the end of the list.',
)

export const filePath = text('Path of the file from the root of its source.')
export const ofBytes = {
  url: url('The bytes. Another hash is another URL; a file that is withdrawn answers 404.'),
  media_type: text('Media type, decided by the content, such as `image/png`.'),
  bytes: integer('Length of the file, bytes.'),
  sha256: z.string().meta({ description: 'SHA-256 of the bytes, hexadecimal.', pattern: '^[0-9a-f]{64}$' }),
}

const pageFile = object('PageFile', 'A file that a page shows or links.', { path: filePath, ...ofBytes })

const linkItemSchema = object('LinkItem', 'A page that links to the page, or to which the page links.', {
  path,
  title: z.string().nullable().meta({ description: 'Title of the page. Null if the page does not exist.' }),
  locale,
  ns: namespace,
  url: url('Link to the page on the wiki, also if the page does not exist.'),
  exists: flag('Whether the page exists.'),
  redirect: flag('Whether the page is a redirect: its text is nothing but a link to another page.'),
})

export const linkList = list('LinkList', linkItemSchema, 'One part of the list of links.')

export const translation = object('Translation', 'The page in another language.', {
  locale,
  path,
  title,
  url: url('Link to the translation on the wiki.'),
})

const section = object('Section', 'A heading of a page, and what belongs to it.', {
  id: text(
    'Id of the heading in the HTML, for the parameter `section`. Empty for what stands before the first heading.',
  ),
  level: integer('1 to 6: the level of the heading. 0 for what stands before the first heading.'),
  title: text('Text of the heading, without markup.'),
  start: integer('Where the section begins in the Markdown, in UTF-16 code units.'),
  end: integer(
    'Where the section ends (exclusive), with its subsections, in UTF-16 code units of the Markdown.',
  ),
})

const contributors = object(
  'Contributors',
  'The authors of a page: those with the most accepted edits first, at most 100.',
  {
    total: integer('How many authors the page has.', 1),
    items: z.array(
      object('Contributor', 'An author of a page.', {
        name: text('Display name.'),
        edits: integer('How many accepted edits of the page they made.', 1),
        last_at: timestamp,
      }),
    ),
  },
)

const scalar = z.union([z.string(), z.number(), z.boolean()])

const property = object('Property', 'A property of a note.', {
  name: text('Its name.'),
  value: z
    .union([scalar, z.array(scalar)])
    .meta({ description: 'Plain text, a number or a boolean, or a list of these.' }),
})

const included = <Field extends z.ZodType>(field: Field, description: string) =>
  field.meta({ description: `${description} Present if \`include\` names it.` }).optional()

export const ofIncludedTexts = {
  markdown: included(z.string(), MARKDOWN),
  html: included(z.string(), 'Text as sanitized HTML with absolute URLs.'),
  text: included(z.string(), 'Plain text without markup.'),
  summary: included(z.string().max(500), 'Plain text of the beginning, at most 500 UTF-16 code units.'),
  sections: included(z.array(section), 'The outline of the text.'),
  properties: included(
    z.array(property),
    'Properties of a note of Obsidian, without its title, tags and aliases; empty for other pages.',
  ),
}

export const ofListedEdit = {
  ...ofEdit,
  url: url('URL of the revision in this API.'),
  parent: included(parent, PARENT),
  parent_size: integer().nullish().meta({ description: 'Size of that edit, bytes. With `parent`.' }),
  ...ofIncludedTexts,
}

export const ofIncludedPages = {
  ...ofIncludedTexts,
  categories: included(z.array(categoryReference), 'Categories of the page.'),
  translations: included(z.array(translation), 'The page in other languages.'),
  /** Up to 200 links; `next` is a cursor of `GET /links?from=`. */
  links: linkList.optional(),
  contributors: contributors.optional(),
  files: included(z.array(pageFile), 'Files that the page shows or links.'),
}

/** A character that JSON escapes, or that is half of one. */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/
const inJson = (text: string): string => (ESCAPED.test(text) ? JSON.stringify(text).slice(1, -1) : text)

const pageMembers = ({ path, title, locale, ns, url }: RecentEdit['page']): string =>
  `"path":"${inJson(path)}","title":"${inJson(title)}","locale":"${locale}","ns":"${ns}","url":"${url}"`

const authorMembers = ({ id, created_at, author }: ListedPage['revision']): string =>
  `"id":"${id}","created_at":"${created_at}","author":{"name":"${inJson(author.name)}"}`

/** The same as `JSON.stringify`, which takes twice the time: a quarter of that of a long list. Only these texts can need escapes. */
export const listedPageJson = (page: ListedPage): string =>
  `{${pageMembers(page)},"revision":{${authorMembers(page.revision)}}}`

/** The same for a page of a category. */
export const memberJson = (page: ListedPage & { sort_key: string }): string =>
  `${listedPageJson(page).slice(0, -1)},"sort_key":"${inJson(page.sort_key)}"}`

/** The same for an edit of the whole wiki. */
export const recentEditJson = (edit: RecentEdit & { url: string }): string =>
  `{${authorMembers(edit)},"comment":"${inJson(edit.comment)}","size":${edit.size},"page":{${pageMembers(edit.page)}},"url":"${edit.url}"}`

export const ofListedPage = { ...pageReference.shape, revision: revisionReference, ...ofIncludedPages }
