-- Statements of the writer that store an import. A batch has one array per column.

-- name: is_empty
-- Whether nothing was ever imported.
select not exists (select from wiki.wiki) and not exists (select from wiki.page) as empty;

-- name: wiki_name
-- No row before the first import.
-- null: sourceId
select w.name, w.source_id as "sourceId"
  from wiki.wiki w;

-- name: source_id
-- Id of the source with this name, which is stored if it is new.
-- $1 text name
with known as (
  select s.id from wiki.source s where s.name = $1
), added as (
  insert into wiki.source (name) select $1::text where not exists (select from known) returning id
)
select id from known union all select id from added;

-- name: import_wiki
-- $1 text name, $2 text default locale, $3 text license or null, $4 int source id or null,
-- $5 boolean: without a license, that of the same source stays
insert into wiki.wiki (name, default_locale, license, source_id)
values ($1, $2, coalesce($3, (select w.license from wiki.wiki w where $5::boolean and w.source_id = $4)), $4)
on conflict (only_row) do update
  set name = excluded.name, default_locale = excluded.default_locale, license = excluded.license,
      source_id = coalesce(excluded.source_id, wiki.wiki.source_id)
  where (wiki.wiki.name, wiki.wiki.default_locale, wiki.wiki.license, wiki.wiki.source_id)
        is distinct from (excluded.name, excluded.default_locale, excluded.license,
                          coalesce(excluded.source_id, wiki.wiki.source_id));

-- name: import_locales
-- A language whose text search configuration this PostgreSQL does not have gets 'simple'.
-- $1 text[] locales, $2 text[] names, $3 text[] search configurations, $4 boolean: rename stored languages
insert into wiki.locale (locale, name, search_config)
select g.locale, g.name, coalesce(c.oid, 'simple'::regconfig::oid)::regconfig
  from unnest($1::text[], $2::text[], $3::text[]) as g (locale, name, search_config)
  left join pg_ts_config c on c.cfgname = g.search_config and c.cfgnamespace = 'pg_catalog'::regnamespace
on conflict (locale) do update set name = excluded.name
  where $4 and wiki.locale.name is distinct from excluded.name
returning locale;

-- name: delete_unused_locales
-- Deletes languages that no live page uses: languages that the wiki record does not list, or, in an import without a wiki
-- record, languages that its pages added.
-- $1 text[] locales of the wiki record, or null; $2 text[] locales that pages added
delete from wiki.locale l
 where case when $1::text[] is null then l.locale = any ($2::text[]) else l.locale <> all ($1) end
   and not exists (select from wiki.live_page p where p.locale = l.locale);

-- name: import_categories
-- $1 text[] locales, $2 text[] keys, $3 text[] names, $4 int source id or null
insert into wiki.category (locale, key, name, source_id)
select g.locale, g.key, g.name, $4::int
  from unnest($1::text[], $2::text[], $3::text[]) as g (locale, key, name)
on conflict (locale, key) do update
  set name = excluded.name, source_id = coalesce(excluded.source_id, wiki.category.source_id)
  where (wiki.category.name, wiki.category.source_id)
        is distinct from (excluded.name, coalesce(excluded.source_id, wiki.category.source_id));

-- name: import_pages
-- $1 text[] locales, $2 text[] paths, $3 text[] states, $4 text[] translation groups, $5 text[] further names of each
-- page (JSON) or null, $6 int source id or null, $7 text[] paths in the source or null, $8 text[] dialects or null
insert into wiki.page (locale, path, state, translation_group, aliases, source_path, dialect, source_id)
select g.locale, g.path, g.state, g.translation_group, g.aliases::jsonb, g.source_path, g.dialect, $6::int
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $7::text[], $8::text[])
       as g (locale, path, state, translation_group, aliases, source_path, dialect)
