import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { WikiRow, LocaleRow, PageRow, TranslationRow, RevisionRow, EditRow, RevisionListRow, ChangeListRow, ChangeRow, SectionRow, ContributorsRow, ContributorRow, CategoryRow, CategoryMemberRow, LinkRow, FileRow, PageListRow, CategoryMemberListRow, SearchListRow, SearchHitRow } from '../read/rows.ts';
import type { RevisionComparison, ResolverContext } from '../resolvers/context.ts';
import type { TitleSuggestion } from '../search/query/suggest.ts';
import type { HitPassage } from '../search/query/results.ts';
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
  /** Plain text, a number or a boolean, or a list of these. */
  PropertyValue: { input: string | number | boolean | (string | number | boolean)[]; output: string | number | boolean | (string | number | boolean)[]; }
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
  /** How many live pages it has. */
  pages: Scalars['Int']['output'];
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

/** The last change at an address. */
export type Change = {
  __typename?: 'Change';
  changedAt: Scalars['DateTime']['output'];
  /** The `after` of the part of the list after this change. */
  cursor: Scalars['String']['output'];
  locale: Scalars['String']['output'];
  /** If the page moved away: the page at its new address. */
  movedTo?: Maybe<Page>;
  ns: Namespace;
  /** The page as it is now; null if guests no longer find a page at this address. */
  page?: Maybe<Page>;
  path: Scalars['String']['output'];
};

/** Part of the changes of the wiki. */
export type ChangeList = {
  __typename?: 'ChangeList';
  /** The `after` with which to ask for later changes. Never null. */
  cursor: Scalars['String']['output'];
  items: Array<Change>;
  /** The `after` of the next part; null at the end of the list. */
  next?: Maybe<Scalars['String']['output']>;
};

export type Contributor = {
  __typename?: 'Contributor';
  /** How many accepted revisions they made. */
  edits: Scalars['Int']['output'];
  /** When they made the last one. */
  lastAt: Scalars['DateTime']['output'];
  name: Scalars['String']['output'];
};

