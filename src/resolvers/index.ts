import type { Resolvers } from '../generated/schema.ts'
import { categoryResolvers } from './category.ts'
import { changeResolvers } from './change.ts'
import { diffResolvers } from './diff.ts'
import { fileResolvers } from './file.ts'
import { linkResolvers } from './link.ts'
import { pageResolvers, translationResolvers } from './page.ts'
import { localeResolvers, queryResolvers } from './query.ts'
import { revisionListResolvers, revisionResolvers, sectionResolvers } from './revision.ts'
import { scalars } from './scalars.ts'

export const resolvers: Resolvers = {
  Query: queryResolvers,
  Locale: localeResolvers,
  Page: pageResolvers,
  Translation: translationResolvers,
  Revision: revisionResolvers,
  Section: sectionResolvers,
  Change: changeResolvers,
  RevisionList: revisionListResolvers,
  Diff: diffResolvers,
  Category: categoryResolvers,
  Link: linkResolvers,
  File: fileResolvers,
  ...scalars,
}
