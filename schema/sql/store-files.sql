-- Statements of the writer that store files, at the end of an import. (D139)

-- name: set_file_roots
-- Stores the folders of a source in which references that begin with a slash are looked up. Returns a row if they changed.
-- $1 int source id, $2 jsonb folders, or null
update wiki.source s set file_roots = $2::jsonb
 where s.id = $1 and s.file_roots is distinct from $2::jsonb
returning true as changed;

-- name: record_pages_of_source
-- All live pages of a source are indexed again.
-- $1 int source id
insert into pg_temp.imported_page (id, is_imported, is_changed, is_complete, is_published)
select p.id, false, false, false, true
  from wiki.page p
  join wiki.live_page l on l.id = p.id
 where p.source_id = $1
on conflict (id) do update set is_published = true;

-- name: update_file_references
-- Stores the references of pages to files in place of those that they had. What a text no longer refers to is no longer used.
-- $1 bigint[] pages that were indexed, $2 bigint[] page ids, $3 text[] references, $4 int2[] places, $5 text[] paths,
-- $6 text[] name keys or null
with removed as (
  delete from wiki.live_file_reference r where r.page_id = any ($1)
), unused as (
  delete from wiki.live_file_use u
   where u.page_id = any ($1)
     and not exists (select from unnest($2::bigint[], $3::text[]) as g (page_id, reference)
                      where (g.page_id, g.reference) = (u.page_id, u.reference))
)
insert into wiki.live_file_reference (page_id, reference, place, path, name_key)
select g.page_id, g.reference, g.place, g.path, g.name_key
  from unnest($2::bigint[], $3::text[], $4::int2[], $5::text[], $6::text[])
       as g (page_id, reference, place, path, name_key)
  join wiki.live_page l on l.id = g.page_id;

-- name: begin_imported_unused_files
-- Files that lost a page that used them.
create temporary table imported_unused_file (id bigint not null) on commit drop;

-- name: begin_imported_files
-- Files of the source to which live pages may refer.
create temporary table imported_file (
  locale text collate "C" not null,
  path text collate "C" not null,
  name_key text collate "C" not null,
  version text not null,
  primary key (path, locale)
) on commit drop;

-- name: begin_imported_file_uses
create temporary table imported_file_use (
  page_id bigint not null,
  reference text collate "C" not null,
  locale text collate "C" not null,
  path text collate "C" not null,
  -- The reference leads to a file that is not stored.
  is_left_out boolean not null default false,
  primary key (page_id, reference)
) on commit drop;

-- name: record_files
-- Records those of some files to which live pages may refer. The order of the subqueries forbids reading whole tables. (D23)
-- $1 text[] locales, $2 text[] paths, $3 text[] name keys, $4 text[] versions
insert into pg_temp.imported_file (locale, path, name_key, version)
select g.locale, g.path, g.name_key, g.version
  from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as g (locale, path, name_key, version)
 where (select r.page_id from wiki.live_file_reference r
         where r.path >= g.path and r.path <= g.path order by r.path limit 1) is not null
    or (select r.page_id from wiki.live_file_reference r
         where r.name_key >= g.name_key and r.name_key <= g.name_key order by r.name_key limit 1) is not null
on conflict do nothing
returning locale, path;

-- name: analyze_files
analyze wiki.live_file_reference, pg_temp.imported_file;

-- name: resolve_files
-- Finds the file of each reference of the source's pages: at the first path that exists; by name, one whose path has this
-- end, in the same case if there is one, and of several the one in the fewest folders.
-- $1 int source id, or null for all pages
insert into pg_temp.imported_file_use (page_id, reference, locale, path)
select distinct on (c.page_id, c.reference) c.page_id, c.reference, c.locale, c.path
  from (select r.page_id, r.reference, r.place, false as is_other_case, f.locale, f.path
          from wiki.live_file_reference r
          join pg_temp.imported_file f on f.path = r.path
         where r.name_key is null
         union all
        select r.page_id, r.reference, r.place, right('/' || f.path, length(r.path) + 1) <> '/' || r.path, f.locale, f.path
          from wiki.live_file_reference r
          join pg_temp.imported_file f
            on f.name_key = r.name_key and right(lower('/' || f.path), length(r.path) + 1) = lower('/' || r.path)) c
  join wiki.page p on p.id = c.page_id and (p.source_id = $1::int) is not false and c.locale in (p.locale, '')
 order by c.page_id, c.reference, c.place, c.is_other_case, array_length(string_to_array(c.path, '/'), 1), c.locale desc,
          c.path;

