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
-- The pages that contain all words of a query, best first, with what a response shows of them; or, if they are too few, the
-- candidates for the tail. Matches come in tiers (see guest.search_matches), which are examined until the result is
-- full, because common words match half of a wiki. The first `ranked` of all matches are ranked by their words; the others
-- follow by tier and score, so that the order of all matches is defined. (D34, D114)
-- The first row has `matches`, arrays of id, tier, class and rank, without a tail of those that are shown; and `candidates`, if
-- there is a tail: arrays of id, locale, score, length, whether the page has all words, and positions.
-- Without a tail, `hasMore` says whether there are more matches than those that are shown.
-- $1 json: `locale`, `ns`, `category` and `prefix` of the path, each null for all; `key`, the title key, or null; `start`, the first match that is shown, from 0; `end`, rows
-- that are read, of which the last one is not shown; `ranked`, rows that are ranked; `ordered`, matches of a tier that are
-- examined for the order of words; `tail`, its kind; `configurations`, each with its name, its `lexemes`, and its queries,
-- null if no page can match: `title`, `prominent`, `repeated`, `all`, `order`, `typos`, `unfinished` for words with one of the
-- `beginnings`, `rank`, and for the tail `tailLexemes` and what pages must not contain (`excluded`); `candidates`, the queries of the tail, and how many pages
-- of each at most
-- null: matches, candidates, config, id, locale, ns, path, title, revisionId, revisionCreatedAt, revisionAuthor, starts, positions, isWhole, body
with given as materialized (
  select g.*
    from json_to_record($1::json) as g (
           locale text, ns text, category text, prefix text, key text, start int4, "end" int4, ranked int4, ordered int4, tail text, configurations json,
           candidates json, read int4)
), asked as materialized (
  select c.config, c.title::tsquery, c.prominent::tsquery, c.repeated::tsquery, c."all"::tsquery, c."order"::tsquery,
         c.typos::tsquery, c.unfinished::tsquery, c.beginnings, c.rank::tsquery, c.lexemes
    from given g
   cross join lateral json_to_recordset(g.configurations) as c (
           config text, title text, prominent text, repeated text, "all" text, "order" text, typos text,
           unfinished text, beginnings text[], rank text, lexemes text[])
), filter as materialized (
  select case when coalesce(g.ns, g.category, g.prefix) is not null
              then guest.search_filter(g.locale, g.ns, g.category, g.prefix) end as within
    from given g
), found as materialized (
  select m.page_id, m.score, m.tier, m.ordinal
    from given g
   cross join (
         select array_agg(a.title) as title, array_agg(a.prominent) as prominent, array_agg(a.repeated) as repeated,
                array_agg(a."all") as "all", array_agg(a."order") as "order", array_agg(a.typos) as typos,
                array_agg(a.unfinished) as unfinished
           from asked a) q
   cross join lateral guest.search_matches(
           g.locale, g.key, g."end", g.ranked, case when g.tail = 'merged' then g.ranked end, g.ordered,
           q.title, q.prominent, q.repeated, q."all", q."order", q.typos,
           (select f.within from filter f), q.unfinished)
         with ordinality as m (page_id, score, tier, ordinal)
), kind as materialized (
  -- A title or path as typed has no tail. If the tail is merged, it ranks the pages with the words anywhere.
  select coalesce(bool_or(tier = 0), false) as is_exact,
         (select g.tail = 'merged' from given g) and not coalesce(bool_or(tier = 0), false) as is_merged
    from found
), ranked as materialized (
  select f.page_id, f.tier, f.ordinal,
         case when f.ordinal > g.ranked then 0 when f.tier = 9 then 3 else 10 - least(f.tier, 6) end as class,
         -- Of a tier, templates come last: their titles and texts are short, so that words weigh more. Few are looked up.
         case when f.ordinal > g.ranked then 0
              when s.path_key ~ '^(template|page template|module) '
                   and (select y.ns <> 'main' from guest.page y where y.id = f.page_id) then w.rank / 2
              else (1 + w.rank) / 2
         end as rank
    from found f
   cross join kind k
   cross join given g
    -- A lookup of each that is ranked here, as its limit says: a join may read the rows of all pages.
    left join lateral (
         select x.words, x.title_key, x.path_key, x.config
           from guest.search x
          where x.page_id = f.page_id and not (k.is_merged and f.tier = 7)
          limit 1) s on true
    left join lateral (
         select ts_rank('{0.05, 0.2, 0.8, 1}', s.words, case when f.tier = 9 then q.unfinished else q.rank end, 1)
                + 0.01 * f.score as rank
           from asked q
          where q.config = s.config::text and f.ordinal <= g.ranked
            and (f.tier in (4, 6, 9) or f.tier = 7 and not k.is_merged)) r on true
   cross join lateral (
         -- The shortest title; of several, the one in which the last word stands first: `node 22` is not Node 10.22.
         select case when f.tier in (1, 2, 5, 8) then
                       1 / (1 + length(s.title_key) + coalesce(strpos(s.title_key, split_part(g.key, ' ', -1)), 0) * 0.001::float4)
                     when f.tier = 3 then f.score / (1 + f.score)
                     else coalesce(r.rank / (1 + r.rank), 0)
                end as rank) w
), listed as materialized (
  select r.page_id, r.tier, row_number() over (order by k.is_merged and r.tier = 8, r.class desc, r.rank desc, r.ordinal) as n
    from ranked r
   cross join kind k
   where not k.is_merged or r.tier <= 5 or r.tier = 8
), tail as materialized (
  select not k.is_exact and l.pages < g."end"
         and (g.tail in ('merged', 'appended') or g.tail = 'alone' and l.pages = 0) as is_needed,
         l.pages >= g."end" as has_more
    from kind k
   cross join given g
   cross join (select count(*) as pages from listed) l
), pool as materialized (
  select r.page_id
    from ranked r
   where r.tier = 7 and (select t.is_needed and k.is_merged from tail t cross join kind k)
   order by r.class desc, r.rank desc, r.ordinal
   limit (select g.ranked from given g)
), hit as materialized (
  select l.n, s.config::text as config, p.id, p.locale, p.ns, p.path, p.title, p.revision_id, p.revision_created_at,
         p.revision_author, s.starts, octet_length(s.body) <= 16384 as is_whole,
         case when octet_length(s.body) <= 16384 then s.body else left(s.body, 4096) end as body,
         encode(tsvectorsend(ts_filter(setweight(s.words, 'A', a.lexemes || case when l.tier in (5, 9) then
           array(select w.lexeme from unnest(s.words) as w where w.lexeme ^@ any (a.beginnings)) end), '{a}')), 'hex')
         as positions
    from listed l
   cross join given g
   cross join lateral (
         select y.id, y.locale, y.ns, y.path, y.title, y.revision_id, y.revision_created_at, y.revision_author
           from guest.page y where y.id = l.page_id limit 1) p
   cross join lateral (
         select x.config, x.words, x.starts, x.body from guest.search x where x.page_id = l.page_id limit 1) s
    left join asked a on a.config = s.config::text
   where l.n > g.start and l.n < g."end" and not (select t.is_needed from tail t)
), listing as materialized (
  select (select json_agg(json_build_array(r.page_id::text, r.tier, r.class, r.rank::float8)
                          order by h.n, r.class desc, r.rank desc, r.ordinal)
            from ranked r
            left join hit h on h.id = r.page_id
           where t.is_needed or h.id is not null) as matches,
         case when t.is_needed then
           guest.search_tail(
             g.locale, g.candidates, g.configurations, g.ranked, array(select p.page_id from pool p),
             array(select l.page_id from listed l), (select f.within from filter f), g.read)
         end as candidates,
         t.has_more
    from tail t
   cross join given g
)
select case when h.n is null or h.n = (select g.start from given g) + 1 then l.matches end as matches,
       case when h.n is null then l.candidates end as candidates, l.has_more as "hasMore",
       h.config, h.id, h.locale, h.ns, h.path, h.title, h.revision_id as "revisionId",
       h.revision_created_at as "revisionCreatedAt", h.revision_author as "revisionAuthor", h.starts, h.positions,
       h.is_whole as "isWhole", h.body
  from listing l
  left join hit h on true
 order by h.n;

