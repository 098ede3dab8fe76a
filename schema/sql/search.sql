-- name: search_configurations
-- Of a language, or of all.
-- $1 text locale or null
select distinct search_config::text as config from guest.locale where $1::text is null or locale = $1 order by config;

-- name: search_hits
-- The pages for a query from its $9th on, best first. Matches come in levels: title or path as typed; titles
-- that begin with it; titles that hold all words; pages about the words; titles that begin with the letters;
-- pages that hold the words, prominently or somewhere; titles that differ by a slip. A level is looked at when
-- those before it do not fill the answer, since common words match half of a wiki. The first $11 of all are
-- ranked by their words; those after them follow by level and score, so that every match has its place. (D34)
-- $1 text locale or null for all; a query for each configuration, null where it asks nothing: $2 text[]
-- configurations, $3 text[] titles, $4 text[] about, $5 text[] near, $6 text[] all, $7 text[] order of words,
-- $8 text[] slips; $9 int4 rows to skip, $10 int4 rows, $11 int4 rows that are ranked; $12 text title key or
-- null; $13 text[] queries that rank, $14 text[] parts (as tsquery[]), $15 text[] lexemes (as text[]);
-- $16 int4 matches of a level that are held to the order of words
with question as materialized (
  select config, title::tsquery, about::tsquery, near::tsquery, everything::tsquery, word_order::tsquery,
         slips::tsquery, rank::tsquery, parts::tsquery[], lexemes::text[],
         greatest($9::int8 + $10::int4, $11::int4, case when word_order is null then 0 else $16::int4 end) as looked_at
    from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $13::text[],
                $14::text[], $15::text[])
         as q (config, title, about, near, everything, word_order, slips, rank, parts, lexemes)
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
         select s.page_id, s.score, s.words
           from guest.search s
          where s.words @@ q.title and ($1::text is null or s.locale = $1)
            and s.page_id not in (select page_id from found1)
          order by s.score desc, s.page_id
          limit q.looked_at) m
   where (q.word_order is null or m.words @@ q.word_order)
     and (select count(*) from found1) < (select rows from needed)
   order by m.score desc, m.page_id
   limit (select rows from needed)
), found2 as materialized (
  select page_id, score, level from found1 union all select page_id, score, 2 from held
), about as materialized (
  select m.page_id, m.score
    from question q
   cross join lateral (
         select s.page_id, s.score, s.words
           from guest.search s
          where s.words @@ q.about and ($1::text is null or s.locale = $1)
            and s.page_id not in (select page_id from found2)
          order by s.score desc, s.page_id
          limit q.looked_at) m
   where (q.word_order is null or m.words @@ q.word_order)
     and (select count(*) from found2) < (select rows from needed)
   order by m.score desc, m.page_id
   limit (select rows from needed)
), found3 as materialized (
  select page_id, score, level from found2 union all select page_id, score, 3 from about
), lettered as materialized (
  select s.page_id, s.score
    from (select b.page_id, b.score
            from guest.search b
           where b.title_key > $12 and b.title_key < $12 || U&'\+10FFFF' and length($12) > 1
             and ($1::text is null or b.locale = $1)
           order by b.title_key, b.locale
           limit 2000) s
   where s.page_id not in (select page_id from found3)
     and (select count(*) from found3) < (select rows from needed)
   order by s.score desc, s.page_id
   limit 50
), found4 as materialized (
  select page_id, score, level from found3 union all select page_id, score, 4 from lettered
), near as materialized (
  select m.page_id, m.score
    from question q
   cross join lateral (
         select s.page_id, s.score, s.words
           from guest.search s
          where s.words @@ q.near and ($1::text is null or s.locale = $1)
            and s.page_id not in (select page_id from found4)
          order by s.score desc, s.page_id
          limit q.looked_at) m
   where (q.word_order is null or m.words @@ q.word_order)
     and (select count(*) from found4) < (select rows from needed)
   order by m.score desc, m.page_id
   limit (select rows from needed)
), found5 as materialized (
  select page_id, score, level from found4 union all select page_id, score, 5 from near
), anywhere as materialized (
  select m.page_id, m.score
    from question q
   cross join lateral (
         select s.page_id, s.score, s.words
           from guest.search s
          where s.words @@ q.everything and ($1::text is null or s.locale = $1)
            and s.page_id not in (select page_id from found5)
          order by s.score desc, s.page_id
          limit q.looked_at) m
   where (q.word_order is null or m.words @@ q.word_order)
     and (select count(*) from found5) < (select rows from needed)
   order by m.score desc, m.page_id
   limit (select rows from needed)
), found6 as materialized (
  select page_id, score, level from found5 union all select page_id, score, 6 from anywhere
), slipped as materialized (
  select m.page_id, m.score
    from question q
   cross join lateral (
         select s.page_id, s.score
           from guest.search s
          where s.words @@ q.slips and ($1::text is null or s.locale = $1)
            and s.page_id not in (select page_id from found6)
          order by s.score desc, s.page_id
          limit 20) m
   where (select count(*) from found6) < 10
   order by m.score desc, m.page_id
   limit 20
), found as materialized (
  select page_id, score, level, row_number() over (order by level, score desc, page_id) as place
    from (select page_id, score, level from found6 union all select page_id, score, 7 from slipped) f
), ranked as materialized (
  select f.page_id,
         case when f.place > $11 then 0 else 10 - least(f.level, 5) end as class,
         case when f.place > $11 then 0
              when f.level in (1, 2, 4) then 1 / (1 + length(s.title_key)::float4)
              else coalesce(r.parts, 0) + coalesce(r.rank / (1 + r.rank), 0)
         end as rank,
         f.place, s.config
    from found f
    join guest.search s on s.page_id = f.page_id
    left join lateral (
         select ts_rank_cd('{0.1, 0.2, 0.4, 1}', s.words, q.rank, 1) + 0.01 * f.score as rank,
                (select count(*) from unnest(q.parts) p (part) where s.words @@ p.part) as parts
           from question q
          where q.config = s.config::text and f.place <= $11 and f.level not in (0, 1, 2, 4)) r on true
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

-- name: search_sections
-- Sections of pages by number, as they are stored.
-- $1 bigint[] page ids, $2 int4[] numbers from 1
select k.n::int, split_part(s.body, U&'\0001', k.section) as section
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
