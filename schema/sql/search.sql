-- name: search_languages
-- The text search configuration of each language, its pages, how many of them were counted for words, and their mean length.
select l.locale, l.search_config::text as config, coalesce(z.pages, 0) as pages, coalesce(z.counted, 0) as counted,
       coalesce(z.mean_length, 0)::float8 as "meanLength"
  from guest.locale l
  left join guest.search_size z on z.locale = l.locale
 order by l.locale;

-- name: index_version
-- The index version of all pages; 0 if pages have different versions.
select index_version::int as "indexVersion" from guest.search_index_version;

-- name: search_matches
-- The pages that contain all words of a query, best first. Matches come in tiers (see guest.search_matches), which are
-- examined until the result is full, because common words match half of a wiki. The first $10 of all matches are ranked by
-- their words; the others follow by tier and score, so that the order of all matches is defined. (D34)
-- $1 text locale or null for all; a query for each configuration, null if no page can match: $2 text[]
-- configurations, $3 text[] titles, $4 text[] prominent, $5 text[] repeated, $6 text[] anywhere, $7 text[] order of
-- words, $8 text[] typos; $9 int4 rows, $10 int4 rows that are ranked; $11 text title key or null; $12 text[] queries that
-- rank; $13 int4 matches of a tier that are examined for the order of words; $14 int4 matches of the words anywhere that
-- the caller ranks, or null
with asked as materialized (
  select config, rank::tsquery from unnest($2::text[], $12::text[]) as q (config, rank)
), found as materialized (
  select page_id, score, tier, ordinal
    from guest.search_matches(
           $1::text, $11::text, $9, $10, $14::int4, $13::int4, $3::text[]::tsquery[], $4::text[]::tsquery[],
           $5::text[]::tsquery[], $6::text[]::tsquery[], $7::text[]::tsquery[], $8::text[]::tsquery[])
         with ordinality as m (page_id, score, tier, ordinal)
), ranked as materialized (
  select f.page_id, f.tier, f.ordinal,
         case when f.ordinal > $10 then 0 else 10 - least(f.tier, 6) end as class,
         case when f.ordinal > $10 then 0
              when f.tier in (1, 2, 5) then 1 / (1 + length(s.title_key)::float4)
              when f.tier = 3 then f.score / (1 + f.score)
              else coalesce(r.rank / (1 + r.rank), 0)
         end as rank
    from found f
    -- A lookup of each, as its limit says: a join may read the rows of all pages.
   cross join lateral (
         select x.words, x.title_key, x.config from guest.search x where x.page_id = f.page_id limit 1) s
   cross join (select bool_or(tier = 0) as is_exact from found) e
    left join lateral (
         select ts_rank('{0.05, 0.2, 0.8, 1}', s.words, q.rank, 1) + 0.01 * f.score as rank
           from asked q
          where q.config = s.config::text and f.ordinal <= $10
            and (f.tier in (4, 6) or f.tier = 7 and ($14::int4 is null or e.is_exact))) r on true
)
select page_id as id, tier, class, rank::float8 as rank
  from ranked
 order by class desc, rank desc, ordinal;

-- name: search_words
-- In how many of the counted pages words occur, if in more than one.
-- $1 text[] locales, $2 text[] words
select w.locale, w.word, w.pages
  from unnest($1::text[], $2::text[]) as a (locale, word)
  join guest.search_word w on w.locale = a.locale and w.word = a.word;

-- name: search_relatives
-- The counted words nearest in the alphabet to some words, of those that begin in the same way: they share the longest beginnings.
-- $1 text[] locales, $2 text[] words, $3 text[] beginnings of these, $4 int4 words before and after each
select a.n::int, r.word, r.pages
  from unnest($1::text[], $2::text[], $3::text[]) with ordinality as a (locale, word, beginning, n)
 cross join lateral (
       (select w.word, w.pages
          from guest.search_word w
         where w.locale = a.locale and w.word > a.word and w.word < a.beginning || chr(1114111)
         order by w.word limit $4)
       union all
       (select w.word, w.pages
          from guest.search_word w
         where w.locale = a.locale and w.word < a.word and w.word >= a.beginning
         order by w.word desc limit $4)) r
 order by a.n, r.word;

-- name: search_candidates
-- Pages that contain some words of a query, and where.
-- $1 text locale or null for all; $2 text[] queries, $3 int4[] pages of each at most; $4 bigint[] further pages; $5 bigint[]
-- pages that are listed already; each configuration: $6 text[] names, $7 text[] lexemes (as text[]), $8 text[] excluded or
-- null
with asked as materialized (
  select config, lexemes::text[], excluded::tsquery
    from unnest($6::text[], $7::text[], $8::text[]) as a (config, lexemes, excluded)
), candidate as materialized (
  select b.page_id
    from unnest($2::text[], $3::int4[]) as q (query, most)
   cross join lateral guest.search_best($1::text, q.query::tsquery, null, q.most, q.most, '{}') b
   union
  select unnest($4::bigint[])
  except
  select unnest($5::bigint[])
)
select s.page_id as id, s.locale, s.score::float8 as prior,
       coalesce(s.length, s.starts[cardinality(s.starts)], 0) as length, s.page_id = any ($4::bigint[]) as "hasAll",
       ts_filter(setweight(s.words, 'A', a.lexemes), '{a}')::text as positions
  from candidate c
 cross join lateral (
       select x.page_id, x.locale, x.score, x.config, x.words, x.starts, x.length
         from guest.search x where x.page_id = c.page_id limit 1) s
  join asked a on a.config = s.config::text
 where a.excluded is null or not s.words @@ a.excluded;

-- name: search_hits
-- What a response shows of pages, in the order of the ids, and where they contain the words of the query.
-- $1 bigint[] page ids; each configuration: $2 text[] names, $3 text[] lexemes (as text[])
select s.config::text as config, p.id, p.locale, p.ns, p.path, p.title, p.revision_id as "revisionId",
       p.revision_created_at as "revisionCreatedAt", p.revision_author as "revisionAuthor", s.starts,
       ts_filter(setweight(setweight(s.words, 'D'), 'A', a.lexemes), '{a}')::text as positions
  from unnest($1::bigint[]) with ordinality as h (page_id, n)
  join guest.page p on p.id = h.page_id
 cross join lateral (
       select x.config, x.words, x.starts from guest.search x where x.page_id = h.page_id limit 1) s
  left join (select config, lexemes::text[] from unnest($2::text[], $3::text[]) as a (config, lexemes)) a
    on a.config = s.config::text
 order by h.n;

-- name: search_sections
-- Sections of pages by number, with U+0001 between them: heading and text, as they are stored. The body of a page is read
-- and split once, however many of its sections are wanted.
-- $1 bigint[] page ids, $2 text[] numbers from 1 of each page (as int4[])
select k.n::int,
       (select string_agg(coalesce(s.sections[w.number], ''), chr(1) order by w.n)
          from unnest(k.numbers::int4[]) with ordinality as w (number, n)) as sections
  from unnest($1::bigint[], $2::text[]) with ordinality as k (page_id, numbers, n)
 cross join lateral (
       select string_to_array(b.body, chr(1)) as sections
         from guest.search b
        where b.page_id = k.page_id
        limit 1) s;

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
