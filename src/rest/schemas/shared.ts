import { LISTED_NAMESPACES, NAMESPACES } from '@lectern/wiki/locales'
import { z } from 'zod'

/** Fields that several response schemas use. */

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
export const titleField = textField('Title of the page.')
export const pathField = textField('Path of the page, with its namespace prefix if it has one.')
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
 * type, the schema in openapi.json (named `id`), and the schema against which tests check every response. Schemas are closed here, and open in openapi.json. No two names may be equal in a generated client, such as `page` and `Page`.
 */

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

const errorCode = z
  .enum(['bad_parameter', 'not_found', 'method_not_allowed', 'rate_limited', 'internal', 'unavailable'])
  .meta({ id: 'ErrorCode', description: 'The kind of error, for programs.' })

/** Not named `Error`, because generated clients would then hide the type `Error` of their language. */
export const errorSchema = objectSchema('ErrorAnswer', 'The body of every error.', {
  error: objectSchema('ErrorDetail', 'The details of an error.', {
    code: errorCode,
    message: textField('The error for people. It names the invalid parameter, if there is one.'),
  }),
})

export const openapiSchema = z
  .looseObject({
    openapi: textField('Version of the OpenAPI specification.'),
    info: z.looseObject({}),
    paths: z.looseObject({}),
  })
  .meta({ id: 'OpenapiDocument', description: 'An OpenAPI 3.1 document.' })