on conflict (locale, path) do update
  set state = excluded.state, translation_group = excluded.translation_group, aliases = excluded.aliases,
      source_path = coalesce(excluded.source_path, case when excluded.state <> 'deleted' then wiki.page.source_path end),
      dialect = coalesce(excluded.dialect, case when excluded.state <> 'deleted' then wiki.page.dialect end),
      source_id = coalesce(excluded.source_id, wiki.page.source_id)
  where (wiki.page.state, wiki.page.translation_group, wiki.page.aliases, wiki.page.source_path, wiki.page.dialect,
         wiki.page.source_id)
        is distinct from (excluded.state, excluded.translation_group, excluded.aliases,
                          coalesce(excluded.source_path, case when excluded.state <> 'deleted' then wiki.page.source_path end),
                          coalesce(excluded.dialect, case when excluded.state <> 'deleted' then wiki.page.dialect end),
                          coalesce(excluded.source_id, wiki.page.source_id))
returning id, state, state = 'deleted' and exists (select from wiki.live_page l where l.id = page.id) as "wasLive";

-- name: page_ids
-- $1 text[] locales, $2 text[] paths
select k.n::int, p.id
  from unnest($1::text[], $2::text[]) with ordinality as k (locale, path, n)
  join wiki.page p on p.locale = k.locale and p.path = k.path;

-- name: other_sources
-- $1 int source id
select s.id, s.name from wiki.source s where s.id <> $1;

-- name: pages_of_others
-- The pages of these that came from another source.
-- $1 text[] locales, $2 text[] paths, $3 int source id
select k.n::int, p.id, p.state, p.source_id as "sourceId"
  from unnest($1::text[], $2::text[]) with ordinality as k (locale, path, n)
  join wiki.page p on p.locale = k.locale and p.path = k.path
 where p.source_id <> $3::int;

-- name: remove_pages
-- Removes pages with all of their revisions.
-- $1 bigint[] page ids
with revisions as (
  delete from wiki.revision r where r.page_id = any ($1::bigint[])
), members as (
  delete from wiki.live_category_member m where m.page_id = any ($1::bigint[])
), live_pages as (
  delete from wiki.live_page l where l.id = any ($1::bigint[])
)
delete from wiki.page p where p.id = any ($1::bigint[]);

-- name: stored_revisions
-- $1 uuid[] ids
-- null: sourceId
select r.id, r.page_id as "pageId", p.locale, p.path, p.source_id as "sourceId", r.visible
  from unnest($1::uuid[]) as g (id)
  join wiki.revision r on r.id = g.id
  join wiki.page p on p.id = r.page_id;

-- name: known_revisions
-- The revisions of these that are stored with the same page and time, and not of another source.
-- $1 uuid[] ids, $2 text[] locales, $3 text[] paths, $4 timestamptz[] times, $5 int source id or null
select r.id
  from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[]) as g (id, locale, path, created_at)
  join wiki.revision r on r.id = g.id and r.created_at = g.created_at
  join wiki.page p on p.id = r.page_id and p.locale = g.locale and p.path = g.path
   and (p.source_id = $5::int) is not false;

-- name: stored_pages
-- The pages of these that are stored and not of another source, how many revisions each has, which revision guests see,
-- and which is the last.
-- $1 text[] locales, $2 text[] paths, $3 int source id or null
-- null: liveId, liveAt, lastId, lastAt
select p.locale, p.path, (select count(*)::int from wiki.revision r where r.page_id = p.id) as revisions,
       l.revision_id as "liveId", l.revision_created_at as "liveAt",
       newest.id as "lastId", newest.created_at as "lastAt"
  from unnest($1::text[], $2::text[]) as g (locale, path)
  join wiki.page p on p.locale = g.locale and p.path = g.path and (p.source_id = $3::int) is not false
  left join wiki.live_page l on l.id = p.id
  left join lateral (
    select r.id, r.created_at from wiki.revision r where r.page_id = p.id
     order by r.created_at desc, r.id desc limit 1
  ) newest on true;

-- name: former_paths
-- Former paths that are stored for live pages of these.
-- $1 text[] locales, $2 text[] paths
select l.locale, l.path, f.path as "formerPath"
  from unnest($1::text[], $2::text[]) as g (locale, path)
  join wiki.live_page l on l.locale = g.locale and l.path = g.path
  join wiki.live_former_path f on f.page_id = l.id and f.locale = l.locale
 order by l.locale, l.path, f.path;

