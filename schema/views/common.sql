-- What imported and attached wikis have in common. Applied after imported.sql or wikijs.sql.

create view guest.wiki as
select name, default_locale, license
  from wiki.wiki;

create view guest.search_index_version as
select index_version
  from wiki.search_index_version;

-- Sources with a follower: when the database was last known to have what the source has, and since when the follower
-- has not been able to find out.
create view guest.followed_source as
select name, checked_at, failing_since, followed_until
  from wiki.live_follower;

-- The key of the cursors of changes. It is no secret: it only shows which database a cursor comes from. (D100)
create view guest.change_feed as
select key
  from wiki.change_feed;

-- In how many live pages a word occurs, and the size of each language. (D112)
create view guest.search_word as
select locale, word, pages
  from wiki.search_word;

create view guest.search_size as
select locale, pages, counted, mean_length
  from wiki.search_size;

create view guest.page_position as
select page_id, position, group_titles, nav_title, site_path
  from wiki.live_page_position;

create view guest.page_html as
select page_id, digest, host, html
  from wiki.live_html;

-- The functions below run with their caller's rights: they see what a guest sees.

-- The stored name of a category, else the title of the page that describes it. One row; null if there is neither. It
-- returns a set, because the planner then inlines its query.
create function guest.category_name(wanted_locale text, wanted_key text) returns table (name text)
language sql stable parallel safe rows 1 as $$
  select coalesce(
           (select c.name from guest.category c where (c.locale, c.key) = (wanted_locale, wanted_key)),
           (select p.title from guest.page p where (p.locale, p.path) = (wanted_locale, 'category:' || wanted_key)))
$$;

-- The check code of a cursor of changes.
create function guest.change_code(number bigint) returns text
language sql stable parallel safe as $$
  select left(encode(sha256(f.key || int8send(number)), 'hex'), 12) from guest.change_feed f
$$;

-- The languages of the pages, and of the addresses that are gone: each with one look at an index. (D100)
create function guest.change_locales() returns table (locale text)
language sql stable parallel safe rows 20 as $$
  with recursive page as (
    (select c.locale from guest.page_change c order by c.locale limit 1)
    union all
    select (select c.locale from guest.page_change c where c.locale > p.locale order by c.locale limit 1)
      from page p where p.locale is not null
  ), gone as (
    (select t.locale from guest.tombstone t order by t.locale limit 1)
    union all
    select (select t.locale from guest.tombstone t where t.locale > g.locale order by t.locale limit 1)
      from gone g where g.locale is not null
  )
  select p.locale from page p where p.locale is not null
  union
  select g.locale from gone g where g.locale is not null
$$;

-- Edits of one language, newest first, by an author or of pages of a namespace, or both. Of a namespace with few pages, the
-- edits of each page are read; else those of the language, until there are `wanted`. The condition on the author is not an
-- equation: with an equation, the planner might read all edits of the language to find a few. (D23)
create function guest.edits_within(
  wanted_locale text, wanted_author text, wanted_ns text, before timestamptz, before_id uuid, since timestamptz, wanted bigint
) returns table (id uuid, created_at timestamptz)
language plpgsql stable parallel safe rows 50 as $$
#variable_conflict use_column
declare
  pages bigint[];
begin
  if wanted_author is not null then
    return query
      select r.id, r.created_at
        from guest.revision r
       where r.locale = wanted_locale
         and r.author collate "C" >= wanted_author and r.author collate "C" <= wanted_author
         and r.created_at >= since and (r.created_at, r.id) < (before, before_id)
         and (wanted_ns is null or (select p.ns = wanted_ns from guest.page p where p.id = r.page_id))
       order by r.author collate "C", r.created_at desc, r.id desc
       limit wanted;
    return;
  end if;
  pages := array(
    select p.id
      from guest.page p
     where p.locale = wanted_locale and (p.ns, p.path) > (wanted_ns, '') and p.ns <= wanted_ns
     order by p.ns, p.path
     limit 2001);
  if cardinality(pages) <= 2000 then
    return query
      select e.id, e.created_at
        from unnest(pages) as x (id)
       cross join lateral (
             select r.id, r.created_at
               from guest.revision r
              where r.page_id = x.id and r.created_at >= since and (r.created_at, r.id) < (before, before_id)
              order by r.created_at desc, r.id desc
              limit wanted) e
       order by e.created_at desc, e.id desc
       limit wanted;
    return;
  end if;
  return query
    select r.id, r.created_at
      from guest.revision r
     where r.locale = wanted_locale and r.created_at >= since and (r.created_at, r.id) < (before, before_id)
       and (select p.ns = wanted_ns from guest.page p where p.id = r.page_id)
     order by r.created_at desc, r.id desc
     limit wanted;
