import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { WikiRow, LocaleRow, PageRow, TranslationRow, RevisionRow, RevisionListRow, CategoryRow, CategoryMemberRow, PageListRow, CategoryMemberListRow, SearchListRow, SearchHitRow } from '../read/rows.ts';
import type { RevisionComparison, ResolverContext } from '../resolvers/context.ts';
import type { HitPassage } from '../search/query/hit.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** An RFC 3339 date-time. In responses, in UTC with microseconds. */
  DateTime: { input: string; output: string; }
  /** Text that PostgreSQL can store: well-formed, without U+0000. Lectern normalizes it to NFC. */
  Text: { input: string; output: string; }
  /** A UUID as in RFC 9562, in lower case. */
  UUID: { input: string; output: string; }
};

export type Author = {
  __typename?: 'Author';
  name: Scalars['String']['output'];
};

export type Category = {
  __typename?: 'Category';
  /** The part of the category's path after `category:`. */
  key: Scalars['String']['output'];
  locale: Scalars['String']['output'];
  /**
   * The same as `members`, with information for paging. With `since` or `until`, a part looks at no more than 10,000
   * members. It can have fewer items than `first`, or none, although the list continues.
   */
  memberList: CategoryMemberList;
  /** Live pages in the order of the bytes of their sort keys, then of their paths. */
  members: Array<CategoryMember>;
  name: Scalars['String']['output'];
  /** Absolute URL of the category on the wiki. */
  url: Scalars['String']['output'];
};


export type CategoryMemberListArgs = {
  after?: InputMaybe<Scalars['Text']['input']>;
  first?: Scalars['Int']['input'];
  since?: InputMaybe<Scalars['DateTime']['input']>;
  until?: InputMaybe<Scalars['DateTime']['input']>;
};


export type CategoryMembersArgs = {
  after?: InputMaybe<Scalars['Text']['input']>;
  afterPath?: InputMaybe<Scalars['Text']['input']>;
  first?: Scalars['Int']['input'];
};

export type CategoryMember = {
  __typename?: 'CategoryMember';
  page: Page;
  sortKey: Scalars['String']['output'];
};

export type CategoryMemberList = {
  __typename?: 'CategoryMemberList';
  items: Array<CategoryMember>;
  pageInfo: PageInfo;
};

/** The differences of two texts, line by line. */
export type Diff = {
  __typename?: 'Diff';
  /** Number of added lines. */
  added: Scalars['Int']['output'];
  /** Null: `to` is the first revision of its page, and is compared with an empty text. */
  from?: Maybe<Revision>;
  hunks: Array<Hunk>;
  /** The difference as a patch in the unified format, of a file named like the page; an error if it is too long. */
  patch: Scalars['String']['output'];
  /** Number of removed lines. */
  removed: Scalars['Int']['output'];
  to: Revision;
  /** Whether the lines are too many or too long to list. Then the only hunk covers every change, and has no lines. */
  truncated: Scalars['Boolean']['output'];
};

/** Changed lines that are near each other, with up to three lines before and after them. */
export type Hunk = {
  __typename?: 'Hunk';
  from: LineRange;
  lines: Array<HunkLine>;
  to: LineRange;
};

export type HunkLine = {
  __typename?: 'HunkLine';
  /** What differs from the similar line that it replaces, or that replaces it: pairs of offsets in `text`, in UTF-16 code units: the start, and the offset after the end. */
  highlights: Array<Array<Scalars['Int']['output']>>;
  kind: HunkLineKind;
  /** False if it is the last line of its text, and has no line feed. */
  newline: Scalars['Boolean']['output'];
  /** The line without its line feed. */
  text: Scalars['String']['output'];
};

export type HunkLineKind =
  | 'added'
  | 'context'
  | 'removed';

export type LineRange = {
  __typename?: 'LineRange';
  /** Number of the first line, from 1. */
  line: Scalars['Int']['output'];
  /** Number of lines. */
  lines: Scalars['Int']['output'];
};

export type Locale = {
  __typename?: 'Locale';
  /** A code such as `en` or `pt-br`, in lower case. */
  locale: Scalars['String']['output'];
  /** The name of the language in the language itself. */
  name: Scalars['String']['output'];
  /** Absolute URL of the wiki in this language. */
  url: Scalars['String']['output'];
};