-- name: revisions_of_source
-- Revisions of the pages of a source, newest first.
-- $1 int source id, $2 text locale, $3 timestamptz and $4 uuid of the newest place, $5 timestamptz and $6 uuid of the
-- oldest place, $7 int4 rows
select r.id, p.path, r.author, r.comment, r.status
  from wiki.revision r
  join wiki.page p on p.id = r.page_id
 where r.locale = $2 and p.source_id = $1::int
   and (r.created_at, r.id) <= ($3::timestamptz, $4::uuid)
   and (r.created_at, r.id) >= ($5::timestamptz, $6::uuid)
 order by r.created_at desc, r.id desc
 limit $7;

-- name: stored_page_states
-- The pages of these that are stored: whether they came from a source, whether guests see them, the last revision, and
-- the categories that guests see.
-- $1 text[] locales, $2 text[] paths, $3 int source id or null
-- null: newestId, newestAt
select p.locale, p.path, p.source_id is not distinct from $3::int as "isOwn", l.id is not null as "isLive",
       r.id as "newestId", r.created_at as "newestAt",
       array(select m.key from wiki.live_category_member m where m.page_id = p.id order by m.key) as categories
  from unnest($1::text[], $2::text[]) as g (locale, path)
  join wiki.page p on p.locale = g.locale and p.path = g.path
  left join wiki.live_page l on l.id = p.id
  left join lateral (
       select r.id, r.created_at from wiki.revision r
        where r.page_id >= p.id and r.page_id <= p.id
        order by r.page_id, r.created_at desc, r.id desc
        limit 1) r on true;

-- name: newest_members
-- Of each category, the page of a source that changed last, without the pages that are given.
-- $1 text[] locales and $2 text[] keys of categories, $3 text[] locales and $4 text[] paths of pages, $5 int source id
select distinct on (m.locale, m.key)
       m.locale, m.key, m.path, m.revision_id as "revisionId", m.revision_created_at as "createdAt"
  from unnest($1::text[], $2::text[]) as g (locale, key)
  join wiki.live_category_member m on m.locale = g.locale and m.key = g.key
  join wiki.page p on p.id = m.page_id and p.source_id is not distinct from $5::int
 where (m.locale, m.path) not in (select x.locale, x.path from unnest($3::text[], $4::text[]) as x (locale, path))
 order by m.locale, m.key, m.revision_created_at desc, m.revision_id desc;

-- name: move_revisions
-- Moves revisions that are stored as another page's to this page. They are published with it.
-- $1 uuid[] ids, $2 bigint[] page ids
update wiki.revision r
   set page_id = p.id, locale = p.locale, visible = false
  from unnest($1::uuid[], $2::bigint[]) as g (id, page_id)
  join wiki.page p on p.id = g.page_id
 where r.id = g.id;

-- name: delete_empty_pages
-- Deletes the pages of these that have no revision, and that the source does not have without one.
-- $1 bigint[] page ids
delete from wiki.page p
 where p.id = any ($1) and not exists (select from wiki.revision r where r.page_id = p.id)
   and not exists (select from pg_temp.imported_page i where i.id = p.id and i.is_imported);

-- name: remove_source
-- Removes a source with all that came from it, and counts its live pages.
-- $1 text name
with source as materialized (
  select s.id from wiki.source s where s.name = $1
), pages as materialized (
  select p.id from wiki.page p join source s on p.source_id = s.id
), revisions as (
  delete from wiki.revision r using pages p where r.page_id = p.id
), live_pages as (
  delete from wiki.live_page l using pages p where l.id = p.id returning l.id
), all_pages as (
  delete from wiki.page p using source s where p.source_id = s.id
), categories as (
  delete from wiki.category c using source s where c.source_id = s.id
), wiki as (
  delete from wiki.wiki w using source s where w.source_id = s.id
)
delete from wiki.source w using source s where w.id = s.id
returning (select count(*)::int4 from live_pages) as pages;

