import { LISTED_NAMESPACES, NAMESPACES } from '@lectern/wiki/locales'
import { z } from 'zod'
import type { ListedPageFieldsFragment as ListedPage, RecentQuery } from '../../../generated/queries.ts'

type RecentEdit = RecentQuery['recent']['items'][number]

/**
 * The parts that the schemas of several responses share. A schema gives the TypeScript type, the schema in openapi.json
 * (named `id`), and the schema against which tests check every response. Schemas are closed here, and open in
 * openapi.json. No two names may be equal in a generated client, such as `page` and `Page`.
 */

export const textField = (description: string) => z.string().meta({ description })
export const flagField = (description: string) => z.boolean().meta({ description })
/** An object without other fields. @param id its name in openapi.json */
export const objectSchema = <Fields extends z.ZodRawShape>(id: string, description: string, fields: Fields) =>
  z.strictObject(fields).meta({ id, description })
export const urlField = (description: string) => z.url().meta({ description, format: 'uri' })
export const uuidField = (description: string) => z.string().meta({ description, format: 'uuid' })
export const localeField = textField('Language code in lower case.')
export const timestampField = z.string().meta({
  description: 'Date and time in UTC, with microseconds.',
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z$',
})
const titleField = textField('Title of the page.')
export const pathField = textField('Path of the page, with its namespace prefix if it has one.')
export const licenseField = urlField('URL of the license of the content.')
/** An integer from `least`. */
export const integerField = (description?: string, least = 0) => z.int().min(least).meta({ description })
// Client generators create a type for each use of an enum that has no name.
const namespaceField = z.enum(NAMESPACES).meta({ id: 'PageNamespace', description: 'Namespace of a page.' })
export const listedNamespaceField = z
  .enum(LISTED_NAMESPACES)
  .meta({ id: 'ListedNamespace', description: 'Namespace whose pages can be listed.' })

const author = objectSchema('Author', 'The author of an edit.', { name: textField('Display name.') })

export const revisionReference = objectSchema('RevisionReference', 'The last accepted edit of a page.', {
  id: uuidField('Id of the revision.'),
  created_at: timestampField,
  author,
})

export const pageReference = objectSchema('PageReference', 'A page, without its text.', {
  path: pathField,
  title: titleField,
  locale: localeField,
  ns: namespaceField,
  url: urlField('Link to the page on the wiki.'),
})

export const categoryReference = objectSchema('CategoryReference', 'A category of the wiki.', {
  key: textField('Key of the category: the part of its path after `category:`.'),
  name: textField('Display name.'),
  url: urlField('Link to the category on the wiki.'),
})

export const highlightsField = (description: string) =>
  z
    // Not a tuple: spectral reports its `items: false` as a mistake, and client generators type its other forms as `unknown`.
    .array(z.array(integerField()).length(2))
    .meta({ description })

export const markdownField = textField(
  'Text in Markdown. Absent with `format=html` and `format=text`.',
).optional()
export const htmlField = textField(
  'Text as sanitized HTML with absolute URLs. Present with `format=html` and `format=both`.',
).optional()

export const plainTextField = textField('Plain text without markup. Present with `format=text`.').optional()

export const editFields = {
  id: uuidField('Id of the revision.'),
  created_at: timestampField,
  author,
  comment: textField("The author's summary of the edit. It can be empty."),
  size: integerField('Size of the Markdown in UTF-8, bytes.'),
}

export const nextField = textField('Cursor of the next part of the list. Empty at the end of the list.')

export const listSchema = <Item extends z.ZodType>(
  id: string,
  item: Item,
  description: string,
  nextSchema = nextField,
) => z.strictObject({ items: z.array(item), next: nextSchema }).meta({ id, description })

/** Without `format`, because it is empty at the end of a list. */
export const nextEditsField = textField(
  'Cursor of the next part of the list: an RFC 3339 date-time for `before`. Empty at the end of the list.',
)

export const filePathField = textField('Path of the file from the root of its source.')
export const bytesFields = {
  url: urlField('The bytes. Another hash is another URL; a file that is withdrawn answers 404.'),
  media_type: textField('Media type, decided by the content, such as `image/png`.'),
  bytes: integerField('Length of the file, bytes.'),
  sha256: z.string().meta({ description: 'SHA-256 of the bytes, hexadecimal.', pattern: '^[0-9a-f]{64}$' }),
}

/** What `include=files` tells of each file. */
const pageFile = objectSchema('PageFile', 'A file that a page shows or links.', {
  path: filePathField,
  ...bytesFields,
})

const linkItemSchema = objectSchema(
  'LinkItem',
  'A page that links to the page, or to which the page links.',
  {
    path: pathField,
    title: z.string().nullable().meta({ description: 'Title of the page. Null if the page does not exist.' }),
    locale: localeField,
    ns: namespaceField,
    url: urlField('Link to the page on the wiki, also if the page does not exist.'),
    exists: flagField('Whether the page exists.'),
    redirect: flagField('Whether the page is a redirect: its text is nothing but a link to another page.'),
  },
)

export const linkListSchema = listSchema('LinkList', linkItemSchema, 'One part of the list of links.')

export const translation = objectSchema('Translation', 'The page in another language.', {
  locale: localeField,
  path: pathField,
  title: titleField,
  url: urlField('Link to the translation on the wiki.'),
})

const section = objectSchema('Section', 'A heading of a page, and what belongs to it.', {
  id: textField(
    'Id of the heading in the HTML, for the parameter `section`. Empty for what stands before the first heading.',
  ),
  level: integerField('1 to 6: the level of the heading. 0 for what stands before the first heading.'),
  title: textField('Text of the heading, without markup.'),
  start: integerField('Where the section begins in the Markdown, in UTF-16 code units.'),
  end: integerField(
    'Where the section ends (exclusive), with its subsections, in UTF-16 code units of the Markdown.',
  ),
})

const contributors = objectSchema(
  'Contributors',
  'The authors of a page: those with the most accepted edits first, at most 100.',
  {
    total: integerField('How many authors the page has.', 1),
    items: z.array(
      objectSchema('Contributor', 'An author of a page.', {
        name: textField('Display name.'),
        edits: integerField('How many accepted edits of the page they made.', 1),
        last_at: timestampField,
      }),
    ),
  },
)

const included = <Field extends z.ZodType>(field: Field, description: string) =>
  field.meta({ description: `${description} Present if \`include\` names it.` }).optional()

export const includedTextFields = {
  markdown: included(z.string(), 'Text in Markdown.'),
  html: included(z.string(), 'Text as sanitized HTML with absolute URLs.'),
  text: included(z.string(), 'Plain text without markup.'),
  summary: included(z.string().max(500), 'Plain text of the beginning, at most 500 UTF-16 code units.'),
  sections: included(z.array(section), 'The outline of the text.'),
}

export const includedPageFields = {
  ...includedTextFields,
  categories: included(z.array(categoryReference), 'Categories of the page.'),
  translations: included(z.array(translation), 'The page in other languages.'),
  /** Up to 200 links; `next` is a cursor of `GET /links?from=`. */
  links: linkListSchema.optional(),
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

export const listedPageFields = {
  ...pageReference.shape,
  revision: revisionReference,
  ...includedPageFields,
}
