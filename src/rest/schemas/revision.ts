import { z } from 'zod'
import { licenseField } from './fields.ts'
import { editFields, htmlField, markdownField, pageReference, plainTextField } from './shared.ts'

export const revisionSchema = z
  .strictObject({
    ...editFields,
    page: pageReference,
    parent: z.string().nullable().meta({
      description: 'Id of the accepted edit before this one. Null for the first edit of the page.',
      format: 'uuid',
    }),
    markdown: markdownField,
    html: htmlField,
    text: plainTextField,
    license: licenseField,
  })
  .meta({ id: 'Revision', description: 'An accepted edit, with the text of the page after it.' })
