-- Statements of the feed of changes. The rows of pages are chosen by number before anything else is read of them. (D100)

-- name: changes
-- Changes by number: cells of a page, or of an address that is gone with the page that moved away from it. `last` is the
-- number of the last item, or where the list starts. `code` is its check code.
-- The largest number to start after is the end of the list.
-- $1 bigint[] numbers to start after, $2 text[] their check codes (null for the beginning), $3 int[] rows
-- plan: 300 | the first part of the changes | '{0}', '{NULL}', '{50}'
-- plan: 800 | parts from the middle and from the end | '{5000000000010000,5000000000039990}', '{x,x}', '{100,100}'
-- plan: 12 | nothing new | '{5000000000040000}', '{x}', '{50}'
-- plan: 16 | the end | '{9223372036854775807}', '{NULL}', '{50}'
select k.n::int, coalesce(k.code = guest.change_code(k.after), true) as "isIssued", e.list, e.last::text,
       guest.change_code(e.last) as code, e.more
  from unnest($1::bigint[], $2::text[], $3::int[]) with ordinality as k (after, code, first, n)
 cross join lateral (
       select json_agg(json_build_array(
                timestamptz '1970-01-01T00:00:00Z' + m.change * interval '1 microsecond',
                p.id::text, coalesce(p.locale, m.locale), coalesce(p.ns, m.ns), coalesce(p.path, m.path), p.title,
                p.revision_id, p.revision_created_at, p.revision_author,
                s.id::text, s.locale, s.ns, s.path, s.title) order by m.change)
                filter (where m.row <= k.first and (m.page_id is null or p.id is not null)) as list,
              coalesce(max(m.change) filter (where m.row <= k.first), nullif(k.after, 9223372036854775807), (
                select greatest(0, (select c.change from guest.page_change c order by c.change desc limit 1),
                                (select t.change from guest.tombstone t order by t.change desc limit 1)))) as last, count(*) > k.first as more
         from (select u.change, u.page_id, u.locale, u.ns, u.path, row_number() over (order by u.change) as row
                 from ((select c.change, c.page_id, null as locale, null as ns, null as path
                          from guest.page_change c
                         where c.change > k.after
                         order by c.change
                         limit k.first + 1)
                        union all
                       (select t.change, null, t.locale, t.ns, t.path
                          from guest.tombstone t
                         where t.change > k.after
                         order by t.change
                         limit k.first + 1)
                        order by change
                        limit k.first + 1) u) m
         left join lateral (
              select g.id, g.locale, g.ns, g.path, g.title, g.revision_id, g.revision_created_at, g.revision_author
                from guest.page g
               where g.id = m.page_id
               limit 1) p on true
         left join lateral (
              select g.id, g.locale, g.ns, g.path, g.title
                from guest.former_path f
                join guest.page g on g.id = f.page_id
               where f.locale = m.locale and f.path = m.path
               limit 1) s on true) e;

-- name: change_codes
-- The numbers and check codes of changes.
-- $1 timestamptz[] times of the changes
-- plan: 4 | the cursors of two changes | '{2024-01-01T00:00:00Z,2024-01-02T00:00:00Z}'
select k.n::int, c.number::text, guest.change_code(c.number) as code
  from unnest($1::timestamptz[]) with ordinality as k (changed_at, n)
 cross join lateral (select (extract(epoch from k.changed_at) * 1000000)::bigint as number) c;

