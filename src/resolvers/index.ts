import type { Resolvers } from '../generated/schema.ts'
import {
  categoryResolvers,
  fileResolvers,
  linkResolvers,
  pageResolvers,
  translationResolvers,
} from './page.ts'
import { localeResolvers, queryResolvers } from './query.ts'
import {
  changeResolvers,
  diffResolvers,
  editResolvers,
  revisionListResolvers,
  revisionResolvers,
  sectionResolvers,
} from './revision.ts'
import { scalars } from './scalars.ts'

export const resolvers: Resolvers = {
  Query: queryResolvers,
  Locale: localeResolvers,
  Page: pageResolvers,
  Translation: translationResolvers,
  Revision: revisionResolvers,
  Edit: editResolvers,
  Section: sectionResolvers,
  Change: changeResolvers,
  RevisionList: revisionListResolvers,
  Diff: diffResolvers,
  Category: categoryResolvers,
  Link: linkResolvers,
  File: fileResolvers,
  ...scalars,
}
