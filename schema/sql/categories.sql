-- name: category_by_key
-- A category is there when it is named, described by a page, or has a member. Its members in a window, as
-- category_members has them, are read along: a row each, or one with none.
-- $1 text[] locales, $2 text[] keys, $3 text[] sort keys to start after, $4 text[] paths to start after within
-- that sort key, $5 int[] rows, 0 for no members
select k.n::int, coalesce(c.name, d.title, k.key) as name, x.*
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[]) with ordinality
       as k (locale, key, after, after_path, first, n)
  left join guest.category c on (c.locale, c.key) = (k.locale, k.key)
  left join guest.page d on (d.locale, d.path) = (k.locale, 'category:' || k.key)
  left join lateral (
       select m."sortKey", p.*
         from (select m.sort_key as "sortKey", m.path as at, m.page_id
                 from guest.category_member m
                where m.locale = k.locale and m.key = k.key and (m.sort_key, m.path) > (k.after, k.after_path)
                order by m.sort_key, m.path
                limit k.first) m
        cross join lateral (
              select p.id, p.locale, p.ns, p.path, p.title, p.revision_id as "revisionId",
                     p.revision_created_at as "revisionCreatedAt", p.revision_author as "revisionAuthor"
                from guest.page p
               where p.id = m.page_id
               limit 1) p) x on true
 where c.key is not null or d.id is not null or x.id is not null
    or exists (select from guest.category_member m where (m.locale, m.key) = (k.locale, k.key))
 order by k.n, x."sortKey", x.path;

-- name: category_members
-- Live pages of a category by the bytes of their sort key, then path.
-- $1 text[] locales, $2 text[] keys, $3 text[] sort keys to start after, $4 text[] paths to start after within
-- that sort key, $5 int[] rows
select k.n::int, x."sortKey", p.*
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[]) with ordinality
       as k (locale, key, after, after_path, first, n)
 cross join lateral (
       select m.sort_key as "sortKey", m.path, m.page_id
         from guest.category_member m
        where m.locale = k.locale and m.key = k.key and (m.sort_key, m.path) > (k.after, k.after_path)
        order by m.sort_key, m.path
        limit k.first) x
 cross join lateral (
       select p.id, p.locale, p.ns, p.path, p.title, p.revision_id as "revisionId",
              p.revision_created_at as "revisionCreatedAt", p.revision_author as "revisionAuthor"
         from guest.page p
        where p.id = x.page_id
        limit 1) p -- as in recent
 order by k.n, x."sortKey", x.path;
