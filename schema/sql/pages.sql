-- Statements of loaders take one array for each column of their keys, and return rows with `n`, the index of the key in
-- these arrays, from 1. One statement reads many keys: one round trip, one plan.

-- name: page_by_path
-- A page with everything that its response contains.
-- $1 text[] locales, $2 text[] paths
-- null: dialect
-- plan: 60 | a page | '{en}', '{"page 010001"}'
-- plan: 180 | three pages at once | '{en,en,ru}', '{"page 010001","page 000001","page 000003"}'
select k.n::int, p.id, p.locale, p.ns, p.path, p.title,
       r.id as "revisionId", r.created_at as "revisionCreatedAt", r.author as "revisionAuthor",
       r.comment as "revisionComment", r.size as "revisionSize", r.markdown as "revisionMarkdown",
       (select coalesce(json_agg(json_build_object('locale', m.locale, 'key', m.key, 'name', m.name)
                 order by m.key), '[]')
          from guest.category_member m
         where m.page_id = p.id) as categories,
       (select coalesce(json_agg(json_build_object('locale', t.locale, 'path', t.path, 'title', t.title)
                 order by t.locale, t.path), '[]')
          from guest.page t
         where t.translation_group = p.translation_group and t.locale <> p.locale) as translations,
       (select u.page_id from guest.file_use u where u.page_id = p.id order by u.reference limit 1) is not null as "hasFiles",
       p.dialect
  from unnest($1::text[], $2::text[]) with ordinality as k (locale, path, n)
  join guest.page p on p.locale = k.locale and p.path = k.path
  join guest.revision r on r.id = p.revision_id;

-- name: listed_page
-- What a list contains of a page.
-- $1 text[] locales, $2 text[] paths
-- plan: 40 | three pages of a list | '{en,en,ru}', '{"page 010001","page 000001","page 000003"}'
select k.n::int, p.id, p.locale, p.ns, p.path, p.title,
       p.revision_id as "revisionId", p.revision_created_at as "revisionCreatedAt",
       p.revision_author as "revisionAuthor"
  from unnest($1::text[], $2::text[]) with ordinality as k (locale, path, n)
  join guest.page p on p.locale = k.locale and p.path = k.path;

-- name: page_by_id
-- $1 bigint[] ids
-- plan: 30 | three pages by their ids | '{10,11,12}'
select k.n::int, p.id, p.locale, p.ns, p.path, p.title,
       p.revision_id as "revisionId", p.revision_created_at as "revisionCreatedAt",
       p.revision_author as "revisionAuthor"
  from unnest($1::bigint[]) with ordinality as k (id, n)
  join guest.page p on p.id = k.id;

-- name: dialect_of_page
-- $1 bigint[] page ids
-- null: dialect
-- plan: 20 | the dialects of pages | '{1,500,9000}'
select k.n::int, p.dialect
  from unnest($1::bigint[]) with ordinality as k (id, n)
  join guest.page p on p.id = k.id;

-- name: position_of_page
-- $1 bigint[] page ids
-- null: position, group_titles, nav_title
-- plan: 20 | the positions of pages | '{1,500,9000}'
select k.n::int, p.position, p.group_titles, p.nav_title
  from unnest($1::bigint[]) with ordinality as k (id, n)
  join guest.page_position p on p.page_id = k.id;

-- name: site_path
-- $1 text[] locales, $2 text[] paths
-- null: sitePath
-- plan: 40 | the paths of pages on their site | '{en,en,en}', '{"page 000001","page 000500","page 009000"}'
select k.n::int, s.site_path as "sitePath"
  from unnest($1::text[], $2::text[]) with ordinality as k (locale, path, n)
  join guest.page p on p.locale = k.locale and p.path = k.path
  join guest.page_position s on s.page_id = p.id;

-- name: categories_of_page
-- $1 bigint[] page ids
-- plan: 90 | categories of pages | '{10,11,12}'
select k.n::int, m.locale, m.key, m.name
  from unnest($1::bigint[]) with ordinality as k (id, n)
  join guest.category_member m on m.page_id = k.id
 order by k.n, m.key;

-- name: translations_of_page
-- $1 bigint[] page ids
-- plan: 90 | translations of pages | '{10,11,12}'
select k.n::int, t.locale, t.path, t.title
  from unnest($1::bigint[]) with ordinality as k (id, n)
  join guest.page p on p.id = k.id
  join guest.page t on t.translation_group = p.translation_group and t.locale <> p.locale
 order by k.n, t.locale, t.path;

-- name: contributors_of_page
-- How many authors the revisions of each page have, and those with the most revisions: name, number of revisions, and
-- time of the last one.
-- $1 bigint[] page ids, $2 int[] authors
-- plan: 60 | the authors of pages | '{10,11,12}', '{100,100,100}'
select k.n::int, c.total::int, c.name, c.edits::int, c.last_at as "lastAt"
  from unnest($1::bigint[], $2::int[]) with ordinality as k (id, first, n)
 cross join lateral (
       select r.author as name, count(*) as edits, max(r.created_at) as last_at, count(*) over () as total
         from guest.revision r
        where r.page_id = k.id
        group by r.author
        order by edits desc, last_at desc, r.author collate "C"
        limit k.first) c
 order by k.n, c.edits desc, c.last_at desc, c.name collate "C";