-- name: has_pages
select exists (select from wiki.page) as "hasPages";

-- name: begin_imported_pages
-- The pages of an import, in a table because there may be a million.
create temporary table imported_page (
  id bigint primary key,
  -- Whether the source has the page. Otherwise a revision moved away from it.
  is_imported boolean not null,
  -- Whether its revisions changed.
  is_changed boolean not null,
  -- Whether the source has the page with all of its revisions.
  is_complete boolean not null,
  -- Whether it changed for guests.
  is_published boolean not null
) on commit drop;

-- name: begin_imported_revisions
create temporary table imported_revision (id uuid not null) on commit drop;

-- name: begin_imported_categories
create temporary table imported_category (locale text not null, key text not null) on commit drop;

-- name: begin_imported_absent_pages
-- Pages to remove.
create temporary table imported_absent_page (id bigint primary key) on commit drop;

-- name: begin_imported_unproven_paths
-- Former paths at which guests may never have seen a page.
create temporary table imported_unproven_path (locale text not null, path text not null, page_id bigint not null)
  on commit drop;

-- name: begin_imported_member_counts
-- How many members categories gain and lose. While the table is there, the triggers write to it. (D23)
create temporary table imported_member_count (locale text not null, key text not null, added bigint not null)
  on commit drop;

-- name: store_member_counts
-- Counts the members of categories that gained or lost some, once for all batches of the import.
with changed as materialized (
  select locale, key, sum(added)::int as added
    from pg_temp.imported_member_count
   group by locale, key
  having sum(added) <> 0
), emptied as (
  delete from wiki.live_category c
   using changed g
   where (c.locale, c.key) = (g.locale, g.key) and c.pages + g.added <= 0
), reduced as (
  update wiki.live_category c
     set pages = c.pages + g.added
    from changed g
   where (c.locale, c.key) = (g.locale, g.key) and g.added < 0 and c.pages + g.added > 0
)
insert into wiki.live_category as c (locale, key, pages)
select locale, key, added from changed where added > 0
on conflict (locale, key) do update set pages = c.pages + excluded.pages;

-- name: record_absent_pages
-- $1 text[] locales, $2 text[] paths, $3 int id of their source, or null for none of them
insert into pg_temp.imported_absent_page (id)
select p.id
  from unnest($1::text[], $2::text[]) as g (locale, path)
  join wiki.page p on p.locale = g.locale and p.path = g.path
 where p.source_id = $3::int
on conflict do nothing;

-- name: record_all_absent_pages
-- All pages of a source that the import did not have.
-- $1 text locale, or null for all; $2 int id of their source
insert into pg_temp.imported_absent_page (id)
select p.id
  from wiki.page p
 where ($1::text is null or p.locale = $1)
   and p.source_id = $2::int
   and not exists (select from pg_temp.imported_page i where i.id = p.id and i.is_imported)
on conflict do nothing;

-- name: keep_imported_pages
-- A page that the import has is not absent, whatever was said before.
delete from pg_temp.imported_absent_page a
 using pg_temp.imported_page i
 where i.id = a.id and i.is_imported;

-- name: removable_pages
-- Live pages to remove: the first three, each with the number of all. Without those that moved to another path.
select l.locale, l.path, (count(*) over ())::int as pages
  from pg_temp.imported_absent_page a
  join wiki.live_page l on l.id = a.id
 where not exists (select from wiki.live_former_path f where (f.locale, f.path) = (l.locale, l.path))
 order by l.locale, l.path
 limit 3;

-- name: count_revisions
-- How many revisions the pages of a source have.
-- $1 int source id
select count(*)::int as revisions
  from wiki.page p
  join wiki.revision r on r.page_id = p.id
 where p.source_id = $1::int;

