-- The search index: the words of pages, links between them, and the hot set. (D11, D34)

-- name: sizes_to_index
-- How many bytes of each page are indexed, at most.
-- $1 bigint[] page ids, $2 int characters of a text that are indexed, of at most four bytes each
select l.id, least(v.size, 4 * $2::int) as bytes
  from wiki.live_page l
  join guest.revision v on v.id = l.revision_id
 where l.id = any ($1) and l.ns <> 'category'
 order by l.id;

-- name: pages_to_index
-- Pages that describe a category are not indexed.
-- $1 bigint[] page ids, $2 int characters of a text that are indexed
-- null: sourcePath, fileRoots, dialect
select l.id, l.locale, o.search_config::text as config, l.path, l.title, p.aliases, left(v.markdown, $2) as markdown,
       least(v.size, 4 * $2::int) as bytes,
       (select count(*)::int from guest.revision e where e.page_id = l.id) as revisions,
       p.source_path as "sourcePath", s.file_roots as "fileRoots", l.dialect,
       array(select f.path from wiki.live_former_path f where f.page_id = l.id and f.locale = l.locale) as "formerPaths"
  from wiki.live_page l
  join wiki.page p on p.id = l.id
  left join wiki.source s on s.id = p.source_id
  join wiki.locale o on o.locale = l.locale
  join guest.revision v on v.id = l.revision_id
 where l.id = any ($1) and l.ns <> 'category';

-- name: index_pages
-- The array of words has gaps, which `||` removes.
-- $1 bigint[] page ids, $2 text[] title keys, $3 text[] path keys, $4 real[] scores, $5 tsvector[] words,
-- $6 text[] positions of sections (as int[]), $7 text[] sections, $8 smallint version of the index
insert into wiki.live_search
       (page_id, locale, score, index_version, config, title_key, path_key, words, starts, body, length)
select p.id, p.locale, g.score, $8, l.search_config, g.title_key, g.path_key, g.words || '', g.starts::int[], g.body,
       (g.starts::int[])[cardinality(g.starts::int[])]
  from unnest($1::bigint[], $2::text[], $3::text[], $4::real[], $5::tsvector[], $6::text[], $7::text[])
       as g (page_id, title_key, path_key, score, words, starts, body)
  join wiki.live_page p on p.id = g.page_id
  join wiki.locale l on l.locale = p.locale
on conflict (page_id) do update
  set locale = excluded.locale, score = excluded.score, index_version = excluded.index_version,
      config = excluded.config, title_key = excluded.title_key, path_key = excluded.path_key,
      words = excluded.words, starts = excluded.starts, body = excluded.body, length = excluded.length;

-- name: analyze_index
analyze wiki.live_search (page_id, score), wiki.live_link (page_id), wiki.search_hot_set (page_id);

-- name: index_locales
select locale from wiki.locale;

-- name: delete_links
-- $1 bigint[] page ids
delete from wiki.live_link where page_id = any ($1);

-- name: add_links
-- $1 bigint[] page ids, $2 text[] keys of the links' texts, $3 text[] locales and $4 text[] paths of their targets,
-- $5 boolean[] whether the link is the page's first to this target, $6 boolean[] whether the page is a redirect, $7 text[]
-- names of their targets as written and $8 text[] as title keys, null for links with URLs
insert into wiki.live_link
       (page_id, key, locale, path, is_first, is_redirect, name, name_key, page_locale, page_ns, page_path)
select p.id, g.key, g.locale, g.path, g.is_first, g.is_redirect, g.name, g.name_key, p.locale, p.ns, p.path
  from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::boolean[], $7::text[], $8::text[])
       as g (page_id, key, locale, path, is_first, is_redirect, name, name_key)
  join wiki.live_page p on p.id = g.page_id;

-- name: update_names
-- Stores names of pages besides path and title, in place of those that they had.
-- $1 bigint[] indexed pages, $2 bigint[] page ids, $3 text[] names as title keys, $4 boolean[] whether it is an alias
with removed as (
  delete from wiki.live_name n
   where n.page_id = any ($1)
     and not exists (select from unnest($2::bigint[], $3::text[]) as g (page_id, key)
                      where (g.page_id, g.key) = (n.page_id, n.key))
)
insert into wiki.live_name (page_id, locale, key, is_alias)
select g.page_id, p.locale, g.key, g.is_alias
  from unnest($2::bigint[], $3::text[], $4::boolean[]) as g (page_id, key, is_alias)
  join wiki.live_page p on p.id = g.page_id
on conflict (page_id, key) do update set is_alias = excluded.is_alias
  where wiki.live_name.is_alias <> excluded.is_alias;

-- name: resolve_link_names
-- $1 bigint[] pages that were indexed
select from wiki.resolve_link_names($1);