export type Namespace =
  /** Pages that describe a category. The REST API does not list them. */
  | 'category'
  | 'main'
  | 'module'
  | 'page_template'
  | 'template';

export type Page = {
  __typename?: 'Page';
  categories: Array<Category>;
  /** Accepted revisions, newest first. */
  history: RevisionList;
  locale: Scalars['String']['output'];
  ns: Namespace;
  /** The path within its language, with the prefix of the namespace. */
  path: Scalars['String']['output'];
  /** The last accepted revision. */
  revision: Revision;
  title: Scalars['String']['output'];
  /** The page in other languages, in the order of locales. */
  translations: Array<Translation>;
  /** Absolute URL of the page on the wiki. */
  url: Scalars['String']['output'];
};


export type PageHistoryArgs = {
  before?: InputMaybe<Scalars['DateTime']['input']>;
  cursor?: InputMaybe<Scalars['DateTime']['input']>;
  first?: Scalars['Int']['input'];
  since?: InputMaybe<Scalars['DateTime']['input']>;
  until?: InputMaybe<Scalars['DateTime']['input']>;
};

/** Whether a list continues, and with which cursor. */
export type PageInfo = {
  __typename?: 'PageInfo';
  /** The cursor of the next part; null at the end of the list. */
  endCursor?: Maybe<Scalars['String']['output']>;
  hasNextPage: Scalars['Boolean']['output'];
};

export type PageList = {
  __typename?: 'PageList';
  items: Array<Page>;
  pageInfo: PageInfo;
};

/** Plain text around a match. */
export type Passage = {
  __typename?: 'Passage';
  /** The heading of its section; empty before the first heading. */
  heading: Scalars['String']['output'];
  /** Pairs of offsets in `text`, in UTF-16 code units: the start, and the offset after the end. */
  highlights: Array<Array<Scalars['Int']['output']>>;
  text: Scalars['String']['output'];
};

