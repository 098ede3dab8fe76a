import { z } from 'zod'
import { LISTED_NAMESPACES, NAMESPACES } from '../wiki/namespaces.ts'

/**
 * Shapes of answers, each declared once: its TypeScript type, its schema in openapi.json (under `id`), and
 * what the tests hold every answer to. They are closed here; openapi.json leaves room for what may come (D68).
 */

const address = (description: string) => z.url().meta({ description, format: 'uri' })
const uuid = (description: string) => z.string().meta({ description, format: 'uuid' })
const localeCode = z.string().meta({ description: 'Locale code, lower case.' })
const moment = z.string().meta({
  description: 'UTC, with microseconds.',
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z$',
})
const title = z.string().meta({ description: 'Title of the page.' })
const pagePath = z
  .string()
  .meta({ description: 'Path of the page, with its namespace prefix if it has one.' })
const license = address('Address of the license of the content.')
/** A whole number from `least`; without the largest that JavaScript can hold, which is no bound of ours. */
const whole = (description?: string, least = 0) =>
  z
    .int()
    .min(least)
    .meta({
      ...(description === undefined ? {} : { description }),
      override: ({ jsonSchema }: { jsonSchema: { maximum?: number } }) => {
        delete jsonSchema.maximum
      },
    })
// Named, since generators of clients make a type for each place where an enum without a name stands.
const namespace = z.enum(NAMESPACES).meta({ id: 'PageNamespace', description: 'Namespace of a page.' })
const listedNamespace = z
  .enum(LISTED_NAMESPACES)
  .meta({ id: 'ListedNamespace', description: 'Namespace that pages are listed by.' })

const author = z
  .strictObject({ name: z.string().meta({ description: 'Display name.' }) })
  .meta({ id: 'Author', description: 'Who made an edit.' })

const revisionReference = z
  .strictObject({ id: uuid('Id of the revision.'), created_at: moment, author })
  .meta({ id: 'RevisionReference', description: 'The last accepted edit of a page.' })

const pageReference = z
  .strictObject({
    path: pagePath,
    title,
    locale: localeCode,
    ns: namespace,
    url: address('Link to the page on the wiki.'),
  })
  .meta({ id: 'PageReference', description: 'The page that something belongs to.' })

const categoryReference = z
  .strictObject({
    key: z.string().meta({ description: 'Address of the category, after `category:`.' }),
    name: z.string().meta({ description: 'Display name.' }),
    url: address('Link to the category on the wiki.'),
  })
  .meta({ id: 'CategoryReference', description: 'A category.' })

const translation = z
  .strictObject({ locale: localeCode, title, url: address('Link to the translation on the wiki.') })
  .meta({ id: 'Translation', description: 'The page in another language.' })

const markdown = z.string().meta({ description: 'Text in Markdown; absent with `format=html`.' }).optional()
const html = z
  .string()
  .meta({
    description: 'Text as sanitised HTML with absolute addresses; with `format=html` and `format=both`.',
  })
  .optional()

export const pageSchema = z
  .strictObject({
    path: pagePath,
    title,
    locale: localeCode,
    url: address('Link to the page on the wiki.'),
    revision: revisionReference,
    categories: z.array(categoryReference),
    translations: z.array(translation),
    markdown,
    html,
    license,
  })
  .meta({ id: 'Page', description: 'A live page as its last accepted edit has it.' })

const listed = {
  path: pagePath,
  title,
  locale: localeCode,
  ns: listedNamespace,
  url: address('Link to the page on the wiki.'),
  revision: revisionReference,
}

const pageItemSchema = z.strictObject(listed).meta({ id: 'PageItem', description: 'A page in a list.' })

const categoryItemSchema = z
  .strictObject({
    ...listed,
    ns: namespace,
    sort_key: z.string().meta({ description: 'Its place in the category.' }),
  })
  .meta({ id: 'CategoryItem', description: 'A page in a category.' })

const edit = {
  id: uuid('Id of the revision.'),
  created_at: moment,
  author,
  comment: z.string().meta({ description: "The author's remark; may be empty." }),
  size: whole('Bytes of the Markdown in UTF-8.'),
}

const historyItemSchema = z
  .strictObject({ ...edit, url: address("This API's address of the revision.") })
  .meta({ id: 'HistoryItem', description: 'An accepted edit.' })

const recentItemSchema = z
  .strictObject({ ...edit, url: address("This API's address of the revision."), page: pageReference })
  .meta({ id: 'RecentItem', description: 'An accepted edit and its page.' })

