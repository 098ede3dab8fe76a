-- name: category_by_key
-- A category is there when it is named, described by a page, or has a member. Its members in a window, as
-- category_members has them, are read along.
-- $1 text[] locales, $2 text[] keys, $3 text[] sort keys to start after, $4 text[] paths to start after within
-- that sort key, $5 int[] rows, -1 for no members
select k.n::int, coalesce(c.name, d.title, k.key) as name,
       (select json_agg(json_build_array(e.sort_key, e.id::text, e.ns, e.path, e.title, e.revision_id,
                                         e.revision_created_at, e.revision_author))
          from (select x.sort_key, p.*
                  from (select m.sort_key, m.path as at, m.page_id
                          from guest.category_member m
                         where m.locale = k.locale and m.key = k.key
                           and (m.sort_key, m.path) > (k.after, k.after_path)
                         order by m.sort_key, m.path
                         limit greatest(k.first, 0)) x
                 cross join lateral (
                       select p.id, p.ns, p.path, p.title, p.revision_id, p.revision_created_at, p.revision_author
                         from guest.page p
                        where p.id = x.page_id
                        limit 1) p -- as in recent
                 order by x.sort_key, x.at) e) as list
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[]) with ordinality
       as k (locale, key, after, after_path, first, n)
  left join guest.category c on (c.locale, c.key) = (k.locale, k.key)
  left join guest.page d on (d.locale, d.path) = (k.locale, 'category:' || k.key)
 where c.key is not null or d.id is not null
    or exists (select from guest.category_member m where (m.locale, m.key) = (k.locale, k.key));

-- name: category_members
-- Live pages of a category by the bytes of their sort key, then path.
-- $1 text[] locales, $2 text[] keys, $3 text[] sort keys to start after, $4 text[] paths to start after within
-- that sort key, $5 int[] rows
select k.n::int,
       (select json_agg(json_build_array(e.sort_key, e.id::text, e.ns, e.path, e.title, e.revision_id,
                                         e.revision_created_at, e.revision_author))
          from (select x.sort_key, p.*
                  from (select m.sort_key, m.path as at, m.page_id
                          from guest.category_member m
                         where m.locale = k.locale and m.key = k.key
                           and (m.sort_key, m.path) > (k.after, k.after_path)
                         order by m.sort_key, m.path
                         limit k.first) x
                 cross join lateral (
                       select p.id, p.ns, p.path, p.title, p.revision_id, p.revision_created_at, p.revision_author
                         from guest.page p
                        where p.id = x.page_id
                        limit 1) p -- as in recent
                 order by x.sort_key, x.at) e) as list
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[]) with ordinality
       as k (locale, key, after, after_path, first, n);
