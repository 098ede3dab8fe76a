import { z } from 'zod'
import {
  integerField,
  licenseField,
  listedNamespaceField,
  localeField,
  namespaceField,
  pathField,
  timestampField,
  titleField,
  urlField,
  uuidField,
} from './schema-fields.ts'

/**
 * The schemas of responses. Each is declared once, and gives the TypeScript type, the schema in openapi.json (named
 * `id`), and the schema against which tests check every response. They are closed here, and open in openapi.json. (D68)
 */

const author = z
  .strictObject({ name: z.string().meta({ description: 'Display name.' }) })
  .meta({ id: 'Author', description: 'The author of an edit.' })

const revisionReference = z
  .strictObject({ id: uuidField('Id of the revision.'), created_at: timestampField, author })
  .meta({ id: 'RevisionReference', description: 'The last accepted edit of a page.' })

const pageReference = z
  .strictObject({
    path: pathField,
    title: titleField,
    locale: localeField,
    ns: namespaceField,
    url: urlField('Link to the page on the wiki.'),
  })
  .meta({ id: 'PageReference', description: 'A page, without its text.' })

const categoryReference = z
  .strictObject({
    key: z.string().meta({ description: 'Key of the category: the part of its path after `category:`.' }),
    name: z.string().meta({ description: 'Display name.' }),
    url: urlField('Link to the category on the wiki.'),
  })
  .meta({ id: 'CategoryReference', description: 'A category of the wiki.' })

const translation = z
  .strictObject({
    locale: localeField,
    title: titleField,
    url: urlField('Link to the translation on the wiki.'),
  })
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
    path: pathField,
    title: titleField,
    locale: localeField,
    url: urlField('Link to the page on the wiki.'),
    revision: revisionReference,
    categories: z.array(categoryReference),
    translations: z.array(translation),
    markdown,
    html,
    license: licenseField,
  })
  .meta({ id: 'Page', description: 'A live page at its last accepted edit.' })

const listedPage = {
  path: pathField,
  title: titleField,
  locale: localeField,
  ns: listedNamespaceField,
  url: urlField('Link to the page on the wiki.'),
  revision: revisionReference,
}

const pageItemSchema = z.strictObject(listedPage).meta({ id: 'PageItem', description: 'A page in a list.' })

const categoryItemSchema = z
  .strictObject({
    ...listedPage,
    ns: namespaceField,
    sort_key: z.string().meta({ description: 'The text by which the list of the category is sorted.' }),
  })
  .meta({ id: 'CategoryItem', description: 'A page in a category.' })

const edit = {
  id: uuidField('Id of the revision.'),
  created_at: timestampField,
  author,
  comment: z.string().meta({ description: "The author's summary of the edit. It can be empty." }),
  size: integerField('Size of the Markdown in UTF-8, bytes.'),
}

const historyItemSchema = z
  .strictObject({ ...edit, url: urlField('URL of the revision in this API.') })
  .meta({ id: 'HistoryItem', description: 'An accepted edit.' })

const recentItemSchema = z
  .strictObject({ ...edit, url: urlField('URL of the revision in this API.'), page: pageReference })
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
    license: licenseField,
  })
  .meta({ id: 'Revision', description: 'An accepted edit, with the text of the page after it.' })

const passage = z
  .strictObject({
    text: z.string().meta({ description: 'Excerpt, plain text.' }),
    highlights: z
      // Not a tuple: spectral reports its `items: false` as a mistake, and client generators type its other forms as `unknown`.
      .array(z.array(integerField()).length(2))
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
    url: urlField('URL of the wiki in the default language of the requested host.'),
    locale: localeField,
    locales: z.array(
      z
        .strictObject({
          locale: localeField,
          name: z.string().meta({ description: 'Name of the language, in that language.' }),
          url: urlField('URL of the wiki in this language.'),
        })
        .meta({ id: 'Locale', description: 'A language of the wiki.' }),
    ),
    namespaces: z.array(
      z
        .strictObject({
          ns: listedNamespaceField,
          prefix: z
            .string()
            .meta({ description: 'Prefix of the paths in this namespace. Empty for `main`.' }),
        })
        .meta({ id: 'Namespace', description: 'A namespace whose pages can be listed.' }),
    ),
    license: licenseField,
    attribution: z.string().meta({ description: 'How to credit the wiki if you use its content.' }),
    limits: z
      .strictObject({
        requests_per_minute: integerField('Requests per minute for each network address. 0 means no limit.'),
        list_limit_max: integerField('Maximum of the parameter `limit` in lists.', 1),
        search_limit_max: integerField('Maximum of the parameter `limit` in searches.', 1),
        cache_seconds: integerField('How long responses may be cached, seconds.'),
      })
      .meta({ id: 'Limits', description: 'Limits of this instance.' }),
    endpoints: z
      .record(z.string(), z.string())
      .meta({ description: 'Absolute URI templates (RFC 6570) of the endpoints, by name.' }),
    openapi: urlField('URL of the OpenAPI document.'),
    docs: urlField('URL of the documentation.'),
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
