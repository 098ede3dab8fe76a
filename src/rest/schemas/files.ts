import { z } from 'zod'
import {
  integerField,
  listSchema,
  localeField,
  objectSchema,
  pageReference,
  textField,
  timestampField,
  urlField,
} from './shared.ts'

const filePathField = textField('Path of the file from the root of its source.')
const bytesFields = {
  url: urlField('The bytes. Another hash is another URL; a file that is withdrawn answers 404.'),
  media_type: textField('Media type, decided by the content, such as `image/png`.'),
  bytes: integerField('Length of the file, bytes.'),
  sha256: z.string().meta({ description: 'SHA-256 of the bytes, hexadecimal.', pattern: '^[0-9a-f]{64}$' }),
}
const pixelsField = (description: string) => integerField(description, 1).nullable()

/** What `include=files` tells of each file. */
export const pageFile = objectSchema('PageFile', 'A file that a page shows or links.', {
  path: filePathField,
  ...bytesFields,
})

const fileFields = {
  path: filePathField,
  locale: localeField
    .nullable()
    .meta({ description: 'Language of the file. Null if it belongs to no language, as in most wikis.' }),
  ...bytesFields,
  width: pixelsField('Width of a picture in pixels. Null if the file is no picture, or does not tell it.'),
  height: pixelsField('Height of a picture in pixels. Null if the file is no picture, or does not tell it.'),
  modified_at: timestampField
    .nullable()
    .meta({ description: 'When the file was changed last. Null if the source does not tell it.' }),
}

export const fileListSchema = listSchema(
  'FileList',
  objectSchema('FileItem', 'A file in a list.', fileFields),
  'One part of the list of files.',
)

export const fileSchema = objectSchema('WikiFile', 'A picture or a document that live pages show or link.', {
  ...fileFields,
  author: z
    .strictObject({ name: textField('Display name.') })
    .nullable()
    .meta({ description: 'Who changed the file last. Null if the source does not tell it.' }),
  used_by: listSchema('FileUseList', pageReference, 'Pages that show or link the file, at most 50.'),
})
