import { WikiChanged } from '@lectern/wiki/errors'
import { categoryPath } from '@lectern/wiki/locales'
import type { Resolvers } from '../generated/schema.ts'
import {
  type FileOfPageRow,
  type FileRow,
  hasRevision,
  lastRevisionOfPage,
  type PageRow,
  revisionOfPage,
} from '../read/rows.ts'
import type { ResolverContext } from './context.ts'

/** Resolvers of pages, and of what they belong to, link and show: categories, links, files. */

/** Loads all columns of a page, if the statement of a revision left some out. */
const completePage = async ({ id }: PageRow, { loaders }: ResolverContext) => {
  const loaded = await loaders.pageById.load(id)
  if (!loaded || !hasRevision(loaded)) throw new WikiChanged()
  return loaded
}

export const pageResolvers: Resolvers = {
  Page: {
    url: ({ locale, path }, _, { pageUrl }) => pageUrl(locale, path),
    revision: (page, _, context) =>
      hasRevision(page) ? revisionOfPage(page) : completePage(page, context).then(revisionOfPage),
    lastRevision: (page, _, context) =>
      hasRevision(page) ? lastRevisionOfPage(page) : completePage(page, context).then(lastRevisionOfPage),
    position: async ({ id }, _, { loaders }) => (await loaders.positionOfPage.load(id))?.position ?? null,
    groupTitle: async ({ id }, _, { loaders }) =>
      (await loaders.positionOfPage.load(id))?.group_title ?? null,
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
}

/** The files of a page, each once, by however many references the page shows it. */
const withoutRepetition = (files: readonly FileOfPageRow[]): FileRow[] =>
  files.filter(({ id }, i) => id !== files[i - 1]?.id)
