import { Unavailable } from '../errors.ts'
import type { RevisionResolvers } from '../generated/schema.ts'
import type { RevisionRow } from '../read/rows.ts'
import type { ResolverContext } from './context.ts'

/**
 * An edit with all its columns. One that was withdrawn between two statements of a request is gone: the
 * request is best made again.
 */
const whole = async (revision: RevisionRow, { loaders }: ResolverContext) => {
  const loaded = await loaders.revision.load(revision.id)
  if (!loaded) throw new Unavailable('The wiki changed while it was read: try again.')
  return loaded as Required<RevisionRow>
}

/** A column that the statement of a list may have left out. */
const column =
  <Key extends keyof RevisionRow>(key: Key) =>
  (revision: RevisionRow, _: unknown, context: ResolverContext) =>
    revision[key] ?? whole(revision, context).then((loaded) => loaded[key])

export const revisionResolvers: RevisionResolvers = {
  createdAt: column('createdAt'),
  // Not async: a promise for each item would cost a long list more than all else.
  author: (revision, _, context) =>
    revision.author === undefined
      ? whole(revision, context).then(({ author }) => ({ name: author }))
      : { name: revision.author },
  comment: column('comment'),
  size: column('size'),
  markdown: column('markdown'),
  page: column('page'),
  html: (revision, _, { html }) => html(revision),
  parent: async (revision, _, context) => {
    const id = revision.parentId === undefined ? (await whole(revision, context)).parentId : revision.parentId
    return id === null ? null : { id }
  },
}
