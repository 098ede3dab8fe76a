import type { Namespace } from '@lectern/wiki/locales'
import type { Timestamp } from '@lectern/wiki/time'

/** A JSON column. Its shape is declared where it is read. */
export type Json = any

/** The rows of the statements of `schema/sql` that return any. `npm run generate` writes this file. */
export interface StatementRows {
  attachment: {
    isAttached: boolean
    mayFollow: boolean
  }
  columns_of_schema: {
    name: string
  }
  tables_of_others: {
    name: string
    owner: string
  }
  tables_of_readers: {
    name: string
  }
  category_by_key: {
    n: number
    name: string
    sortKey: Json | null
    id: Json | null
    ns: Json | null
    path: Json | null
    title: Json | null
    revisionId: Json | null
    revisionCreatedAt: Json | null
    revisionAuthor: Json | null
  }
  category_members: {
    n: number
    sortKey: Json | null
    id: Json | null
    ns: Json | null
    path: Json | null
    title: Json | null
    revisionId: Json | null
    revisionCreatedAt: Json | null
    revisionAuthor: Json | null
  }
  categories_after: {
    n: number
    locale: string
    key: string
    name: string
    pages: number
  }
  category_sizes: {
    n: number
    pages: number
  }
  category_members_edited: {
    n: number
    matches: boolean
    isLast: boolean
    sortKey: string
    id: string
    locale: string
    ns: Namespace
    path: string
    title: string
    revisionId: string
    revisionCreatedAt: Timestamp
    revisionAuthor: string
  }
  changes: {
    n: number
    isIssued: boolean
    list: Json
    last: string
    code: string
    more: boolean
  }
  change_codes: {
    n: number
    number: string
    code: string
  }
  changes_of: {
    n: number
    isIssued: boolean
    list: Json
    last: string
    code: string
    more: boolean
  }
  page_by_former_path: {
    n: number
    id: string
    locale: string
    ns: Namespace
    path: string
    title: string
    revisionId: string
    revisionCreatedAt: Timestamp
    revisionAuthor: string
  }
  check_server: {
    name: string
    version: number
    versionName: string
    encoding: string
    login: string
    isReplica: boolean
    connections: number
    isSetUp: boolean
    isOwner: boolean
  }
  check_logins: {
    login: string
    isSuperuser: boolean
    mayRead: boolean
    mayWrite: boolean
    seesHidden: boolean
    revokes: string
    isServing: boolean
    isUsed: boolean
  }
  check_position: {
    position: number
    data: string
    instance: string
  }
  check_reader: {
    name: string
  }
  check_indexes: {
    name: string
    isValid: boolean
  }
  check_statistics: {
    name: string
  }
  check_search: {
    pages: number
    stale: number
  }
  check_languages: {
    locale: string
  }
  check_session: {
    login: string
    role: string
    database: string
    seesHidden: boolean | null
    isSetUp: boolean
    schema: string | null
    isInRecovery: boolean
    clientPort: number | null
    settings: Json | null
  }
  check_heartbeat: {
    position: number
    received: number
    isInRecovery: boolean
    instance: string
    data: string
    schema: string | null
  }
  check_missing_rights: {
    name: string
  }
  check_migrator: {
    user: string
    database: string
    owner: string
    isSetUp: boolean
    hasReaderRole: boolean
    isReader: boolean
    canCreate: boolean
    canCreateRole: boolean
  }
  export_wiki: {
    name: string
    default_locale: string
    license: string | null
    locales: Json
    file_roots: Json | null
  }
  export_guest_wiki: {
    name: string
    default_locale: string
    license: string | null
    locales: Json
    file_roots: Json | null
  }
  export_count: {
    pages: number
  }
  export_guest_count: {
    pages: number
  }
  export_categories: {
    locale: string
    key: string
    name: string
  }
  export_guest_categories: {
    locale: string
    key: string
    name: string
  }
  export_pages: {
    id: string
    locale: string
    path: string
    state: 'live' | 'draft' | 'deleted'
    translation_group: string | null
    source_path: string | null
    dialect: string | null
    position: number | null
    group_titles: string | null
    nav_title: string | null
    site_path: string | null
  }
  export_guest_pages: {
    id: string
    locale: string
    path: string
    state: 'live' | 'draft' | 'deleted'
    title: string
    revision_id: string
    source_path: string | null
    uses: Json | null
    dialect: string | null
    position: number | null
    group_titles: string | null
    nav_title: string | null
    site_path: string | null
    translation_group: string | null
    categories: Json
  }
  export_sizes: {
    n: number
    id: string
    created_at: Timestamp
    size: number
    bytes: number
  }
  export_guest_sizes: {
    n: number
    id: string
    created_at: Timestamp
    size: number
    bytes: number
  }
  export_revisions: {
    id: string
    created_at: Timestamp
    author: string
    comment: string
    status: 'accepted' | 'pending' | 'rejected' | 'draft'
    title: string
    markdown: string
    categories: Json
  }
  export_guest_revisions: {
    id: string
    created_at: Timestamp
    author: string
    comment: string
    markdown: string
  }
  export_files: {
    locale: string
    path: string
    sha256: string
    blob_id: string
    bytes: number
    modified_at: Timestamp | null
    author: string | null
  }
  export_guest_files: {
    locale: string
    path: string
    sha256: string
    blob_id: string
    bytes: number
    modified_at: Timestamp | null
    author: string | null
  }
  export_file_part: {
    data: Buffer | null
    sha256: string
    bytes: number
  }
  files_of_page: {
    n: number
    reference: string
    id: string
    locale: string
    path: string
    mediaType: string
    bytes: number
    sha256: string
    blobId: string
    width: number | null
    height: number | null
    modifiedAt: Timestamp | null
    author: string | null
  }
  file_by_path: {
    n: number
    id: string
    locale: string
    path: string
    mediaType: string
    bytes: number
    sha256: string
    width: number | null
    height: number | null
    modifiedAt: Timestamp | null
    author: string | null
  }
  file_by_hash: {
    n: number
    path: string
    blobId: string
    mediaType: string
    bytes: number
  }
  file_part: {
    data: Buffer | null
    sha256: string
    bytes: number
  }
  files_after: {
    n: number
    id: string
    locale: string
    path: string
    mediaType: string
    bytes: number
    sha256: string
    width: number | null
    height: number | null
    modifiedAt: Timestamp | null
    author: string | null
  }
  files_of_type: {
    n: number
    id: string
    locale: string
    path: string
    mediaType: string
    bytes: number
    sha256: string
    width: number | null
    height: number | null
    modifiedAt: Timestamp | null
    author: string | null
  }
  pages_of_file: {
    n: number
    id: string
    locale: string
    ns: Namespace
    path: string
    title: string
  }
  source_version: {
    version: string | null
  }
  unfollowed_sources: {
    name: string
    location: string
  }
  own_session: {
    session: string | null
  }
  take_source: {
    version: string | null
    isTaken: boolean
    isFailing: boolean
    leaseSeconds: number | null
  }
  followed_sources: {
    name: string
    checkedAgo: number | null
    failingFor: number | null
    endedAgo: number | null
  }
  source_failures: {
    name: string
    failure: string | null
  }
  html_of_page: {
    n: number
    digest: string
    host: string
    html: string | null
  }
  count_pages_without_html: {
    pages: number
  }
  claim_pages_without_html: {
    id: string
    locale: string
    ns: Namespace
    path: string
    title: string
    revisionId: string
    revisionCreatedAt: Timestamp
    revisionAuthor: string
    dialect: string | null
    change: string
    revisionMarkdown: string
  }
  is_empty: {
    empty: boolean
  }
  wiki_name: {
    name: string
    sourceId: number | null
  }
  source_id: {
    id: number
  }
  import_locales: {
    locale: string
  }
  import_pages: {
    id: string
    state: 'live' | 'draft' | 'deleted'
    wasLive: boolean
  }
  page_ids: {
    n: number
    id: string
  }
  other_sources: {
    id: number
    name: string
  }
  pages_of_others: {
    n: number
    id: string
    state: 'live' | 'draft' | 'deleted'
    sourceId: number
  }
  stored_revisions: {
    id: string
    pageId: string
    locale: string
    path: string
    sourceId: number | null
    visible: boolean
  }
  known_revisions: {
    id: string
  }
  stored_pages: {
    locale: string
    path: string
    revisions: number
    liveId: string | null
    liveAt: Timestamp | null
    lastId: string | null
    lastAt: Timestamp | null
  }
  former_paths: {
    locale: string
    path: string
    formerPath: string
  }
  revisions_of_source: {
    id: string
    path: string
    author: string
    comment: string
    status: 'accepted' | 'pending' | 'rejected' | 'draft'
  }
  stored_page_states: {
    locale: string
    path: string
    isOwn: boolean
    isLive: boolean
    newestId: string | null
    newestAt: Timestamp | null
    categories: string[]
  }
  newest_members: {
    locale: string
    key: string
    path: string
    revisionId: string
    createdAt: Timestamp
  }
  remove_source: {
    pages: number
  }
  has_pages: {
    hasPages: boolean
  }
  removable_pages: {
    locale: string
    path: string
    pages: number
  }
  count_revisions: {
    revisions: number
  }
  published_pages: {
    id: string
  }
  count_published_pages: {
    pages: number
  }
  imported_among: {
    id: string
  }
  source_pages: {
    locale: string
    pages: number
  }
  absent_pages: {
    locale: string
    path: string
    pages: number
  }
  remove_absent_pages: {
    pages: number
    livePages: number
    revisions: number
    categories: Json
  }
  stale_revisions: {
    revisions: number
    stale: number
  }
  remove_stale_revisions: {
    pageId: string
    locale: string
    path: string
    visible: boolean
  }
  unread_revisions: {
    id: string
  }
  unread_texts: {
    id: string
    markdown: string
    isReplaced: boolean
  }
  remove_revisions: {
    pageId: string
    locale: string
    path: string
    visible: boolean
  }
  remove_absent_categories: {
    locale: string
    key: string
  }
  remove_unused_categories: {
    locale: string
    key: string
  }
  source_state: {
    state: Json
  }
  last_import: {
    told: Json
    snapshot: string
  }
  update_revisions: {
    id: string
    pageId: string
  }
  add_revisions: {
    pageId: string
    visible: boolean
  }
  last_text: {
    id: string | null
    text: string
    spent: number
  }
  known_wiki: {
    locale: string | null
    license: string | null
    change: string
  }
  links_without_page: {
    page: string
    target: string
    links: number
  }
  sizes_to_index: {
    id: string
    bytes: number
  }
  pages_to_index: {
    id: string
    locale: string
    config: string
    path: string
    title: string
    aliases: Json
    markdown: string
    bytes: number
    revisions: number
    sourcePath: string | null
    fileRoots: Json | null
    dialect: string | null
    formerPaths: string[]
  }
  index_locales: {
    locale: string
  }
  hot_set_sizes: {
    hasThreshold: boolean
    pages: number
    hotSet: number
  }
  flush_index: {
    gin_clean_pending_list: string
  }
  pages_to_reindex: {
    id: string
  }
  count_pages_to_reindex: {
    pages: number
  }
  is_word_count_due: {
    isDue: boolean
  }
  links_to: {
    n: number
    list: Json
  }
  links_from: {
    n: number
    list: Json
  }
  pages_by_name: {
    n: number
    locale: string
    path: string
  }
  page_by_path: {
    n: number
    id: string
    locale: string
    ns: Namespace
    path: string
    title: string
    revisionId: string
    revisionCreatedAt: Timestamp
    revisionAuthor: string
    revisionComment: string
    revisionSize: number
    revisionMarkdown: string
    categories: Json
    translations: Json
    hasFiles: boolean
    dialect: string | null
  }
  listed_page: {
    n: number
    id: string
    locale: string
    ns: Namespace
    path: string
    title: string
    revisionId: string
    revisionCreatedAt: Timestamp
    revisionAuthor: string
  }
  page_by_id: {
    n: number
    id: string
    locale: string
    ns: Namespace
    path: string
    title: string
    revisionId: string
    revisionCreatedAt: Timestamp
    revisionAuthor: string
  }
  dialect_of_page: {
    n: number
    dialect: string | null
  }
  position_of_page: {
    n: number
    position: number | null
    group_titles: string | null
    nav_title: string | null
  }
  site_path: {
    n: number
    sitePath: string | null
  }
  categories_of_page: {
    n: number
    locale: string
    key: string
    name: string
  }
  translations_of_page: {
    n: number
    locale: string
    path: string
    title: string
  }
  contributors_of_page: {
    n: number
    total: number
    name: string
    edits: number
    lastAt: Timestamp
  }
  pages_after: {
    n: number
    id: Json | null
    path: Json | null
    title: Json | null
    revisionId: Json | null
    revisionCreatedAt: Json | null
    revisionAuthor: Json | null
  }
  listed_notes: {
    n: number
    path: string
    properties: string | null
    tags: Json | null
  }
  page_starts: {
    n: number
    path: string
  }
  pages_with_prefix: {
    n: number
    id: Json | null
    path: Json | null
    title: Json | null
    revisionId: Json | null
    revisionCreatedAt: Json | null
    revisionAuthor: Json | null
  }
  publish_revisions: {
    pageId: string
  }
  publish_pages: {
    id: string
  }
  mark_changed: {
    mark_changed: string
  }
  assign_positions: {
    assign_positions: string
  }
  revision_by_id: {
    n: number
    id: string
    pageId: string
    createdAt: Timestamp
    author: string
    comment: string
    size: number
    markdown: string
    locale: string
    ns: Namespace
    path: string
    title: string
    dialect: string | null
    parentId: string | null
  }
  revisions_with_page: {
    n: number
    id: string
    pageId: string
    createdAt: Timestamp
    author: string
    comment: string
    size: number
    locale: string
    ns: Namespace
    path: string
    title: string
    dialect: string | null
    markdown: string | null
    position: Timestamp | null
  }
  parents_of_revisions: {
    n: number
    id: string
    size: number
  }
  revision_texts: {
    n: number
    markdown: string
  }
  texts_of_list: {
    n: number
    place: number
    id: string | null
    size: number
    markdown: string
  }
  revision_pairs: {
    n: number
    id: string
    pageId: string
    createdAt: Timestamp
    author: string
    comment: string
    size: number
    markdown: string
    locale: string
    ns: Namespace
    path: string
    title: string
    fromId: string | null
    fromCreatedAt: Timestamp | null
    fromMarkdown: string | null
  }
  history: {
    n: number
    pageId: string
    id: string
    createdAt: Timestamp
    author: string
    comment: string
    size: number
    cursor: Timestamp | null
  }
  history_from_oldest: {
    n: number
    pageId: string
    id: string
    createdAt: Timestamp
    author: string
    comment: string
    size: number
    cursor: Timestamp
  }
  recent: {
    n: number
    id: Json | null
    pageId: Json | null
    createdAt: Json | null
    author: Json | null
    comment: Json | null
    size: Json | null
    locale: Json | null
    ns: Json | null
    path: Json | null
    title: Json | null
    cursor: Timestamp | null
  }
  recent_of_locale: {
    n: number
    id: Json | null
    pageId: Json | null
    createdAt: Json | null
    author: Json | null
    comment: Json | null
    size: Json | null
    locale: Json | null
    ns: Json | null
    path: Json | null
    title: Json | null
    cursor: Timestamp | null
  }
  recent_within: {
    n: number
    id: Json | null
    pageId: Json | null
    createdAt: Json | null
    author: Json | null
    comment: Json | null
    size: Json | null
    locale: Json | null
    ns: Json | null
    path: Json | null
    title: Json | null
    cursor: Timestamp | null
  }
  search_languages: {
    locale: string
    config: string
    pages: number
    counted: number
    meanLength: number
  }
  index_version: {
    indexVersion: number
  }
  search_matches: {
    matches: Json | null
    candidates: Json | null
    hasMore: boolean
    config: string | null
    id: string | null
    locale: string | null
    ns: Namespace | null
    path: string | null
    title: string | null
    revisionId: string | null
    revisionCreatedAt: Timestamp | null
    revisionAuthor: string | null
    starts: number[] | null
    positions: string | null
    isWhole: boolean | null
    body: string | null
  }
  search_words: {
    n: number
    word: string
    pages: number
  }
  search_hits: {
    config: string
    id: string
    locale: string
    ns: Namespace
    path: string
    title: string
    revisionId: string
    revisionCreatedAt: Timestamp
    revisionAuthor: string
    starts: number[]
    isWhole: boolean
    body: string
    positions: string | null
  }
  search_sections: {
    n: number
    sections: string
  }
  stems: {
    n: number
    stems: string | null
  }
  set_file_roots: {
    changed: boolean
  }
  record_files: {
    locale: string
    path: string
  }
  files_to_read: {
    locale: string
    path: string
    isOfOther: boolean
  }
  stored_blobs: {
    id: string
    sha256: string
  }
  add_blobs: {
    id: string
    sha256: string
  }
  add_blobs_outside: {
    id: string
    sha256: string
  }
  take_unused_blobs: {
    sha256: string
  }
  begin_blob: {
    id: string
  }
  finish_blob: {
    id: string
  }
  file_summary: {
    files: number
    bytes: number
  }
  missing_files: {
    reference: string
    page: string
    references: number
  }
  suggest_titles: {
    name: string
    id: string
    locale: string
    ns: Namespace
    path: string
    title: string
  }
  suggest_titles_with_word: {
    name: string
    id: string
    locale: string
    ns: Namespace
    path: string
    title: string
  }
  suggest_similar_titles: {
    name: string
    id: string
    locale: string
    ns: Namespace
    path: string
    title: string
  }
  wiki: {
    name: string | null
    defaultLocale: string | null
    license: string | null
    locales: Json
    hasSitePaths: boolean
  }
  page_counts: {
    n: number
    pages: number
  }
}
