import { FilesDocument } from '../../generated/queries.ts'
import { defineRoute } from '../route.ts'
import * as fields from './shared/fields.ts'
import { fileCursor, readFileCursor, slice } from './shared/paging.ts'
import * as parameters from './shared/parameters.ts'

const pixelsField = (description: string) => fields.integer(description, 1).nullable()

export const fileFields = {
  path: fields.filePath,
  locale: fields.locale
    .nullable()
    .meta({ description: 'Language of the file. Null if it belongs to no language, as in most wikis.' }),
  ...fields.ofBytes,
  width: pixelsField('Width of a picture in pixels. Null if the file is no picture, or does not tell it.'),
  height: pixelsField('Height of a picture in pixels. Null if the file is no picture, or does not tell it.'),
  modified_at: fields.timestamp
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
    prefix: parameters.anyText('Return only files whose path begins with this text, such as `images/`.'),
    type: parameters.mediaType,
    limit: parameters.limit(),
    after: parameters.after('files whose path is'),
  },
  query: FilesDocument,
  variables: ({ limit, after, ...filter }) => ({ ...filter, first: limit + 1, ...readFileCursor(after) }),
  responseSchema: fields.list(
    'FileList',
    fields.object('FileItem', 'A file in a list.', fileFields),
    'One part of the list of files.',
  ),
  reshape: ({ files }, { limit }) => ({ body: slice(files, limit, fileCursor) }),
  pagedBy: 'after',
  examples: () => [
    { name: 'two', summary: 'The first two files', url: '/files?limit=2' },
    { name: 'pictures', summary: 'The first picture', url: '/files?type=image&limit=1' },
  ],
})