-- name: record_imported_pages
-- $1 bigint[] ids of pages of the source, $2 bigint[] ids of pages whose revisions changed, $3 bigint[] ids of pages
-- that the source has with all of their revisions, $4 bigint[] ids of pages that changed for guests
insert into pg_temp.imported_page as i (id, is_imported, is_changed, is_complete, is_published)
select g.id, bool_or(g.kind = 'imported'), bool_or(g.kind = 'changed'), bool_or(g.kind = 'complete'),
       bool_or(g.kind = 'published')
  from (select unnest($1::bigint[]) as id, 'imported' as kind
         union all
        select unnest($2::bigint[]), 'changed'
         union all
        select unnest($3::bigint[]), 'complete'
         union all
        select unnest($4::bigint[]), 'published') g
 group by g.id
on conflict (id) do update
  set is_imported = i.is_imported or excluded.is_imported, is_changed = i.is_changed or excluded.is_changed,
      is_complete = i.is_complete or excluded.is_complete, is_published = i.is_published or excluded.is_published
  where (i.is_imported, i.is_changed, i.is_complete, i.is_published)
        is distinct from (i.is_imported or excluded.is_imported, i.is_changed or excluded.is_changed,
                          i.is_complete or excluded.is_complete, i.is_published or excluded.is_published);

-- name: analyze_pages
-- Of the columns by which the statements of the writer find rows.
analyze wiki.page (id, locale, path), wiki.live_page (id, locale, path, revision_id), wiki.revision_visible (id, page_id),
        wiki.revision_hidden (id, page_id), wiki.live_category_member (page_id, locale, key),
        wiki.live_change (page_id, change), wiki.tombstone (locale, path);

-- name: published_pages
-- Pages that changed for guests, to be indexed.
-- $1 bigint page to start after, $2 int4 rows
select i.id
  from pg_temp.imported_page i
 where i.is_published and i.id > $1
 order by i.id
 limit $2;

-- name: count_published_pages
select count(*)::int as pages
  from pg_temp.imported_page i
  join wiki.live_page l on l.id = i.id
 where i.is_published and l.ns <> 'category';

-- name: record_imported_revisions
-- $1 uuid[] ids
insert into pg_temp.imported_revision (id) select unnest($1::uuid[]);

-- name: index_imported_revisions
-- Only an import that moves revisions looks for them.
create index if not exists imported_revision_id on pg_temp.imported_revision (id);

-- name: imported_among
-- The revisions of these that the import has had.
-- $1 uuid[] ids
select g.id
  from unnest($1::uuid[]) as g (id)
 where exists (select from pg_temp.imported_revision v where v.id = g.id);

-- name: record_imported_categories
-- $1 text[] locales, $2 text[] keys
insert into pg_temp.imported_category (locale, key) select * from unnest($1::text[], $2::text[]);

-- name: source_pages
-- How many live pages came from a source, by language.
-- $1 int source id
select p.locale, count(*)::int as pages
  from wiki.page p
  join wiki.live_page l on l.id = p.id
 where p.source_id = $1::int
 group by p.locale;

-- name: absent_pages
-- Live pages that the source does not have: the first three, each with the number of all.
-- $1 text locale, or null for all; $2 int id of their source, or null for all pages
select l.locale, l.path, (count(*) over ())::int as pages
  from wiki.live_page l
  join wiki.page p on p.id = l.id
 where ($1::text is null or l.locale = $1)
   and ($2::int is null or p.source_id = $2)
   and not exists (select from pg_temp.imported_page i where i.id = p.id and i.is_imported)
 order by l.locale, l.path
 limit 3;

-- name: remove_absent_pages
-- Removes pages that the source no longer has, hidden ones included, with all of their revisions.
with absent as materialized (
  select p.id, p.locale, p.path
    from pg_temp.imported_absent_page a
    join wiki.page p on p.id = a.id
), revisions as (
  delete from wiki.revision r using absent a where r.page_id = a.id returning r.id
), members as (
  delete from wiki.live_category_member m using absent a where m.page_id = a.id
), live_pages as (
  delete from wiki.live_page l using absent a where l.id = a.id returning l.id
), pages as (
  delete from wiki.page p using absent a where p.id = a.id returning p.id
)
select (select count(*)::int from pages) as pages, (select count(*)::int from live_pages) as "livePages",
       (select count(*)::int from revisions) as revisions,
       (select coalesce(json_agg(json_build_object('locale', a.locale, 'key', substring(a.path from 10))), '[]')
          from absent a
         where starts_with(a.path, 'category:')) as categories;

