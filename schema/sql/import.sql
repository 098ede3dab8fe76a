-- Statements of the one writer. Batches come as one array a column.

-- name: wiki_name
-- No row before an import said it.
select w.name
  from wiki.wiki w;

-- name: import_wiki
-- $1 text name, $2 text default locale, $3 text license or null
insert into wiki.wiki (name, default_locale, license) values ($1, $2, $3)
on conflict (only_row) do update
  set name = excluded.name, default_locale = excluded.default_locale, license = excluded.license
  where (wiki.wiki.name, wiki.wiki.default_locale, wiki.wiki.license)
        is distinct from (excluded.name, excluded.default_locale, excluded.license);

-- name: import_locales
-- A configuration that this PostgreSQL lacks becomes 'simple'.
-- $1 text[] locales, $2 text[] names, $3 text[] search configurations, $4 boolean: rename those that exist
insert into wiki.locale (locale, name, search_config)
select g.locale, g.name, coalesce(c.oid, 'simple'::regconfig::oid)::regconfig
  from unnest($1::text[], $2::text[], $3::text[]) as g (locale, name, search_config)
  left join pg_ts_config c on c.cfgname = g.search_config and c.cfgnamespace = 'pg_catalog'::regnamespace
on conflict (locale) do update set name = excluded.name
  where $4 and wiki.locale.name is distinct from excluded.name
returning locale;

-- name: forget_locales
-- Languages that no live page uses and the wiki does not name, of all or of those that pages brought in.
-- $1 text[] locales that it names, or null where it was not asked; $2 text[] those that pages brought in
delete from wiki.locale l
 where case when $1::text[] is null then l.locale = any ($2::text[]) else l.locale <> all ($1) end
   and not exists (select from wiki.live_page p where p.locale = l.locale);

-- name: import_categories
-- $1 text[] locales, $2 text[] keys, $3 text[] names
insert into wiki.category (locale, key, name)
select * from unnest($1::text[], $2::text[], $3::text[])
on conflict (locale, key) do update set name = excluded.name
  where wiki.category.name is distinct from excluded.name;

-- name: import_pages
-- $1 text[] locales, $2 text[] paths, $3 text[] states, $4 text[] translation groups
insert into wiki.page (locale, path, state, translation_group)
select * from unnest($1::text[], $2::text[], $3::text[], $4::text[])
on conflict (locale, path) do update
  set state = excluded.state, translation_group = excluded.translation_group
  where (wiki.page.state, wiki.page.translation_group)
        is distinct from (excluded.state, excluded.translation_group);

-- name: page_ids
-- $1 text[] locales, $2 text[] paths
select k.n::int, p.id
  from unnest($1::text[], $2::text[]) with ordinality as k (locale, path, n)
  join wiki.page p on p.locale = k.locale and p.path = k.path;

-- name: stored_revisions
-- $1 uuid[] ids
select r.id, r.page_id as "pageId", p.locale, p.path
  from unnest($1::uuid[]) as g (id)
  join wiki.revision r on r.id = g.id
  join wiki.page p on p.id = r.page_id;

-- name: known_revisions
-- Of edits, those that are stored with this page and this time.
-- $1 uuid[] ids, $2 text[] locales, $3 text[] paths, $4 timestamptz[] times
select r.id
  from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[]) as g (id, locale, path, created_at)
  join wiki.revision r on r.id = g.id and r.created_at = g.created_at
  join wiki.page p on p.id = r.page_id and p.locale = g.locale and p.path = g.path;

-- name: stored_pages
-- Of pages that are stored: how many edits they have, and which one guests see.
-- $1 text[] locales, $2 text[] paths
select p.locale, p.path, (select count(*)::int from wiki.revision r where r.page_id = p.id) as revisions,
       l.revision_id as "liveId", l.revision_created_at as "liveAt"
  from unnest($1::text[], $2::text[]) as g (locale, path)
  join wiki.page p on p.locale = g.locale and p.path = g.path
  left join wiki.live_page l on l.id = p.id;

-- name: move_revisions
-- Edits that are stored under another page become this one's, to be published with it.
-- $1 uuid[] ids, $2 bigint[] page ids
update wiki.revision r
   set page_id = p.id, locale = p.locale, visible = false
  from unnest($1::uuid[], $2::bigint[]) as g (id, page_id)
  join wiki.page p on p.id = g.page_id
 where r.id = g.id;

