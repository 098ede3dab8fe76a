-- Stored HTML of live pages. (D144)

-- name: html_of_page
-- $1 bigint[] page ids
-- null: html
-- plan: 20 | the HTML of pages | '{1,500,9000}'
select k.n::int, h.digest, h.host, h.html
  from unnest($1::bigint[]) with ordinality as k (id, n)
  join guest.page_html h on h.page_id = k.id;

-- name: count_pages_without_html
-- $1 text which renderer is to make it
select count(*)::int as pages
  from wiki.live_page l
  left join wiki.live_html h on h.page_id = l.id
 where h.renderer is distinct from $1;

-- name: claim_pages_without_html
-- Pages whose HTML is not stored, or is another renderer's: as many as have so many bytes of text together, at least one.
-- They get rows without HTML, for `store_html`. `change`: their last change.
-- $1 text which renderer is to make it, $2 bigint page to start after, $3 int4 rows, $4 int4 bytes
-- null: dialect
with due as (
  select p.*, coalesce(sum(r.size) over (order by p.id rows between unbounded preceding and 1 preceding), 0) as before
    from (select l.id, l.locale, l.ns, l.path, l.title, l.revision_id as "revisionId",
                 l.revision_created_at as "revisionCreatedAt", l.revision_author as "revisionAuthor", l.dialect,
                 c.change::text
            from wiki.live_page l
            join wiki.live_change c on c.page_id = l.id and c.page_id > $2
            left join wiki.live_html h on h.page_id = l.id and h.page_id > $2
           where l.id > $2 and h.renderer is distinct from $1
           order by l.id
           limit $3) p
    join guest.revision r on r.id = p."revisionId"
), claimed as (
  insert into wiki.live_html (page_id, renderer, digest, host)
  select id, '', '', '' from due where before < $4
      on conflict (page_id) do update set renderer = '', digest = '', host = '', html = null
)
select s.id, s.locale, s.ns, s.path, s.title, s."revisionId", s."revisionCreatedAt", s."revisionAuthor", s.dialect, s.change,
       v.markdown as "revisionMarkdown"
  from due s
  join guest.revision v on v.id = s."revisionId"
 where s.before < $4
 order by s.id;

-- name: store_html
-- Stores HTML of pages that guests still see as it was made from: a change deletes the row of the claim.
-- $1 text renderer, $2 text host, $3 bigint[] page ids, $4 bigint[] their changes, $5 text[] digests, $6 text[] HTML
update wiki.live_html h
   set renderer = $1, host = $2, digest = g.digest, html = g.html
  from unnest($3::bigint[], $4::bigint[], $5::text[], $6::text[]) as g (page_id, change, digest, html)
  join wiki.live_change c on c.page_id = g.page_id and c.change = g.change
 where h.page_id = g.page_id;
