-- An export reads the pages in the order of locale and path. Each statement exists twice: for everything that is
-- stored, and for what guests see, which is read only through the views of guests. (D71)

-- name: export_wiki
-- null: license, file_roots
select w.name, w.default_locale, w.license,
       (select coalesce(json_agg(json_build_object('locale', l.locale, 'name', l.name) order by l.locale), '[]')
          from wiki.locale l) as locales,
       (select s.file_roots from wiki.source s where s.file_roots is not null order by s.id limit 1) as file_roots
  from wiki.wiki w;

-- name: export_guest_wiki
-- The folders of rooted references follow from the files that guests see: the deepest first, as in a source.
-- null: license, file_roots
select w.name, w.default_locale, w.license,
       (select coalesce(json_agg(json_build_object('locale', l.locale, 'name', l.name) order by l.locale), '[]')
          from guest.locale l) as locales,
       (select jsonb_agg(r.root order by length(r.root) desc, r.root)
          from (select distinct ltrim(left('/' || f.path, -length(u.reference)), '/') as root
                  from guest.file_use u
                  join guest.file f on f.id = u.file_id
                 where u.reference like '/%' and right('/' || f.path, length(u.reference)) = u.reference) r) as file_roots
  from guest.wiki w;

-- name: export_count
select count(*)::int as pages from wiki.page;

-- name: export_guest_count
select count(*)::int as pages from guest.page;

-- name: export_categories
-- $1 text locale, $2 text key to start after, $3 int rows
select locale, key, name from wiki.category
 where (locale, key) > ($1, $2)
 order by locale, key
 limit $3;

-- name: export_guest_categories
-- Categories that contain a live page, or that a live page describes: the name of a category with only hidden pages must
-- stay hidden.
-- $1 text locale, $2 text key to start after, $3 int rows
select c.locale, c.key, c.name from guest.category c
 where (c.locale, c.key) > ($1, $2)
   and (exists (select from guest.category_member m where m.locale = c.locale and m.key = c.key)
        or exists (select from guest.page p where p.locale = c.locale and p.path = 'category:' || c.key))
 order by c.locale, c.key
 limit $3;

-- name: export_pages
-- $1 text locale and $2 text path to start after, $3 int rows
-- null: translation_group, source_path, dialect, position, group_titles, nav_title, site_path
select id, locale, path, state, translation_group, case when state <> 'deleted' then source_path end as source_path,
       case when state <> 'deleted' then nullif(dialect, 'markdown') end as dialect,
       s.position, s.group_titles, s.nav_title, s.site_path
  from wiki.page
  left join wiki.live_page_position s on s.page_id = page.id
 where (locale, path) > ($1, $2)
 order by locale, path
 limit $3;

-- name: export_guest_pages
-- A translation group gets its name from its first live page, because its stored name may be from a hidden page.
-- $1 text locale and $2 text path to start after, $3 int rows
-- null: translation_group, source_path, dialect, position, group_titles, nav_title, site_path, uses
select p.id, p.locale, p.path, 'live' as state, p.title, p.revision_id, null::text as source_path,
       (select jsonb_agg(jsonb_build_array(u.reference, f.path) order by u.reference)
          from guest.file_use u
          join guest.file f on f.id = u.file_id
         where u.page_id = p.id and u.reference !~ '^(/|\[\[)') as uses,
       nullif(p.dialect, 'markdown') as dialect,
       s.position, s.group_titles, s.nav_title, s.site_path,
       (select case when count(*) > 1 then md5((array_agg(t.locale || '/' || t.path order by t.locale, t.path))[1]) end
          from guest.page t
         where t.translation_group = p.translation_group) as translation_group,
       (select coalesce(json_agg(json_build_object('key', m.key, 'sort_key', m.sort_key) order by m.key), '[]')
          from guest.category_member m
         where m.page_id = p.id) as categories
  from guest.page p
  left join guest.page_position s on s.page_id = p.id
 where (p.locale, p.path) > ($1, $2)
 order by p.locale, p.path
 limit $3;

-- name: export_sizes
-- Revisions without their texts, in the given order of pages, then by time and id; the size of each text, and of
-- everything that is read of the revision.
-- $1 bigint[] page ids, $2 int page (from 1), $3 timestamptz time and $4 uuid id to start after, $5 int rows
select k.n::int, r.id, r.created_at, r.size,
       r.size + octet_length(r.comment) + octet_length(r.categories::text) + 200 as bytes
  from unnest($1::bigint[]) with ordinality as k (page_id, n)
  join wiki.revision r on r.page_id = k.page_id
 where k.n >= $2::int and (k.n, r.created_at, r.id) > ($2::int, $3::timestamptz, $4::uuid)
 order by k.n, r.created_at, r.id
 limit $5;

-- name: export_guest_sizes
-- $1 to $5 as above
select k.n::int, r.id, r.created_at, r.size, r.size + octet_length(r.comment) + 200 as bytes
  from unnest($1::bigint[]) with ordinality as k (page_id, n)
  join guest.revision r on r.page_id = k.page_id
 where k.n >= $2::int and (k.n, r.created_at, r.id) > ($2::int, $3::timestamptz, $4::uuid)
 order by k.n, r.created_at, r.id
 limit $5;

-- name: export_revisions
-- $1 uuid[] ids
select id, created_at, author, comment, status, title,
       wiki.whole_text(base_id, base_start, base_end, markdown) as markdown, categories
  from wiki.revision
 where id = any ($1);

-- name: export_guest_revisions
-- $1 uuid[] ids
select id, created_at, author, comment, markdown
  from guest.revision
 where id = any ($1);

-- name: export_files
-- Files that live pages use: others are not stored.
-- $1 text path and $2 text locale to start after, $3 int rows
-- null: modified_at, author
select locale, path, encode(sha256, 'hex') as sha256, blob_id, bytes, modified_at, author
  from wiki.live_file
 where (path, locale) > ($1, $2)
 order by path, locale
 limit $3;

-- name: export_guest_files
-- $1 text path and $2 text locale to start after, $3 int rows
-- null: modified_at, author
select locale, path, encode(sha256, 'hex') as sha256, blob_id, bytes, modified_at, author
  from guest.file
 where (path, locale) > ($1, $2)
 order by path, locale
 limit $3;

-- name: export_file_part
-- No data: the bytes are outside the database.
-- $1 bigint id of a blob, $2 int4 part, from 0
-- null: data
select p.data, encode(f.sha256, 'hex') as sha256, f.bytes
  from (select l.blob_id, l.sha256, l.bytes from wiki.live_file l where l.blob_id = $1 limit 1) f
  left join wiki.live_blob_part p on p.blob_id = f.blob_id and p.part = $2;