export const revisionSchema = z
  .strictObject({
    ...edit,
    page: pageReference,
    parent: z.string().nullable().meta({
      description: 'Id of the accepted edit before this one; null for the first.',
      format: 'uuid',
    }),
    markdown,
    html,
    license,
  })
  .meta({ id: 'Revision', description: 'An accepted edit with its text.' })

const passage = z
  .strictObject({
    text: z.string().meta({ description: 'Plain text.' }),
    highlights: z
      // No tuple: spectral takes its `items: false` for a mistake, and generators its other forms for `unknown`.
      .array(z.array(whole()).length(2))
      .meta({ description: 'Matches: start, and the place after the end, in UTF-16 code units of `text`.' }),
  })
  .meta({ id: 'Passage', description: 'An excerpt around a match.' })

const searchHitSchema = z
  .strictObject({ ...pageReference.shape, passages: z.array(passage) })
  .meta({ id: 'SearchHit', description: 'A page that matches, with excerpts.' })

const next = z.string().meta({ description: 'Where the list goes on; empty at its end.' })

const list = <Item extends z.ZodType>(id: string, item: Item, description: string, goesOn = next) =>
  z.strictObject({ items: z.array(item), next: goesOn }).meta({ id, description })

export const pageListSchema = list('PageList', pageItemSchema, 'Part of the list of pages.')
/** No `format`: at the end it is empty. */
const nextOfEdits = z
  .string()
  .meta({ description: 'Where the list goes on, an RFC 3339 date-time for `before`; empty at its end.' })

export const historyListSchema = list(
  'HistoryList',
  historyItemSchema,
  'Part of the history of a page.',
  nextOfEdits,
)
export const recentListSchema = list('RecentList', recentItemSchema, 'Part of the recent edits.', nextOfEdits)
export const searchListSchema = list('SearchList', searchHitSchema, 'Part of the results, best first.')
export const categoryListSchema = z
  .strictObject({ items: z.array(categoryItemSchema), next, category: categoryReference })
  .meta({ id: 'CategoryList', description: 'Part of a category.' })

export const wikiSchema = z
  .strictObject({
    name: z.string().meta({ description: 'Name of the wiki.' }),
    version: z.literal('1').meta({ description: 'Version of this API.' }),
    url: address('The wiki, in the language of the address that was called.'),
    locale: localeCode,
    locales: z.array(
      z
        .strictObject({
          locale: localeCode,
          name: z.string().meta({ description: "The language's own name." }),
          url: address('The wiki in this language.'),
        })
        .meta({ id: 'Locale', description: 'A language of the wiki.' }),
    ),
    namespaces: z.array(
      z
        .strictObject({
          ns: listedNamespace,
          prefix: z
            .string()
            .meta({ description: 'What paths of the namespace begin with; empty for `main`.' }),
        })
        .meta({ id: 'Namespace', description: 'A namespace that pages are listed by.' }),
    ),
    license,
    attribution: z.string().meta({ description: 'What users of the data owe the wiki.' }),
    limits: z
      .strictObject({
        requests_per_minute: whole('Per client address; 0: no limit.'),
        list_limit_max: whole('Largest `limit` of lists.', 1),
        search_limit_max: whole('Largest `limit` of a search.', 1),
        cache_seconds: whole('How long an answer may be kept.'),
      })
      .meta({ id: 'Limits', description: 'Limits of this instance.' }),
    endpoints: z
      .record(z.string(), z.string())
      .meta({ description: 'URI templates (RFC 6570) of the endpoints, absolute, by name.' }),
    openapi: address('This document.'),
    docs: address('Documentation for people.'),
  })
  .meta({ id: 'Wiki', description: 'The wiki and the addresses of this API.' })

const errorCode = z
  .enum(['bad_parameter', 'not_found', 'method_not_allowed', 'rate_limited', 'internal', 'unavailable'])
  .meta({ id: 'ErrorCode', description: 'What went wrong, for programs.' })

/** Not called `Error`, as every generated client would then call a type of its own. */
export const errorSchema = z
  .strictObject({
    error: z
      .strictObject({
        code: errorCode,
        message: z.string().meta({ description: 'For people; names the parameter where one is wrong.' }),
      })
      .meta({ id: 'ErrorDetail', description: 'The one member of the answer to what failed.' }),
  })
  .meta({ id: 'ErrorAnswer', description: 'What went wrong.' })

export const openapiSchema = z
  .looseObject({
    openapi: z.string().meta({ description: 'Version of OpenAPI.' }),
    info: z.looseObject({}),
    paths: z.looseObject({}),
  })
  .meta({ id: 'OpenapiDocument', description: 'An OpenAPI 3.1 document.' })
