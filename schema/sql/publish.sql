-- Statements of the writer that update what guests see.

-- name: publish_revisions
-- Moves revisions whose page or status changed to the partition of visible or of hidden ones. Returns their pages.
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
-- Stores live pages as of their last accepted revision. Returns those that changed. The last revision is found by
-- bounds of page_id: with an equation, and statistics of a wiki of few pages, the planner would walk all revisions of
-- the wiki by date, for each page. (D23)
-- $1 bigint[] page ids
insert into wiki.live_page
       (id, locale, ns, path, title, translation_group, revision_id, revision_created_at, revision_author, dialect)
select p.id, p.locale, coalesce(substring(p.path from '^(template|page_template|module|category):'), 'main'),
       p.path, r.title, p.translation_group, r.id, r.created_at, r.author, p.dialect
  from wiki.page p
 cross join lateral (
       select v.id, v.title, v.created_at, v.author
         from wiki.revision_visible v
        where v.page_id >= p.id and v.page_id <= p.id
        order by v.page_id, v.created_at desc, v.id desc
        limit 1) r
 where p.id = any ($1)
on conflict (id) do update
  set title = excluded.title, translation_group = excluded.translation_group, revision_id = excluded.revision_id,
      revision_created_at = excluded.revision_created_at, revision_author = excluded.revision_author,
      dialect = excluded.dialect
  where (wiki.live_page.title, wiki.live_page.translation_group, wiki.live_page.revision_id,
         wiki.live_page.revision_created_at, wiki.live_page.revision_author, wiki.live_page.dialect)
        is distinct from (excluded.title, excluded.translation_group, excluded.revision_id,
         excluded.revision_created_at, excluded.revision_author, excluded.dialect)
returning id;

-- name: store_positions
-- Stores the order of the live pages of a source, behind those of earlier sources, and their paths on their site. Pages of
-- later sources move behind it. Pages that it does not name lose both.
-- $1 text[] locales, $2 text[] paths, $3 int[] positions, $4 text[] titles of groups in lines, $5 text[] titles in the
-- navigation, $6 text[] paths on the site, $7 int source id or null
with own as materialized (
  select l.id, bool_or(o.path is not null) as is_named, min(o.position) as position,
         (array_agg(o.group_titles order by o.position))[1] as group_titles,
         (array_agg(o.nav_title order by o.position))[1] as nav_title,
         (array_agg(o.site_path order by o.position))[1] as site_path
    from wiki.live_page l
    join wiki.page p on p.id = l.id
    left join unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[])
           as o (locale, path, position, group_titles, nav_title, site_path) on (o.locale, o.path) = (l.locale, l.path)
   where p.source_id is not distinct from $7::int
     -- Most sources tell no order, and have told none.
     and (cardinality($1::text[]) > 0 or exists (select from wiki.live_page_position))
   group by l.id -- two files can be one page
), gone as (
  delete from wiki.live_page_position s using own o where s.page_id = o.id and not o.is_named
), others as materialized (
  select s.page_id, s.position, coalesce(p.source_id, 0) < coalesce($7::int, 0) as is_earlier
    from wiki.live_page_position s
    join wiki.page p on p.id = s.page_id and p.source_id is distinct from $7::int
   where s.position is not null and exists (select from own)
), start as materialized (
  select coalesce(max(position), 0)::bigint as position from others where is_earlier
), moved as (
  update wiki.live_page_position s set position = least(o.position + x.distance, 2147483647)
    from others o, (select (select position from start) + (select max(position) from own) + 1 - min(position) as distance
                      from others where not is_earlier) x
   where s.page_id = o.page_id and not o.is_earlier and x.distance > 0
)
insert into wiki.live_page_position as s (page_id, position, group_titles, nav_title, site_path)
select own.id, case when own.position is not null then least(start.position + own.position, 2147483647) end,
       own.group_titles, own.nav_title, own.site_path
  from own, start where own.is_named
on conflict (page_id) do update set position = excluded.position, group_titles = excluded.group_titles,
  nav_title = excluded.nav_title, site_path = excluded.site_path
  where (s.position, s.group_titles, s.nav_title, s.site_path)
        is distinct from (excluded.position, excluded.group_titles, excluded.nav_title, excluded.site_path);