-- name: files_to_read
-- Files that are used and not stored in this version, and whether another source has a file at this path.
-- $1 int source id or null
select u.locale, u.path, coalesce(f.source_id <> $1::int, false) as "isOfOther"
  from (select distinct locale, path from pg_temp.imported_file_use) u
  join pg_temp.imported_file i on (i.locale, i.path) = (u.locale, u.path)
  left join wiki.live_file f on (f.locale, f.path) = (u.locale, u.path)
 where f.id is null or f.version <> i.version or f.source_id <> $1::int
 order by u.path, u.locale;

-- name: leave_out_files
-- $1 text[] locales, $2 text[] paths of files that are not stored
update pg_temp.imported_file_use u set is_left_out = true
  from unnest($1::text[], $2::text[]) as g (locale, path)
 where (u.locale, u.path) = (g.locale, g.path);

-- name: stored_blobs
-- $1 bytea[] hashes (SHA-256), $2 boolean whether their bytes must be outside the database, or in it
select b.id, encode(b.sha256, 'hex') as sha256
  from wiki.live_blob b
 where b.sha256 = any ($1::bytea[]) and b.is_outside = $2::boolean;

-- name: add_blobs
-- Stores bytes that fit into one part each.
-- $1 bytea[] hashes, $2 bytea[] bytes
with added as (
  insert into wiki.live_blob (sha256)
  select g.sha256 from unnest($1::bytea[]) as g (sha256)
  on conflict (sha256) do update set is_outside = false
  returning id, sha256
), parts as (
  insert into wiki.live_blob_part (blob_id, part, data)
  select a.id, 0, g.data
    from unnest($1::bytea[], $2::bytea[]) as g (sha256, data)
    join added a on a.sha256 = g.sha256
)
select a.id, encode(a.sha256, 'hex') as sha256 from added a;

-- name: add_blobs_outside
-- The same of bytes that are outside the database. If they were in it, they no longer are.
-- $1 bytea[] hashes
with added as (
  insert into wiki.live_blob (sha256, is_outside)
  select g.sha256, true from unnest($1::bytea[]) as g (sha256)
  on conflict (sha256) do update set is_outside = true
  returning id, sha256
), moved as (
  delete from wiki.live_blob_part p using added a where p.blob_id = a.id
)
select a.id, encode(a.sha256, 'hex') as sha256 from added a;

-- name: record_blobs_outside
-- On a connection of its own, before bytes are written outside the database: an import that fails leaves none.
-- $1 bytea[] hashes
insert into wiki.unused_blob (sha256) select g.sha256 from unnest($1::bytea[]) as g (sha256);

-- name: take_unused_blobs
with taken as (
  delete from wiki.unused_blob returning sha256
)
select distinct encode(t.sha256, 'hex') as sha256
  from taken t
 where not exists (select from wiki.live_blob b where b.sha256 = t.sha256 and b.is_outside);

-- name: begin_blob
-- A blob whose parts follow.
insert into wiki.live_blob default values returning id;

-- name: add_blob_part
-- $1 bigint id of the blob, $2 int part, $3 bytea bytes
insert into wiki.live_blob_part (blob_id, part, data) values ($1, $2, $3);

