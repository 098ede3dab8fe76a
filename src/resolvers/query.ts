import { BadParameter } from '@lectern/wiki/errors'
import { OFFSET_MAX } from '@lectern/wiki/limits'
import type { PageKey } from '@lectern/wiki/records'
import {
  type FieldNode,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  getArgumentValues,
  getDirectiveValues,
  isObjectType,
  Kind,
} from 'graphql'
import type { Resolvers } from '../generated/schema.ts'
import type { CategoryMembersArguments } from '../read/category-loaders.ts'
import type { Loaders, PageListKey } from '../read/loaders.ts'
import { pagedRow, type SearchResultRow } from '../read/rows.ts'
import { pagesAtPath, similarPath } from '../read/similar-path.ts'

export const queryResolvers: Resolvers = {
  Query: {
    wiki: (_, __, { wiki }) => wiki(),
    page: (_, args, { loaders }) => loaders.page.load(args),
    pages: (_, args, { loaders }) => pageRows(args, loaders),
    pageList: async (_, { first, ...list }, { loaders }) =>
      pagedRow(await pageRows({ ...list, first: first + 1 }, loaders), first, ({ path }) => path),
    pagesByPath: (_, { locale, paths }, { loaders }) =>
      Promise.all(paths.map((path) => loaders.listedPage.load({ locale, path }))),
    pageStarts: (_, { locale }, { loaders }) => loaders.pageStarts.load(locale),
    revision: (_, { id }, { loaders }) => loaders.revision.load(id),
    revisions: (_, { ids }, { loaders }, info) => {
      const columns = { markdown: isSelected(info, 'markdown'), position: isSelected(info, 'position') }
      return Promise.all(ids.map((id) => loaders.revisionOfList.load({ id, ...columns })))
    },
    revisionTexts: (_, args, { loaders }) => loaders.textsOfList.load(args),
    diff: (_, { to, from = null }, { compare }) => compare({ to, from }),
    history: (_, { oldestFirst, ...args }, { loaders: { history, oldest } }) =>
      (oldestFirst ? oldest : history).load(args),
    recent: (_, { locale, author, ns, ...list }, { loaders }) => {
      if (author != null || ns != null) return loaders.recentWithin.load({ locale, author, ns, ...list })
      return locale == null ? loaders.recent.load(list) : loaders.recentOfLocale.load({ locale, ...list })
    },
    changes: (_, args, { loaders }) => loaders.changes.load(args),
    movedTo: (_, address, { loaders }) => movedTo(address, loaders),
    movedToByPath: (_, { locale, paths }, { loaders }) =>
      Promise.all(paths.map((path) => movedTo({ locale, path }, loaders))),
    similarPath: async (_, address, { loaders, wiki }) =>
      similarPath(address, (await wiki()).locales, loaders),
    localesOfPath: async (_, { path }, { loaders, wiki }) =>
      (await pagesAtPath(path, (await wiki()).locales, loaders)).map(({ locale }) => locale),
    categories: (_, args, { loaders }) => loaders.categories.load(args),
    category: (_, args, { loaders }, info) =>
      loaders.category.load({ ...args, members: argumentsBelow<CategoryMembersArguments>(info, 'members') }),
    links: (_, { to, from, ...list }, { loaders }) => {
      if (to != null && from == null) return loaders.linksTo.load({ path: to, ...list })
      if (from != null && to == null) return loaders.linksFrom.load({ path: from, ...list })
      throw new BadParameter('to', 'or `from` must be set, but not both')
    },
    files: (_, args, { loaders }) =>
      args.type == null ? loaders.files.load(args) : loaders.filesOfType.load(args),
    file: (_, args, { loaders }) => loaders.file.load(args),
    search: async (_, args, { loaders }) => (await loaders.search.load(args)).hits,
    suggest: (_, args, { loaders }) => loaders.suggest.load(args),
    searchList: async (_, { first, ...search }, { loaders }) =>
      searchPage(await loaders.search.load({ first, ...search }), search.offset + first),
  },
  Locale: {
    url: ({ locale }, _, { wikiUrl }) => wikiUrl(locale),
    pages: ({ locale }, _, { loaders }) => loaders.pageCount.load(locale),
  },
}

const movedTo = async (address: PageKey, { listedPage, pageByFormerPath }: Loaders) =>
  (await listedPage.load(address)) ? null : pageByFormerPath.load(address)

const pageRows = (
  { prefix, ...list }: PageListKey & { prefix?: string | null },
  { pages, pagesWithPrefix }: Loaders,
) => (prefix ? pagesWithPrefix.load({ ...list, prefix }) : pages.load(list))

/** @param next where the next part begins. If it is too large for an `offset`, there is no cursor */
const searchPage = ({ hits, hasMore, didYouMean }: SearchResultRow, next: number) => {
  const hasNextPage = hasMore && next <= OFFSET_MAX
  return { items: hits, pageInfo: { hasNextPage, endCursor: hasNextPage ? String(next) : null }, didYouMean }
}

/**
 * Arguments of a field in the selection below this one, so that one statement can read both.
 * @returns undefined when the field is not selected, or more than once, or in a fragment: then the field's own
 * resolver reads it
 */
const argumentsBelow = <Args>(
  { fieldNodes, returnType, variableValues }: GraphQLResolveInfo,
  name: string,
): Args | undefined => {
  const below = fieldNodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? [])
  const matches = below.filter(
    (node): node is FieldNode => node.kind === Kind.FIELD && node.name.value === name,
  )
  const field = isObjectType(returnType) ? returnType.getFields()[name] : undefined
  if (matches.length !== 1 || !field || below.some(({ kind }) => kind !== Kind.FIELD)) return undefined
  return getArgumentValues(field, matches[0]!, variableValues) as Args
}

/** Whether a field is selected below this one, so that the statement reads its column; false also in a fragment. */
const isSelected = ({ fieldNodes, variableValues }: GraphQLResolveInfo, name: string): boolean =>
  fieldNodes
    .flatMap(({ selectionSet }) => selectionSet?.selections ?? [])
    .some(
      (node) =>
        node.kind === Kind.FIELD &&
        node.name.value === name &&
        getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if !== false,
    )