-- name: pages_after
-- Live pages of a language and namespace by the bytes of their path. The condition on the namespace is not an equation:
-- with an equation, the planner might read all paths of the language to find a few templates. (D23)
-- The list is one row, with a JSON array for each column: node takes half the time that it takes for a row of each page.
-- $1 text[] locales, $2 text[] namespaces, $3 text[] paths to start after ('' for the beginning), $4 int[] rows
-- null: id, path, title, revisionId, revisionCreatedAt, revisionAuthor
-- plan: 60 | the first part of the list of pages | '{en}', '{main}', '{""}', '{51}'
-- plan: 210 | a part from its middle | '{en}', '{main}', '{"page 010001"}', '{201}'
-- plan: 180 | parts of three lists at once | '{en,ru,en}', '{main,main,template}', '{"","page 01",""}', '{51,51,51}'
select k.n::int, x.*
  from unnest($1::text[], $2::text[], $3::text[], $4::int[]) with ordinality as k (locale, ns, after, first, n)
 cross join lateral (
       select json_agg(p.id) as id, json_agg(p.path) as path, json_agg(p.title) as title,
              json_agg(p.revision_id) as "revisionId", json_agg(p.revision_created_at) as "revisionCreatedAt",
              json_agg(p.revision_author) as "revisionAuthor"
         from (select p.id, p.path, p.title, p.revision_id, p.revision_created_at, p.revision_author
                 from guest.page p
                where p.locale = k.locale and (p.ns, p.path) > (k.ns, k.after) and p.ns <= k.ns
                order by p.ns, p.path
                limit k.first) p) x;

-- name: listed_notes
-- For each language, the live pages of its main namespace, with the keys of their categories and, of the first characters of
-- their text, the table at its beginning; none if there are more pages. A join could read all revisions.
-- $1 text[] locales, $2 int[] pages at most, $3 int[] characters
-- null: tags, properties
select k.n::int, p.path,
       (select substring(left(r.markdown, k.characters) from '^(?:\|[^\n]*\n)+')
          from guest.revision r where r.id = p.revision_id) as properties,
       (select json_agg(m.key order by m.key) from guest.category_member m where m.page_id = p.id) as tags
  from unnest($1::text[], $2::int[], $3::int[]) with ordinality as k (locale, pages, characters, n)
 cross join lateral (
       select l.*, count(*) over () as pages
         from (select p.id, p.path, p.revision_id
                 from guest.page p
                where p.locale = k.locale and (p.ns, p.path) > ('main', '') and p.ns <= 'main'
                order by p.ns, p.path
                limit k.pages + 1) l) p
 where p.pages <= k.pages;

-- name: page_starts
-- The paths after which the second and each further part of the live pages of the main namespace begins: it reads one index.
-- $1 text[] locales, $2 int[] pages of a part
select k.n::int, s.path
  from unnest($1::text[], $2::int[]) with ordinality as k (locale, size, n)
 cross join lateral (
       select lag(p.path) over by_path as path, row_number() over by_path as number
         from guest.page p
        where p.locale = k.locale and (p.ns, p.path) > ('main', '') and p.ns <= 'main'
       window by_path as (order by p.ns, p.path)) s
 where s.number > 1 and (s.number - 1) % k.size = 0
 order by k.n, s.number;

-- name: pages_with_prefix
-- The same of the paths with a beginning, with equations: a bound of two columns does not end the scan of an index. No path has more than 512 bytes: 128 of the last character.
-- $1 to $4 as above, $5 text[] beginnings
-- null: id, path, title, revisionId, revisionCreatedAt, revisionAuthor
-- plan: 20 | paths with a beginning that few have | '{en}', '{main}', '{""}', '{51}', '{"page 01000"}'
select k.n::int, x.*
  from unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::text[]) with ordinality
       as k (locale, ns, after, first, prefix, n)
 cross join lateral (
       select json_agg(p.id) as id, json_agg(p.path) as path, json_agg(p.title) as title,
              json_agg(p.revision_id) as "revisionId", json_agg(p.revision_created_at) as "revisionCreatedAt",
              json_agg(p.revision_author) as "revisionAuthor"
         from (select p.id, p.path, p.title, p.revision_id, p.revision_created_at, p.revision_author
                 from guest.page p
                where p.locale = k.locale and p.ns = k.ns and p.path >= greatest(k.after collate "C", k.prefix)
                  and p.path <> k.after and p.path <= k.prefix || repeat(chr(1114111), 128)
                order by p.path
                limit k.first) p) x;