-- name: update_hot_set
-- Adds those of the indexed pages to the hot set that belong to it, and removes the others. Without a threshold, there is
-- no hot set.
-- $1 bigint[] page ids
with best as (
  select s.page_id, s.locale, s.score, s.title_key, s.words
    from wiki.live_search s
    join wiki.hot_set_threshold c on s.score > c.score or s.score = c.score and s.page_id <= c.page_id
   where s.page_id = any ($1)
), removed as (
  delete from wiki.search_hot_set h
   where h.page_id = any ($1) and h.page_id not in (select page_id from best)
)
insert into wiki.search_hot_set (page_id, locale, score, title_key, words)
select page_id, locale, score, title_key, words from best
on conflict (page_id) do update
  set locale = excluded.locale, score = excluded.score, title_key = excluded.title_key, words = excluded.words;

-- name: hot_set_sizes
-- How many pages are indexed and how many are in the hot set, each counted up to a limit, and whether there is a
-- threshold.
-- $1 int4 limit
select exists (select from wiki.hot_set_threshold) as "hasThreshold",
       (select count(*)::int from (select from wiki.live_search limit $1) p) as pages,
       (select count(*)::int from (select from wiki.search_hot_set limit $1) h) as "hotSet";

-- name: delete_hot_set
with threshold as (delete from wiki.hot_set_threshold)
delete from wiki.search_hot_set;

-- name: set_hot_set_threshold
-- $1 int4 how many pages the hot set is to have
insert into wiki.hot_set_threshold (score, page_id)
select score, page_id from wiki.live_search order by score desc, page_id offset $1 - 1 limit 1
on conflict (only_row) do update set score = excluded.score, page_id = excluded.page_id;

-- name: fill_hot_set
-- Fills the hot set with the pages above the threshold, and removes all others.
with best as (
  select s.page_id, s.locale, s.score, s.title_key, s.words
    from wiki.live_search s
    join wiki.hot_set_threshold c on s.score > c.score or s.score = c.score and s.page_id <= c.page_id
), removed as (
  delete from wiki.search_hot_set h where h.page_id not in (select page_id from best)
)
insert into wiki.search_hot_set (page_id, locale, score, title_key, words)
select page_id, locale, score, title_key, words from best
on conflict do nothing;

-- name: flush_index
-- New words are in a pending list, which every search reads as a whole, until they are moved into the index.
select gin_clean_pending_list('wiki.live_search_words'), gin_clean_pending_list('wiki.search_hot_set_words');

-- name: update_configurations
-- Updates languages whose text search configuration changed: after an upgrade, PostgreSQL may have more of them.
-- $1 text[] locales, $2 text[] search configurations
update wiki.locale l
   set search_config = coalesce(c.oid, 'simple'::regconfig::oid)::regconfig
  from unnest($1::text[], $2::text[]) as g (locale, search_config)
  left join pg_ts_config c on c.cfgname = g.search_config and c.cfgnamespace = 'pg_catalog'::regnamespace
 where l.locale = g.locale and l.search_config <> coalesce(c.oid, 'simple'::regconfig::oid)::regconfig;

-- name: pages_to_reindex
-- Pages that were indexed by another version or configuration, or never.
-- $1 int2 version of the index, $2 bigint page to start after, $3 boolean: all pages, $4 int4 rows
select l.id
  from wiki.live_page l
  join wiki.locale o on o.locale = l.locale
  left join wiki.live_search s on s.page_id = l.id
 where l.id > $2 and l.ns <> 'category'
   and ($3 or s.page_id is null or s.index_version <> $1 or s.config <> o.search_config)
 order by l.id
 limit $4;

-- name: count_pages_to_reindex
-- $1 int2 version of the index, $2 boolean: all pages
select count(*)::int as pages
  from wiki.live_page l
  join wiki.locale o on o.locale = l.locale
  left join wiki.live_search s on s.page_id = l.id
 where l.ns <> 'category' and ($2 or s.page_id is null or s.index_version <> $1 or s.config <> o.search_config);

-- name: set_index_version
-- $1 int2 version of the index
update wiki.search_index_version set index_version = $1 where index_version <> $1;

-- name: add_indexed_pages
-- Adds pages to those that were indexed since words were counted.
-- $1 int4 pages
update wiki.search_statistics set indexed = indexed + $1;

-- name: is_word_count_due
-- Whether to count words again: after a tenth of all pages was indexed, or when a page is gone. In a large wiki, where
-- counting takes seconds, a gone page changes too little.
-- $1 int4 pages of a large wiki
select t.is_stale and z.pages <= $1 or t.indexed > 0 and t.indexed * 10 >= z.pages as "isDue"
  from wiki.search_statistics t
 cross join (select coalesce(sum(pages), 0) as pages from wiki.search_size) z;

-- name: count_search_words
-- $1 int8 bytes of words that are counted
select from wiki.count_search_words($1);