/** The authors of a page. */
export type Contributors = {
  __typename?: 'Contributors';
  /** The 100 with the most accepted revisions, those with the most first. */
  items: Array<Contributor>;
  /** How many there are. */
  total: Scalars['Int']['output'];
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

/** An accepted revision of a live page, without its text. */
export type Edit = {
  __typename?: 'Edit';
  author: Author;
  comment: Scalars['String']['output'];
  createdAt: Scalars['DateTime']['output'];
  id: Scalars['UUID']['output'];
  page: Page;
  /** Id of the accepted revision before this one; null for the first revision. */
  parentId?: Maybe<Scalars['UUID']['output']>;
  /** Size of the Markdown of that revision. */
  parentSize?: Maybe<Scalars['Int']['output']>;
  /** Size of the Markdown in UTF-8, bytes. */
  size: Scalars['Int']['output'];
};

/** A picture or a document that live pages show or link. */
export type File = {
  __typename?: 'File';
  author?: Maybe<Author>;
  bytes: Scalars['Int']['output'];
  height?: Maybe<Scalars['Int']['output']>;
  /** Null if it belongs to no language. */
  locale?: Maybe<Scalars['String']['output']>;
  /** Decided by the content, not by the name. */
  mediaType: Scalars['String']['output'];
  /** When it was last changed, and by whom, if the source tells it. */
  modifiedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The path from the root of its source. */
  path: Scalars['String']['output'];
  /** SHA-256 of the bytes, hexadecimal. */
  sha256: Scalars['String']['output'];
  /** Absolute URL of the bytes. */
  url: Scalars['String']['output'];
  /** Pages that show or link it, in the order of the bytes of their locales and paths. */
  usedBy: Array<Page>;
  /** Size of a picture in pixels, if its header has it. */
  width?: Maybe<Scalars['Int']['output']>;
};


/** A picture or a document that live pages show or link. */
export type FileUsedByArgs = {
  afterLocale?: InputMaybe<Scalars['Text']['input']>;
  afterPath?: InputMaybe<Scalars['Text']['input']>;
  first?: Scalars['Int']['input'];
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

/** The other page of a link. */
export type Link = {
  __typename?: 'Link';
  exists: Scalars['Boolean']['output'];
  /** Whether the page is a redirect: its text is nothing but a link to another page. */
  isRedirect: Scalars['Boolean']['output'];
  locale: Scalars['String']['output'];
  ns: Namespace;
  /** Null if the page does not exist. */
  page?: Maybe<Page>;
  path: Scalars['String']['output'];
  /** Null if the page does not exist. */
  title?: Maybe<Scalars['String']['output']>;
  /** Absolute URL of the page on the wiki, whether it exists or not. */
  url: Scalars['String']['output'];
};

export type Locale = {
  __typename?: 'Locale';
  /** A code such as `en` or `pt-br`, in lower case. */
  locale: Scalars['String']['output'];
  /** The name of the language in the language itself. */
  name: Scalars['String']['output'];
  /** How many live pages of the main namespace it has; 100,001 if there are more than 100,000. */
  pages: Scalars['Int']['output'];
  /** Absolute URL of the wiki in this language. */
  url: Scalars['String']['output'];
};

export type Namespace =
  /** Pages that describe a category. Lists of pages leave them out. */
  | 'category'
  | 'main'
  | 'module'
  | 'page_template'
  | 'template';

export type Page = {
  __typename?: 'Page';
  /** Pages that link to this page, in the same order. */
  backlinks: Array<Link>;
  categories: Array<Category>;
  /** The authors of accepted revisions. */
  contributors: Contributors;
  /** Files that this page shows or links, in the order of the bytes of their paths. */
  files: Array<File>;
  /** Title of the group that has the page in the navigation of that site. Null: none. */
  groupTitle?: Maybe<Scalars['String']['output']>;
  /** Titles of all groups around the page there, the outermost first. */
  groupTitles: Array<Scalars['String']['output']>;
  /** Accepted revisions, newest first. */
  history: RevisionList;
  /** The same in short: a list takes less time with it. */
  lastRevision: RevisionReference;
  /** Pages to which this page links, in the order of the bytes of their locales and paths. */
  links: Array<Link>;
  locale: Scalars['String']['output'];
  /** Title of the page there. Null: that of the page. */
  navTitle?: Maybe<Scalars['String']['output']>;
  ns: Namespace;
  /** The path within its language, with the prefix of the namespace. */
  path: Scalars['String']['output'];
  /** Place in the order of the site from which the page was imported: smaller comes first. Null: that is unknown. */
  position?: Maybe<Scalars['Int']['output']>;
  /** The last accepted revision. */
  revision: Revision;
  title: Scalars['String']['output'];
  /** The page in other languages, in the order of locales. */
  translations: Array<Translation>;
  /** Absolute URL of the page on the wiki. */
  url: Scalars['String']['output'];
};


export type PageBacklinksArgs = {
  afterLocale?: InputMaybe<Scalars['Text']['input']>;
  afterPath?: InputMaybe<Scalars['Text']['input']>;
  first?: Scalars['Int']['input'];
  ns?: InputMaybe<Namespace>;
};


export type PageHistoryArgs = {
  before?: InputMaybe<Scalars['DateTime']['input']>;
  cursor?: InputMaybe<Scalars['DateTime']['input']>;
  first?: Scalars['Int']['input'];
  since?: InputMaybe<Scalars['DateTime']['input']>;
  until?: InputMaybe<Scalars['DateTime']['input']>;
};


export type PageLinksArgs = {
  afterLocale?: InputMaybe<Scalars['Text']['input']>;
  afterPath?: InputMaybe<Scalars['Text']['input']>;
  first?: Scalars['Int']['input'];
  ns?: InputMaybe<Namespace>;
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

export type Property = {
  __typename?: 'Property';
  name: Scalars['String']['output'];
  value: Scalars['PropertyValue']['output'];
};

/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type Query = {
  __typename?: 'Query';
  /** Categories with live pages, in the order of the bytes of their keys. */
  categories: Array<Category>;
  /** A category; null if it has no name, no page describes it, and no page is in it. */
  category?: Maybe<Category>;
  /**
   * The wiki as a log: each live page at its last change, and the addresses at which guests no longer find a page, oldest
   * change first. Null if the wiki never had the language.
   */
  changes?: Maybe<ChangeList>;
  /** What changed from one revision to another; an error if one of them does not exist. */
  diff?: Maybe<Diff>;
  /** A file that live pages show or link: that of a language, or else the one that belongs to no language; null if there is none. */
  file?: Maybe<File>;
  /** Files that live pages show or link, in the order of the bytes of their paths, then of their locales. */
  files: Array<File>;
  /** Accepted revisions of a page, newest first; null if the page does not exist. */
  history?: Maybe<RevisionList>;
  /**
   * Pages that link to the page `to`, or to which the page `from` links, in the order of the bytes of their locales and
   * paths; null if there is neither such a page nor a link to it. Exactly one of `to` and `from` must be set.
   */
  links?: Maybe<Array<Link>>;
  /** The languages that have a live page at this path, of the first 50. */
  localesOfPath: Array<Scalars['String']['output']>;
  /** The live page that was at this address before it moved; null if a live page is there, or none moved away. */
  movedTo?: Maybe<Page>;
  /** The same for at most 200 paths, in their order. */
  movedToByPath: Array<Maybe<Page>>;
  /** A live page; null if it does not exist. */
  page?: Maybe<Page>;
  /** The same as `pages`, with information for paging. */
  pageList: PageList;
  /** Each 50,000th path of the live pages of the main namespace that another one follows: where parts of a sitemap begin. */
  pageStarts: Array<Scalars['String']['output']>;
  /** Live pages of a language and namespace, in the order of the bytes of their paths. */
  pages: Array<Page>;
  /** Live pages at these paths, at most 200, in the order of the paths; null for each that does not exist. */
  pagesByPath: Array<Maybe<Page>>;
  /** Accepted revisions of the whole wiki, newest first. */
  recent: RevisionList;
  /** An accepted revision of a live page; null if it does not exist. */
  revision?: Maybe<Revision>;
  /**
   * The same for their texts: only the first of these revisions, whose Markdown has at most this many bytes together. None
   * if the first one alone has more.
   */
  revisionTexts: Array<Maybe<Revision>>;
  /** Accepted revisions of live pages, at most 200, in the order of their ids; null for each that does not exist. */
  revisions: Array<Maybe<Revision>>;
  /** Pages whose title, path or text matches, best first. */
  search: Array<SearchHit>;
  /** The same as `search`, with information for paging: `endCursor` is the next `offset`. */
  searchList: SearchList;
  /**
   * The path of the live page that is probably meant: one whose path or title differs from this text only in letter case,
   * accents and signs, whose path ends like this, or differs by a typo, or a translation of the page that has this path in
   * another language; null if there is none, or if the text is itself the path of a live page.
   */
  similarPath?: Maybe<Scalars['String']['output']>;
  /** Pages whose title, alias, or the title of a redirect to it begins with a text, best first; then those with a later word that begins so. One typo is forgiven. */
  suggest: Array<Suggestion>;
  /** The name, languages and license of the wiki. */
  wiki: Wiki;
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QueryCategoriesArgs = {
  after?: InputMaybe<Scalars['Text']['input']>;
  first?: Scalars['Int']['input'];
  locale: Scalars['Text']['input'];
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
export type QueryChangesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
  locale?: InputMaybe<Scalars['Text']['input']>;
  ns?: InputMaybe<Namespace>;
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
export type QueryFileArgs = {
  locale: Scalars['Text']['input'];
  path: Scalars['Text']['input'];
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QueryFilesArgs = {
  after?: InputMaybe<Scalars['Text']['input']>;
  afterLocale?: InputMaybe<Scalars['Text']['input']>;
  first?: Scalars['Int']['input'];
  prefix?: Scalars['Text']['input'];
  type?: InputMaybe<Scalars['Text']['input']>;
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QueryHistoryArgs = {
  after?: InputMaybe<Scalars['DateTime']['input']>;
  afterId?: InputMaybe<Scalars['UUID']['input']>;
  before?: InputMaybe<Scalars['DateTime']['input']>;
  cursor?: InputMaybe<Scalars['DateTime']['input']>;
  first?: Scalars['Int']['input'];
  locale: Scalars['Text']['input'];
  oldestFirst?: Scalars['Boolean']['input'];
  path: Scalars['Text']['input'];
  since?: InputMaybe<Scalars['DateTime']['input']>;
  until?: InputMaybe<Scalars['DateTime']['input']>;
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QueryLinksArgs = {
  afterLocale?: InputMaybe<Scalars['Text']['input']>;
  afterPath?: InputMaybe<Scalars['Text']['input']>;
  first?: Scalars['Int']['input'];
  from?: InputMaybe<Scalars['Text']['input']>;
  locale: Scalars['Text']['input'];
  ns?: InputMaybe<Namespace>;
  to?: InputMaybe<Scalars['Text']['input']>;
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QueryLocalesOfPathArgs = {
  path: Scalars['Text']['input'];
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QueryMovedToArgs = {
  locale: Scalars['Text']['input'];
  path: Scalars['Text']['input'];
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QueryMovedToByPathArgs = {
  locale: Scalars['Text']['input'];
  paths: Array<Scalars['Text']['input']>;
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
  prefix?: InputMaybe<Scalars['Text']['input']>;
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QueryPageStartsArgs = {
  locale: Scalars['Text']['input'];
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
  prefix?: InputMaybe<Scalars['Text']['input']>;
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QueryPagesByPathArgs = {
  locale: Scalars['Text']['input'];
  paths: Array<Scalars['Text']['input']>;
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QueryRecentArgs = {
  author?: InputMaybe<Scalars['Text']['input']>;
  before?: InputMaybe<Scalars['DateTime']['input']>;
  cursor?: InputMaybe<Scalars['DateTime']['input']>;
  first?: Scalars['Int']['input'];
  locale?: InputMaybe<Scalars['Text']['input']>;
  ns?: InputMaybe<Namespace>;
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
export type QueryRevisionTextsArgs = {
  bytes: Scalars['Int']['input'];
  ids: Array<Scalars['UUID']['input']>;
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QueryRevisionsArgs = {
  ids: Array<Scalars['UUID']['input']>;
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QuerySearchArgs = {
  category?: InputMaybe<Scalars['Text']['input']>;
  first?: Scalars['Int']['input'];
  locale?: InputMaybe<Scalars['Text']['input']>;
  ns?: InputMaybe<Namespace>;
  offset?: Scalars['Int']['input'];
  prefix?: InputMaybe<Scalars['Text']['input']>;
  q: Scalars['Text']['input'];
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QuerySearchListArgs = {
  category?: InputMaybe<Scalars['Text']['input']>;
  first?: Scalars['Int']['input'];
  locale?: InputMaybe<Scalars['Text']['input']>;
  ns?: InputMaybe<Namespace>;
  offset?: Scalars['Int']['input'];
  prefix?: InputMaybe<Scalars['Text']['input']>;
  q: Scalars['Text']['input'];
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QuerySimilarPathArgs = {
  locale: Scalars['Text']['input'];
  path: Scalars['Text']['input'];
};


/**
 * The wiki as a guest sees it: only live pages and accepted revisions.
 * Times are RFC 3339 in UTC with six digits of a second: `2024-05-01T12:34:56.123456Z`.
 */
export type QuerySuggestArgs = {
  first?: Scalars['Int']['input'];
  locale: Scalars['Text']['input'];
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
  /** If other revisions have the same time: the `cursor` of the part of a list after this one. */
  position?: Maybe<Scalars['DateTime']['output']>;
  /** Properties of a note of Obsidian, without its title, tags and aliases; empty for other pages. */
  properties: Array<Property>;
  /** The section with this id; null if there is none. */
  section?: Maybe<Section>;
  /** The sections, in the order of their headings. */
  sections: Array<Section>;
  /** Size of the Markdown in UTF-8, bytes. */
  size: Scalars['Int']['output'];
  /** Plain text of the beginning, at most 500 UTF-16 code units, up to the end of a sentence if possible. */
  summary: Scalars['String']['output'];
  /** The HTML as plain text. */
  text: Scalars['String']['output'];
};


/** An accepted revision of a live page. */
export type RevisionSectionArgs = {
  id: Scalars['Text']['input'];
};

/** Part of a list of revisions. */
export type RevisionList = {
  __typename?: 'RevisionList';
  /** The same without texts: it takes less time. */
  edits: Array<Edit>;
  items: Array<Revision>;
  /** The `cursor` of the next part; null at the end of the list. */
  next?: Maybe<Scalars['DateTime']['output']>;
  /** `endCursor` is `next`: pass it back as `cursor`. */
  pageInfo: PageInfo;
};

/** What a list tells of the last accepted revision of a page. */
export type RevisionReference = {
  __typename?: 'RevisionReference';
  author: Author;
  createdAt: Scalars['DateTime']['output'];
  id: Scalars['UUID']['output'];
};

export type SearchHit = {
  __typename?: 'SearchHit';
  page: Page;
  passages: Array<Passage>;
  /** From 0 to 1, falling in the order of the results. Compare scores only within one response. 1: the query is the title or path of the page; below 0.4, the page may lack some of the words. */
  score: Scalars['Float']['output'];
};

export type SearchList = {
  __typename?: 'SearchList';
  /** The query without its typo, if it seems to have one that a title corrects. */
  didYouMean?: Maybe<Scalars['String']['output']>;
  items: Array<SearchHit>;
  pageInfo: PageInfo;
};

/** A heading and what belongs to it, up to the next heading of its level or a higher one. */
export type Section = {
  __typename?: 'Section';
  end: Scalars['Int']['output'];
  html: Scalars['String']['output'];
  /** Id of the heading in the HTML; empty for what stands before the first heading. */
  id: Scalars['String']['output'];
  /** 1 to 6; 0 for what stands before the first heading. */
  level: Scalars['Int']['output'];
  markdown: Scalars['String']['output'];
  /** Offsets in the Markdown of the revision, in UTF-16 code units: the start, and the offset after the end. */
  start: Scalars['Int']['output'];
  text: Scalars['String']['output'];
  title: Scalars['String']['output'];
};

export type Suggestion = {
  __typename?: 'Suggestion';
  /** Pairs of offsets in the title of the page, in UTF-16 code units: what was typed. Empty if the title of a redirect, or an alias, matches. */
  highlights: Array<Array<Scalars['Int']['output']>>;
  page: Page;
};

export type Translation = {
  __typename?: 'Translation';
  locale: Scalars['String']['output'];
  path: Scalars['String']['output'];
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
  Change: ResolverTypeWrapper<ChangeRow>;
  ChangeList: ResolverTypeWrapper<ChangeListRow>;
  Contributor: ResolverTypeWrapper<ContributorRow>;
  Contributors: ResolverTypeWrapper<ContributorsRow>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  Diff: ResolverTypeWrapper<RevisionComparison>;
  Edit: ResolverTypeWrapper<EditRow>;
  File: ResolverTypeWrapper<FileRow>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  Hunk: ResolverTypeWrapper<Hunk>;
  HunkLine: ResolverTypeWrapper<HunkLine>;
  HunkLineKind: HunkLineKind;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  LineRange: ResolverTypeWrapper<LineRange>;
  Link: ResolverTypeWrapper<LinkRow>;
  Locale: ResolverTypeWrapper<LocaleRow>;
  Namespace: Namespace;
  Page: ResolverTypeWrapper<PageRow>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  PageList: ResolverTypeWrapper<PageListRow>;
  Passage: ResolverTypeWrapper<HitPassage>;
  Property: ResolverTypeWrapper<Property>;
  PropertyValue: ResolverTypeWrapper<Scalars['PropertyValue']['output']>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Revision: ResolverTypeWrapper<RevisionRow>;
  RevisionList: ResolverTypeWrapper<RevisionListRow>;
  RevisionReference: ResolverTypeWrapper<RevisionReference>;
  SearchHit: ResolverTypeWrapper<SearchHitRow>;
  SearchList: ResolverTypeWrapper<SearchListRow>;
  Section: ResolverTypeWrapper<SectionRow>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Suggestion: ResolverTypeWrapper<TitleSuggestion>;
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
  Change: ChangeRow;
  ChangeList: ChangeListRow;
  Contributor: ContributorRow;
  Contributors: ContributorsRow;
  DateTime: Scalars['DateTime']['output'];
  Diff: RevisionComparison;
  Edit: EditRow;
  File: FileRow;
  Float: Scalars['Float']['output'];
  Hunk: Hunk;
  HunkLine: HunkLine;
  Int: Scalars['Int']['output'];
  LineRange: LineRange;
  Link: LinkRow;
  Locale: LocaleRow;
  Page: PageRow;
  PageInfo: PageInfo;
  PageList: PageListRow;
  Passage: HitPassage;
  Property: Property;
  PropertyValue: Scalars['PropertyValue']['output'];
  Query: Record<PropertyKey, never>;
  Revision: RevisionRow;
  RevisionList: RevisionListRow;
  RevisionReference: RevisionReference;
  SearchHit: SearchHitRow;
  SearchList: SearchListRow;
  Section: SectionRow;
  String: Scalars['String']['output'];
  Suggestion: TitleSuggestion;
  Text: Scalars['Text']['output'];
  Translation: TranslationRow;
  UUID: Scalars['UUID']['output'];
  Wiki: WikiRow;
};

export type ConstraintDirectiveArgs = {
  max: Scalars['Int']['input'];
};

export type ConstraintDirectiveResolver<Result, Parent, ContextType = ResolverContext, Args = ConstraintDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type CostDirectiveArgs = {
  weight: Scalars['Int']['input'];
};

export type CostDirectiveResolver<Result, Parent, ContextType = ResolverContext, Args = CostDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type ListSizeDirectiveArgs = {
  assumedSize: Scalars['Int']['input'];
};

export type ListSizeDirectiveResolver<Result, Parent, ContextType = ResolverContext, Args = ListSizeDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type AuthorResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Author'] = ResolversParentTypes['Author']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CategoryResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Category'] = ResolversParentTypes['Category']> = {
  key?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  locale?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberList?: Resolver<ResolversTypes['CategoryMemberList'], ParentType, ContextType, RequireFields<CategoryMemberListArgs, 'first'>>;
  members?: Resolver<Array<ResolversTypes['CategoryMember']>, ParentType, ContextType, RequireFields<CategoryMembersArgs, 'first'>>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  pages?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
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

export type ChangeResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Change'] = ResolversParentTypes['Change']> = {
  changedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  locale?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  movedTo?: Resolver<Maybe<ResolversTypes['Page']>, ParentType, ContextType>;
  ns?: Resolver<ResolversTypes['Namespace'], ParentType, ContextType>;
  page?: Resolver<Maybe<ResolversTypes['Page']>, ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ChangeListResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['ChangeList'] = ResolversParentTypes['ChangeList']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  items?: Resolver<Array<ResolversTypes['Change']>, ParentType, ContextType>;
  next?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ContributorResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Contributor'] = ResolversParentTypes['Contributor']> = {
  edits?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  lastAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ContributorsResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Contributors'] = ResolversParentTypes['Contributors']> = {
  items?: Resolver<Array<ResolversTypes['Contributor']>, ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
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

export type EditResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Edit'] = ResolversParentTypes['Edit']> = {
  author?: Resolver<ResolversTypes['Author'], ParentType, ContextType>;
  comment?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Page'], ParentType, ContextType>;
  parentId?: Resolver<Maybe<ResolversTypes['UUID']>, ParentType, ContextType>;
  parentSize?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  size?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type FileResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['File'] = ResolversParentTypes['File']> = {
  author?: Resolver<Maybe<ResolversTypes['Author']>, ParentType, ContextType>;
  bytes?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  height?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  locale?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  mediaType?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  modifiedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sha256?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  usedBy?: Resolver<Array<ResolversTypes['Page']>, ParentType, ContextType, RequireFields<FileUsedByArgs, 'first'>>;
  width?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
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

export type LinkResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Link'] = ResolversParentTypes['Link']> = {
  exists?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  isRedirect?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  locale?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  ns?: Resolver<ResolversTypes['Namespace'], ParentType, ContextType>;
  page?: Resolver<Maybe<ResolversTypes['Page']>, ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type LocaleResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Locale'] = ResolversParentTypes['Locale']> = {
  locale?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  pages?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type PageResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Page'] = ResolversParentTypes['Page']> = {
  backlinks?: Resolver<Array<ResolversTypes['Link']>, ParentType, ContextType, RequireFields<PageBacklinksArgs, 'first'>>;
  categories?: Resolver<Array<ResolversTypes['Category']>, ParentType, ContextType>;
  contributors?: Resolver<ResolversTypes['Contributors'], ParentType, ContextType>;
  files?: Resolver<Array<ResolversTypes['File']>, ParentType, ContextType>;
  groupTitle?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  groupTitles?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  history?: Resolver<ResolversTypes['RevisionList'], ParentType, ContextType, RequireFields<PageHistoryArgs, 'first'>>;
  lastRevision?: Resolver<ResolversTypes['RevisionReference'], ParentType, ContextType>;
  links?: Resolver<Array<ResolversTypes['Link']>, ParentType, ContextType, RequireFields<PageLinksArgs, 'first'>>;
  locale?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  navTitle?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  ns?: Resolver<ResolversTypes['Namespace'], ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  position?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
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

export type PropertyResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Property'] = ResolversParentTypes['Property']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['PropertyValue'], ParentType, ContextType>;
};

export interface PropertyValueScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['PropertyValue'], any> {
  name: 'PropertyValue';
}

export type QueryResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  categories?: Resolver<Array<ResolversTypes['Category']>, ParentType, ContextType, RequireFields<QueryCategoriesArgs, 'first' | 'locale'>>;
  category?: Resolver<Maybe<ResolversTypes['Category']>, ParentType, ContextType, RequireFields<QueryCategoryArgs, 'key' | 'locale'>>;
  changes?: Resolver<Maybe<ResolversTypes['ChangeList']>, ParentType, ContextType, RequireFields<QueryChangesArgs, 'first'>>;
  diff?: Resolver<Maybe<ResolversTypes['Diff']>, ParentType, ContextType, RequireFields<QueryDiffArgs, 'to'>>;
  file?: Resolver<Maybe<ResolversTypes['File']>, ParentType, ContextType, RequireFields<QueryFileArgs, 'locale' | 'path'>>;
  files?: Resolver<Array<ResolversTypes['File']>, ParentType, ContextType, RequireFields<QueryFilesArgs, 'first' | 'prefix'>>;
  history?: Resolver<Maybe<ResolversTypes['RevisionList']>, ParentType, ContextType, RequireFields<QueryHistoryArgs, 'first' | 'locale' | 'oldestFirst' | 'path'>>;
  links?: Resolver<Maybe<Array<ResolversTypes['Link']>>, ParentType, ContextType, RequireFields<QueryLinksArgs, 'first' | 'locale'>>;
  localesOfPath?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType, RequireFields<QueryLocalesOfPathArgs, 'path'>>;
  movedTo?: Resolver<Maybe<ResolversTypes['Page']>, ParentType, ContextType, RequireFields<QueryMovedToArgs, 'locale' | 'path'>>;
  movedToByPath?: Resolver<Array<Maybe<ResolversTypes['Page']>>, ParentType, ContextType, RequireFields<QueryMovedToByPathArgs, 'locale' | 'paths'>>;
  page?: Resolver<Maybe<ResolversTypes['Page']>, ParentType, ContextType, RequireFields<QueryPageArgs, 'locale' | 'path'>>;
  pageList?: Resolver<ResolversTypes['PageList'], ParentType, ContextType, RequireFields<QueryPageListArgs, 'first' | 'locale' | 'ns'>>;
  pageStarts?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType, RequireFields<QueryPageStartsArgs, 'locale'>>;
  pages?: Resolver<Array<ResolversTypes['Page']>, ParentType, ContextType, RequireFields<QueryPagesArgs, 'first' | 'locale' | 'ns'>>;
  pagesByPath?: Resolver<Array<Maybe<ResolversTypes['Page']>>, ParentType, ContextType, RequireFields<QueryPagesByPathArgs, 'locale' | 'paths'>>;
  recent?: Resolver<ResolversTypes['RevisionList'], ParentType, ContextType, RequireFields<QueryRecentArgs, 'first'>>;
  revision?: Resolver<Maybe<ResolversTypes['Revision']>, ParentType, ContextType, RequireFields<QueryRevisionArgs, 'id'>>;
  revisionTexts?: Resolver<Array<Maybe<ResolversTypes['Revision']>>, ParentType, ContextType, RequireFields<QueryRevisionTextsArgs, 'bytes' | 'ids'>>;
  revisions?: Resolver<Array<Maybe<ResolversTypes['Revision']>>, ParentType, ContextType, RequireFields<QueryRevisionsArgs, 'ids'>>;
  search?: Resolver<Array<ResolversTypes['SearchHit']>, ParentType, ContextType, RequireFields<QuerySearchArgs, 'first' | 'offset' | 'q'>>;
  searchList?: Resolver<ResolversTypes['SearchList'], ParentType, ContextType, RequireFields<QuerySearchListArgs, 'first' | 'offset' | 'q'>>;
  similarPath?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType, RequireFields<QuerySimilarPathArgs, 'locale' | 'path'>>;
  suggest?: Resolver<Array<ResolversTypes['Suggestion']>, ParentType, ContextType, RequireFields<QuerySuggestArgs, 'first' | 'locale' | 'q'>>;
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
  position?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  properties?: Resolver<Array<ResolversTypes['Property']>, ParentType, ContextType>;
  section?: Resolver<Maybe<ResolversTypes['Section']>, ParentType, ContextType, RequireFields<RevisionSectionArgs, 'id'>>;
  sections?: Resolver<Array<ResolversTypes['Section']>, ParentType, ContextType>;
  size?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  summary?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type RevisionListResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['RevisionList'] = ResolversParentTypes['RevisionList']> = {
  edits?: Resolver<Array<ResolversTypes['Edit']>, ParentType, ContextType>;
  items?: Resolver<Array<ResolversTypes['Revision']>, ParentType, ContextType>;
  next?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type RevisionReferenceResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['RevisionReference'] = ResolversParentTypes['RevisionReference']> = {
  author?: Resolver<ResolversTypes['Author'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
};

export type SearchHitResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['SearchHit'] = ResolversParentTypes['SearchHit']> = {
  page?: Resolver<ResolversTypes['Page'], ParentType, ContextType>;
  passages?: Resolver<Array<ResolversTypes['Passage']>, ParentType, ContextType>;
  score?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type SearchListResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['SearchList'] = ResolversParentTypes['SearchList']> = {
  didYouMean?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  items?: Resolver<Array<ResolversTypes['SearchHit']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type SectionResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Section'] = ResolversParentTypes['Section']> = {
  end?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  html?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  level?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  markdown?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  start?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type SuggestionResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Suggestion'] = ResolversParentTypes['Suggestion']> = {
  highlights?: Resolver<Array<Array<ResolversTypes['Int']>>, ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Page'], ParentType, ContextType>;
};

export interface TextScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Text'], any> {
  name: 'Text';
}

export type TranslationResolvers<ContextType = ResolverContext, ParentType extends ResolversParentTypes['Translation'] = ResolversParentTypes['Translation']> = {
  locale?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
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
  Change?: ChangeResolvers<ContextType>;
  ChangeList?: ChangeListResolvers<ContextType>;
  Contributor?: ContributorResolvers<ContextType>;
  Contributors?: ContributorsResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  Diff?: DiffResolvers<ContextType>;
  Edit?: EditResolvers<ContextType>;
  File?: FileResolvers<ContextType>;
  Hunk?: HunkResolvers<ContextType>;
  HunkLine?: HunkLineResolvers<ContextType>;
  LineRange?: LineRangeResolvers<ContextType>;
  Link?: LinkResolvers<ContextType>;
  Locale?: LocaleResolvers<ContextType>;
  Page?: PageResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  PageList?: PageListResolvers<ContextType>;
  Passage?: PassageResolvers<ContextType>;
  Property?: PropertyResolvers<ContextType>;
  PropertyValue?: GraphQLScalarType;
  Query?: QueryResolvers<ContextType>;
  Revision?: RevisionResolvers<ContextType>;
  RevisionList?: RevisionListResolvers<ContextType>;
  RevisionReference?: RevisionReferenceResolvers<ContextType>;
  SearchHit?: SearchHitResolvers<ContextType>;
  SearchList?: SearchListResolvers<ContextType>;
  Section?: SectionResolvers<ContextType>;
  Suggestion?: SuggestionResolvers<ContextType>;
  Text?: GraphQLScalarType;
  Translation?: TranslationResolvers<ContextType>;
  UUID?: GraphQLScalarType;
  Wiki?: WikiResolvers<ContextType>;
};

export type DirectiveResolvers<ContextType = ResolverContext> = {
  constraint?: ConstraintDirectiveResolver<any, any, ContextType>;
  cost?: CostDirectiveResolver<any, any, ContextType>;
  listSize?: ListSizeDirectiveResolver<any, any, ContextType>;
};