-- name: stale_revisions
-- How many revisions the complete pages of the import have, and how many of these the source does not have.
select count(*)::int as revisions, (count(*) filter (where v.id is null))::int as stale
  from pg_temp.imported_page i
  join wiki.revision r on r.page_id = i.id
  left join (select distinct id from pg_temp.imported_revision) v on v.id = r.id
 where i.is_imported and i.is_complete;

-- name: remove_stale_revisions
-- Returns the pages of the revisions, and whether guests saw any of them.
with removed as (
  delete from wiki.revision r
   using pg_temp.imported_page i
   where r.page_id = i.id and i.is_imported and i.is_complete
     and not exists (select from pg_temp.imported_revision v where v.id = r.id)
  returning r.page_id, r.visible
)
select p.id as "pageId", p.locale, p.path, r.visible
  from (select page_id, bool_or(visible) as visible from removed group by page_id) r
  join wiki.page p on p.id = r.page_id;

-- name: unread_revisions
-- Revisions of a source that the import did not have.
-- $1 int source id
select r.id
  from wiki.page p
  join wiki.revision r on r.page_id = p.id
 where p.source_id = $1::int
   and not exists (select from pg_temp.imported_revision v where v.id = r.id);

-- name: unread_texts
-- The texts of revisions, and whether their pages have later ones.
-- $1 uuid[] ids
select r.id, wiki.whole_text(r.base_id, r.base_start, r.base_end, r.markdown) as markdown,
       exists (select from wiki.revision n
                where n.page_id = r.page_id and (n.created_at, n.id) > (r.created_at, r.id)) as "isReplaced"
  from wiki.revision r
 where r.id = any ($1);

-- name: remove_revisions
-- Returns their pages, and whether guests saw any of them.
-- $1 uuid[] ids
with removed as (
  delete from wiki.revision r where r.id = any ($1) returning r.page_id, r.visible
)
select p.id as "pageId", p.locale, p.path, r.visible
  from (select page_id, bool_or(visible) as visible from removed group by page_id) r
  join wiki.page p on p.id = r.page_id;

-- name: remove_absent_categories
-- Removes the names of categories that the source no longer has.
-- $1 text locale, or null for all; $2 int id of their source
delete from wiki.category c
 where ($1::text is null or c.locale = $1)
   and c.source_id = $2::int
   and not exists (select from pg_temp.imported_category i where (i.locale, i.key) = (c.locale, c.key))
returning c.locale, c.key;

-- name: remove_unused_categories
-- Removes the names of categories that no live page is in or describes.
-- $1 int id of their source
delete from wiki.category c
 where c.source_id = $1::int
   and not exists (select from wiki.live_category_member m where (m.locale, m.key) = (c.locale, c.key))
   and not exists (select from wiki.live_page l where (l.locale, l.path) = (c.locale, 'category:' || c.key))
returning c.locale, c.key;

-- name: source_state
-- $1 int source id
select s.state
  from wiki.source s
 where s.id = $1;

-- name: store_source_state
-- What the source was when it was read. What failed last, is past: a follower that waited for that checks the source again.
-- If a follower imported it, that has just checked it. An import without a follower ends that the source is one that is
-- followed, if no process follows it now.
-- $1 int source id, $2 jsonb state or null, $3 text version or null, $4 boolean whether it left out pages of other
-- sources, or null as before
with checked as (
  update wiki.live_follower f
     set checked_at = case when $3::text is null then f.checked_at else clock_timestamp() end,
         failing_since = null, failure = null
   where f.source_id = $1 and ($3::text is not null or f.followed_until > clock_timestamp())
), ended as (
  delete from wiki.live_follower f
   where f.source_id = $1 and $3::text is null and f.followed_until <= clock_timestamp()
)
update wiki.source s
   set state = $2::jsonb, version = $3::text, has_conflicts = coalesce($4::boolean, s.has_conflicts)
 where s.id = $1;

