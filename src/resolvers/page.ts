import { revisionOfPage } from '../data/rows.ts'
import type { PageResolvers, TranslationResolvers } from '../generated/schema.ts'

export const page: PageResolvers = {
  url: ({ locale, path }, _, { pageUrl }) => pageUrl(locale, path),
  revision: (page) => revisionOfPage(page),
  categories: (page, _, { loaders }) => page.categories ?? loaders.categoriesOfPage.load(page.id),
  translations: (page, _, { loaders }) => page.translations ?? loaders.translationsOfPage.load(page.id),
  history: async ({ locale, path }, args, { loaders }) =>
    (await loaders.history.load({ locale, path, ...args })) ?? [],
}

export const translation: TranslationResolvers = {
  url: ({ locale, path }, _, { pageUrl }) => pageUrl(locale, path),
}