/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type Query = {
  __typename?: 'Query';
  /** A category; null if it has no name, no page describes it, and no page is in it. */
  category?: Maybe<Category>;
  /** What changed from one revision to another; an error if one of them does not exist. */
  diff?: Maybe<Diff>;
  /** Accepted revisions of a page, newest first; null if the page does not exist. */
  history?: Maybe<RevisionList>;
  /** A live page; null if it does not exist. */
  page?: Maybe<Page>;
  /** The same as `pages`, with information for paging. */
  pageList: PageList;
  /** Live pages of a language and namespace, in the order of the bytes of their paths. */
  pages: Array<Page>;
  /** Accepted revisions of the whole wiki, newest first. */
  recent: RevisionList;
  /** An accepted revision of a live page; null if it does not exist. */
  revision?: Maybe<Revision>;
  /** Pages whose title, path or text matches, best first. */
  search: Array<SearchHit>;
  /** The same as `search`, with information for paging: `endCursor` is the next `offset`. */
  searchList: SearchList;
  /** The name, languages and license of the wiki. */
  wiki: Wiki;
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QueryCategoryArgs = {
  key: Scalars['Text']['input'];
  locale: Scalars['Text']['input'];
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QueryDiffArgs = {
  from?: InputMaybe<Scalars['UUID']['input']>;
  to: Scalars['UUID']['input'];
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QueryHistoryArgs = {
  before?: InputMaybe<Scalars['DateTime']['input']>;
  cursor?: InputMaybe<Scalars['DateTime']['input']>;
  first?: Scalars['Int']['input'];
  locale: Scalars['Text']['input'];
  path: Scalars['Text']['input'];
  since?: InputMaybe<Scalars['DateTime']['input']>;
  until?: InputMaybe<Scalars['DateTime']['input']>;
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QueryPageArgs = {
  locale: Scalars['Text']['input'];
  path: Scalars['Text']['input'];
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QueryPageListArgs = {
  after?: InputMaybe<Scalars['Text']['input']>;
  first?: Scalars['Int']['input'];
  locale: Scalars['Text']['input'];
  ns?: Namespace;
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QueryPagesArgs = {
  after?: InputMaybe<Scalars['Text']['input']>;
  first?: Scalars['Int']['input'];
  locale: Scalars['Text']['input'];
  ns?: Namespace;
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QueryRecentArgs = {
  before?: InputMaybe<Scalars['DateTime']['input']>;
  cursor?: InputMaybe<Scalars['DateTime']['input']>;
  first?: Scalars['Int']['input'];
  locale?: InputMaybe<Scalars['Text']['input']>;
  since?: InputMaybe<Scalars['DateTime']['input']>;
  until?: InputMaybe<Scalars['DateTime']['input']>;
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QueryRevisionArgs = {
  id: Scalars['UUID']['input'];
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QuerySearchArgs = {
  first?: Scalars['Int']['input'];
  locale?: InputMaybe<Scalars['Text']['input']>;
  offset?: Scalars['Int']['input'];
  q: Scalars['Text']['input'];
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QuerySearchListArgs = {
  first?: Scalars['Int']['input'];
  locale?: InputMaybe<Scalars['Text']['input']>;
  offset?: Scalars['Int']['input'];
  q: Scalars['Text']['input'];
};

/** An accepted revision of a live page. */
export type Revision = {
  __typename?: 'Revision';
  author: Author;
  comment: Scalars['String']['output'];
  createdAt: Scalars['DateTime']['output'];
  /** The Markdown as sanitized HTML with absolute URLs. */
  html: Scalars['String']['output'];
  id: Scalars['UUID']['output'];
  markdown: Scalars['String']['output'];
  page: Page;
  /** The accepted revision before this one; null for the first revision. */
  parent?: Maybe<Revision>;
  /** Size of the Markdown in UTF-8, bytes. */
  size: Scalars['Int']['output'];
};

/** Part of a list of revisions. */
export type RevisionList = {
  __typename?: 'RevisionList';
  items: Array<Revision>;
  /** The `cursor` of the next part; null at the end of the list. */
  next?: Maybe<Scalars['DateTime']['output']>;
  /** `endCursor` is `next`: pass it back as `cursor`. */
  pageInfo: PageInfo;
};

export type SearchHit = {
  __typename?: 'SearchHit';
  page: Page;
  passages: Array<Passage>;
  /** Higher is better. Compare scores only within one response. The integer part says how the page matches, from 10 (the query is its title or path) to 4 (the text contains the words); below 1, the page has some of the words. */
  score: Scalars['Float']['output'];
};

export type SearchList = {
  __typename?: 'SearchList';
  items: Array<SearchHit>;
  pageInfo: PageInfo;
};

export type Translation = {
  __typename?: 'Translation';
  locale: Scalars['String']['output'];
  title: Scalars['String']['output'];
  url: Scalars['String']['output'];
};

export type Wiki = {
  __typename?: 'Wiki';
  defaultLocale: Scalars['String']['output'];
  /** URL of the license, if it is stored with the wiki. */
  license?: Maybe<Scalars['String']['output']>;
  locales: Array<Locale>;
  name: Scalars['String']['output'];
};



export type ResolverTypeWrapper<T> = Promise<T> | T;


export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;





/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  Author: ResolverTypeWrapper<Author>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  Category: ResolverTypeWrapper<CategoryRow>;
  CategoryMember: ResolverTypeWrapper<CategoryMemberRow>;
  CategoryMemberList: ResolverTypeWrapper<CategoryMemberListRow>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  Diff: ResolverTypeWrapper<RevisionComparison>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  Hunk: ResolverTypeWrapper<Hunk>;
  HunkLine: ResolverTypeWrapper<HunkLine>;
  HunkLineKind: HunkLineKind;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  LineRange: ResolverTypeWrapper<LineRange>;
  Locale: ResolverTypeWrapper<LocaleRow>;
  Namespace: Namespace;
  Page: ResolverTypeWrapper<PageRow>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  PageList: ResolverTypeWrapper<PageListRow>;
  Passage: ResolverTypeWrapper<HitPassage>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Revision: ResolverTypeWrapper<RevisionRow>;
  RevisionList: ResolverTypeWrapper<RevisionListRow>;
  SearchHit: ResolverTypeWrapper<SearchHitRow>;
  SearchList: ResolverTypeWrapper<SearchListRow>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Text: ResolverTypeWrapper<Scalars['Text']['output']>;
  Translation: ResolverTypeWrapper<TranslationRow>;
  UUID: ResolverTypeWrapper<Scalars['UUID']['output']>;
  Wiki: ResolverTypeWrapper<WikiRow>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Author: Author;
  Boolean: Scalars['Boolean']['output'];
  Category: CategoryRow;
  CategoryMember: CategoryMemberRow;
  CategoryMemberList: CategoryMemberListRow;
  DateTime: Scalars['DateTime']['output'];
  Diff: RevisionComparison;
  Float: Scalars['Float']['output'];
  Hunk: Hunk;
  HunkLine: HunkLine;
  Int: Scalars['Int']['output'];
  LineRange: LineRange;
  Locale: LocaleRow;
  Page: PageRow;
  PageInfo: PageInfo;
  PageList: PageListRow;
  Passage: HitPassage;
  Query: Record<PropertyKey, never>;
  Revision: RevisionRow;
  RevisionList: RevisionListRow;
  SearchHit: SearchHitRow;
  SearchList: SearchListRow;
  String: Scalars['String']['output'];
  Text: Scalars['Text']['output'];
  Translation: TranslationRow;
  UUID: Scalars['UUID']['output'];
  Wiki: WikiRow;
};

export type AuthorResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Author'] = ResolversParentTypes['Author']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CategoryResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Category'] = ResolversParentTypes['Category']> = {
  key?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  locale?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberList?: Resolver<ResolversTypes['CategoryMemberList'], ParentType, ContextType, RequireFields<CategoryMemberListArgs, 'first'>>;
  members?: Resolver<Array<ResolversTypes['CategoryMember']>, ParentType, ContextType, RequireFields<CategoryMembersArgs, 'first'>>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CategoryMemberResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['CategoryMember'] = ResolversParentTypes['CategoryMember']> = {
  page?: Resolver<ResolversTypes['Page'], ParentType, ContextType>;
  sortKey?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CategoryMemberListResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['CategoryMemberList'] = ResolversParentTypes['CategoryMemberList']> = {
  items?: Resolver<Array<ResolversTypes['CategoryMember']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export type DiffResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Diff'] = ResolversParentTypes['Diff']> = {
  added?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  from?: Resolver<Maybe<ResolversTypes['Revision']>, ParentType, ContextType>;
  hunks?: Resolver<Array<ResolversTypes['Hunk']>, ParentType, ContextType>;
  patch?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  removed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  to?: Resolver<ResolversTypes['Revision'], ParentType, ContextType>;
  truncated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type HunkResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Hunk'] = ResolversParentTypes['Hunk']> = {
  from?: Resolver<ResolversTypes['LineRange'], ParentType, ContextType>;
  lines?: Resolver<Array<ResolversTypes['HunkLine']>, ParentType, ContextType>;
  to?: Resolver<ResolversTypes['LineRange'], ParentType, ContextType>;
};

export type HunkLineResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['HunkLine'] = ResolversParentTypes['HunkLine']> = {
  highlights?: Resolver<Array<Array<ResolversTypes['Int']>>, ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['HunkLineKind'], ParentType, ContextType>;
  newline?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type LineRangeResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['LineRange'] = ResolversParentTypes['LineRange']> = {
  line?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  lines?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type LocaleResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Locale'] = ResolversParentTypes['Locale']> = {
  locale?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type PageResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Page'] = ResolversParentTypes['Page']> = {
  categories?: Resolver<Array<ResolversTypes['Category']>, ParentType, ContextType>;
  history?: Resolver<ResolversTypes['RevisionList'], ParentType, ContextType, RequireFields<PageHistoryArgs, 'first'>>;
  locale?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  ns?: Resolver<ResolversTypes['Namespace'], ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  revision?: Resolver<ResolversTypes['Revision'], ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  translations?: Resolver<Array<ResolversTypes['Translation']>, ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type PageListResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['PageList'] = ResolversParentTypes['PageList']> = {
  items?: Resolver<Array<ResolversTypes['Page']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type PassageResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Passage'] = ResolversParentTypes['Passage']> = {
  heading?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  highlights?: Resolver<Array<Array<ResolversTypes['Int']>>, ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type QueryResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  category?: Resolver<Maybe<ResolversTypes['Category']>, ParentType, ContextType, RequireFields<QueryCategoryArgs, 'key' | 'locale'>>;
  diff?: Resolver<Maybe<ResolversTypes['Diff']>, ParentType, ContextType, RequireFields<QueryDiffArgs, 'to'>>;
  history?: Resolver<Maybe<ResolversTypes['RevisionList']>, ParentType, ContextType, RequireFields<QueryHistoryArgs, 'first' | 'locale' | 'path'>>;
  page?: Resolver<Maybe<ResolversTypes['Page']>, ParentType, ContextType, RequireFields<QueryPageArgs, 'locale' | 'path'>>;
  pageList?: Resolver<ResolversTypes['PageList'], ParentType, ContextType, RequireFields<QueryPageListArgs, 'first' | 'locale' | 'ns'>>;
  pages?: Resolver<Array<ResolversTypes['Page']>, ParentType, ContextType, RequireFields<QueryPagesArgs, 'first' | 'locale' | 'ns'>>;
  recent?: Resolver<ResolversTypes['RevisionList'], ParentType, ContextType, RequireFields<QueryRecentArgs, 'first'>>;
  revision?: Resolver<Maybe<ResolversTypes['Revision']>, ParentType, ContextType, RequireFields<QueryRevisionArgs, 'id'>>;
  search?: Resolver<Array<ResolversTypes['SearchHit']>, ParentType, ContextType, RequireFields<QuerySearchArgs, 'first' | 'offset' | 'q'>>;
  searchList?: Resolver<ResolversTypes['SearchList'], ParentType, ContextType, RequireFields<QuerySearchListArgs, 'first' | 'offset' | 'q'>>;
  wiki?: Resolver<ResolversTypes['Wiki'], ParentType, ContextType>;
};

export type RevisionResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Revision'] = ResolversParentTypes['Revision']> = {
  author?: Resolver<ResolversTypes['Author'], ParentType, ContextType>;
  comment?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  html?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  markdown?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Page'], ParentType, ContextType>;
  parent?: Resolver<Maybe<ResolversTypes['Revision']>, ParentType, ContextType>;
  size?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type RevisionListResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['RevisionList'] = ResolversParentTypes['RevisionList']> = {
  items?: Resolver<Array<ResolversTypes['Revision']>, ParentType, ContextType>;
  next?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type SearchHitResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['SearchHit'] = ResolversParentTypes['SearchHit']> = {
  page?: Resolver<ResolversTypes['Page'], ParentType, ContextType>;
  passages?: Resolver<Array<ResolversTypes['Passage']>, ParentType, ContextType>;
  score?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type SearchListResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['SearchList'] = ResolversParentTypes['SearchList']> = {
  items?: Resolver<Array<ResolversTypes['SearchHit']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export interface TextScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Text'], any> {
  name: 'Text';
}

export type TranslationResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Translation'] = ResolversParentTypes['Translation']> = {
  locale?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export interface UuidScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['UUID'], any> {
  name: 'UUID';
}

export type WikiResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Wiki'] = ResolversParentTypes['Wiki']> = {
  defaultLocale?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  license?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  locales?: Resolver<Array<ResolversTypes['Locale']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type Resolvers<ContextType = ResolverContext> = {
  Author?: AuthorResolvers<ContextType>;
  Category?: CategoryResolvers<ContextType>;
  CategoryMember?: CategoryMemberResolvers<ContextType>;
  CategoryMemberList?: CategoryMemberListResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  Diff?: DiffResolvers<ContextType>;
  Hunk?: HunkResolvers<ContextType>;
  HunkLine?: HunkLineResolvers<ContextType>;
  LineRange?: LineRangeResolvers<ContextType>;
  Locale?: LocaleResolvers<ContextType>;
  Page?: PageResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  PageList?: PageListResolvers<ContextType>;
  Passage?: PassageResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Revision?: RevisionResolvers<ContextType>;
  RevisionList?: RevisionListResolvers<ContextType>;
  SearchHit?: SearchHitResolvers<ContextType>;
  SearchList?: SearchListResolvers<ContextType>;
  Text?: GraphQLScalarType;
  Translation?: TranslationResolvers<ContextType>;
  UUID?: GraphQLScalarType;
  Wiki?: WikiResolvers<ContextType>;
};

