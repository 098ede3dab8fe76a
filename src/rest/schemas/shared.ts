import { LISTED_NAMESPACES, NAMESPACES } from '@lectern/wiki/locales'
import { z } from 'zod'

/** Fields that several response schemas use. */

export const urlField = (description: string) => z.url().meta({ description, format: 'uri' })
export const uuidField = (description: string) => z.string().meta({ description, format: 'uuid' })
export const localeField = z.string().meta({ description: 'Language code in lower case.' })
export const timestampField = z.string().meta({
  description: 'Date and time in UTC, with microseconds.',
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z$',
})
export const titleField = z.string().meta({ description: 'Title of the page.' })
export const pathField = z
  .string()
  .meta({ description: 'Path of the page, with its namespace prefix if it has one.' })
export const licenseField = urlField('URL of the license of the content.')
/** An integer from `least`. The document omits zod's maximum, the largest safe integer of JavaScript. */
export const integerField = (description?: string, least = 0) =>
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
export const namespaceField = z
  .enum(NAMESPACES)
  .meta({ id: 'PageNamespace', description: 'Namespace of a page.' })
export const listedNamespaceField = z
  .enum(LISTED_NAMESPACES)
  .meta({ id: 'ListedNamespace', description: 'Namespace whose pages can be listed.' })

/**
 * The parts that the schemas of several responses share. Each subject has a file here. A schema gives the TypeScript
 * type, the schema in openapi.json (named `id`), and the schema against which tests check every response. Schemas are closed here, and open in openapi.json. (D68)
 */

const author = z
  .strictObject({ name: z.string().meta({ description: 'Display name.' }) })
  .meta({ id: 'Author', description: 'The author of an edit.' })

export const revisionReference = z
  .strictObject({ id: uuidField('Id of the revision.'), created_at: timestampField, author })
  .meta({ id: 'RevisionReference', description: 'The last accepted edit of a page.' })

export const pageReference = z
  .strictObject({
    path: pathField,
    title: titleField,
    locale: localeField,
    ns: namespaceField,
    url: urlField('Link to the page on the wiki.'),
  })
  .meta({ id: 'PageReference', description: 'A page, without its text.' })

export const categoryReference = z
  .strictObject({
    key: z.string().meta({ description: 'Key of the category: the part of its path after `category:`.' }),
    name: z.string().meta({ description: 'Display name.' }),
    url: urlField('Link to the category on the wiki.'),
  })
  .meta({ id: 'CategoryReference', description: 'A category of the wiki.' })

export const highlightsField = (description: string) =>
  z
    // Not a tuple: spectral reports its `items: false` as a mistake, and client generators type its other forms as `unknown`.
    .array(z.array(integerField()).length(2))
    .meta({ description })

export const markdownField = z
  .string()
  .meta({ description: 'Text in Markdown. Absent with `format=html` and `format=text`.' })
  .optional()
export const htmlField = z
  .string()
  .meta({
    description: 'Text as sanitized HTML with absolute URLs. Present with `format=html` and `format=both`.',
  })
  .optional()

export const plainTextField = z
  .string()
  .meta({ description: 'Plain text without markup. Present with `format=text`.' })
  .optional()

export const editFields = {
  id: uuidField('Id of the revision.'),
  created_at: timestampField,
  author,
  comment: z.string().meta({ description: "The author's summary of the edit. It can be empty." }),
  size: integerField('Size of the Markdown in UTF-8, bytes.'),
}

export const nextField = z
  .string()
  .meta({ description: 'Cursor of the next part of the list. Empty at the end of the list.' })

export const listSchema = <Item extends z.ZodType>(
  id: string,
  item: Item,
  description: string,
  nextSchema = nextField,
) => z.strictObject({ items: z.array(item), next: nextSchema }).meta({ id, description })

/** Without `format`, because it is empty at the end of a list. */
export const nextEditsField = z.string().meta({
  description:
    'Cursor of the next part of the list: an RFC 3339 date-time for `before`. Empty at the end of the list.',
})

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