-- name: set_former_paths
-- Stores which paths live pages had before they moved, in place of what was stored for these pages, which are indexed again
-- where that changes: such a path is a name. Guests could see a path if they see one of the revisions that the page had there.
-- $1 bigint[] ids of all these pages, $2 bigint[] page ids, $3 text[] locales and $4 text[] former paths, $5 text[] ids of
-- the revisions there, with commas, 'any' for all of the page, empty if they are unknown or not imported
with given as materialized (
  select distinct on (g.locale, g.path) g.page_id, g.locale, g.path, g.revisions <> '' as is_proven
    from unnest($2::bigint[], $3::text[], $4::text[], $5::text[]) as g (page_id, locale, path, revisions)
    join wiki.live_page l on l.id = g.page_id
   where case when g.revisions in ('', 'any') then true
              else exists (select from wiki.revision_visible v
                            where v.id = any (string_to_array(g.revisions, ',')::uuid[])) end
   order by g.locale, g.path, g.page_id
), unproven as (
  insert into pg_temp.imported_unproven_path (locale, path, page_id)
  select locale, path, page_id from given where not is_proven
), removed as (
  delete from wiki.live_former_path f
   where f.page_id = any ($1::bigint[])
     and not exists (select from given g where (g.page_id, g.locale, g.path) = (f.page_id, f.locale, f.path))
  returning f.page_id
), named as (
  select page_id from removed
   union
  select unnest(array[g.page_id, f.page_id])
    from given g
    left join wiki.live_former_path f on (f.locale, f.path) = (g.locale, g.path)
   where f.page_id is distinct from g.page_id
), to_index as (
  insert into pg_temp.imported_page (id, is_imported, is_changed, is_complete, is_published)
  select page_id, false, false, false, true from named where page_id is not null
  on conflict (id) do update set is_published = true
)
insert into wiki.live_former_path (locale, path, page_id)
select locale, path, page_id from given
on conflict (locale, path) do update set page_id = excluded.page_id;

-- name: remove_unseen_former_paths
-- Removes unproven former paths at which no page is or was live. Call it at the end, because only then are all pages hidden
-- that the import hides.
delete from wiki.live_former_path f
 using pg_temp.imported_unproven_path u
 where (f.locale, f.path, f.page_id) = (u.locale, u.path, u.page_id)
   and not exists (select from wiki.tombstone t where (t.locale, t.path) = (f.locale, f.path))
   and not exists (select from wiki.live_page l where (l.locale, l.path) = (f.locale, f.path));

-- name: withdraw_pages
-- Deletes live pages that have no visible revision any more, and with them their words and links. Their members are
-- deleted by one statement, because each statement counts the members of categories. (D23)
-- $1 bigint[] page ids
with withdrawn as materialized (
  select l.id
    from wiki.live_page l
   where l.id = any ($1) and not exists (select from wiki.revision_visible v where v.page_id = l.id)
), members as (
  delete from wiki.live_category_member m using withdrawn w where m.page_id = w.id
)
delete from wiki.live_page l using withdrawn w where l.id = w.id;

-- name: mark_changed
-- Numbers a change of pages that guests see, where nothing else shows it: of earlier revisions, or of a text. (D100)
-- $1 bigint[] page ids
select wiki.mark_changed($1::bigint[]);

-- name: assign_positions
-- Gives revisions with the same created_at cursor dates, so that a list can continue between them. (D7)
select wiki.assign_positions(array(select id from pg_temp.imported_page where is_changed));

-- name: delete_members
-- Deletes the members that are no longer as the pages say. Those that stay number no change. (D100) The page is found by
-- bounds of its id: with an equation, the planner might read all pages. (D23)
-- $1 bigint[] page ids
delete from wiki.live_category_member m
 where m.page_id = any ($1)
   and not exists (
       select
         from wiki.live_page l
         join wiki.revision_visible v on v.id = l.revision_id
        cross join lateral jsonb_to_recordset(v.categories) as c (key text, sort_key text)
        where l.id >= m.page_id and l.id <= m.page_id
          and (c.key, c.sort_key) = (m.key, m.sort_key)
          and (l.locale, l.path, l.ns, l.title, l.revision_id, l.revision_created_at, l.revision_author)
              = (m.locale, m.path, m.ns, m.title, m.revision_id, m.revision_created_at, m.revision_author)
          and m.name = coalesce((select n.name from guest.category_name(l.locale, c.key) n), c.key));

-- name: publish_members
-- $1 bigint[] page ids
insert into wiki.live_category_member
       (locale, key, sort_key, path, page_id, ns, title, revision_id, revision_created_at, revision_author, name)
select l.locale, c.key, c.sort_key, l.path, l.id, l.ns, l.title, l.revision_id, l.revision_created_at,
       l.revision_author, coalesce(n.name, c.key)
  from wiki.live_page l
  join wiki.revision_visible v on v.id = l.revision_id
 cross join lateral jsonb_to_recordset(v.categories) as c (key text, sort_key text)
 cross join lateral guest.category_name(l.locale, c.key) n
 where l.id = any ($1)
on conflict do nothing;

-- name: rename_categories
-- Stores the current names of categories with their members.
-- $1 text[] locales, $2 text[] keys
update wiki.live_category_member m
   set name = n.name
  from (select k.locale, k.key, coalesce(c.name, k.key) as name
          from unnest($1::text[], $2::text[]) as k (locale, key)
         cross join lateral guest.category_name(k.locale, k.key) c) n
 where (m.locale, m.key) = (n.locale, n.key) and m.name <> n.name;
