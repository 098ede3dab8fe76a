import type { CategoryResolvers } from '../generated/schema.ts'
import { categoryPath } from '../wiki/namespaces.ts'

export const category: CategoryResolvers = {
  url: ({ locale, key }, _, { pageUrl }) => pageUrl(locale, categoryPath(key)),
  members: ({ locale, key, members }, args, { loaders }) =>
    members ?? loaders.categoryMembers.load({ locale, key, ...args }),
}