end $$;

-- A filter of searches: a namespace, a category, and a beginning of paths, each null for all. `ids` are its pages if they are
-- few, else null.
create type guest.search_filter as (ns text, category text, beginning text, ids bigint[]);

-- Whether a page belongs to a filter. It costs more: with its cost, the planner would plan each search anew, also those without
-- a filter.
create function guest.is_within(wanted_id bigint, within guest.search_filter) returns boolean
language plpgsql stable parallel safe cost 1 as $$
begin
  return coalesce((select (within.ns is null or p.ns = within.ns)
                      and (within.beginning is null or starts_with(p.path, within.beginning))
                     from guest.page p where p.id = wanted_id), false)
     and (within.category is null
          or exists (select from guest.category_member m where m.page_id = wanted_id and m.key = within.category));
end $$;

create function guest.is_address_within(wanted_locale text, wanted_path text, within guest.search_filter) returns boolean
language plpgsql stable parallel safe cost 1 as $$
begin
  return (select guest.is_within(p.id, within) from guest.page p where (p.locale, p.path) = (wanted_locale, wanted_path));
end $$;

-- A filter with its pages, if they are at most 1,000 or a 50th of the wiki: then a search looks at no others. Of a wider
-- filter, it looks up the pages that match, the best first, until enough of them belong to it.
create function guest.search_filter(wanted_locale text, ns text, category text, beginning text)
returns guest.search_filter
language plpgsql stable parallel safe as $$
declare
  within guest.search_filter := row (ns, category, beginning, null);
  most bigint := (select greatest(1000, sum(z.pages) / 50) from guest.search_size z);
  locales text[] := array(select l.locale from guest.locale l where wanted_locale is null or l.locale = wanted_locale);
  found bigint[];
begin
  if category is not null then
    found := array(
      select x.page_id
        from unnest(locales) as l (locale)
       cross join lateral (
             select m.page_id
               from guest.category_member m
              where m.locale = l.locale and m.key = category
              order by m.sort_key, m.path
              limit most + 1) x
       limit most + 1);
  end if;
  if beginning is not null and (found is null or cardinality(found) > most) then
    found := array(
      select x.id
        from unnest(locales) as l (locale)
       cross join lateral (
             select p.id
               from guest.page p
              where p.locale = l.locale and p.path >= beginning and p.path <= beginning || repeat(chr(1114111), 128)
              order by p.path
              limit most + 1) x
       limit most + 1);
  end if;
  if ns is not null and (found is null or cardinality(found) > most) then
    found := array(
      select x.id
        from unnest(locales) as l (locale)
       cross join lateral (
             select p.id
               from guest.page p
              where p.locale = l.locale and (p.ns, p.path) > (search_filter.ns, '') and p.ns <= search_filter.ns
              order by p.ns, p.path
              limit most + 1) x
       limit most + 1);
  end if;
  if cardinality(found) <= most then
    within.ids := case when num_nonnulls(ns, category, beginning) = 1 then found
                       else array(select f.id from unnest(found) as f (id) where guest.is_within(f.id, within)) end;
  end if;
  return within;
end $$;

create type guest.search_match as (page_id bigint, score real, tier int);

