-- name: category_by_key
-- A category exists when it has a name, when a page describes it, or when it has a member. Its members come with it,
-- as in category_members. `offset 0`: the name is looked up once.
-- $1 text[] locales, $2 text[] keys, $3 text[] sort keys to start after, $4 text[] paths to start after within
-- that sort key, $5 int[] rows, -1 for no members
-- null: sortKey, id, ns, path, title, revisionId, revisionCreatedAt, revisionAuthor
-- plan: 40 | a category | '{en,en}', '{large,"category 7"}', '{"",""}', '{"",""}', '{0,0}'
-- plan: 300 | a category with the first part of its members | '{en}', '{large}', '{""}', '{""}', '{51}'
-- plan: 1400 | two categories with parts from their middle | '{en,en}', '{large,"category 7"}', '{"sort key 250",""}', '{"page 010001",""}', '{201,201}'
select k.n::int, found.name, m.*
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[]) with ordinality
       as k (locale, key, after, after_path, first, n)
 cross join lateral (
       select coalesce(c.name, (select k.key where exists (
                        select from guest.category_member m where (m.locale, m.key) = (k.locale, k.key)))) as name
         from guest.category_name(k.locale, k.key) c
       offset 0) found
 cross join lateral (
       select json_agg(m.sort_key) as "sortKey", json_agg(m.page_id) as id, json_agg(m.ns) as ns,
              json_agg(m.path) as path, json_agg(m.title) as title, json_agg(m.revision_id) as "revisionId",
              json_agg(m.revision_created_at) as "revisionCreatedAt",
              json_agg(m.revision_author) as "revisionAuthor"
         from (select sort_key, page_id, ns, path, title, revision_id, revision_created_at, revision_author
                 from guest.category_member
                where locale = k.locale and key = k.key and (sort_key, path) > (k.after, k.after_path)
                order by sort_key, path
                limit greatest(k.first, 0)) m) m
 where found.name is not null;

-- name: category_members
-- Live pages of a category by the bytes of their sort key, then path. The list is one row, as in pages_after.
-- $1 text[] locales, $2 text[] keys, $3 text[] sort keys to start after, $4 text[] paths to start after within
-- that sort key, $5 int[] rows
-- null: sortKey, id, ns, path, title, revisionId, revisionCreatedAt, revisionAuthor
-- plan: 300 | the first part of a category | '{en}', '{large}', '{""}', '{""}', '{51}'
-- plan: 1200 | a part from its middle, beginning within a sort key | '{en}', '{large}', '{"sort key 250"}', '{"page 010001"}', '{201}'
select k.n::int, m.*
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[]) with ordinality
       as k (locale, key, after, after_path, first, n)
 cross join lateral (
       select json_agg(m.sort_key) as "sortKey", json_agg(m.page_id) as id, json_agg(m.ns) as ns,
              json_agg(m.path) as path, json_agg(m.title) as title, json_agg(m.revision_id) as "revisionId",
              json_agg(m.revision_created_at) as "revisionCreatedAt",
              json_agg(m.revision_author) as "revisionAuthor"
         from (select sort_key, page_id, ns, path, title, revision_id, revision_created_at, revision_author
                 from guest.category_member
                where locale = k.locale and key = k.key and (sort_key, path) > (k.after, k.after_path)
                order by sort_key, path
                limit k.first) m) m;

-- name: categories_after
-- Categories with live pages by the bytes of their keys.
-- $1 text[] locales, $2 text[] keys to start after ('' for the beginning), $3 int[] rows
-- plan: 450 | the first part of the list of categories | '{en}', '{""}', '{51}'
-- plan: 2200 | parts of two lists from their middles | '{en,ru}', '{"category 1","category 5"}', '{201,51}'
select k.n::int, k.locale, x.key, coalesce(c.name, x.key) as name, x.pages
  from unnest($1::text[], $2::text[], $3::int[]) with ordinality as k (locale, after, first, n)
 cross join lateral (
       select l.key, l.pages
         from guest.live_category l
        where l.locale = k.locale and l.key > k.after
        order by l.key
        limit k.first) x
 cross join lateral guest.category_name(k.locale, x.key) c
 order by k.n, x.key;

-- name: category_sizes
-- How many live pages a category has.
-- $1 text[] locales, $2 text[] keys
-- plan: 20 | the sizes of categories | '{en,en}', '{large,"category 7"}'
select k.n::int,
       coalesce((select l.pages from guest.live_category l where l.locale = k.locale and l.key = k.key), 0) as pages
  from unnest($1::text[], $2::text[]) with ordinality as k (locale, key, n);

-- name: category_members_edited
-- Members as in category_members whose last revision is of a time. It looks at no more than `$8` members, in their order,
-- however few it finds. If it looked at as many, the last of them comes, too, with `isLast`, whether it matches or not. (D10)
-- $1 to $5 as in category_members, $6 timestamptz[] earliest dates, $7 timestamptz[] dates before which they must be,
-- $8 int[] how many members to look at
-- plan: 300 | a part of a category without dates, with information for paging | '{en}', '{large}', '{""}', '{""}', '{51}', '{-infinity}', '{infinity}', '{51}'
-- plan: 1200 | members of a category that were edited at a time, among the first 300 | '{en}', '{large}', '{""}', '{""}', '{51}', '{2024-01-01T04:00:00Z}', '{infinity}', '{300}'
select k.n::int, m.matches, m.i = k.most as "isLast", m.sort_key as "sortKey", m.page_id as id, k.locale, m.ns, m.path, m.title,
       m.revision_id as "revisionId", m.revision_created_at as "revisionCreatedAt",
       m.revision_author as "revisionAuthor"
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::timestamptz[], $7::timestamptz[], $8::int[])
       with ordinality as k (locale, key, after, after_path, first, since, until, most, n)
 cross join lateral (
       with member as materialized (
            select sort_key, page_id, ns, path, title, revision_id, revision_created_at, revision_author,
                   row_number() over (order by sort_key, path) as i
              from guest.category_member
             where locale = k.locale and key = k.key and (sort_key, path) > (k.after, k.after_path)
             order by sort_key, path
             limit k.most
       ), matching as materialized (
            select *
              from member
             where revision_created_at >= k.since and revision_created_at < k.until
             order by i
             limit k.first)
       select true as matches, * from matching
        union all
       select false, * from member where i = k.most and not exists (select from matching where i = k.most)) m
 order by k.n, m.i;
