-- Search in levels: a common word stands in half of a wiki, so its matches are looked for among the first pages of
-- all before they are looked for in all. (D64)

-- The first pages of all by score and id, as far as wiki.search_cut says; empty in a wiki of few pages. Rows are
-- narrow and lie together, which those of wiki.live_search that match a word do not.
create table wiki.live_search_top (
  page_id bigint primary key references wiki.live_search (page_id) on delete cascade,
  locale text collate "C" not null,
  score real not null,
  words tsvector not null
) with (toast_tuple_target = 128);

do $$
begin
  alter table wiki.live_search_top alter words set compression lz4;
exception when feature_not_supported then
  null; -- this server was built without lz4
end $$;

create index live_search_top_words on wiki.live_search_top using gin (words);

-- The last of the first pages; no row: there are none.
create table wiki.search_cut (
  only_row boolean primary key default true check (only_row),
  score real not null,
  page_id bigint not null
);

create view guest.search_top as select page_id, locale, score, words from wiki.live_search_top;
grant select on guest.search_top to lectern_reader;

-- The functions below run with their caller's rights: they see what a guest sees.

-- The first pages that match, by score and id, but for some: among the first of all when these fill the answer, or
-- hold as many as are looked at.
create function guest.search_best(
  wanted_locale text, query tsquery, word_order tsquery, looked_at bigint, missing bigint, without bigint[]
) returns table (page_id bigint, score real)
language plpgsql stable parallel safe rows 300 as $$
declare
  found bigint[];
  scores real[];
  matching bigint;
begin
  if query is null or missing <= 0 then return; end if;
  if exists (select from guest.search_top) then
    with b as materialized (
      select s.page_id, s.score, s.words
        from guest.search_top s
       where s.words @@ query and (wanted_locale is null or s.locale = wanted_locale)
         and s.page_id not in (select unnest(without))
       order by s.score desc, s.page_id
       limit looked_at
    )
    select array_agg(m.page_id), array_agg(m.score), (select count(*) from b) into found, scores, matching
      from (select b.page_id, b.score
              from b
             where word_order is null or b.words @@ word_order
             order by b.score desc, b.page_id
             limit missing) m;
    if matching >= looked_at or cardinality(found) >= missing then
      return query select * from unnest(found, scores);
      return;
    end if;
  end if;
  return query
    select b.page_id, b.score
      from (select s.page_id, s.score, s.words
              from guest.search s
             where s.words @@ query and (wanted_locale is null or s.locale = wanted_locale)
               and s.page_id not in (select unnest(without))
             order by s.score desc, s.page_id
             limit looked_at) b
     where word_order is null or b.words @@ word_order
     order by b.score desc, b.page_id
     limit missing;
end $$;

create type guest.search_match as (page_id bigint, score real, level int);

-- What `needed` is filled with, level by level: 0 title or path as typed, 1 titles that begin with the words,
-- 2 titles that hold them, 3 pages that links call so, 4 pages about the words, 5 titles that begin with the
-- letters, 6 pages that hold the words prominently, 7 somewhere, 8 titles that differ by a slip. Each page once.
-- The arrays of queries have one for each configuration, null where it asks nothing.
create function guest.search_matches(
  wanted_locale text, key text, needed bigint, ordered bigint,
  titles tsquery[], abouts tsquery[], nears tsquery[], alls tsquery[], orders tsquery[], slips tsquery[]
) returns setof guest.search_match
language plpgsql stable parallel safe rows 300 as $$
declare
  found guest.search_match[] := '{}';
  stage int;
  queries tsquery[];
  missing bigint;
begin
  for stage in 0..8 loop
    missing := needed - cardinality(found);
    exit when missing <= 0;
    if stage in (0, 1, 3, 5) and key is null then continue; end if;
    case stage
    when 0 then
      found := array(
        select row (s.page_id, s.score, 0)::guest.search_match
          from (select e.page_id, e.locale, e.score from guest.search e where e.title_key = key
                union
                select e.page_id, e.locale, e.score from guest.search e where e.path_key = key) s
         where wanted_locale is null or s.locale = wanted_locale
         order by s.score desc, s.page_id
         limit missing);
    when 1 then
      found := found || array(
        select row (s.page_id, s.score, 1)::guest.search_match
          from (select b.page_id, b.score
                  from guest.search b
                 where b.title_key > key || ' ' and b.title_key < key || '!'
                   and (wanted_locale is null or b.locale = wanted_locale)
                 order by b.title_key, b.locale
                 limit 20000) s
         where s.page_id not in (select page_id from unnest(found))
         order by s.score desc, s.page_id
         limit missing);
    when 3 then
      found := found || array(
        select row (s.page_id, n.times::real, 3)::guest.search_match
          from (select l.locale, l.path, count(*) as times
                  from (select k.locale, k.path
                          from guest.link k
                         where k.key = search_matches.key and (wanted_locale is null or k.locale = wanted_locale)
                         order by k.locale, k.path
                         limit 5000) l
                 group by l.locale, l.path
                 order by times desc, l.locale, l.path
                 limit 20) n
          join guest.page p on p.locale = n.locale and p.path = n.path
          join guest.search s on s.page_id = p.id
         where s.page_id not in (select page_id from unnest(found))
         order by n.times desc, s.page_id
         limit missing);
    when 5 then
      continue when length(key) < 2;
      found := found || array(
        select row (s.page_id, s.score, 5)::guest.search_match
          from (select b.page_id, b.score
                  from guest.search b
                 where b.title_key > key and b.title_key < key || chr(1114111)
                   and (wanted_locale is null or b.locale = wanted_locale)
                 order by b.title_key, b.locale
                 limit 2000) s
         where s.page_id not in (select page_id from unnest(found))
         order by s.score desc, s.page_id
         limit least(missing, 50));
    else
      continue when stage = 8 and cardinality(found) >= 10;
      queries := case stage when 2 then titles when 4 then abouts when 6 then nears when 7 then alls else slips end;
      found := found || array(
        select row (m.page_id, m.score, stage)::guest.search_match
          from unnest(queries, orders) as q (query, word_order)
         cross join lateral guest.search_best(
                 wanted_locale, q.query, case when stage < 8 then q.word_order end,
                 case when stage = 8 then 20 when q.word_order is null then missing
                      else greatest(missing, ordered) end,
                 case when stage = 8 then 20 else missing end,
                 array(select page_id from unnest(found))) m
         order by m.score desc, m.page_id
         limit case when stage = 8 then 20 else missing end);
    end case;
  end loop;
  return query select * from unnest(found);
end $$;

revoke execute on all functions in schema guest from public;
grant execute on all functions in schema guest to lectern_reader;
