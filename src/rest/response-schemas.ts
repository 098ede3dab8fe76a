import { z } from 'zod'
import { LISTED_NAMESPACES, NAMESPACES } from '../wiki/namespaces.ts'

/**
 * The schemas of responses. Each is declared once, and gives the TypeScript type, the schema in openapi.json (named
 * `id`), and the schema against which tests check every response. They are closed here, and open in openapi.json. (D68)
 */

const url = (description: string) => z.url().meta({ description, format: 'uri' })
const uuid = (description: string) => z.string().meta({ description, format: 'uuid' })
const localeCode = z.string().meta({ description: 'Language code in lower case.' })
const timestamp = z.string().meta({
  description: 'Date and time in UTC, with microseconds.',
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z$',
})
const title = z.string().meta({ description: 'Title of the page.' })
const pagePath = z
  .string()
  .meta({ description: 'Path of the page, with its namespace prefix if it has one.' })
const license = url('URL of the license of the content.')
/** An integer from `least`. The document omits zod's maximum, the largest safe integer of JavaScript. */
const integer = (description?: string, least = 0) =>
  z
    .int()
    .min(least)
    .meta({
      ...(description === undefined ? {} : { description }),
      override: ({ jsonSchema }: { jsonSchema: { maximum?: number } }) => {
        delete jsonSchema.maximum
      },
    })
// Client generators create a type for each use of an enum that has no name.
const namespace = z.enum(NAMESPACES).meta({ id: 'PageNamespace', description: 'Namespace of a page.' })
const listedNamespace = z
  .enum(LISTED_NAMESPACES)
  .meta({ id: 'ListedNamespace', description: 'Namespace whose pages can be listed.' })

const author = z
  .strictObject({ name: z.string().meta({ description: 'Display name.' }) })
  .meta({ id: 'Author', description: 'The author of an edit.' })

const revisionReference = z
  .strictObject({ id: uuid('Id of the revision.'), created_at: timestamp, author })
  .meta({ id: 'RevisionReference', description: 'The last accepted edit of a page.' })

const pageReference = z
  .strictObject({
    path: pagePath,
    title,
    locale: localeCode,
    ns: namespace,
    url: url('Link to the page on the wiki.'),
  })
  .meta({ id: 'PageReference', description: 'A page, without its text.' })

const categoryReference = z
  .strictObject({
    key: z.string().meta({ description: 'Key of the category: the part of its path after `category:`.' }),
    name: z.string().meta({ description: 'Display name.' }),
    url: url('Link to the category on the wiki.'),
  })
  .meta({ id: 'CategoryReference', description: 'A category of the wiki.' })

const translation = z
  .strictObject({ locale: localeCode, title, url: url('Link to the translation on the wiki.') })
  .meta({ id: 'Translation', description: 'The page in another language.' })

const markdown = z.string().meta({ description: 'Text in Markdown. Absent with `format=html`.' }).optional()
const html = z
  .string()
  .meta({
    description: 'Text as sanitized HTML with absolute URLs. Present with `format=html` and `format=both`.',
  })
  .optional()

export const pageSchema = z
  .strictObject({
    path: pagePath,
    title,
    locale: localeCode,
    url: url('Link to the page on the wiki.'),
    revision: revisionReference,
    categories: z.array(categoryReference),
    translations: z.array(translation),
    markdown,
    html,
    license,
  })
  .meta({ id: 'Page', description: 'A live page at its last accepted edit.' })

const listedPage = {
  path: pagePath,
  title,
  locale: localeCode,
  ns: listedNamespace,
  url: url('Link to the page on the wiki.'),
  revision: revisionReference,
}

const pageItemSchema = z.strictObject(listedPage).meta({ id: 'PageItem', description: 'A page in a list.' })

const categoryItemSchema = z
  .strictObject({
    ...listedPage,
    ns: namespace,
    sort_key: z.string().meta({ description: 'The text by which the list of the category is sorted.' }),
  })
  .meta({ id: 'CategoryItem', description: 'A page in a category.' })

const edit = {
  id: uuid('Id of the revision.'),
  created_at: timestamp,
  author,
  comment: z.string().meta({ description: "The author's summary of the edit. It can be empty." }),
  size: integer('Size of the Markdown in UTF-8, bytes.'),
}

const historyItemSchema = z
  .strictObject({ ...edit, url: url('URL of the revision in this API.') })
  .meta({ id: 'HistoryItem', description: 'An accepted edit.' })

const recentItemSchema = z
  .strictObject({ ...edit, url: url('URL of the revision in this API.'), page: pageReference })
  .meta({ id: 'RecentItem', description: 'An accepted edit, with its page.' })

export const revisionSchema = z
  .strictObject({
    ...edit,
    page: pageReference,
    parent: z.string().nullable().meta({
      description: 'Id of the accepted edit before this one. Null for the first edit of the page.',
      format: 'uuid',
    }),
    markdown,
    html,
    license,
  })
  .meta({ id: 'Revision', description: 'An accepted edit, with the text of the page after it.' })

