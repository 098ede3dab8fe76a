-- name: revision_by_id
-- Revisions with their text, their page, and the revision before.
-- $1 uuid[] ids
-- null: parentId, dialect
-- plan: 90 | three revisions with their pages and the revisions before them | array[md5('1 2')::uuid, md5('10000 2')::uuid, md5('20000 2')::uuid]
select k.n::int, r.id, r.page_id as "pageId", r.created_at as "createdAt", r.author, r.comment, r.size, r.markdown,
       p.locale, p.ns, p.path, p.title, p.dialect,
       (select e.id
          from guest.revision e
         where e.page_id = r.page_id and (e.created_at, e.id) < (r.created_at, r.id)
         order by e.created_at desc, e.id desc
         limit 1) as "parentId"
  from unnest($1::uuid[]) with ordinality as k (id, n)
  join guest.revision r on r.id = k.id
  join guest.page p on p.id = r.page_id;

-- name: revisions_with_page
-- Revisions with their page; with their text and their position if they are wanted.
-- $1 uuid[] ids, $2 boolean[] whether with the text, $3 boolean[] whether with the position
-- null: markdown, position, dialect
-- plan: 60 | three revisions of a list with their pages | array[md5('1 2')::uuid, md5('10000 2')::uuid, md5('20000 2')::uuid], '{true,false,true}', '{true,true,false}'
select k.n::int, r.id, r.page_id as "pageId", r.created_at as "createdAt", r.author, r.comment, r.size,
       p.locale, p.ns, p.path, p.title, p.dialect, case when k.text then r.markdown end as markdown,
       case when k.position then (select t.position from guest.position t where t.revision_id = r.id) end as position
  from unnest($1::uuid[], $2::boolean[], $3::boolean[]) with ordinality as k (id, text, position, n)
  join guest.revision r on r.id = k.id
  join guest.page p on p.id = r.page_id;

-- name: parents_of_revisions
-- The revisions before revisions, with their sizes. No row for the first of a page.
-- $1 uuid[] ids
-- plan: 60 | the revisions before three | array[md5('1 2')::uuid, md5('10000 2')::uuid, md5('20000 2')::uuid]
select k.n::int, e.id, e.size
  from unnest($1::uuid[]) with ordinality as k (id, n)
  join guest.revision r on r.id = k.id
 cross join lateral (
       select b.id, b.size
         from guest.revision b
        where b.page_id = r.page_id and (b.created_at, b.id) < (r.created_at, r.id)
        order by b.created_at desc, b.id desc
        limit 1) e;

-- name: revision_texts
-- The texts of revisions, or their beginnings: PostgreSQL unpacks only as much of a long text as it returns. (D102)
-- $1 uuid[] ids, $2 int[] characters, or null for the whole text
-- plan: 40 | a text and the beginning of another | array[md5('1 2')::uuid, md5('10000 2')::uuid], '{NULL,10}'
select k.n::int, case when k.characters is null then r.markdown else left(r.markdown, k.characters) end as markdown
  from unnest($1::uuid[], $2::int[]) with ordinality as k (id, characters, n)
  join guest.revision r on r.id = k.id;

-- name: texts_of_list
-- For each list of revisions, the texts of its first ones: as many as have a number of bytes together. The sizes are
-- summed first, and the `case` reads a text only if it is among them. A row without an id for a revision that does not
-- exist. `place`: in the list, from 1. (D101)
-- $1 text[] lists of ids ('{…}'), $2 int[] bytes
-- null: id
-- plan: 80 | the texts of a list of three, and of one | array[array[md5('1 2')::uuid, md5('10000 2')::uuid, md5('20000 2')::uuid]::text, array[md5('30000 2')::uuid]::text], '{1000000,1000000}'
select k.n::int, t.place::int, t.id, t.size, t.markdown
  from unnest($1::text[], $2::int[]) with ordinality as k (ids, bytes, n)
 cross join lateral (
       select i.place, r.id, r.size, sum(r.size) over (order by i.place) as bytes,
              case when sum(r.size) over (order by i.place) <= k.bytes then r.markdown end as markdown
         from unnest(k.ids::uuid[]) with ordinality as i (id, place)
         left join guest.revision r on r.id = i.id) t
 where coalesce(t.bytes, 0) <= k.bytes;

