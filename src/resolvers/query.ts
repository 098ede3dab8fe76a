import type { LocaleResolvers, QueryResolvers } from '../generated/schema.ts'
import type { CategoryMembersArguments } from '../read/loaders.ts'
import { argumentsBelow } from './selection.ts'

export const queryResolvers: QueryResolvers = {
  wiki: (_, __, { wiki }) => wiki(),
  page: (_, args, { loaders }) => loaders.page.load(args),
  pages: (_, args, { loaders }) => loaders.pages.load(args),
  revision: (_, { id }, { loaders }) => loaders.revision.load(id),
  diff: (_, { to, from = null }, { compare }) => compare({ to, from }),
  history: (_, args, { loaders }) => loaders.history.load(args),
  recent: (_, { locale, ...list }, { loaders }) =>
    locale == null ? loaders.recent.load(list) : loaders.recentOfLocale.load({ locale, ...list }),
  category: (_, args, { loaders }, info) =>
    loaders.category.load({ ...args, members: argumentsBelow<CategoryMembersArguments>(info, 'members') }),
  search: (_, args, { loaders }) => loaders.search.load(args),
}

export const localeResolvers: LocaleResolvers = {
  url: ({ locale }, _, { wikiUrl }) => wikiUrl(locale),
}
