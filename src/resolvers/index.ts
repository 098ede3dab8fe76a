import type { Resolvers } from '../generated/schema.ts'
import { category } from './category.ts'
import { page, translation } from './page.ts'
import { locale, query } from './query.ts'
import { revision } from './revision.ts'
import { scalars } from './scalars.ts'

export const resolvers: Resolvers = {
  Query: query,
  Locale: locale,
  Page: page,
  Translation: translation,
  Revision: revision,
  Category: category,
  ...scalars,
}