-- name: changes_of
-- The same of one language, one namespace or both: the lists of all languages and namespaces that match are merged. The
-- condition on the namespace is not an equation, so that only the right index serves (D23). No row for a language that
-- the wiki never had, unless a cursor shows that it had the language once.
-- `exists` would read the table of tombstones until it finds one of the language.
-- $1 to $3 as above, $4 text[] locales, null for all, $5 text[] namespaces, null for all
-- plan: 60 | the end, for one language | '{9223372036854775807}', '{NULL}', '{50}', '{ja}', '{NULL}'
-- plan: 50 | nothing new in a language of few pages | '{9000000000000000}', '{x}', '{50}', '{ja}', '{NULL}'
-- plan: 400 | the templates of all languages | '{0}', '{NULL}', '{20}', '{NULL}', '{template}'
-- plan: 20 | a namespace of a language without pages there | '{0}', '{NULL}', '{50}', '{en}', '{module}'
select k.n::int, coalesce(k.code = guest.change_code(k.after), true) as "isIssued", e.list, e.last::text,
       guest.change_code(e.last) as code, e.more
  from unnest($1::bigint[], $2::text[], $3::int[], $4::text[], $5::text[]) with ordinality
       as k (after, code, first, locale, ns, n)
 cross join lateral (
       select json_agg(json_build_array(
                timestamptz '1970-01-01T00:00:00Z' + m.change * interval '1 microsecond',
                p.id::text, coalesce(p.locale, m.locale), coalesce(p.ns, m.ns), coalesce(p.path, m.path), p.title,
                p.revision_id, p.revision_created_at, p.revision_author,
                s.id::text, s.locale, s.ns, s.path, s.title) order by m.change)
                filter (where m.row <= k.first and (m.page_id is null or p.id is not null)) as list,
              coalesce(max(m.change) filter (where m.row <= k.first), nullif(k.after, 9223372036854775807), (
                select greatest(0, (select c.change from guest.page_change c order by c.change desc limit 1),
                                (select t.change from guest.tombstone t order by t.change desc limit 1)))) as last, count(*) > k.first as more
         from (select u.change, u.page_id, u.locale, u.ns, u.path, row_number() over (order by u.change) as row
                 from (select b.change, b.page_id, b.locale, b.ns, b.path
                         from (select k.locale where k.locale is not null
                                union all
                               select l.locale from guest.change_locales() l where k.locale is null) l (locale)
                        cross join unnest(case when k.ns is null
                                               then '{main,template,page_template,module,category}'::text[]
                                               else array[k.ns] end) as o (ns)
                        cross join lateral (
                              (select c.change, c.page_id, null as locale, null as ns, null as path
                                 from guest.page_change c
                                where c.locale = l.locale and (c.ns, c.change) > (o.ns, k.after) and c.ns <= o.ns
                                order by c.ns, c.change
                                limit k.first + 1)
                               union all
                              (select t.change, null, t.locale, t.ns, t.path
                                 from guest.tombstone t
                                where t.locale = l.locale and (t.ns, t.change) > (o.ns, k.after) and t.ns <= o.ns
                                order by t.ns, t.change
                                limit k.first + 1)) b
                        order by b.change
                        limit k.first + 1) u) m
         left join lateral (
              select g.id, g.locale, g.ns, g.path, g.title, g.revision_id, g.revision_created_at, g.revision_author
                from guest.page g
               where g.id = m.page_id
               limit 1) p on true
         left join lateral (
              select g.id, g.locale, g.ns, g.path, g.title
                from guest.former_path f
                join guest.page g on g.id = f.page_id
               where f.locale = m.locale and f.path = m.path
               limit 1) s on true) e
 where k.locale is null
    or k.code is not null
    or exists (select from guest.locale l where l.locale = k.locale)
    or (select t.locale from guest.tombstone t
         where t.locale = k.locale order by t.ns, t.change limit 1) is not null;

-- name: page_by_former_path
-- The page that was at an address before it moved.
-- $1 text[] locales, $2 text[] paths
-- plan: 20 | a page at its former path | '{en}', '{before}'
select k.n::int, p.id, p.locale, p.ns, p.path, p.title,
       p.revision_id as "revisionId", p.revision_created_at as "revisionCreatedAt",
       p.revision_author as "revisionAuthor"
  from unnest($1::text[], $2::text[]) with ordinality as k (locale, path, n)
  join guest.former_path f on f.locale = k.locale and f.path = k.path
  join guest.page p on p.id = f.page_id;
