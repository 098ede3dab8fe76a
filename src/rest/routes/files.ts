import { FilesDocument } from '../../generated/queries.ts'
import { defineRoute } from '../route.ts'
import { fileListSchema } from '../schemas/files.ts'
import { fileCursor, readFileCursor, slice } from './shared/paging.ts'
import { limitParameter, mediaTypeParameter, textParameter } from './shared/parameters.ts'

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
    after: textParameter(
      'Return only files whose path is after this one. Use `next` of the previous response.',
    ),
  },
  query: FilesDocument,
  variables: ({ prefix, type, limit, after }) => ({
    prefix,
    type,
    first: limit + 1,
    ...readFileCursor(after),
  }),
  responseSchema: fileListSchema,
  reshape: ({ files }, { limit }) => ({ body: slice(files, limit, fileCursor) }),
  pagedBy: 'after',
  examples: () => [
    { name: 'two', summary: 'The first two files', url: '/files?limit=2' },
    { name: 'pictures', summary: 'The first picture', url: '/files?type=image&limit=1' },
  ],
})
