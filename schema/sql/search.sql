-- name: search_hits
-- The best pages for a query, each language by its own configuration, with the sections that speak most of
-- it (else the page's first). Of each language the first thousand matches by score are ranked. (D11)
-- $1 text locale or null for all, $2 text query (websearch form), $3 text the query as a folded title,
-- $4 int rows, $5 int rows to skip, $6 int sections a page
with asked as materialized (
  select l.locale, l.search_config, w.query,
         regexp_replace(querytree(w.query), '(&|<[-0-9]+>)', '|', 'g')::tsquery as any_word
    from guest.locale l
   cross join lateral websearch_to_tsquery(l.search_config, $2) as w (query)
   where ($1::text is null or l.locale = $1)
     and numnode(w.query) > 0 and querytree(w.query) not in ('', 'T')
), candidate as materialized (
  select x.page_id, x.title_folded, x.words, x.score, a.query, a.any_word, a.search_config
    from asked a
   cross join lateral (
         select s.page_id, s.title_folded, s.words, s.score
           from guest.search s
          where s.locale = a.locale and s.words @@ a.query
          order by s.score desc, s.page_id
          limit 1000) x
), hit as materialized (
  select c.page_id, c.query, c.any_word, c.search_config,
         ts_rank_cd('{0.05, 0.2, 0.4, 1}', c.words, c.query, 1)
           + case when ts_filter(c.words, '{a}') @@ c.query then 1 else 0 end
           + case when c.title_folded = $3 then 2 else 0 end
           + 0.01 * c.score as score
    from candidate c
   order by score desc, c.page_id
   limit $4 offset $5
)
select h.score, h.search_config::text as config, h.any_word::text as "anyWord",
       p.id, p.locale, p.ns, p.path, p.title, p.revision_id as "revisionId",
       p.revision_created_at as "revisionCreatedAt", p.revision_author as "revisionAuthor",
       coalesce(best.sections, beginning.sections, '[]') as sections
  from hit h
  join guest.page p on p.id = h.page_id
  left join lateral (
       select json_agg(json_build_object('heading', t.heading, 'body', t.body) order by t.rank desc, t.position) as sections
         from (select s.position, s.heading, s.body, ts_rank(s.words, h.any_word) as rank
                 from guest.section s
                where s.page_id = h.page_id and s.words @@ h.any_word
                order by rank desc, s.position
                limit $6) t) best on true
  left join lateral (
       select json_agg(json_build_object('heading', s.heading, 'body', s.body)) as sections
         from guest.section s
        where s.page_id = h.page_id and s.position = 0) beginning on true
 order by h.score desc, h.page_id;

-- name: matching_words
-- Of words with the query each was met under, those that it matches.
-- $1 regconfig[] configurations, $2 text[] words, $3 text[] queries (tsquery form)
select k.n::int
  from unnest($1::text[], $2::text[], $3::text[]) with ordinality as k (config, word, query, n)
 where to_tsvector(k.config::regconfig, k.word) @@ k.query::tsquery;
