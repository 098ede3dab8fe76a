import type { Resolvers } from '../generated/schema.ts'
import { categoryResolvers } from './category.ts'
import { diffResolvers } from './diff.ts'
import { pageResolvers, translationResolvers } from './page.ts'
import { localeResolvers, queryResolvers } from './query.ts'
import { revisionListResolvers, revisionResolvers } from './revision.ts'
import { scalars } from './scalars.ts'

export const resolvers: Resolvers = {
  Query: queryResolvers,
  Locale: localeResolvers,
  Page: pageResolvers,
  Translation: translationResolvers,
  Revision: revisionResolvers,
  RevisionList: revisionListResolvers,
  Diff: diffResolvers,
  Category: categoryResolvers,
  ...scalars,
}