-- The best `wanted` pages that match, by score and id, without the excluded pages. The pages of a filter are looked up if
-- they are far fewer than the matches. Those of a wide filter are looked up in the order of their scores until there are
-- enough: its matches have no limit before. The hot set is sufficient if it fills the result, or if it contains as many
-- matches as are examined for their order. Otherwise all pages are searched. (D34)
-- `within` null: all pages.
create function guest.best_matches(
  wanted_locale text, query tsquery, word_order tsquery, examined bigint, wanted bigint, excluded bigint[],
  within guest.search_filter, has_hot_set boolean, tier int
) returns guest.search_match[]
language plpgsql stable parallel safe as $$
declare
  ids bigint[] := within.ids;
  is_wide boolean := ids is null and within is distinct from null;
  most bigint := case when not is_wide then examined + cardinality(excluded) end;
  found guest.search_match[] := '{}';
begin
  if query is null or wanted <= 0 then return found; end if;
  if ids is not null then
    -- To read the words of a page takes as long as to read some 30 rows of matches.
    if (select count(*) from (select from guest.search s where s.words @@ query limit 30 * cardinality(ids)) m)
       >= 30 * cardinality(ids) then
      return array(
        select row (b.page_id, b.score, tier)::guest.search_match
          from (select s.page_id, s.score, s.words
                  from unnest(ids) as i (page_id)
                 cross join lateral (
                       select x.page_id, x.score, x.words from guest.search x where x.page_id = i.page_id limit 1) s
                 where s.words @@ query and s.page_id not in (select unnest(excluded))
                 order by s.score desc, s.page_id
                 limit examined) b
         where word_order is null or b.words @@ word_order
         order by b.score desc, b.page_id
         limit wanted);
    end if;
  end if;
  if has_hot_set then
    found := array(
      select row (b.page_id, b.score, tier)::guest.search_match
        from (select c.page_id, c.score, c.words
                from (select s.page_id, s.score, s.words
                        from guest.search_hot_set s
                       where s.words @@ query and (wanted_locale is null or s.locale = wanted_locale)
                         and (ids is null or s.page_id in (select unnest(ids)))
                       order by s.score desc, s.page_id
                       limit most) c
               where c.page_id not in (select unnest(excluded)) and (not is_wide or guest.is_within(c.page_id, within))
               order by c.score desc, c.page_id
               limit examined) b
       where word_order is null or b.words @@ word_order
       order by b.score desc, b.page_id
       limit wanted);
    if cardinality(found) >= wanted then return found; end if;
    if word_order is not null and within is not distinct from null then
      if (select count(*)
            from (select from guest.search_hot_set s
                   where s.words @@ query and (wanted_locale is null or s.locale = wanted_locale)
                   limit most) m) >= most then
        return found;
      end if;
    end if;
  end if;
  return array(
    select row (b.page_id, b.score, tier)::guest.search_match
      from (select c.page_id, c.score, c.words
              from (select s.page_id, s.score, s.words
                      from guest.search s
                     where s.words @@ query and (wanted_locale is null or s.locale = wanted_locale)
                       and (ids is null or s.page_id in (select unnest(ids)))
                     order by s.score desc, s.page_id
                     limit most) c
             where c.page_id not in (select unnest(excluded)) and (not is_wide or guest.is_within(c.page_id, within))
             order by c.score desc, c.page_id
             limit examined) b
     where word_order is null or b.words @@ word_order
     order by b.score desc, b.page_id
     limit wanted);
end $$;

-- The same of all pages, as rows. /suggest calls it, and services of version 1.0.0 call it to search.
create function guest.search_best(
  wanted_locale text, query tsquery, word_order tsquery, examined bigint, wanted bigint, excluded bigint[]
) returns table (page_id bigint, score real)
language sql stable parallel safe rows 300 as $$
  select b.page_id, b.score
    from unnest(guest.best_matches(
         wanted_locale, query, word_order, examined, wanted, excluded, null,
         exists (select from guest.search_hot_set), null)) b
$$;

