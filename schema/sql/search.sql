-- name: search_configurations
-- The text search configuration of each language.
select locale, search_config::text as config from guest.locale order by locale;

-- name: index_version
-- The index version of all pages; 0 if pages have different versions.
select index_version::int as "indexVersion" from guest.search_index_version;

-- name: search_full_matches
-- The pages that match a query, best first. Matches come in tiers (see guest.search_matches), which are examined until
-- the result is full, because common words match half of a wiki. The first $11 of all matches are ranked by their
-- words; the others follow by tier and score, so that the order of all matches is defined. (D34)
-- $1 text locale or null for all; a query for each configuration, null if no page can match: $2 text[]
-- configurations, $3 text[] titles, $4 text[] prominent, $5 text[] repeated, $6 text[] anywhere, $7 text[] order of
-- words, $8 text[] typos; $9 int4 rows to skip, $10 int4 rows, $11 int4 rows that are ranked; $12 text title key or
-- null; $13 text[] queries that rank, $14 text[] lexemes (as text[]); $15 int4 matches of a tier that are examined for
-- the order of words
with asked as materialized (
  select config, rank::tsquery, lexemes::text[]
    from unnest($2::text[], $13::text[], $14::text[]) as q (config, rank, lexemes)
), found as materialized (
  select page_id, score, tier, ordinal
    from guest.search_matches(
           $1::text, $12::text, greatest($9::int8 + $10::int4, $11::int4), $15::int4, $3::text[]::tsquery[],
           $4::text[]::tsquery[], $5::text[]::tsquery[], $6::text[]::tsquery[], $7::text[]::tsquery[],
           $8::text[]::tsquery[])
         with ordinality as m (page_id, score, tier, ordinal)
), ranked as materialized (
  select f.page_id,
         case when f.ordinal > $11 then 0 else 10 - least(f.tier, 6) end as class,
         case when f.ordinal > $11 then 0
              when f.tier in (1, 2, 5) then 1 / (1 + length(s.title_key)::float4)
              when f.tier = 3 then f.score / (1 + f.score)
              else coalesce(r.rank / (1 + r.rank), 0)
         end as rank,
         f.ordinal, s.config
    from found f
    join guest.search s on s.page_id = f.page_id
    left join lateral (
         select ts_rank('{0.05, 0.2, 0.8, 1}', s.words, q.rank, 1) + 0.01 * f.score as rank
           from asked q
          where q.config = s.config::text and f.ordinal <= $11 and f.tier in (4, 6, 7)) r on true
), hit as materialized (
  select page_id, class + rank / 100 as score, class, rank, ordinal, config
    from ranked
   order by class desc, rank desc, ordinal
   limit $10 offset $9
)
select h.score, h.config::text as config,
       p.id, p.locale, p.ns, p.path, p.title, p.revision_id as "revisionId",
       p.revision_created_at as "revisionCreatedAt", p.revision_author as "revisionAuthor",
       s.starts,
       ts_filter(setweight(setweight(s.words, 'D'), 'A', q.lexemes), '{a}')::text as positions
  from hit h
  join guest.page p on p.id = h.page_id
  join guest.search s on s.page_id = h.page_id
  left join asked q on q.config = h.config::text
 order by h.class desc, h.rank desc, h.ordinal;

