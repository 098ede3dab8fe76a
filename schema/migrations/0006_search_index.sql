-- Words go from the pending list into the index in the order of their letters, which leaves its pages half empty. With more
-- and smaller parts, later words fill them: the index of an imported wiki is a fifth smaller, and searches read shorter lists.
alter index wiki.live_search_words set (gin_pending_list_limit = 256);
alter index wiki.search_hot_set_words set (gin_pending_list_limit = 256);

-- An empty wiki has nothing to index again.
update wiki.search_index_version set index_version = 6 where not exists (select from wiki.live_search);