-- name: revision_pairs
-- Two revisions to compare: the first with its page; the second is the given one, or else the one before the first. No
-- row if the first does not exist. Null for the second if it does not exist.
-- $1 uuid[] ids, $2 uuid[] ids of the second revisions, or null
-- null: fromId, fromCreatedAt, fromMarkdown
-- plan: 90 | two revisions to compare, one of them with the one before it | array[md5('1 2')::uuid, md5('10000 2')::uuid], array[null, md5('20000 2')::uuid]::uuid[]
select k.n::int, r.id, r.page_id as "pageId", r.created_at as "createdAt", r.author, r.comment, r.size, r.markdown,
       p.locale, p.ns, p.path, p.title,
       f.id as "fromId", f.created_at as "fromCreatedAt", f.markdown as "fromMarkdown"
  from unnest($1::uuid[], $2::uuid[]) with ordinality as k (id, from_id, n)
  join guest.revision r on r.id = k.id
  join guest.page p on p.id = r.page_id
  left join lateral (
       select e.id, e.created_at, e.markdown
         from guest.revision e
         join guest.page ep on ep.id = e.page_id
        where e.id = coalesce(k.from_id,
                              (select b.id
                                 from guest.revision b
                                where b.page_id = r.page_id and (b.created_at, b.id) < (r.created_at, r.id)
                                order by b.created_at desc, b.id desc
                                limit 1))) f on true;