-- name: search_partial_matches
-- The pages that contain some words of a query, if no page contains all of them: for each word, pages that have it in the
-- title, and some pages that have it anywhere; and pages whose title is part of the query. A word has more weight if
-- fewer of these pages contain it, and twice the weight in a title. It counts once more in a title that is part of the
-- query.
-- $1 text locale or null for all; each word in each configuration: $2 text[] configurations, $3 int4[] numbers of
-- the words, $4 text[] queries of titles, $5 text[] queries; $6 int4 pages of each word; $7 int8 rows to skip,
-- $8 int4 rows; $9 text[] keys of titles that are part of the query; exclusions: $10 text[]
-- configurations, $11 text[] queries or null, $12 text[] lexemes (as text[])
with term as materialized (
  select config, n, title::tsquery, everything::tsquery
    from unnest($2::text[], $3::int4[], $4::text[], $5::text[]) as t (config, n, title, everything)
), exclusion as materialized (
  select config, excluded::tsquery, lexemes::text[]
    from unnest($10::text[], $11::text[], $12::text[]) as e (config, excluded, lexemes)
), candidate as materialized (
  select t.page_id
    from term
   cross join lateral (
         select s.page_id
           from guest.search s
          where s.words @@ term.title and ($1::text is null or s.locale = $1)
          order by length(s.title_key), s.score desc, s.page_id
          limit $6) t
  union
  select a.page_id
    from term
   cross join lateral guest.search_best($1::text, term.everything, null, $6, $6, '{}') a
  union
  select n.page_id
    from (select s.page_id
            from guest.search s
           where s.title_key = any ($9::text[]) and ($1::text is null or s.locale = $1)
           order by length(s.title_key) desc, s.score desc, s.page_id
           limit 100) n
), matched as materialized (
  select c.page_id, term.n, bool_or(c.words @@ term.title) as in_title
    from (select c.page_id, s.config::text as config, setweight(s.words, 'D') as words
            from candidate c
            join guest.search s on s.page_id = c.page_id
          offset 0) c -- so that the words of a page are read once, and not for each term
    join term on term.config = c.config and c.words @@ term.everything
   where not exists (
         select from exclusion x where x.config = c.config and x.excluded is not null and c.words @@ x.excluded)
   group by c.page_id, term.n
), weight as materialized (
  select n, ln(1 + (select count(distinct page_id) from matched)::float8 / count(*)) as weight from matched group by n
), hit as materialized (
  select m.page_id, s.config, s.score,
         sum(w.weight * (1 + m.in_title::int
                           + (m.in_title and s.title_key = any ($9::text[]))::int)) + 0.01 * s.score as rank
    from matched m
    join weight w on w.n = m.n
    join guest.search s on s.page_id = m.page_id
   group by m.page_id, s.config, s.score, s.title_key
   order by rank desc, m.page_id
   limit $8 offset $7
)
select h.rank / (1 + h.rank) as score, h.config::text as config,
       p.id, p.locale, p.ns, p.path, p.title, p.revision_id as "revisionId",
       p.revision_created_at as "revisionCreatedAt", p.revision_author as "revisionAuthor",
       s.starts,
       ts_filter(setweight(setweight(s.words, 'D'), 'A', x.lexemes), '{a}')::text as positions
  from hit h
  join guest.page p on p.id = h.page_id
  join guest.search s on s.page_id = h.page_id
  left join exclusion x on x.config = h.config::text
 order by h.rank desc, h.page_id;

-- name: search_sections
-- Sections of pages by number: heading and text, as they are stored.
-- $1 bigint[] page ids, $2 int4[] numbers from 1
select k.n::int, split_part(s.body, chr(1), k.section) as section
  from unnest($1::bigint[], $2::int4[]) with ordinality as k (page_id, section, n)
  join guest.search s on s.page_id = k.page_id;

-- name: stems
-- Stems by a configuration's own dictionary, with spaces between them; an empty text for a stop word.
-- $1 text[] configurations, $2 text[] words
select w.n::int,
       array_to_string(
         ts_lexize(case when octet_length(w.word) = length(w.word) then d.ascii else d.other end, w.word), ' ') as stems
  from unnest($1::text[], $2::text[]) with ordinality as w (config, word, n)
  join (select c.cfgname as config,
               min(m.mapdict) filter (where m.maptokentype = 1)::regdictionary as ascii,
               min(m.mapdict) filter (where m.maptokentype = 2)::regdictionary as other
          from pg_ts_config c
          join pg_ts_config_map m on m.mapcfg = c.oid and m.mapseqno = 1
         where c.cfgnamespace = 'pg_catalog'::regnamespace
         group by c.cfgname) d on d.config = w.config;