-- Pages that match, tier by tier, until there are `wanted`. Each page once.
--   0  title or path as typed, then an alias
--   1  titles that begin with the words
--   2  titles that contain the words
--   3  pages to which links with this text lead
--   4  pages that contain the words in a heading or in the path, or often
--   5  titles that begin with the letters
--   6  pages that contain the words at least twice, or at the beginning
--   7  pages that contain the words anywhere
--   8  titles that differ by a typo
--   9  pages that contain longer words that begin with the only word
-- The last tier that is needed is filled up to `ranked` matches, so that the best of them can be found. Where `pooled` is
-- not null, other evidence ranks tier 7: it then includes tier 6 and has so many matches at least, unless a title or path
-- is as typed (D112). The arrays of queries have one query for each configuration, null if no page can match. `ordered` is
-- how many matches of a tier are examined for the order of their words. `within` null: all pages.
create function guest.search_matches(
  wanted_locale text, key text, wanted bigint, ranked bigint, pooled bigint, ordered bigint,
  titles tsquery[], prominent tsquery[], repeated tsquery[], anywhere tsquery[], word_orders tsquery[], typos tsquery[],
  within guest.search_filter default null, unfinished tsquery[] default '{}'
) returns setof guest.search_match
language plpgsql stable parallel safe rows 300 as $$
declare
  found guest.search_match[] := '{}';
  listed bigint[] := '{}';
  queries tsquery[];
  part guest.search_match[];
  word_order tsquery;
  missing bigint;
  examined bigint;
  is_pooled boolean := false;
  before_pool bigint;
  is_filtered boolean := within is distinct from null;
  has_hot_set boolean;
begin
  if within.ids = '{}' then return; end if;
  for tier in 0..9 loop
    if tier = 6 then
      is_pooled := pooled is not null and (found[1]).tier is distinct from 0;
      before_pool := cardinality(found);
    end if;
    exit when cardinality(found) >= wanted and (tier < 7 or tier >= 8 and not is_pooled);
    if cardinality(found) > cardinality(listed) then listed := array(select page_id from unnest(found)); end if;
    missing := case when is_pooled then before_pool + greatest(wanted - before_pool, pooled)
                    else greatest(wanted, ranked) end - cardinality(found);
    continue when missing <= 0;
    if tier in (0, 1, 3, 5) and key is null then continue; end if;
    case tier
    when 0 then
      found := array(
        select row (s.page_id, s.score, 0)::guest.search_match
          from (select e.page_id, e.locale, e.score, false as is_alias from guest.search e where e.title_key = key
                union
                select e.page_id, e.locale, e.score, false from guest.search e where e.path_key = key
                union
                select e.page_id, e.locale, e.score, true
                  from guest.page_name n
                  join guest.search e on e.page_id = n.page_id
                 where n.key = search_matches.key and n.is_alias and n.key not in (e.title_key, e.path_key)) s
         where (wanted_locale is null or s.locale = wanted_locale)
           and (not is_filtered or guest.is_within(s.page_id, within))
         order by s.is_alias, s.score desc, s.page_id
         limit missing);
    when 1 then
      found := found || array(
        select row (s.page_id, s.score, 1)::guest.search_match
          from (select b.page_id, b.score
                  from guest.search b
                 where b.title_key > key || ' ' and b.title_key < key || '!'
                   and (wanted_locale is null or b.locale = wanted_locale)
                   and (not is_filtered or guest.is_within(b.page_id, within))
                 order by b.title_key, b.locale
                 limit 20000) s
         where s.page_id not in (select unnest(listed))
         order by s.score desc, s.page_id
         limit missing);
    when 3 then
      found := found || array(
        select row (s.page_id, n.times::real, 3)::guest.search_match
          from (select l.locale, l.path, count(*) as times
                  from (select k.locale, k.path
                          from guest.link k
                         where k.key = search_matches.key and k.key <> '' and (wanted_locale is null or k.locale = wanted_locale)
                         order by k.locale, k.path
                         limit 5000) l
                 where not is_filtered or guest.is_address_within(l.locale, l.path, within)
                 group by l.locale, l.path
                 order by times desc, l.locale, l.path
                 limit 20) n
          join guest.page p on p.locale = n.locale and p.path = n.path
          join guest.search s on s.page_id = p.id
         where s.page_id not in (select unnest(listed))
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
                   and (not is_filtered or guest.is_within(b.page_id, within))
                 order by b.title_key, b.locale
                 limit 2000) s
         where s.page_id not in (select unnest(listed))
         order by s.score desc, s.page_id
         limit least(missing, 50));
    else
      continue when tier >= 8 and cardinality(found) >= 10;
      if has_hot_set is null then has_hot_set := exists (select from guest.search_hot_set); end if;
      queries := case tier when 2 then titles when 4 then prominent when 6 then repeated when 7 then anywhere
                           when 8 then typos else unfinished end;
      examined := greatest(missing, ordered);
      if tier = 7 then
        -- The order of words was compared in pages with each word twice.
        examined := examined - (
          select count(*)
            from unnest(repeated, word_orders) as q (query, word_order)
           cross join lateral (
                 select from guest.search_hot_set s where s.words @@ q.query
                  union all
                 select from guest.search s where s.words @@ q.query and not has_hot_set
                  limit examined) m
           where q.word_order is not null);
        continue when examined <= 0;
      end if;
      -- One configuration at a time: a join of their queries takes longer than most of the queries.
      part := '{}';
      for i in 1..cardinality(queries) loop
        word_order := case when tier < 8 then word_orders[i] end;
        part := part || guest.best_matches(
          wanted_locale, queries[i], word_order,
          case when tier >= 8 then 20 when word_order is null then missing else examined end,
          case when tier >= 8 then 20 else missing end,
          listed, within, has_hot_set, case when tier = 6 and is_pooled then 7 else tier end);
      end loop;
      if cardinality(queries) > 1 then
        part := array(
          select row (m.page_id, m.score, m.of_tier)::guest.search_match
            from unnest(part) as m (page_id, score, of_tier)
           order by m.score desc, m.page_id
           limit case when tier >= 8 then 20 else missing end);
      end if;
      found := found || part;
    end case;
  end loop;
  return query select * from unnest(found);