-- name: forget_pages
-- Pages without an edit.
-- $1 bigint[] page ids
delete from wiki.page p
 where p.id = any ($1) and not exists (select from wiki.revision r where r.page_id = p.id);

-- name: has_live_pages
select exists (select from wiki.live_page) as "hasLivePages";

-- name: begin_imported_pages
-- Which pages an import brings, as numbers: a million of them are no matter.
create temporary table imported_page (id bigint primary key) on commit drop;

-- name: add_imported_pages
-- $1 bigint[] page ids
insert into pg_temp.imported_page (id) select * from unnest($1::bigint[]) on conflict do nothing;

-- name: absent_pages
-- Live pages that the import did not bring: the first three, each with how many there are.
-- $1 text locale, or null for all
select p.locale, p.path, (count(*) over ())::int as pages
  from wiki.live_page p
 where ($1::text is null or p.locale = $1)
   and not exists (select from pg_temp.imported_page i where i.id = p.id)
 order by p.locale, p.path
 limit 3;

-- name: change_revisions
-- Edits that are here already take what is new of them: mostly nothing.
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
       visible = r.visible and g.status = 'accepted'
  from given g
 where r.id = g.id
   and (r.created_at, r.author, r.comment, r.status, r.title, r.categories, r.markdown)
       is distinct from (g.created_at, g.author, g.comment, g.status, g.title, g.categories, g.markdown)
returning r.page_id as "pageId";

-- name: add_revisions
-- $1 uuid[] ids, $2 timestamptz[] times, $3 text[] authors, $4 text[] comments, $5 text[] statuses,
-- $6 text[] titles, $7 text[] categories (JSON), $8 text[] texts, $9 bigint[] page ids
insert into wiki.revision
       (id, page_id, locale, created_at, author, comment, status, visible, title, categories, size, markdown)
select g.id, p.id, p.locale, g.created_at, g.author, g.comment, g.status,
       p.state = 'live' and g.status = 'accepted', g.title, g.categories::jsonb, octet_length(g.markdown), g.markdown
  from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
              $9::bigint[])
       as g (id, created_at, author, comment, status, title, categories, markdown, page_id)
  join wiki.page p on p.id = g.page_id
returning page_id as "pageId";

-- name: publish_revisions
-- Moves edits whose page or status changed to where they may, or may not, be seen; answers their pages.
-- $1 bigint[] page ids
with moved as (
  update wiki.revision r
     set visible = p.state = 'live' and r.status = 'accepted'
    from wiki.page p
   where p.id = r.page_id and r.page_id = any ($1)
     and r.visible <> (p.state = 'live' and r.status = 'accepted')
  returning r.page_id
)
select distinct page_id as "pageId" from moved;

-- name: publish_pages
-- Live pages as their last accepted edit has them; answers those that changed.
-- $1 bigint[] page ids
insert into wiki.live_page
       (id, locale, ns, path, title, translation_group, revision_id, revision_created_at, revision_author)
select p.id, p.locale, coalesce(substring(p.path from '^(template|page_template|module|category):'), 'main'),
       p.path, r.title, p.translation_group, r.id, r.created_at, r.author
  from wiki.page p
 cross join lateral (
       select v.id, v.title, v.created_at, v.author
         from wiki.revision_visible v
        where v.page_id = p.id
        order by v.created_at desc, v.id desc
        limit 1) r
 where p.id = any ($1)
on conflict (id) do update
  set title = excluded.title, translation_group = excluded.translation_group, revision_id = excluded.revision_id,
      revision_created_at = excluded.revision_created_at, revision_author = excluded.revision_author
  where (wiki.live_page.title, wiki.live_page.translation_group, wiki.live_page.revision_id,
         wiki.live_page.revision_created_at, wiki.live_page.revision_author)
        is distinct from (excluded.title, excluded.translation_group, excluded.revision_id,
         excluded.revision_created_at, excluded.revision_author)
returning id;

-- name: withdraw_pages
-- Pages that a guest may no longer see; their members, words and sections go with them.
-- $1 bigint[] page ids
delete from wiki.live_page l
 where l.id = any ($1) and not exists (select from wiki.revision_visible v where v.page_id = l.id);

