-- name: revision_by_id
-- Edits with their text, page, and the edit before.
-- $1 uuid[] ids
select k.n::int, r.id, r.page_id as "pageId", r.created_at as "createdAt", r.author, r.comment, r.size, r.markdown,
       p.locale, p.ns, p.path, p.title,
       (select e.id
          from guest.revision e
         where e.page_id = r.page_id and (e.created_at, e.id) < (r.created_at, r.id)
         order by e.created_at desc, e.id desc
         limit 1) as "parentId"
  from unnest($1::uuid[]) with ordinality as k (id, n)
  join guest.revision r on r.id = k.id
  join guest.page p on p.id = r.page_id;

-- name: history
-- A page's edits, newest first; no row where there is no such page. Before a moment and an id: edits at the
-- moment itself need a smaller id.
-- $1 text[] locales, $2 text[] paths, $3 timestamptz[] before ('infinity' for the beginning),
-- $4 uuid[] before id, $5 int[] rows
select k.n::int, p.id as "pageId",
       (select json_agg(json_build_array(x.id, x.created_at, x.author, x.comment, x.size))
          from (select r.id, r.created_at, r.author, r.comment, r.size
                  from guest.revision r
                 where r.page_id = p.id and (r.created_at, r.id) < (k.before, k.before_id)
                 order by r.created_at desc, r.id desc
                 limit k.first) x) as list
  from unnest($1::text[], $2::text[], $3::timestamptz[], $4::uuid[], $5::int[]) with ordinality
       as k (locale, path, before, before_id, first, n)
  join guest.page p on p.locale = k.locale and p.path = k.path;

-- name: recent
-- Edits of the whole wiki, newest first. A join with their pages needs its `limit 1`: the planner expects a
-- tenth of all edits of a limit that it does not know, and would read through all pages for them.
-- $1 timestamptz[] before, $2 uuid[] before id, $3 int[] rows: as in history
select k.n::int,
       (select json_agg(json_build_array(e.id, e.page_id::text, e.created_at, e.author, e.comment, e.size,
                                         e.locale, e.ns, e.path, e.title))
          from (select x.*, p.*
                  from (select r.id, r.page_id, r.created_at, r.author, r.comment, r.size
                          from guest.revision r
                         where (r.created_at, r.id) < (k.before, k.before_id)
                         order by r.created_at desc, r.id desc
                         limit k.first) x
                 cross join lateral (
                       select p.locale, p.ns, p.path, p.title from guest.page p where p.id = x.page_id limit 1) p
                 order by x.created_at desc, x.id desc) e) as list
  from unnest($1::timestamptz[], $2::uuid[], $3::int[]) with ordinality as k (before, before_id, first, n);

-- name: recent_of_locale
-- Edits of one language, newest first.
-- $1 text[] locales, $2 timestamptz[] before, $3 uuid[] before id, $4 int[] rows
select k.n::int,
       (select json_agg(json_build_array(e.id, e.page_id::text, e.created_at, e.author, e.comment, e.size,
                                         e.locale, e.ns, e.path, e.title))
          from (select x.*, p.*
                  from (select r.id, r.page_id, r.created_at, r.author, r.comment, r.size
                          from guest.revision r
                         where r.locale = k.locale and (r.created_at, r.id) < (k.before, k.before_id)
                         order by r.created_at desc, r.id desc
                         limit k.first) x
                 cross join lateral (
                       select p.locale, p.ns, p.path, p.title from guest.page p where p.id = x.page_id limit 1) p
                 order by x.created_at desc, x.id desc) e) as list
  from unnest($1::text[], $2::timestamptz[], $3::uuid[], $4::int[]) with ordinality
       as k (locale, before, before_id, first, n);