-- name: last_import
-- What a further import of a source would tell that has nothing new. No row if its settings were others, if anything that
-- guests see has changed since, or if a Wiki.js is attached. With it, which transactions wrote so far, and when (`due`) a page
-- appears or disappears without a change.
-- $1 text name, $2 text settings
select (s.state -> 'told') || jsonb_strip_nulls(jsonb_build_object('due', s.state -> 'due')) as told,
       pg_current_snapshot()::text as snapshot
  from wiki.source s
  join wiki.change_number n on n.last_value::text = s.state -> 'told' ->> 'change'
 where s.name = $1 and s.state -> 'told' ->> 'settings' = $2 and to_regclass('wikijs.attachment') is null;

-- name: store_told
-- Adds to the state of a source, if it has one, what its next import tells if it has nothing new.
-- $1 int source id, $2 jsonb
update wiki.source s
   set state = s.state || jsonb_build_object('told', $2::jsonb || jsonb_build_object(
                 'change', (select n.last_value::text from wiki.change_number n)))
 where s.id = $1;

-- name: recheck_conflicts
-- Lets the next import of each other source that left out pages read everything: pages of this source are gone. Which
-- folders are vaults of Obsidian stays, which keeps their comments hidden, and which layouts were recognized: former paths.
-- $1 int source id
update wiki.source s
   set state = case when s.state ? 'obsidian' then
         (select jsonb_object_agg(e.key, e.value) from jsonb_each(s.state) e where e.key in ('obsidian', 'recognized', 'due')) end,
       version = null
 where s.has_conflicts and s.id <> $1;

-- name: update_revisions
-- Updates stored revisions that changed; mostly none did. Returns them with their pages.
-- $1 uuid[] ids, $2 timestamptz[] times, $3 text[] authors, $4 text[] comments, $5 text[] statuses,
-- $6 text[] titles, $7 text[] categories (JSON), $8 text[] texts
with given as materialized (
  select id, created_at, author, comment, status, title, categories::jsonb, markdown
    from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
         as g (id, created_at, author, comment, status, title, categories, markdown)
)
update wiki.revision r
   set created_at = g.created_at, author = g.author, comment = g.comment, status = g.status, title = g.title,
       categories = g.categories, markdown = g.markdown, size = octet_length(g.markdown),
       base_id = null, base_start = null, base_end = null, visible = r.visible and g.status = 'accepted'
  from given g
 where r.id = g.id
   and (r.created_at, r.author, r.comment, r.status, r.title, r.categories,
        wiki.whole_text(r.base_id, r.base_start, r.base_end, r.markdown))
       is distinct from (g.created_at, g.author, g.comment, g.status, g.title, g.categories, g.markdown)
returning r.id, r.page_id as "pageId";

-- name: add_revisions
-- Returns the pages of the new revisions, and whether guests see them.
-- $1 uuid[] ids, $2 timestamptz[] times, $3 text[] authors, $4 text[] comments, $5 text[] statuses,
-- $6 text[] titles, $7 text[] categories (JSON), $8 text[] texts, or what differs from shared ones, $9 bigint[] page ids,
-- $10 int[] bytes of the whole texts, $11 uuid[] shared texts or null, $12 int[] and $13 int[] bytes of their beginnings and
-- ends
insert into wiki.revision
       (id, page_id, locale, created_at, author, comment, status, visible, title, categories, size, markdown, base_id,
        base_start, base_end)
select g.id, p.id, p.locale, g.created_at, g.author, g.comment, g.status,
       p.state = 'live' and g.status = 'accepted', g.title, g.categories::jsonb, g.size, g.markdown, g.base_id,
       g.base_start, g.base_end
  from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
              $9::bigint[], $10::int[], $11::uuid[], $12::int[], $13::int[])
       as g (id, created_at, author, comment, status, title, categories, markdown, page_id, size, base_id, base_start,
             base_end)
  join wiki.page p on p.id = g.page_id
returning page_id as "pageId", visible;