-- name: search_words
-- In how many of the counted pages words occur, if in more than one; and the counted words nearest to them in the alphabet,
-- of those that begin in the same way: they share the longest beginnings.
-- $1 text[] locales, $2 text[] words, $3 text[] beginnings of these, null for the word alone; $4 int4 words before and after each
select a.n::int, r.word, r.pages
  from unnest($1::text[], $2::text[], $3::text[]) with ordinality as a (locale, word, beginning, n)
 cross join lateral (
       (select w.word, w.pages
          from guest.search_word w
         where w.locale = a.locale and w.word >= a.word
           and w.word < coalesce(a.beginning || chr(1114111), a.word || chr(1))
         order by w.word limit $4::int4 + 1)
       union all
       (select w.word, w.pages
          from guest.search_word w
         where w.locale = a.locale and w.word < a.word and w.word >= a.beginning
         order by w.word desc limit $4)) r
 order by a.n, r.word;

-- name: search_hits
-- What a response shows of pages, in the order of the ids, and where they contain the words of the query.
-- `body` is the beginning of a text that is not short.
-- $1 bigint[] page ids; $2 json: `config` and `lexemes` of each configuration; $3 bigint[] pages whose positions are known
-- null: positions
select s.config::text as config, p.id, p.locale, p.ns, p.path, p.title, p.revision_id as "revisionId",
       p.revision_created_at as "revisionCreatedAt", p.revision_author as "revisionAuthor", s.starts,
       octet_length(s.body) <= 16384 as "isWhole",
       case when octet_length(s.body) <= 16384 then s.body else left(s.body, 4096) end as body,
       case when p.id <> all ($3::bigint[]) then
         encode(tsvectorsend(ts_filter(setweight(s.words, 'A', a.lexemes), '{a}')), 'hex') end as positions
  from unnest($1::bigint[]) with ordinality as h (page_id, n)
  join guest.page p on p.id = h.page_id
 cross join lateral (
       select x.config, x.words, x.starts, x.body from guest.search x where x.page_id = h.page_id limit 1) s
  left join json_to_recordset($2::json) as a (config text, lexemes text[]) on a.config = s.config::text
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
-- null: stems
select w.n::int,
       array_to_string(
         ts_lexize(case when octet_length(w.word) = length(w.word) then d.ascii else d.other end, w.word), ' ') as stems
  from unnest($1::text[], $2::text[]) with ordinality as w (config, word, n)
  join (select c.cfgname as config,
               (select m.mapdict from pg_ts_config_map m
                 where m.mapcfg = c.oid and m.maptokentype = 1 and m.mapseqno = 1)::regdictionary as ascii,
               (select m.mapdict from pg_ts_config_map m
                 where m.mapcfg = c.oid and m.maptokentype = 2 and m.mapseqno = 1)::regdictionary as other
          from pg_ts_config c
         where c.cfgname in (select unnest($1::text[])) and c.cfgnamespace = 'pg_catalog'::regnamespace
        offset 0) d on d.config = w.config;
