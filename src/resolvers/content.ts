import { WikiChanged } from '@lectern/wiki/errors'
import { categoryPath } from '@lectern/wiki/locales'
import type { Resolvers } from '../generated/schema.ts'
import type { FileOfPageRow, FileRow, PageRow, RevisionRow } from '../read/rows.ts'
import { hasRevision, lastRevisionOfPage, revisionOfPage } from '../read/rows.ts'
import type { ResolverContext } from './context.ts'

/** Resolvers of pages and revisions, and of what belongs to them: categories, links, files, differences. */

/** @throws WikiChanged when it was withdrawn between two statements of a request: the client should retry */
const stillThere = <Loaded>(loaded: Loaded | null | undefined): Loaded => {
  if (loaded == null) throw new WikiChanged()
  return loaded
}

/** Loads all columns of a page, if the statement of a revision left some out. */
const completePage = async ({ id }: PageRow, { loaders }: ResolverContext) => {
  const loaded = await loaders.pageById.load(id)
  if (!loaded || !hasRevision(loaded)) throw new WikiChanged()
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

export const contentResolvers: Resolvers = {
  Page: {
    url: ({ locale, path }, _, { pageUrl }) => pageUrl(locale, path),
    revision: (page, _, context) =>
      hasRevision(page) ? revisionOfPage(page) : completePage(page, context).then(revisionOfPage),
    lastRevision: (page, _, context) =>
      hasRevision(page) ? lastRevisionOfPage(page) : completePage(page, context).then(lastRevisionOfPage),
    position: async ({ id }, _, { loaders }) => (await loaders.positionOfPage.load(id))?.position ?? null,
    groupTitle: async ({ id }, _, { loaders }) =>
      (await loaders.positionOfPage.load(id))?.group_titles?.split('\n').at(-1) ?? null,
    groupTitles: async ({ id }, _, { loaders }) =>
      (await loaders.positionOfPage.load(id))?.group_titles?.split('\n') ?? [],
    navTitle: async ({ id }, _, { loaders }) => (await loaders.positionOfPage.load(id))?.nav_title ?? null,
    categories: (page, _, { loaders }) => page.categories ?? loaders.categoriesOfPage.load(page.id),
    translations: (page, _, { loaders }) => page.translations ?? loaders.translationsOfPage.load(page.id),
    contributors: ({ id }, _, { loaders }) => loaders.contributorsOfPage.load(id),
    history: async ({ locale, path }, args, { loaders }) =>
      (await loaders.history.load({ locale, path, ...args })) ?? { items: [], next: null },
    links: async ({ locale, path }, args, { loaders }) =>
      (await loaders.linksFrom.load({ locale, path, ...args })) ?? [],
    backlinks: async ({ locale, path }, args, { loaders }) =>
      (await loaders.linksTo.load({ locale, path, ...args })) ?? [],
    files: async (page, _, { filesOfPage }) => withoutRepetition(await filesOfPage(page)),
  },
  Translation: {
    url: ({ locale, path }, _, { pageUrl }) => pageUrl(locale, path),
  },
  Category: {
    url: ({ locale, key }, _, { pageUrl }) => pageUrl(locale, categoryPath(key)),
    pages: ({ locale, key, pages }, _, { loaders }) => pages ?? loaders.categorySize.load({ locale, key }),
    memberList: ({ locale, key }, args, { loaders }) => loaders.editedMembers.load({ locale, key, ...args }),
    members: ({ locale, key, members }, args, { loaders }) =>
      members ?? loaders.categoryMembers.load({ locale, key, ...args }),
  },
  Link: {
    url: ({ locale, path }, _, { pageUrl }) => pageUrl(locale, path),
    title: ({ page }) => page?.title ?? null,
    exists: ({ page }) => page !== null,
  },
  File: {
    locale: ({ locale }) => locale || null,
    url: ({ sha256, path }, _, { mediaUrl }) => mediaUrl(sha256, path),
    author: ({ author }) => (author === null ? null : { name: author }),
    usedBy: ({ id }, args, { loaders }) => loaders.pagesOfFile.load({ id, ...args }),
  },
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
      const { parentId: id = (await completeRevision(revision, context)).parentId } = revision
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

/** The files of a page, each once, by however many references the page shows it. */
const withoutRepetition = (files: readonly FileOfPageRow[]): FileRow[] =>
  files.filter(({ id }, i) => id !== files[i - 1]?.id)
