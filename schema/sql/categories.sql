-- name: category_by_key
-- A category exists when it has a name, when a page describes it, or when it has a member. Its members come with it,
-- as in category_members.
-- $1 text[] locales, $2 text[] keys, $3 text[] sort keys to start after, $4 text[] paths to start after within
-- that sort key, $5 int[] rows, -1 for no members
select k.n::int, found.name,
       (select string_agg(concat_ws(E'\x1f', m.sort_key, m.page_id, m.ns, m.path, m.title, m.revision_id,
                                    m.revision_created_at, m.revision_author), E'\x1f')
          from (select sort_key, page_id, ns, path, title, revision_id, revision_created_at, revision_author
                  from guest.category_member
                 where locale = k.locale and key = k.key and (sort_key, path) > (k.after, k.after_path)
                 order by sort_key, path
                 limit greatest(k.first, 0)) m) as list
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[]) with ordinality
       as k (locale, key, after, after_path, first, n)
 cross join lateral (
       select coalesce(c.name, (select k.key where exists (
                        select from guest.category_member m where (m.locale, m.key) = (k.locale, k.key)))) as name
         from guest.category_name(k.locale, k.key) c) found
 where found.name is not null;

-- name: category_members
-- Live pages of a category by the bytes of their sort key, then path, as one text. (D118)
-- $1 text[] locales, $2 text[] keys, $3 text[] sort keys to start after, $4 text[] paths to start after within
-- that sort key, $5 int[] rows
select k.n::int,
       (select string_agg(concat_ws(E'\x1f', m.sort_key, m.page_id, m.ns, m.path, m.title, m.revision_id,
                                    m.revision_created_at, m.revision_author), E'\x1f')
          from (select sort_key, page_id, ns, path, title, revision_id, revision_created_at, revision_author
                  from guest.category_member
                 where locale = k.locale and key = k.key and (sort_key, path) > (k.after, k.after_path)
                 order by sort_key, path
                 limit k.first) m) as list
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[]) with ordinality
       as k (locale, key, after, after_path, first, n);

-- name: categories_after
-- Categories with live pages by the bytes of their keys.
-- $1 text[] locales, $2 text[] keys to start after ('' for the beginning), $3 int[] rows
select k.n::int,
       (select json_agg(json_build_array(x.key, coalesce(c.name, x.key), x.pages) order by x.key)
          from (select l.key, l.pages
                  from guest.live_category l
                 where l.locale = k.locale and l.key > k.after
                 order by l.key
                 limit k.first) x
         cross join lateral guest.category_name(k.locale, x.key) c) as list
  from unnest($1::text[], $2::text[], $3::int[]) with ordinality as k (locale, after, first, n);

-- name: category_sizes
-- How many live pages a category has.
-- $1 text[] locales, $2 text[] keys
select k.n::int,
       coalesce((select l.pages from guest.live_category l where l.locale = k.locale and l.key = k.key), 0) as pages
  from unnest($1::text[], $2::text[]) with ordinality as k (locale, key, n);

-- name: category_members_edited
-- Members as in category_members whose last revision is of a time. It looks at no more than `$8` members, in their order,
-- however few it finds; `looked_at` is then the sort key and the path of the last of these, otherwise null. (D108)
-- $1 to $5 as in category_members, $6 timestamptz[] earliest dates, $7 timestamptz[] dates before which they must be,
-- $8 int[] how many members to look at
select k.n::int, e.list, e.looked_at as "lookedAt"
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::timestamptz[], $7::timestamptz[], $8::int[])
       with ordinality as k (locale, key, after, after_path, first, since, until, most, n)
 cross join lateral (
       with members as materialized (
            select sort_key, page_id, ns, path, title, revision_id, revision_created_at, revision_author,
                   row_number() over (order by sort_key, path) as i
              from guest.category_member
             where locale = k.locale and key = k.key and (sort_key, path) > (k.after, k.after_path)
             order by sort_key, path
             limit k.most)
       select (select string_agg(concat_ws(E'\x1f', m.sort_key, m.page_id, m.ns, m.path, m.title, m.revision_id,
                                           m.revision_created_at, m.revision_author), E'\x1f')
                 from (select *
                         from members
                        where revision_created_at >= k.since and revision_created_at < k.until
                        order by i
                        limit k.first) m) as list,
              (select array[x.sort_key, x.path] from members x where x.i = k.most) as looked_at) e;