-- name: finish_blob
-- Gives a blob its hash. If another one has it already, the new one is deleted, and the other one gets its parts if its
-- bytes were outside. Returns the one that is left.
-- $1 bigint id of the blob, $2 bytea hash
with known as materialized (
  select b.id, b.is_outside from wiki.live_blob b where b.sha256 = $2::bytea
), moved as (
  update wiki.live_blob_part p set blob_id = k.id
    from known k
   where p.blob_id = $1::bigint and k.is_outside
), inside as (
  update wiki.live_blob b set is_outside = false
    from known k
   where b.id = k.id and k.is_outside
), deleted as (
  delete from wiki.live_blob b using known where b.id = $1::bigint
), finished as (
  update wiki.live_blob b set sha256 = $2::bytea
   where b.id = $1::bigint and not exists (select from known)
  returning b.id
)
select id from known union all select id from finished;

-- name: delete_blob
-- $1 bigint id of a blob that was not finished
delete from wiki.live_blob b where b.id = $1;

-- name: store_files
-- $1 int source id or null, $2 text[] locales, $3 text[] paths, $4 text[] versions, $5 bigint[] ids of blobs, $6 text[]
-- media types, $7 int[] bytes, $8 int[] widths, $9 int[] heights, $10 timestamptz[] times of the last change, $11 text[]
-- authors
insert into wiki.live_file
       (source_id, locale, path, version, blob_id, sha256, media_type, bytes, width, height, modified_at, author)
select $1::int, g.locale, g.path, g.version, g.blob_id, b.sha256, g.media_type, g.bytes, g.width, g.height,
       g.modified_at, g.author
  from unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::int[], $8::int[], $9::int[],
              $10::timestamptz[], $11::text[])
       as g (locale, path, version, blob_id, media_type, bytes, width, height, modified_at, author)
  join wiki.live_blob b on b.id = g.blob_id
on conflict (path, locale) do update
  set source_id = coalesce(excluded.source_id, wiki.live_file.source_id), version = excluded.version,
      blob_id = excluded.blob_id, sha256 = excluded.sha256, media_type = excluded.media_type, bytes = excluded.bytes,
      width = excluded.width, height = excluded.height, modified_at = excluded.modified_at, author = excluded.author;

-- name: store_file_uses
-- Stores which files the pages of a source use. Rows that stay are not written, because a row that is written numbers a
-- change. (D100)
-- $1 int source id, or null for all pages; $2 boolean: remove uses that were not found
with removed as (
  delete from wiki.live_file_use u
   using wiki.page p
   where $2 and p.id = u.page_id and (p.source_id = $1::int) is not false
     and not exists (select from pg_temp.imported_file_use i where (i.page_id, i.reference) = (u.page_id, u.reference)
                       and not i.is_left_out)
)
insert into wiki.live_file_use (page_id, reference, file_id, page_locale, page_path)
select i.page_id, i.reference, f.id, l.locale, l.path
  from pg_temp.imported_file_use i
  join wiki.live_page l on l.id = i.page_id
  join wiki.live_file f on (f.locale, f.path) = (i.locale, i.path)
 where not i.is_left_out
on conflict (page_id, reference) do update set file_id = excluded.file_id
  where wiki.live_file_use.file_id <> excluded.file_id;

-- name: delete_unused_files
delete from wiki.live_file f
 using (select distinct id from pg_temp.imported_unused_file) i
 where f.id = i.id and not exists (select from wiki.live_file_use u where u.file_id = f.id);

-- name: file_summary
-- How many files the pages of a source use, and with how many bytes.
-- $1 int source id, or null for all pages
select count(f.id)::int as files, coalesce(sum(f.bytes), 0)::float8 as bytes
  from wiki.live_file f
 where (f.source_id = $1::int) is not false;

-- name: missing_files
-- The first three references of the pages of a source that lead to no file, and in each row how many there are.
-- $1 int source id, or null for all pages
select g.reference, l.path as page, count(*) over ()::int as references
  from (select distinct r.page_id, r.reference from wiki.live_file_reference r) g
  join wiki.page p on p.id = g.page_id and (p.source_id = $1::int) is not false
  join wiki.live_page l on l.id = g.page_id
 where not exists (select from wiki.live_file_use u where (u.page_id, u.reference) = (g.page_id, g.reference))
   and not exists (select from pg_temp.imported_file_use i where (i.page_id, i.reference) = (g.page_id, g.reference))
 order by l.path, l.locale, g.reference
 limit 3;