const passage = z
  .strictObject({
    text: z.string().meta({ description: 'Excerpt, plain text.' }),
    highlights: z
      // Not a tuple: spectral reports its `items: false` as a mistake, and client generators type its other forms as `unknown`.
      .array(z.array(integer()).length(2))
      .meta({
        description:
          'The matches: for each, its start and its end (exclusive) in `text`, in UTF-16 code units.',
      }),
  })
  .meta({ id: 'Passage', description: 'An excerpt of the page around matches.' })

const searchHitSchema = z
  .strictObject({ ...pageReference.shape, passages: z.array(passage) })
  .meta({ id: 'SearchHit', description: 'A page that matches the query, with excerpts.' })

const next = z
  .string()
  .meta({ description: 'Cursor of the next part of the list. Empty at the end of the list.' })

const list = <Item extends z.ZodType>(id: string, item: Item, description: string, nextSchema = next) =>
  z.strictObject({ items: z.array(item), next: nextSchema }).meta({ id, description })

export const pageListSchema = list('PageList', pageItemSchema, 'One part of the list of pages.')
/** Without `format`, because it is empty at the end of a list. */
const nextEdits = z.string().meta({
  description:
    'Cursor of the next part of the list: an RFC 3339 date-time for `before`. Empty at the end of the list.',
})

export const historyListSchema = list(
  'HistoryList',
  historyItemSchema,
  'One part of the history of a page.',
  nextEdits,
)
export const recentListSchema = list(
  'RecentList',
  recentItemSchema,
  'One part of the recent edits.',
  nextEdits,
)
export const searchListSchema = list(
  'SearchList',
  searchHitSchema,
  'One part of the search results, best match first.',
)
export const categoryListSchema = z
  .strictObject({ items: z.array(categoryItemSchema), next, category: categoryReference })
  .meta({ id: 'CategoryList', description: 'One part of the list of pages of a category.' })

export const wikiSchema = z
  .strictObject({
    name: z.string().meta({ description: 'Name of the wiki.' }),
    version: z.literal('1').meta({ description: 'Version of this API.' }),
    url: url('URL of the wiki in the default language of the requested host.'),
    locale: localeCode,
    locales: z.array(
      z
        .strictObject({
          locale: localeCode,
          name: z.string().meta({ description: 'Name of the language, in that language.' }),
          url: url('URL of the wiki in this language.'),
        })
        .meta({ id: 'Locale', description: 'A language of the wiki.' }),
    ),
    namespaces: z.array(
      z
        .strictObject({
          ns: listedNamespace,
          prefix: z
            .string()
            .meta({ description: 'Prefix of the paths in this namespace. Empty for `main`.' }),
        })
        .meta({ id: 'Namespace', description: 'A namespace whose pages can be listed.' }),
    ),
    license,
    attribution: z.string().meta({ description: 'How to credit the wiki if you use its content.' }),
    limits: z
      .strictObject({
        requests_per_minute: integer('Requests per minute for each network address. 0 means no limit.'),
        list_limit_max: integer('Maximum of the parameter `limit` in lists.', 1),
        search_limit_max: integer('Maximum of the parameter `limit` in searches.', 1),
        cache_seconds: integer('How long responses may be cached, seconds.'),
      })
      .meta({ id: 'Limits', description: 'Limits of this instance.' }),
    endpoints: z
      .record(z.string(), z.string())
      .meta({ description: 'Absolute URI templates (RFC 6570) of the endpoints, by name.' }),
    openapi: url('URL of the OpenAPI document.'),
    docs: url('URL of the documentation.'),
  })
  .meta({ id: 'Wiki', description: 'The wiki, its languages, and the endpoints and limits of this API.' })

const errorCode = z
  .enum(['bad_parameter', 'not_found', 'method_not_allowed', 'rate_limited', 'internal', 'unavailable'])
  .meta({ id: 'ErrorCode', description: 'The kind of error, for programs.' })

/** Not named `Error`, because generated clients would then hide the type `Error` of their language. */
export const errorSchema = z
  .strictObject({
    error: z
      .strictObject({
        code: errorCode,
        message: z
          .string()
          .meta({ description: 'The error for people. It names the invalid parameter, if there is one.' }),
      })
      .meta({ id: 'ErrorDetail', description: 'The details of an error.' }),
  })
  .meta({ id: 'ErrorAnswer', description: 'The body of every error.' })

export const openapiSchema = z
  .looseObject({
    openapi: z.string().meta({ description: 'Version of the OpenAPI specification.' }),
    info: z.looseObject({}),
    paths: z.looseObject({}),
  })
  .meta({ id: 'OpenapiDocument', description: 'An OpenAPI 3.1 document.' })
