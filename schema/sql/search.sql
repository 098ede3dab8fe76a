-- name: search_configurations
-- Of a language, or of all.
-- $1 text locale or null
select distinct search_config::text as config from guest.locale where $1::text is null or locale = $1 order by config;

-- name: guest_index_form
select form::int from guest.search_form;

-- name: search_hits
-- The pages for a query from its $9th on, best first. Matches come in levels: title or path as typed; titles
-- that begin with it; titles that hold all words; pages that links call so; pages about the words; titles that
-- begin with the letters;
-- pages that hold the words, prominently or somewhere; titles that differ by a slip. A level is looked at when
-- those before it do not fill the answer, since common words match half of a wiki. The first $11 of all are
-- ranked by their words; those after them follow by level and score, so that every match has its place. (D34)
-- $1 text locale or null for all; a query for each configuration, null where it asks nothing: $2 text[]
-- configurations, $3 text[] titles, $4 text[] about, $5 text[] near, $6 text[] all, $7 text[] order of words,
-- $8 text[] slips; $9 int4 rows to skip, $10 int4 rows, $11 int4 rows that are ranked; $12 text title key or
-- null; $13 text[] queries that rank, $14 text[] lexemes (as text[]);
-- $15 int4 matches of a level that are held to the order of words
with question as materialized (
  select config, title::tsquery, about::tsquery, near::tsquery, everything::tsquery, word_order::tsquery,
         slips::tsquery, rank::tsquery, lexemes::text[],
         greatest($9::int8 + $10::int4, $11::int4, case when word_order is null then 0 else $15::int4 end) as looked_at
    from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $13::text[],
                $14::text[])
         as q (config, title, about, near, everything, word_order, slips, rank, lexemes)
), needed as materialized (
  select greatest($9::int8 + $10::int4, $11::int4) as rows
), exact as materialized (
  select s.page_id, s.score
    from (select page_id, locale, score from guest.search where title_key = $12::text
          union
          select page_id, locale, score from guest.search where path_key = $12) s
   where $1::text is null or s.locale = $1
   order by s.score desc, s.page_id
   limit (select rows from needed)
), begun as materialized (
  select s.page_id, s.score
    from (select b.page_id, b.score
            from guest.search b
           where b.title_key > $12 || ' ' and b.title_key < $12 || '!' and ($1::text is null or b.locale = $1)
           order by b.title_key, b.locale
           limit 20000) s
   where s.page_id not in (select page_id from exact)
     and (select count(*) from exact) < (select rows from needed)
   order by s.score desc, s.page_id
   limit (select rows from needed)
), found1 as materialized (
  select page_id, score, 0 as level from exact union all select page_id, score, 1 from begun
), held as materialized (
  select m.page_id, m.score
    from question q
   cross join lateral (
         select b.page_id, b.score
           from (select s.page_id, s.score, s.words
                   from guest.search s
                  where s.words @@ q.title and ($1::text is null or s.locale = $1)
                    and s.page_id not in (select page_id from found1)
                  order by s.score desc, s.page_id
                  limit q.looked_at) b
          where q.word_order is null or b.words @@ q.word_order
          order by b.score desc, b.page_id
          limit (select rows from needed)) m
   where (select count(*) from found1) < (select rows from needed)
   order by m.score desc, m.page_id
   limit (select rows from needed)
), found2 as materialized (
  select page_id, score, level from found1 union all select page_id, score, 2 from held
), named as materialized (
  select s.page_id, n.times::float4 as score
    from (select l.locale, l.path, count(*) as times
            from (select k.locale, k.path
                    from guest.link k
                   where k.key = $12 and ($1::text is null or k.locale = $1)
                   order by k.locale, k.path
                   limit 5000) l
           group by l.locale, l.path
           order by times desc, l.locale, l.path
           limit 20) n
    join guest.page p on p.locale = n.locale and p.path = n.path
    join guest.search s on s.page_id = p.id
   where s.page_id not in (select page_id from found2)
     and (select count(*) from found2) < (select rows from needed)
), found3 as materialized (
  select page_id, score, level from found2 union all select page_id, score, 3 from named
), about as materialized (
  select m.page_id, m.score
    from question q
   cross join lateral (
         select b.page_id, b.score
           from (select s.page_id, s.score, s.words
                   from guest.search s
                  where s.words @@ q.about and ($1::text is null or s.locale = $1)
                    and s.page_id not in (select page_id from found3)
                  order by s.score desc, s.page_id
                  limit q.looked_at) b
          where q.word_order is null or b.words @@ q.word_order
          order by b.score desc, b.page_id
          limit (select rows from needed)) m
   where (select count(*) from found3) < (select rows from needed)
   order by m.score desc, m.page_id
   limit (select rows from needed)
), found5 as materialized (
  select page_id, score, level from found3 union all select page_id, score, 4 from about
), lettered as materialized (
  select s.page_id, s.score
    from (select b.page_id, b.score
            from guest.search b
           where b.title_key > $12 and b.title_key < $12 || chr(1114111) and length($12) > 1
             and ($1::text is null or b.locale = $1)
           order by b.title_key, b.locale
           limit 2000) s
   where s.page_id not in (select page_id from found5)
     and (select count(*) from found5) < (select rows from needed)
   order by s.score desc, s.page_id
   limit 50
), found6 as materialized (
  select page_id, score, level from found5 union all select page_id, score, 5 from lettered
), near as materialized (
  select m.page_id, m.score
    from question q
   cross join lateral (
         select b.page_id, b.score
           from (select s.page_id, s.score, s.words
                   from guest.search s
                  where s.words @@ q.near and ($1::text is null or s.locale = $1)
                    and s.page_id not in (select page_id from found6)
                  order by s.score desc, s.page_id
                  limit q.looked_at) b
          where q.word_order is null or b.words @@ q.word_order
          order by b.score desc, b.page_id
          limit (select rows from needed)) m
   where (select count(*) from found6) < (select rows from needed)
   order by m.score desc, m.page_id
   limit (select rows from needed)
), found7 as materialized (
  select page_id, score, level from found6 union all select page_id, score, 6 from near
), anywhere as materialized (
  select m.page_id, m.score
    from question q
   cross join lateral (
         select b.page_id, b.score
           from (select s.page_id, s.score, s.words
                   from guest.search s
                  where s.words @@ q.everything and ($1::text is null or s.locale = $1)
                    and s.page_id not in (select page_id from found7)
                  order by s.score desc, s.page_id
                  limit q.looked_at) b
          where q.word_order is null or b.words @@ q.word_order
          order by b.score desc, b.page_id
          limit (select rows from needed)) m
   where (select count(*) from found7) < (select rows from needed)
   order by m.score desc, m.page_id
   limit (select rows from needed)
), found8 as materialized (
  select page_id, score, level from found7 union all select page_id, score, 7 from anywhere
), slipped as materialized (
  select m.page_id, m.score
    from question q
   cross join lateral (
         select s.page_id, s.score
           from guest.search s
          where s.words @@ q.slips and ($1::text is null or s.locale = $1)
            and s.page_id not in (select page_id from found8)
          order by s.score desc, s.page_id
          limit 20) m
   where (select count(*) from found8) < 10
   order by m.score desc, m.page_id
   limit 20
), found as materialized (
  select page_id, score, level, row_number() over (order by level, score desc, page_id) as place
    from (select page_id, score, level from found8 union all select page_id, score, 8 from slipped) f
), ranked as materialized (
  select f.page_id,
         case when f.place > $11 then 0 else 10 - least(f.level, 6) end as class,
         case when f.place > $11 then 0
              when f.level in (1, 2, 5) then 1 / (1 + length(s.title_key)::float4)
              when f.level = 3 then f.score / (1 + f.score)
              else coalesce(r.rank / (1 + r.rank), 0)
         end as rank,
         f.place, s.config
    from found f
    join guest.search s on s.page_id = f.page_id
    left join lateral (
         select ts_rank('{0.05, 0.2, 0.8, 1}', s.words, q.rank, 1) + 0.01 * f.score as rank
           from question q
          where q.config = s.config::text and f.place <= $11 and f.level in (4, 6, 7)) r on true
), hit as materialized (
  select page_id, class + rank / 100 as score, class, rank, place, config
    from ranked
   order by class desc, rank desc, place
   limit $10 offset $9
)
select h.score, h.config::text as config,
       p.id, p.locale, p.ns, p.path, p.title, p.revision_id as "revisionId",
       p.revision_created_at as "revisionCreatedAt", p.revision_author as "revisionAuthor",
       s.starts,
       ts_filter(setweight(setweight(s.words, 'D'), 'A', q.lexemes), '{a}')::text as places
  from hit h
  join guest.page p on p.id = h.page_id
  join guest.search s on s.page_id = h.page_id
  left join question q on q.config = h.config::text
 order by h.class desc, h.rank desc, h.place;

