-- What Wiki.js's tables lack. Made and committed first: an index of rows that were just updated cannot be used in
-- the transaction that makes it.
create index if not exists lectern_history_of_page on source."pageHistory" ("pageId", id);
create index if not exists lectern_tags_of_page on source."pageTags" ("pageId");
create index if not exists lectern_tags_of_version on source."pageHistoryTags" ("pageId");
create index if not exists lectern_page_path on source.pages (path);
