import type { ChangeResolvers } from '../generated/schema.ts'

export const changeResolvers: ChangeResolvers = {
  cursor: ({ changedAt }, _, { loaders }) => loaders.changeCursor.load(changedAt),
}
