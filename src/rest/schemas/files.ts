import { z } from 'zod'
import { integerField, listSchema, localeField, pageReference, timestampField, urlField } from './shared.ts'

const filePathField = z.string().meta({ description: 'Path of the file from the root of its source.' })
const mediaUrlField = urlField(
  'The bytes. Another hash is another URL; a file that is withdrawn answers 404.',
)
const mediaTypeField = z
  .string()
  .meta({ description: 'Media type, decided by the content, such as `image/png`.' })
const bytesField = integerField('Length of the file, bytes.')
const sha256Field = z
  .string()
  .meta({ description: 'SHA-256 of the bytes, hexadecimal.', pattern: '^[0-9a-f]{64}$' })
const pixelsField = (description: string) => integerField(description, 1).nullable()

/** What `include=files` tells of each file. */
export const pageFile = z
  .strictObject({
    path: filePathField,
    url: mediaUrlField,
    media_type: mediaTypeField,
    bytes: bytesField,
    sha256: sha256Field,
  })
  .meta({ id: 'PageFile', description: 'A file that a page shows or links.' })

const fileFields = {
  path: filePathField,
  locale: localeField
    .nullable()
    .meta({ description: 'Language of the file. Null if it belongs to no language, as in most wikis.' }),
  url: mediaUrlField,
  media_type: mediaTypeField,
  bytes: bytesField,
  sha256: sha256Field,
  width: pixelsField('Width of a picture in pixels. Null if the file is no picture, or does not tell it.'),
  height: pixelsField('Height of a picture in pixels. Null if the file is no picture, or does not tell it.'),
  modified_at: timestampField
    .nullable()
    .meta({ description: 'When the file was changed last. Null if the source does not tell it.' }),
}

export const fileListSchema = listSchema(
  'FileList',
  z.strictObject(fileFields).meta({ id: 'FileItem', description: 'A file in a list.' }),
  'One part of the list of files.',
)

export const fileSchema = z
  .strictObject({
    ...fileFields,
    author: z
      .strictObject({ name: z.string().meta({ description: 'Display name.' }) })
      .nullable()
      .meta({ description: 'Who changed the file last. Null if the source does not tell it.' }),
    used_by: listSchema('FileUseList', pageReference, 'Pages that show or link the file, at most 50.'),
  })
  .meta({ id: 'WikiFile', description: 'A picture or a document that live pages show or link.' })
