-- Indexes on Wiki.js's tables. A transaction of their own creates them, because the transaction that creates an index
-- cannot use it for rows that were just updated.
create index if not exists lectern_history_of_page on source."pageHistory" ("pageId", id);
create index if not exists lectern_tags_of_page on source."pageTags" ("pageId");
create index if not exists lectern_tags_of_version on source."pageHistoryTags" ("pageId");
create index if not exists lectern_page_path on source.pages (path);