end $$;

-- The candidates for the tail of a search, as json: pages that contain some words of the query. Apart from the statement
-- `search_matches`, because to start its plan takes as long as a search for a rare word, and most searches need no tail.
-- `candidates` and `configurations` are those of that statement. `pool`: pages with all words, which are candidates, too;
-- if they are `ranked`, queries that are spare are left out. `listed`: pages that are no candidates. `most`: how many are
-- read, those with the highest sums of the weights of queries. Null: all.
create function guest.search_tail(
  wanted_locale text, candidates json, configurations json, ranked bigint, pool bigint[], listed bigint[],
  within guest.search_filter, most bigint default null
) returns json
language plpgsql stable parallel safe as $$
declare
  has_hot_set boolean := exists (select from guest.search_hot_set);
begin
  return (
    with asked as materialized (
      select c.config, c."tailLexemes" as lexemes, c.excluded::tsquery
        from json_to_recordset(configurations) as c (config text, "tailLexemes" text[], excluded text)
    ), candidate as materialized (
      select f.page_id
        from (select b.page_id, b.score, coalesce(q.weight, 0) as weight
                from json_to_recordset(candidates) as q (query text, most int4, weight float8, "isSpare" boolean)
               cross join lateral unnest(guest.best_matches(
                       wanted_locale, q.query::tsquery, null, q.most, q.most, '{}', within, has_hot_set, null)) b
               where q."isSpare" is not true or cardinality(pool) < ranked
               union all
              select p.page_id, 0, 'infinity' from unnest(pool) as p (page_id)) f
       where f.page_id not in (select unnest(listed))
       group by f.page_id
       order by sum(f.weight) desc, max(f.score) desc, f.page_id
       limit search_tail.most
    )
    select coalesce(json_agg(json_build_array(
             c.page_id::text, s.locale, s.score::float8, coalesce(s.length, s.starts[cardinality(s.starts)], 0),
             c.page_id = any (pool),
             encode(tsvectorsend(ts_filter(setweight(s.words, 'A', a.lexemes), '{a}')), 'hex'))), '[]')
      from candidate c
     cross join lateral (
           select x.locale, x.score, x.config, x.words, x.starts, x.length
             from guest.search x where x.page_id = c.page_id limit 1) s
      join asked a on a.config = s.config::text
     where a.excluded is null or not s.words @@ a.excluded);
