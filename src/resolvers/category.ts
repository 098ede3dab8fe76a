import type { CategoryResolvers } from '../generated/schema.ts'
import { categoryPath } from '../wiki/namespaces.ts'

export const category: CategoryResolvers = {
  url: ({ locale, key }, _, { pageUrl }) => pageUrl(locale, categoryPath(key)),
  members: ({ locale, key }, args, { loaders }) => loaders.categoryMembers.load({ locale, key, ...args }),
}
