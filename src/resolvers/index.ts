import type { Resolvers } from '../generated/schema.ts'
import { pageResolvers } from './page.ts'
import { queryResolvers } from './query.ts'
import { revisionResolvers } from './revision.ts'
import { scalars } from './scalars.ts'

export const resolvers: Resolvers = { ...queryResolvers, ...pageResolvers, ...revisionResolvers, ...scalars }
