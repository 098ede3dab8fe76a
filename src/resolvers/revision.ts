import { WikiChanged } from '../errors.ts'
import type { RevisionListResolvers, RevisionResolvers, SectionResolvers } from '../generated/schema.ts'
import type { RevisionRow } from '../read/rows.ts'
import type { ResolverContext } from './context.ts'

/**
 * A revision with all its columns.
 * @throws WikiChanged when the revision was withdrawn between two statements of a request: the client should retry
 */
const completeRevision = async (revision: RevisionRow, { loaders }: ResolverContext) => {
  const loaded = await loaders.revision.load(revision.id)
  if (!loaded) throw new WikiChanged()
  return loaded as Required<RevisionRow>
}

const loadText = async ({ id }: RevisionRow, { loaders }: ResolverContext): Promise<string> => {
  const text = await loaders.textOfRevision.load({ id })
  if (text === null) throw new WikiChanged()
  return text
}

/** A column that the statement of a list may leave out. */
const column =
  <Key extends keyof RevisionRow>(key: Key) =>
  (revision: RevisionRow, _: unknown, context: ResolverContext) =>
    revision[key] ?? completeRevision(revision, context).then((loaded) => loaded[key])

export const revisionResolvers: RevisionResolvers = {
  createdAt: column('createdAt'),
  // Not async: in a long list, a promise for each item would cost more than everything else.
  author: (revision, _, context) =>
    revision.author === undefined
      ? completeRevision(revision, context).then(({ author }) => ({ name: author }))
      : { name: revision.author },
  comment: column('comment'),
  size: column('size'),
  markdown: (revision, _, context) => revision.markdown ?? loadText(revision, context),
  // Not all columns, because the text is one of them.
  page: async ({ id, page }, _, { loaders }) => {
    const found = page ?? (await loaders.revisionOfList.load({ id }))?.page
    if (!found) throw new WikiChanged()
    return found
  },
  html: (revision, _, { html }) => html(revision),
  text: (revision, _, { text }) => text(revision),
  summary: (revision, _, { summary }) => summary(revision),
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
}

export const sectionResolvers: SectionResolvers = {
  markdown: async ({ revision, start, end }, _, context) =>
    (revision.markdown ?? (await loadText(revision, context))).slice(start, end),
  html: (section, _, { html }) => html(section.revision, section),
  text: (section, _, { text }) => text(section.revision, section),
}

export const revisionListResolvers: RevisionListResolvers = {
  pageInfo: ({ next }) => ({ hasNextPage: next !== null, endCursor: next }),
}
