-- Statements of loaders: files that live pages show or link. Each list walks an index in the order of paths.

-- name: files_of_page
-- $1 bigint[] page ids
-- null: width, height, modifiedAt, author
-- plan: 60 | the files of pages | '{1,500,9000}'
select k.n::int, u.reference, f.id, f.locale, f.path, f.media_type as "mediaType", f.bytes,
       encode(f.sha256, 'hex') as sha256, f.blob_id as "blobId", f.width, f.height, f.modified_at as "modifiedAt", f.author
  from unnest($1::bigint[]) with ordinality as k (id, n)
  join guest.file_use u on u.page_id = k.id
  join guest.file f on f.id = u.file_id
 order by k.n, f.path, f.locale, u.reference;

-- name: file_by_path
-- The file at a path: that of a language, or else the one that belongs to no language.
-- $1 text[] locales, $2 text[] paths
-- null: width, height, modifiedAt, author
-- plan: 12 | a file by its path | '{en,ru}', '{"file 000001","file 010000"}'
select k.n::int, f.id, f.locale, f.path, f.media_type as "mediaType", f.bytes, encode(f.sha256, 'hex') as sha256,
       f.width, f.height, f.modified_at as "modifiedAt", f.author
  from unnest($1::text[], $2::text[]) with ordinality as k (locale, path, n)
 cross join lateral (
       select g.id, g.locale, g.path, g.media_type, g.bytes, g.sha256, g.width, g.height, g.modified_at, g.author
         from guest.file g
        where g.path = k.path and g.locale in (k.locale, '')
        order by g.locale desc
        limit 1) f;

-- name: file_by_hash
-- A file with this hash whose path ends with this name.
-- $1 text[] hashes (SHA-256, hexadecimal), $2 text[] names
-- plan: 12 | a file by its hash, and none | array[encode(sha256('1'::bytea), 'hex'), '00'], '{"file 000001",x}'
select k.n::int, f.path, f.blob_id as "blobId", f.media_type as "mediaType", f.bytes
  from unnest($1::text[], $2::text[]) with ordinality as k (sha256, name, n)
 cross join lateral (
       select g.path, g.blob_id, g.media_type, g.bytes
         from guest.file g
        where g.sha256 = decode(k.sha256, 'hex') and substring(g.path from '[^/]*$') = k.name
        order by g.path, g.locale
        limit 1) f;

-- name: file_part
-- No row: guests see no file with these bytes. No data: they are outside the database.
-- $1 bigint id of a blob, $2 int4 part, from 0
-- null: data
-- plan: 12 | a part of a file | 5, 1
select p.data, encode(f.sha256, 'hex') as sha256, f.bytes
  from (select g.blob_id, g.sha256, g.bytes from guest.file g where g.blob_id = $1 limit 1) f
  left join guest.file_part p on p.blob_id = f.blob_id and p.part = $2;

-- name: files_after
-- $1 text[] paths and $2 text[] locales of the file to start after, $3 text[] beginnings of paths, $4 int[] rows
-- null: width, height, modifiedAt, author
-- plan: 70 | files from the middle of the list | '{"file 010000"}', '{""}', '{""}', '{51}'
select k.n::int, f.id, f.locale, f.path, f.media_type as "mediaType", f.bytes, encode(f.sha256, 'hex') as sha256,
       f.width, f.height, f.modified_at as "modifiedAt", f.author
  from unnest($1::text[], $2::text[], $3::text[], $4::int[]) with ordinality
       as k (after_path, after_locale, prefix, first, n)
 cross join lateral (
       select g.id, g.locale, g.path, g.media_type, g.bytes, g.sha256, g.width, g.height, g.modified_at, g.author
         from guest.file g
        where (g.path, g.locale) > (k.after_path, k.after_locale)
          and g.path >= k.prefix and g.path < k.prefix || chr(1114111)
        order by g.path, g.locale
        limit k.first) f
 order by k.n, f.path, f.locale;

-- name: files_of_type
-- The same of one media type (`image/png`) or of all that begin alike (`image`).
-- $1 to $4 as above, $5 text[] types
-- null: width, height, modifiedAt, author
-- plan: 40 | files of a rare type, from the middle | '{"file 010000"}', '{""}', '{""}', '{11}', '{application}'
-- plan: 120 | files of a type whose paths begin alike | '{""}', '{""}', '{"file 01"}', '{51}', '{image/png}'
select k.n::int, f.id, f.locale, f.path, f.media_type as "mediaType", f.bytes, encode(f.sha256, 'hex') as sha256,
       f.width, f.height, f.modified_at as "modifiedAt", f.author
  from unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::text[]) with ordinality
       as k (after_path, after_locale, prefix, first, type, n)
 cross join lateral (
      (select g.id, g.locale, g.path, g.media_type, g.bytes, g.sha256, g.width, g.height, g.modified_at, g.author
         from guest.file g
        where g.media_kind = k.type and (g.path, g.locale) > (k.after_path, k.after_locale)
          and g.path >= k.prefix and g.path < k.prefix || chr(1114111)
        order by g.path, g.locale
        limit k.first)
       union all
      (select g.id, g.locale, g.path, g.media_type, g.bytes, g.sha256, g.width, g.height, g.modified_at, g.author
         from guest.file g
        where g.media_type = k.type and (g.path, g.locale) > (k.after_path, k.after_locale)
          and g.path >= k.prefix and g.path < k.prefix || chr(1114111)
        order by g.path, g.locale
        limit k.first)) f
 order by k.n, f.path, f.locale;

-- name: pages_of_file
-- Pages that use a file, in the order of their locales and paths.
-- $1 bigint[] ids of files, $2 text[] locales and $3 text[] paths of the pages to start after, $4 int[] rows
-- plan: 300 | pages that use a file that all pages use, from the middle | '{1}', '{en}', '{"page 010001"}', '{51}'
select k.n::int, p.id, p.locale, p.ns, p.path, p.title
  from unnest($1::bigint[], $2::text[], $3::text[], $4::int[]) with ordinality
       as k (file_id, after_locale, after_path, first, n)
 cross join lateral (
       select distinct on (u.page_locale, u.page_path) u.page_id
         from guest.file_use u
        where u.file_id = k.file_id and (u.page_locale, u.page_path) > (k.after_locale, k.after_path)
        order by u.page_locale, u.page_path
        limit k.first) u
  join guest.page p on p.id = u.page_id
 order by k.n, p.locale, p.path;