-- name: assign_positions
-- Gives edits that share their created_at the dates at which lists go on between them. (D66)
-- $1 bigint[] ids of pages whose edits may be others than before
select wiki.assign_positions($1::bigint[]);

-- name: withdraw_members
-- $1 bigint[] page ids
delete from wiki.live_category_member where page_id = any ($1);

-- name: publish_members
-- $1 bigint[] page ids
insert into wiki.live_category_member
       (locale, key, sort_key, path, page_id, ns, title, revision_id, revision_created_at, revision_author, name)
select l.locale, c.key, c.sort_key, l.path, l.id, l.ns, l.title, l.revision_id, l.revision_created_at,
       l.revision_author,
       coalesce((select n.name from wiki.category n where (n.locale, n.key) = (l.locale, c.key)),
                (select d.title from wiki.live_page d where (d.locale, d.path) = (l.locale, 'category:' || c.key)),
                c.key)
  from wiki.live_page l
  join wiki.revision_visible v on v.id = l.revision_id
 cross join lateral jsonb_to_recordset(v.categories) as c (key text, sort_key text)
 where l.id = any ($1);

-- name: rename_categories
-- Tells members what their categories are called now: as they are named, else as the page that describes them,
-- else by their keys.
-- $1 text[] locales, $2 text[] keys
update wiki.live_category_member m
   set name = n.name
  from (select k.locale, k.key,
               coalesce((select c.name from wiki.category c where (c.locale, c.key) = (k.locale, k.key)),
                        (select d.title from wiki.live_page d
                          where (d.locale, d.path) = (k.locale, 'category:' || k.key)),
                        k.key) as name
          from unnest($1::text[], $2::text[]) as k (locale, key)) n
 where (m.locale, m.key) = (n.locale, n.key) and m.name <> n.name;

-- name: sizes_to_index
-- How much there is to index of each page: bytes, at most as many as the characters that are indexed may have.
-- $1 bigint[] page ids, $2 int characters of a text that are indexed
select l.id, least(v.size, 4 * $2::int) as bytes
  from wiki.live_page l
  join guest.revision v on v.id = l.revision_id
 where l.id = any ($1) and l.ns <> 'category'
 order by l.id;

-- name: pages_to_index
-- Pages that describe a category are not searched.
-- $1 bigint[] page ids, $2 int characters of a text that are indexed
select l.id, l.locale, o.search_config::text as config, l.path, l.title, left(v.markdown, $2) as markdown,
       least(v.size, 4 * $2::int) as bytes,
       (select count(*)::int from guest.revision e where e.page_id = l.id) as edits
  from wiki.live_page l
  join wiki.locale o on o.locale = l.locale
  join guest.revision v on v.id = l.revision_id
 where l.id = any ($1) and l.ns <> 'category';

-- name: begin_index
savepoint index_pages;

-- name: end_index
release savepoint index_pages;

-- name: undo_index
rollback to savepoint index_pages;

-- name: index_pages
-- $1 bigint[] page ids, $2 text[] title keys, $3 text[] path keys, $4 real[] scores, $5 text[] words (as tsvectors),
-- $6 text[] positions of sections (as int[]), $7 text[] sections, $8 smallint form of the index
insert into wiki.live_search
       (page_id, locale, score, form, config, title_key, path_key, words, starts, body)
select p.id, p.locale, g.score, $8, l.search_config, g.title_key, g.path_key, g.words::tsvector,
       g.starts::int[], g.body
  from unnest($1::bigint[], $2::text[], $3::text[], $4::real[], $5::text[], $6::text[], $7::text[])
       as g (page_id, title_key, path_key, score, words, starts, body)
  join wiki.live_page p on p.id = g.page_id
  join wiki.locale l on l.locale = p.locale
on conflict (page_id) do update
  set locale = excluded.locale, score = excluded.score, form = excluded.form, config = excluded.config,
      title_key = excluded.title_key, path_key = excluded.path_key, words = excluded.words,
      starts = excluded.starts, body = excluded.body;