end $$;

-- The best pages whose title begins with one of many texts. In a wiki of few pages, the planner would read all titles for
-- each of the texts; a function can forbid that. (D105)
create function guest.similar_titles(
  wanted_locale text, beginnings text[], patterns text[], wanted int, read int, read_with_pattern int
) returns table (page_id bigint, score real, length int)
language plpgsql stable rows 20 set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
begin
  return query
  with found as materialized (
    select b.n, s.page_id, s.score, length(s.title_key) as length
      from unnest(beginnings, patterns) with ordinality as b (beginning, pattern, n)
     cross join lateral (
           select x.page_id, x.score, x.title_key
             from (select s.page_id, s.score, s.title_key
                     from guest.search s
                    where s.locale = wanted_locale and s.title_key >= b.beginning and s.title_key < b.beginning || chr(1114111)
                    order by s.title_key
                    limit case when b.pattern is null then read else read_with_pattern end) x
            where b.pattern is null or x.title_key like b.pattern) s
  ), crowded as materialized (
    select f.n from found f group by f.n having count(*) >= read
  ), hot as materialized (
    select h.page_id, h.score, h.length
      from unnest(beginnings, patterns) with ordinality as b (beginning, pattern, n)
      join crowded c on c.n = b.n
     cross join lateral (
           select x.page_id, x.score, length(x.title_key) as length
             from guest.search_hot_set x
            where x.locale = wanted_locale and x.title_key >= b.beginning and x.title_key < b.beginning || chr(1114111)
              and b.pattern is null
            order by x.score desc, length(x.title_key), x.page_id
            limit wanted) h
  ), ranked as materialized (
    select f.page_id, f.score, f.length
      from (select f.page_id, f.score, f.length from found f union select h.page_id, h.score, h.length from hot h) f
     order by f.score desc, f.length, f.page_id
     limit wanted
  )
  select r.page_id, r.score, r.length from ranked r;
end $$;

-- The page to which a link by name leads, if there is one: with this path, else with a path, a title, an end of a path or
-- an alias that differ in case, accents and signs only. Of several, the one with the highest score. (D124)
-- name as written, key: the name as a title key
create function guest.page_of_name(wanted_locale text, name text, key text)
returns table (locale text, path text)
language sql stable parallel safe rows 1 as $$
  select p.locale, p.path
    from (select s.page_id, s.score, 0 as kind
            from guest.search s
           where s.path_key = key and s.locale = wanted_locale
           union all
          select s.page_id, s.score, 1
            from guest.search s
           where s.title_key = key and s.locale = wanted_locale
           union all
          select s.page_id, s.score, case when n.is_alias then 3 else 2 end
            from guest.page_name n
            join guest.search s on s.page_id = n.page_id
           where n.key = page_of_name.key and n.locale = wanted_locale) f
    join guest.page p on p.id = f.page_id
   where key <> ''
   order by p.path <> name, f.kind, f.score desc, p.path
   limit 1
$$;

-- After a restore, the role can be missing: it belongs to the server.
do $$
begin
  if pg_catalog.to_regrole('lectern_reader') is null then
    create role lectern_reader nologin;
    execute pg_catalog.format('grant lectern_reader to %I', current_user);
  end if;
end $$;

grant usage on schema guest to lectern_reader;
grant select on all tables in schema guest to lectern_reader;
revoke execute on all functions in schema guest from public;
grant execute on all functions in schema guest to lectern_reader;