-- name: search_parts
-- The pages that hold some of a query's words, when none holds all: of each word those that have it in the title,
-- and some that have it anywhere, and titles that stand in the query. Words that few of them hold count more,
-- and twice in a title; a title that stands in the query counts its words again.
-- $1 text locale or null for all; each word in each configuration: $2 text[] configurations, $3 int4[] numbers of
-- the words, $4 text[] queries of titles, $5 text[] queries; $6 int4 pages of each word; $7 int8 rows to skip,
-- $8 int4 rows; $9 text[] keys of titles that stand in the query; what must not be there: $10 text[]
-- configurations, $11 text[] queries or null, $12 text[] lexemes (as text[])
with part as materialized (
  select config, n, title::tsquery, everything::tsquery
    from unnest($2::text[], $3::int4[], $4::text[], $5::text[]) as p (config, n, title, everything)
), way as materialized (
  select config, excluded::tsquery, lexemes::text[]
    from unnest($10::text[], $11::text[], $12::text[]) as w (config, excluded, lexemes)
), candidate as materialized (
  select t.page_id
    from part
   cross join lateral (
         select s.page_id
           from guest.search s
          where s.words @@ part.title and ($1::text is null or s.locale = $1)
          order by length(s.title_key), s.score desc, s.page_id
          limit $6) t
  union
  select a.page_id
    from part
   cross join lateral (
         select s.page_id
           from guest.search s
          where s.words @@ part.everything and ($1::text is null or s.locale = $1)
          order by s.score desc, s.page_id
          limit $6) a
  union
  select n.page_id
    from (select s.page_id
            from guest.search s
           where s.title_key = any ($9::text[]) and ($1::text is null or s.locale = $1)
           order by length(s.title_key) desc, s.score desc, s.page_id
           limit 100) n
), held as materialized (
  select c.page_id, part.n, bool_or(s.words @@ part.title) as in_title
    from candidate c
    join guest.search s on s.page_id = c.page_id
    join part on part.config = s.config::text and s.words @@ part.everything
   where not exists (
         select from way where way.config = s.config::text and way.excluded is not null and s.words @@ way.excluded)
   group by c.page_id, part.n
), weight as materialized (
  select n, ln(1 + (select count(distinct page_id) from held)::float8 / count(*)) as weight from held group by n
), hit as materialized (
  select h.page_id, s.config, s.score,
         sum(w.weight * (1 + h.in_title::int
                           + (h.in_title and s.title_key = any ($9::text[]))::int)) + 0.01 * s.score as rank
    from held h
    join weight w on w.n = h.n
    join guest.search s on s.page_id = h.page_id
   group by h.page_id, s.config, s.score, s.title_key
   order by rank desc, h.page_id
   limit $8 offset $7
)
select h.rank / (1 + h.rank) as score, h.config::text as config,
       p.id, p.locale, p.ns, p.path, p.title, p.revision_id as "revisionId",
       p.revision_created_at as "revisionCreatedAt", p.revision_author as "revisionAuthor",
       s.starts,
       ts_filter(setweight(setweight(s.words, 'D'), 'A', way.lexemes), '{a}')::text as places
  from hit h
  join guest.page p on p.id = h.page_id
  join guest.search s on s.page_id = h.page_id
  left join way on way.config = h.config::text
 order by h.rank desc, h.page_id;

-- name: search_sections
-- Sections of pages by number, as they are stored.
-- $1 bigint[] page ids, $2 int4[] numbers from 1
select k.n::int, split_part(s.body, chr(1), k.section) as section
  from unnest($1::bigint[], $2::int4[]) with ordinality as k (page_id, section, n)
  join guest.search s on s.page_id = k.page_id;

-- name: stems
-- Stems by a configuration's own dictionary: nothing of a stop word.
-- $1 text[] configurations, $2 text[] words
select w.n::int, ts_lexize(case when octet_length(w.word) = length(w.word) then d.ascii else d.other end, w.word) as stems
  from unnest($1::text[], $2::text[]) with ordinality as w (config, word, n)
  join (select c.cfgname as config,
               min(m.mapdict) filter (where m.maptokentype = 1)::regdictionary as ascii,
               min(m.mapdict) filter (where m.maptokentype = 2)::regdictionary as other
          from pg_ts_config c
          join pg_ts_config_map m on m.mapcfg = c.oid and m.mapseqno = 1
         where c.cfgnamespace = 'pg_catalog'::regnamespace
         group by c.cfgname) d on d.config = w.config;
