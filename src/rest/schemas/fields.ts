import { z } from 'zod'
import { LISTED_NAMESPACES, NAMESPACES } from '../../wiki/namespaces.ts'

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