-- name: last_text
-- The text of the last visible revision of a page, or the shared one of which it is a part, and how much was stored of
-- those that share it.
-- $1 bigint page id
-- null: id
select b.id, coalesce(convert_from(b.text, 'UTF8'), v.markdown) as text,
       (select coalesce(sum(octet_length(r.markdown)), 0)::int from wiki.revision r where r.base_id = b.id) as spent
  from (select v.base_id, v.markdown
          from wiki.revision_visible v
         where v.page_id between $1 and $1
         order by v.created_at desc, v.id desc
         limit 1) v
  left join wiki.live_shared_text b on b.id = v.base_id;

-- name: add_shared_texts
-- $1 uuid[] ids, $2 uuid[] revisions, $3 bytea[] texts
insert into wiki.live_shared_text (id, revision_id, text)
select g.id, g.revision_id, g.text from unnest($1::uuid[], $2::uuid[], $3::bytea[]) as g (id, revision_id, text);

-- name: release_shared_texts
-- Deletes shared texts of which no visible revision is the source any more: the revisions that share them get their texts.
with gone as materialized (
  select b.id
    from wiki.live_shared_text b
   where not exists (select from wiki.revision_visible r where r.id = b.revision_id and r.base_id = b.id)
), released as (
  update wiki.revision r
     set markdown = wiki.whole_text(r.base_id, r.base_start, r.base_end, r.markdown),
         base_id = null, base_start = null, base_end = null
    from gone g
   where r.base_id = g.id
)
delete from wiki.live_shared_text b using gone g where b.id = g.id;

-- name: known_wiki
-- The license of the wiki, the number of the last change; and its main language, if another source names it, and this one
-- has no pages in another form of it. No row for the sample wiki, which the import removes.
-- $1 text source
-- null: locale, license
select case when n.name <> $1
             and not exists (select from wiki.page p
                               join wiki.source s on s.id = p.source_id and s.name = $1
                              where p.locale = split_part(w.default_locale, '-', 1) and p.locale <> w.default_locale)
            then w.default_locale end as locale,
       w.license, c.last_value as change
  from wiki.change_number c
  cross join wiki.wiki w
  join wiki.source n on n.id = w.source_id and n.name <> '(sample)';

-- name: links_without_page
-- The first links of a source to pages that do not exist, and how many there are among the first million links: of pages that
-- changed, and before them, of others to pages that went, by URL or by name. Targets such as `tool.zip` and `LICENSE` are
-- files; folders have lists of their pages.
-- $1 text source
-- $2 int8 a number: of what changed after it
-- $3 int4 how many of them
select l.page_path as page, l.path as target, count(*) over ()::int as links
  from (select false as is_older, page_id, page_locale, page_path, locale, path
          from (select * from wiki.live_link
                 where is_first and page_id in (select page_id from wiki.live_change where change > $2) limit 1000000) c
         union all
        select distinct true, l.page_id, l.page_locale, l.page_path, l.locale, l.path
          from wiki.tombstone t
         cross join lateral string_to_array(t.path, '/') as s (segments)
         cross join lateral generate_series(1, cardinality(s.segments)) as n (first)
          join wiki.live_link l on l.locale = t.locale and l.path = array_to_string(s.segments[n.first:], '/')
           and l.is_first and (n.first = 1 or l.name_key is not null)
          join wiki.live_change c on c.page_id = l.page_id and c.change <= $2
         where t.change > $2 and $2 > 0) l
  join wiki.page o on o.id = l.page_id
  join wiki.source s on s.id = o.source_id and s.name = $1
 where not exists (select from wiki.live_page p where p.locale = l.locale and p.path = l.path)
   and not exists (select from wiki.live_page p
                    where p.locale = l.locale and p.path > l.path || '/' and p.path < l.path || '0')
   and not exists (select from wiki.live_former_path f where f.locale = l.locale and f.path = l.path)
   and l.path !~ '^(template|page_template|module|category):|\.([A-Za-z0-9]{2,4}|canvas)$|(^|/)(LICEN[CS]E|COPYING|NOTICE|AUTHORS|Makefile|Dockerfile)$'
 order by l.is_older desc, l.page_locale, l.page_path, l.path
 limit $3;
