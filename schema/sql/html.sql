-- Stored HTML of live pages. (D144)

-- name: html_of_page
-- $1 bigint[] page ids
-- null: html
-- plan: 20 | the HTML of pages | '{1,500,9000}'
select k.n::int, h.digest, h.html
  from unnest($1::bigint[]) with ordinality as k (id, n)
  join guest.page_html h on h.page_id = k.id;

-- name: count_pages_without_html
-- $1 text which renderer is to make it
select count(*)::int as pages
  from wiki.live_page l
  left join wiki.live_html h on h.page_id = l.id
 where h.renderer is distinct from $1;

-- name: pages_without_html
-- Pages whose HTML is not stored, or is another renderer's: as many as have so many bytes of text together, at least one.
-- `change`: their last change.
-- $1 text which renderer is to make it, $2 bigint page to start after, $3 int4 rows, $4 int4 bytes
-- null: dialect
select s.id, s.locale, s.ns, s.path, s.title, s."revisionId", s."revisionCreatedAt", s."revisionAuthor", s.dialect, s.change,
       v.markdown as "revisionMarkdown"
  from (select p.*, coalesce(sum(r.size) over (order by p.id rows between unbounded preceding and 1 preceding), 0) as before
          from (select l.id, l.locale, l.ns, l.path, l.title, l.revision_id as "revisionId",
                       l.revision_created_at as "revisionCreatedAt", l.revision_author as "revisionAuthor", l.dialect,
                       c.change::text
                  from wiki.live_page l
                  join wiki.live_change c on c.page_id = l.id and c.page_id > $2
                  left join wiki.live_html h on h.page_id = l.id and h.page_id > $2
                 where l.id > $2 and h.renderer is distinct from $1
                 order by l.id
                 limit $3) p
          join guest.revision r on r.id = p."revisionId") s
  join guest.revision v on v.id = s."revisionId"
 where s.before < $4
 order by s.id;

-- name: store_html
-- Stores HTML of pages that guests still see as it was made from.
-- $1 text renderer, $2 bigint[] page ids, $3 bigint[] their changes, $4 text[] digests, $5 text[] HTML
insert into wiki.live_html (page_id, renderer, digest, html)
select c.page_id, $1, g.digest, g.html
  from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[]) as g (page_id, change, digest, html)
  join wiki.live_change c on c.page_id = g.page_id and c.change = g.change
on conflict (page_id) do update set renderer = excluded.renderer, digest = excluded.digest, html = excluded.html;