-- name: index_top
-- Of pages that were indexed, those that are among the first of all. Nothing where there are no such.
-- $1 bigint[] page ids
with first_of_all as (
  select s.page_id, s.locale, s.score, s.words
    from wiki.live_search s
    join wiki.search_cut c on s.score > c.score or s.score = c.score and s.page_id <= c.page_id
   where s.page_id = any ($1)
), gone as (
  delete from wiki.live_search_top t
   where t.page_id = any ($1) and t.page_id not in (select page_id from first_of_all)
)
insert into wiki.live_search_top (page_id, locale, score, words)
select page_id, locale, score, words from first_of_all
on conflict (page_id) do update
  set locale = excluded.locale, score = excluded.score, words = excluded.words;

-- name: search_sizes
-- How many pages are searched, how many of them are among the first, more than so many not counted, and whether
-- there is a cut.
-- $1 int4 most
select exists (select from wiki.search_cut) as cut,
       (select count(*)::int from (select from wiki.live_search limit $1) p) as pages,
       (select count(*)::int from (select from wiki.live_search_top limit $1) t) as top;

-- name: forget_top
with cut as (delete from wiki.search_cut)
delete from wiki.live_search_top;

-- name: choose_cut
-- $1 int4 how many pages are to be among the first
insert into wiki.search_cut (score, page_id)
select score, page_id from wiki.live_search order by score desc, page_id offset $1 - 1 limit 1
on conflict (only_row) do update set score = excluded.score, page_id = excluded.page_id;

-- name: fill_top
-- Makes the first pages those that the cut says.
with first_of_all as (
  select s.page_id, s.locale, s.score, s.words
    from wiki.live_search s
    join wiki.search_cut c on s.score > c.score or s.score = c.score and s.page_id <= c.page_id
), gone as (
  delete from wiki.live_search_top t where t.page_id not in (select page_id from first_of_all)
)
insert into wiki.live_search_top (page_id, locale, score, words)
select page_id, locale, score, words from first_of_all
on conflict do nothing;

-- name: index_locales
select locale from wiki.locale;

-- name: forget_links
-- $1 bigint[] page ids
delete from wiki.live_link where page_id = any ($1);

-- name: index_links
-- $1 bigint[] page ids, $2 text[] keys of the links' texts, $3 text[] locales and $4 text[] paths of their targets
insert into wiki.live_link (page_id, key, locale, path)
select p.id, g.key, g.locale, g.path
  from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) as g (page_id, key, locale, path)
  join wiki.live_page p on p.id = g.page_id
on conflict do nothing;

-- name: settle_index
-- What was added lies in a list that every search reads through, until it is put in its place.
select gin_clean_pending_list('wiki.live_search_words'), gin_clean_pending_list('wiki.live_search_top_words');

-- name: renew_configurations
-- Languages whose configuration is another now: this PostgreSQL may know more of them than the one before.
-- $1 text[] locales, $2 text[] search configurations
update wiki.locale l
   set search_config = coalesce(c.oid, 'simple'::regconfig::oid)::regconfig
  from unnest($1::text[], $2::text[]) as g (locale, search_config)
  left join pg_ts_config c on c.cfgname = g.search_config and c.cfgnamespace = 'pg_catalog'::regnamespace
 where l.locale = g.locale and l.search_config <> coalesce(c.oid, 'simple'::regconfig::oid)::regconfig;

-- name: pages_to_reindex
-- Pages whose words were made otherwise than now, or never.
-- $1 int2 form of the index, $2 bigint page to start after, $3 boolean: all pages, $4 int4 rows
select l.id
  from wiki.live_page l
  join wiki.locale o on o.locale = l.locale
  left join wiki.live_search s on s.page_id = l.id
 where l.id > $2 and l.ns <> 'category'
   and ($3 or s.page_id is null or s.form <> $1 or s.config <> o.search_config)
 order by l.id
 limit $4;

-- name: count_pages_to_reindex
-- $1 int2 form of the index, $2 boolean: all pages
select count(*)::int as pages
  from wiki.live_page l
  join wiki.locale o on o.locale = l.locale
  left join wiki.live_search s on s.page_id = l.id
 where l.ns <> 'category' and ($2 or s.page_id is null or s.form <> $1 or s.config <> o.search_config);

-- name: set_index_form
-- $1 int2 form of the index
update wiki.search_form set form = $1 where form <> $1;

-- name: is_empty
-- Whether nothing was ever imported.
select not exists (select from wiki.wiki) and not exists (select from wiki.page) as empty;
