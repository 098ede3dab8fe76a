import { FilesDocument } from '../../generated/queries.ts'
import { defineRoute } from '../route.ts'
import {
  bytesFields,
  filePathField,
  integerField,
  listSchema,
  localeField,
  objectSchema,
  timestampField,
} from './shared/fields.ts'
import { fileCursor, readFileCursor, slice } from './shared/paging.ts'
import { afterParameter, limitParameter, mediaTypeParameter, textParameter } from './shared/parameters.ts'

const pixelsField = (description: string) => integerField(description, 1).nullable()

export const fileFields = {
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

export const filesRoute = defineRoute({
  name: 'files',
  operationId: 'listFiles',
  path: '/files',
  requestClass: 'list',
  tag: 'Files',
  summary: 'Files by path',
  description:
    'Lists the pictures and documents that live pages show or link, sorted by the bytes of their paths. The `url` of a file leads to its bytes. A file that no live page uses is not public, and does not appear.',
  parameters: {
    prefix: textParameter('Return only files whose path begins with this text, such as `images/`.'),
    type: mediaTypeParameter,
    limit: limitParameter(),
    after: afterParameter('files whose path is'),
  },
  query: FilesDocument,
  variables: ({ prefix, type, limit, after }) => ({
    prefix,
    type,
    first: limit + 1,
    ...readFileCursor(after),
  }),
  responseSchema: listSchema(
    'FileList',
    objectSchema('FileItem', 'A file in a list.', fileFields),
    'One part of the list of files.',
  ),
  reshape: ({ files }, { limit }) => ({ body: slice(files, limit, fileCursor) }),
  pagedBy: 'after',
  examples: () => [
    { name: 'two', summary: 'The first two files', url: '/files?limit=2' },
    { name: 'pictures', summary: 'The first picture', url: '/files?type=image&limit=1' },
  ],
})
