import type { Resolvers } from '../generated/schema.ts'
import { contentResolvers } from './content.ts'
import { queryResolvers } from './query.ts'
import { scalars } from './scalars.ts'

export const resolvers: Resolvers = { ...queryResolvers, ...contentResolvers, ...scalars }
