import type { FileResolvers } from '../generated/schema.ts'

export const fileResolvers: FileResolvers = {
  locale: ({ locale }) => locale || null,
  url: ({ sha256, path }, _, { mediaUrl }) => mediaUrl(sha256, path),
  author: ({ author }) => (author === null ? null : { name: author }),
  usedBy: ({ id }, args, { loaders }) => loaders.pagesOfFile.load({ id, ...args }),
}