-- name: history
-- The revisions of a page, newest first, one more than `first` if there are more; number `first` with its cursor date, if
-- it has one. No row if the page does not exist, one without a revision if it has none of the time. (D7)
-- $1 text[] locales, $2 text[] paths, $3 timestamptz[] before ('infinity' for the beginning), $4 timestamptz[] cursor
-- dates, or null: the list continues after the revision with this date, if there is one, $5 int[] first, $6 timestamptz[] the earliest date
-- ('-infinity' for the beginning)
-- null: cursor
-- plan: 20 | a history | '{en}', '{"page 010001"}', '{infinity}', '{NULL}', '{50}', '{-infinity}'
-- plan: 60 | three histories at once | '{en,en,ru}', '{"page 010001","page 000001","page 000003"}', '{infinity,2024-01-01T04:00:00Z,infinity}', '{NULL,NULL,NULL}', '{50,50,50}', '{-infinity,-infinity,-infinity}'
select k.n::int, p.id as "pageId", x.id, x.created_at as "createdAt", x.author, x.comment, x.size,
       case when x.i = k.first then (select t.position from guest.position t where t.revision_id = x.id) end as cursor
  from unnest($1::text[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::int[], $6::timestamptz[]) with ordinality
       as k (locale, path, before, cursor, first, since, n)
  join guest.page p on p.locale = k.locale and p.path = k.path
  left join lateral (
       select t.created_at, t.revision_id as id from guest.position t where t.position = k.cursor limit 1) c on true
  left join lateral (
       select r.id, r.created_at, r.author, r.comment, r.size,
              row_number() over (order by r.created_at desc, r.id desc) as i
         from guest.revision r
        where r.page_id = p.id and r.created_at >= k.since
          and (r.created_at, r.id) < (coalesce(c.created_at, k.before),
                                      coalesce(c.id, '00000000-0000-0000-0000-000000000000'))
        order by r.created_at desc, r.id desc
        limit k.first + 1) x on true
 order by k.n, x.i;

-- name: history_from_oldest
-- The same, oldest first. (D7)
-- $1 text[] locales, $2 text[] paths, $3 int[] first, $4 timestamptz[] times and $5 uuid[] ids of the revisions that it
-- continues after, $6 timestamptz[] the earliest dates, $7 and $8 timestamptz[] dates before which revisions are; null: none
-- plan: 20 | a history | '{en}', '{"page 010001"}', '{50}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}'
select k.n::int, p.id as "pageId", x.id, x.created_at as "createdAt", x.author, x.comment, x.size, x.created_at as cursor
  from unnest($1::text[], $2::text[], $3::int[], $4::timestamptz[], $5::uuid[], $6::timestamptz[], $7::timestamptz[],
              $8::timestamptz[]) with ordinality as k (locale, path, first, after, after_id, since, until, before, n)
  join guest.page p on p.locale = k.locale and p.path = k.path
  left join lateral (
       select r.id, r.created_at, r.author, r.comment, r.size
         from guest.revision r
        where r.page_id = p.id and r.created_at >= coalesce(k.since, '-infinity')
          and r.created_at < coalesce(least(k.until, k.before), 'infinity')
          and (r.created_at, r.id) > (coalesce(k.after, '-infinity'),
                                      coalesce(k.after_id, '00000000-0000-0000-0000-000000000000'))
        order by r.created_at, r.id
        limit k.first + 1) x on true
 order by k.n, x.created_at, x.id;

-- name: recent
-- Revisions of the whole wiki, newest first, as in history. The join with their pages needs its `limit 1`: if the planner
-- does not know a limit, it expects a tenth of all revisions, and would read all pages for them. (D23)
-- The list is one row, as in pages_after.
-- $1 timestamptz[] before, $2 timestamptz[] cursors, $3 int[] first, $4 timestamptz[] the earliest dates: as in history
-- null: id, pageId, createdAt, author, comment, size, locale, ns, path, title, cursor
-- plan: 300 | the newest revisions | '{infinity}', '{NULL}', '{50}', '{-infinity}'
-- plan: 1200 | revisions from the middle, beginning between revisions of one timestamp | '{2024-01-01T04:00:00Z}', array[:cursor]::timestamptz[], '{200}', '{-infinity}'
-- plan: 300 | the last revisions before a time, which are not many since another | '{2024-01-01T04:00:00Z}', '{NULL}', '{50}', '{2024-01-01T03:59:50Z}'
select k.n::int, l.*
  from unnest($1::timestamptz[], $2::timestamptz[], $3::int[], $4::timestamptz[]) with ordinality as k (before, cursor, first, since, n)
  left join lateral (
       select t.created_at, t.revision_id as id from guest.position t where t.position = k.cursor limit 1) c on true
 cross join lateral (
       select json_agg(x.id) as id, json_agg(x.page_id) as "pageId",
              json_agg(x.created_at) as "createdAt", json_agg(x.author) as author,
              json_agg(x.comment) as comment, json_agg(x.size) as size, json_agg(x.locale) as locale,
              json_agg(x.ns) as ns, json_agg(x.path) as path, json_agg(x.title) as title,
              (select t.position from guest.position t where t.revision_id = (array_agg(x.id))[k.first]) as cursor
         from (select r.*, p.locale, p.ns, p.path, p.title
                 from (select r.id, r.page_id, r.created_at, r.author, r.comment, r.size
                         from guest.revision r
                        where r.created_at >= k.since
                          and (r.created_at, r.id) < (coalesce(c.created_at, k.before),
                                                      coalesce(c.id, '00000000-0000-0000-0000-000000000000'))
                        order by r.created_at desc, r.id desc
                        limit k.first + 1) r
                cross join lateral (
                      select p.locale, p.ns, p.path, p.title from guest.page p where p.id = r.page_id limit 1) p
                order by r.created_at desc, r.id desc) x) l;

-- name: recent_of_locale
-- Revisions of one language, newest first, as in recent.
-- $1 text[] locales, $2 timestamptz[] before, $3 timestamptz[] cursors, $4 int[] first, $5 timestamptz[] the earliest dates
-- null: id, pageId, createdAt, author, comment, size, locale, ns, path, title, cursor
-- plan: 300 | the newest revisions of a language | '{ja}', '{infinity}', '{NULL}', '{50}', '{-infinity}'
-- plan: 1200 | revisions of a language from the middle | '{ru}', '{2024-01-01T04:00:00Z}', '{NULL}', '{200}', '{-infinity}'
select k.n::int, l.*
  from unnest($1::text[], $2::timestamptz[], $3::timestamptz[], $4::int[], $5::timestamptz[]) with ordinality
       as k (locale, before, cursor, first, since, n)
  left join lateral (
       select t.created_at, t.revision_id as id from guest.position t where t.position = k.cursor limit 1) c on true
 cross join lateral (
       select json_agg(x.id) as id, json_agg(x.page_id) as "pageId",
              json_agg(x.created_at) as "createdAt", json_agg(x.author) as author,
              json_agg(x.comment) as comment, json_agg(x.size) as size, json_agg(x.locale) as locale,
              json_agg(x.ns) as ns, json_agg(x.path) as path, json_agg(x.title) as title,
              (select t.position from guest.position t where t.revision_id = (array_agg(x.id))[k.first]) as cursor
         from (select r.*, p.locale, p.ns, p.path, p.title
                 from (select r.id, r.page_id, r.created_at, r.author, r.comment, r.size
                         from guest.revision r
                        where r.locale = k.locale and r.created_at >= k.since
                          and (r.created_at, r.id) < (coalesce(c.created_at, k.before),
                                                      coalesce(c.id, '00000000-0000-0000-0000-000000000000'))
                        order by r.created_at desc, r.id desc
                        limit k.first + 1) r
                cross join lateral (
                      select p.locale, p.ns, p.path, p.title from guest.page p where p.id = r.page_id limit 1) p
                order by r.created_at desc, r.id desc) x) l;

-- name: recent_within
-- Revisions by an author, or of pages of a namespace, newest first, as in recent: those of each language, merged.
-- $1 text[] locales, $2 text[] authors and $3 text[] namespaces, each null for all, $4 timestamptz[] before, $5 timestamptz[]
-- cursors, $6 int[] first, $7 timestamptz[] the earliest dates
-- null: id, pageId, createdAt, author, comment, size, locale, ns, path, title, cursor
-- plan: 700 | the newest revisions by an author | '{NULL}', '{Ada}', '{NULL}', '{infinity}', '{NULL}', '{50}', '{-infinity}'
-- plan: 60 | revisions by an author who has none | '{NULL}', '{Nobody}', '{NULL}', '{infinity}', '{NULL}', '{50}', '{-infinity}'
-- plan: 4000 | the newest revisions of templates | '{en}', '{NULL}', '{template}', '{infinity}', '{NULL}', '{50}', '{-infinity}'
select k.n::int, l.*
  from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::int[], $7::timestamptz[])
       with ordinality as k (locale, author, ns, before, cursor, first, since, n)
  left join lateral (
       select t.created_at, t.revision_id as id from guest.position t where t.position = k.cursor limit 1) c on true
 cross join lateral (
       select json_agg(x.id order by x.i) as id, json_agg(x.page_id order by x.i) as "pageId",
              json_agg(x.created_at order by x.i) as "createdAt", json_agg(x.author order by x.i) as author,
              json_agg(x.comment order by x.i) as comment, json_agg(x.size order by x.i) as size,
              json_agg(x.locale order by x.i) as locale, json_agg(x.ns order by x.i) as ns,
              json_agg(x.path order by x.i) as path, json_agg(x.title order by x.i) as title,
              max(case when x.i = k.first
                       then (select t.position from guest.position t where t.revision_id = x.id) end) as cursor
         from (select e.i, r.*, p.locale, p.ns, p.path, p.title
                 from (select e.id, row_number() over (order by e.created_at desc, e.id desc) as i
                         from guest.locale g
                        cross join lateral guest.edits_within(
                                g.locale, k.author, k.ns, coalesce(c.created_at, k.before),
                                coalesce(c.id, '00000000-0000-0000-0000-000000000000'), k.since, k.first + 1) e
                        where k.locale is null or g.locale = k.locale
                        order by e.created_at desc, e.id desc
                        limit k.first + 1) e
                cross join lateral (
                      select r.id, r.page_id, r.created_at, r.author, r.comment, r.size
                        from guest.revision r where r.id = e.id limit 1) r
                cross join lateral (
                      select p.locale, p.ns, p.path, p.title from guest.page p where p.id = r.page_id limit 1) p) x) l;
