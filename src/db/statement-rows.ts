import type { Namespace } from '../wiki/namespaces.ts'
import type { Timestamp } from '../wiki/time.ts'
import type {
  ExportCategory,
  ExportRevision,
  ExportSizes,
  ExportWiki,
  FoundPage,
  Int8,
  Json,
  Keyed,
  KeyedChanges,
  KeyedList,
  KeyedText,
  LivePage,
  PageId,
  PageState,
  RevisionList,
  RevisionStatus,
  RevisionWithPage,
  SuggestedTitle,
  Uuid,
} from './row-parts.ts'

/**
 * The row of each statement of `schema/sql` that returns rows, by the names of its columns. A test compares all of
 * them with what PostgreSQL says of the statements.
 */
export interface StatementRows {
  changes: KeyedChanges
  change_codes: Keyed & { number: Int8; code: string }
  changes_of: KeyedChanges
  page_by_former_path: Keyed & LivePage

  category_by_key: KeyedText & { name: string }
  category_members: KeyedText
  categories_after: KeyedList
  category_sizes: Keyed & { pages: number }

  /** `version` is `server_version_num`, such as 150004; `isOwner`: the login has the privileges of the owner of the wiki. */
  check_server: {
    version: number
    versionName: string
    encoding: string
    login: string
    isReplica: boolean
    isSetUp: boolean
    isOwner: boolean
  }
  check_position: { position: number; cluster: string }
  check_reader: { name: string; privilege: string; isNeeded: boolean }
  check_indexes: { name: string; isValid: boolean }
  check_statistics: { name: string }
  check_search: { pages: number; stale: number }
  check_languages: { locale: string }

  export_wiki: ExportWiki
  export_guest_wiki: ExportWiki
  export_count: { pages: number }
  export_guest_count: { pages: number }
  export_categories: ExportCategory
  export_guest_categories: ExportCategory
  export_pages: { id: Int8; locale: string; path: string; state: PageState; translation_group: string | null }
  export_guest_pages: {
    id: Int8
    locale: string
    path: string
    state: PageState
    title: string
    revision_id: Uuid
    translation_group: string | null
    categories: Json
  }
  export_sizes: ExportSizes
  export_guest_sizes: ExportSizes
  export_revisions: ExportRevision & { status: RevisionStatus; title: string; categories: Json }
  export_guest_revisions: ExportRevision

  is_empty: { empty: boolean }
  wiki_name: { name: string; sourceId: number | null }
  source_id: { id: number }
  import_locales: { locale: string }
  page_ids: Keyed & { id: Int8 }
  stored_revisions: { id: Uuid; pageId: Int8; locale: string; path: string; visible: boolean }
  known_revisions: { id: Uuid }
  stored_pages: {
    locale: string
    path: string
    revisions: number
    liveId: Uuid | null
    liveAt: Timestamp | null
    lastId: Uuid | null
    lastAt: Timestamp | null
  }
  former_paths: { locale: string; path: string; formerPath: string }
  revisions_of_source: { id: Uuid; path: string; author: string; comment: string; status: string }
  stored_page_states: {
    locale: string
    path: string
    isOwn: boolean
    isLive: boolean
    newestId: Uuid | null
    newestAt: Timestamp | null
    categories: string[]
  }
  newest_members: { locale: string; key: string; path: string; revisionId: Uuid; createdAt: Timestamp }
  has_pages: { hasPages: boolean }
  published_pages: { id: Int8 }
  count_published_pages: { pages: number }
  source_pages: { locale: string; pages: number }
  absent_pages: { locale: string; path: string; pages: number }
  removable_pages: { locale: string; path: string; pages: number }
  count_revisions: { revisions: number }
  source_state: { state: Json }
  remove_absent_pages: { pages: number; livePages: number; revisions: number; categories: Json }
  stale_revisions: { revisions: number; stale: number }
  remove_stale_revisions: PageId & { locale: string; path: string; visible: boolean }
  remove_absent_categories: { locale: string; key: string }
  source_version: { version: string | null }
  take_source: { version: string | null }
  followed_sources: {
    name: string
    checkedAgo: number | null
    failingFor: number | null
    isFollowed: boolean
  }
  source_failures: { name: string; failure: string | null }
  remove_unused_categories: { locale: string; key: string }
  update_revisions: PageId & { id: Uuid }
  add_revisions: PageId & { visible: boolean }

  publish_revisions: PageId
  publish_pages: { id: Int8 }
  mark_changed: { mark_changed: Namespace }
  assign_positions: { assign_positions: Namespace }

  sizes_to_index: { id: Int8; bytes: number }
  pages_to_index: {
    id: Int8
    locale: string
    config: string
    path: string
    title: string
    markdown: string
    bytes: number
    revisions: number
  }
  index_locales: { locale: string }
  is_word_count_due: { isDue: boolean }
  hot_set_sizes: { hasThreshold: boolean; pages: number; hotSet: number }
  flush_index: { gin_clean_pending_list: Int8 }
  pages_to_reindex: { id: Int8 }
  count_pages_to_reindex: { pages: number }

  links_to: KeyedList
  pages_by_name: Keyed & { locale: string; path: string }
  links_from: KeyedList

  page_by_path: Keyed &
    LivePage & {
      revisionComment: string
      revisionSize: number
      revisionMarkdown: string
      categories: Json
      translations: Json
    }
  page_by_id: Keyed & LivePage
  categories_of_page: Keyed & { locale: string; key: string; name: string }
  translations_of_page: Keyed & { locale: string; path: string; title: string }
  contributors_of_page: KeyedList & { total: number }
  pages_after: KeyedText

  category_members_edited: KeyedText & { lookedAt: string[] | null }
  revision_by_id: Keyed & RevisionWithPage & { markdown: string; parentId: Uuid | null }
  revisions_with_page: Keyed & RevisionWithPage & { markdown: string | null; position: Timestamp | null }
  revision_texts: Keyed & { markdown: string }
  texts_of_list: Keyed & { place: number; id: Uuid | null; size: number; markdown: string }
  revision_pairs: Keyed &
    RevisionWithPage & {
      markdown: string
      fromId: Uuid | null
      fromCreatedAt: Timestamp | null
      fromMarkdown: string | null
    }
  history: RevisionList & { pageId: Int8 }
  recent: RevisionList
  recent_of_locale: RevisionList

  search_languages: { locale: string; config: string; pages: number; counted: number; meanLength: number }
  index_version: { indexVersion: number }
  search_matches: { matches: string | null; candidates: string | null; hasMore: boolean } & {
    [Column in keyof FoundPage]: FoundPage[Column] | null
  }
  search_words: { locale: string; word: string; pages: number }
  search_relatives: Keyed & { word: string; pages: number }
  /** `beginning`: of the body, if it is long. */
  search_hits: FoundPage & { beginning: string | null }
  search_sections: Keyed & { sections: string }
  suggest_titles: SuggestedTitle
  suggest_similar_titles: SuggestedTitle
  stems: Keyed & { stems: string | null }

  page_counts: Keyed & { pages: number }
  wiki: { name: string | null; defaultLocale: string | null; license: string | null; locales: Json }
}
