import type { DiffResolvers } from '../generated/schema.ts'

export const diffResolvers: DiffResolvers = {
  added: async ({ lines }) => (await lines()).added,
  removed: async ({ lines }) => (await lines()).removed,
  truncated: async ({ lines }) => (await lines()).truncated,
  hunks: async ({ lines }) => (await lines()).hunks,
  patch: ({ patch }) => patch(),
}
