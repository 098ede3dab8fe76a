import { categoryPath } from '@lectern/wiki/locales'
import type { CategoryResolvers } from '../generated/schema.ts'

export const categoryResolvers: CategoryResolvers = {
  url: ({ locale, key }, _, { pageUrl }) => pageUrl(locale, categoryPath(key)),
  pages: ({ locale, key, pages }, _, { loaders }) => pages ?? loaders.categorySize.load({ locale, key }),
  memberList: ({ locale, key }, args, { loaders }) => loaders.editedMembers.load({ locale, key, ...args }),
  members: ({ locale, key, members }, args, { loaders }) =>
    members ?? loaders.categoryMembers.load({ locale, key, ...args }),
}
