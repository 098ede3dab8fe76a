import { WikiChanged } from '@lectern/wiki/errors'
import type { Resolvers } from '../generated/schema.ts'
import type { RevisionRow } from '../read/rows.ts'
import type { ResolverContext } from './context.ts'

/** Resolvers of revisions, and of what they change: differences, and pages since a cursor. */

/** @throws WikiChanged when it was withdrawn between two statements of a request: the client should retry */
const stillThere = <Loaded>(loaded: Loaded | null | undefined): Loaded => {
  if (loaded == null) throw new WikiChanged()
  return loaded
}

const completeRevision = async (revision: RevisionRow, { loaders }: ResolverContext) =>
  (await loaders.revision.load(revision.id).then(stillThere)) as Required<RevisionRow>

/** Not all columns, because the text is one of them. */
const loadPage = async ({ id }: RevisionRow, { loaders }: ResolverContext) =>
  stillThere((await loaders.revisionOfList.load({ id }))?.page)

const loadText = ({ id }: RevisionRow, { loaders }: ResolverContext): Promise<string> =>
  loaders.textOfRevision.load({ id }).then(stillThere)

/** Reads a column that the statement of a list left out. */
const loadColumn = async <Key extends keyof RevisionRow>(
  revision: RevisionRow,
  key: Key,
  context: ResolverContext,
) => (await completeRevision(revision, context))[key]

export const revisionResolvers: Resolvers = {
  Revision: {
    createdAt: (revision, _, context) => revision.createdAt ?? loadColumn(revision, 'createdAt', context),
    // Not async: in a long list, a promise for each item would cost more than everything else.
    author: (revision, _, context) =>
      revision.author === undefined
        ? completeRevision(revision, context).then(({ author }) => ({ name: author }))
        : { name: revision.author },
    comment: (revision, _, context) => revision.comment ?? loadColumn(revision, 'comment', context),
    size: (revision, _, context) => revision.size ?? loadColumn(revision, 'size', context),
    markdown: (revision, _, context) => revision.markdown ?? loadText(revision, context),
    page: (revision, _, context) => revision.page ?? loadPage(revision, context),
    html: (revision, _, { html }) => html(revision),
    text: (revision, _, { text }) => text(revision),
    summary: (revision, _, { summary }) => summary(revision),
    properties: (revision, _, { properties }) => properties(revision),
    sections: (revision, _, { sections }) => sections(revision),
    section: async (revision, { id }, { sections }) =>
      (await sections(revision)).find((section) => section.id === id) ?? null,
    position: async ({ id, position }, _, { loaders }) =>
      position === undefined
        ? ((await loaders.revisionOfList.load({ id, position: true }))?.position ?? null)
        : position,
    parent: async (revision, _, context) => {
      const id =
        revision.parentId === undefined
          ? (await completeRevision(revision, context)).parentId
          : revision.parentId
      return id === null ? null : { id }
    },
  },
  Section: {
    markdown: async ({ revision, start, end }, _, context) =>
      (revision.markdown ?? (await loadText(revision, context))).slice(start, end),
    html: (section, _, { html }) => html(section.revision, section),
    text: (section, _, { text }) => text(section.revision, section),
  },
  Edit: {
    author: ({ author }) => ({ name: author }),
    page: (edit, _, context) => edit.page ?? loadPage(edit, context),
    parentId: async ({ id }, _, { loaders }) => (await loaders.parentOfRevision.load(id))?.id ?? null,
    parentSize: async ({ id }, _, { loaders }) => (await loaders.parentOfRevision.load(id))?.size ?? null,
  },
  RevisionList: {
    edits: ({ items }) => items,
    pageInfo: ({ next }) => ({ hasNextPage: next !== null, endCursor: next }),
  },
  Change: {
    cursor: (change, _, { loaders }) => change.cursor ?? loaders.changeCursor(change),
  },
  Diff: {
    added: async ({ lines }) => (await lines()).added,
    removed: async ({ lines }) => (await lines()).removed,
    truncated: async ({ lines }) => (await lines()).truncated,
    hunks: async ({ lines }) => (await lines()).hunks,
    patch: ({ patch }) => patch(),
  },
}
