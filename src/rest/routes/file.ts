import { NotFound } from '@lectern/wiki/errors'
import { LIST_LIMIT } from '@lectern/wiki/limits'
import { z } from 'zod'
import { FileDocument } from '../../generated/queries.ts'
import { example, exampleUrl } from '../openapi/example-values.ts'
import { defineRoute } from '../route.ts'
import { fileFields } from './files.ts'
import * as fields from './shared/fields.ts'
import { linkCursor, readLinkCursor, slice } from './shared/paging.ts'
import * as parameters from './shared/parameters.ts'

export const fileRoute = defineRoute({
  name: 'file',
  operationId: 'getFile',
  path: '/files/{path}',
  requestClass: 'list',
  tag: 'Files',
  summary: 'One file',
  description:
    'Returns a picture or a document that live pages show or link: where its bytes are, and which pages use it. A file that no live page uses is not public, and answers 404.',
  parameters: {
    path: parameters.pathText(
      'Path of the file. You can send a slash as it is or as `%2F`.',
      ({ file }) => file,
    ),
    locale: {
      ...parameters.contentLocale,
      description:
        'Language of the file, if the wiki has files by language. Default: the language of the host that you call.',
    },
    after: parameters.anyText(
      'Return only pages after this one in `used_by`: a language, a slash and a path. Use `used_by.next` of the previous response.',
    ),
  },
  query: FileDocument,
  variables: ({ after, ...file }) => ({ ...file, first: LIST_LIMIT.default + 1, ...readLinkCursor(after) }),
  responseSchema: fields.object('WikiFile', 'A picture or a document that live pages show or link.', {
    ...fileFields,
    author: z
      .strictObject({ name: fields.text('Display name.') })
      .nullable()
      .meta({ description: 'Who changed the file last. Null if the source does not tell it.' }),
    used_by: fields.list(
      'FileUseList',
      fields.pageReference,
      'Pages that show or link the file, at most 50.',
    ),
  }),
  reshape: ({ file }) => {
    if (!file) throw new NotFound('There is no such file.')
    const { usedBy, ...rest } = file
    return { body: { ...rest, used_by: slice(usedBy, LIST_LIMIT.default, linkCursor) } }
  },
  examples: ({ file }) => [
    example('file', 'A picture, and the pages that show it', exampleUrl`/files/${file}`),
  ],
})
