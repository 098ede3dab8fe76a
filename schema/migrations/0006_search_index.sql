-- Words go from the pending list into the index in the order of their letters, which leaves its pages half empty. With more
-- and smaller parts, later words fill them: the index of an imported wiki is a fifth smaller, and searches read shorter lists.
alter index wiki.live_search_words set (gin_pending_list_limit = 256);
alter index wiki.search_hot_set_words set (gin_pending_list_limit = 256);

-- Counts the words of live pages by language. A number or code is counted from the third page on: many are in only two, and
-- their weight is that of a word in one page. Languages share `bytes_max` of words, the small ones first: of a language with
-- more, a sample of the pages stands for all. Memory needs a bound, because `ts_stat` keeps all different words there.
create or replace function wiki.count_search_words(bytes_max bigint) returns void language plpgsql as $$
declare
  size record;
  remaining bigint := bytes_max;
  share int;
begin
  for size in
    select s.locale, count(*)::int as pages, sum(pg_column_size(s.words)) as bytes,
           row_number() over (order by sum(pg_column_size(s.words)) desc, s.locale) as locales_left
      from wiki.live_search s
     group by s.locale
     order by locales_left desc
  loop
    share := ceil(size.bytes::float8 / greatest(1, remaining / size.locales_left));
    remaining := remaining - size.bytes / share;
    -- Only what changed is written, because the embedded database has no autovacuum.
    execute format($count$
      with counted as materialized (
        select substr(w.word, 3) collate "C" as word, sum(w.ndoc)::int as pages
          from ts_stat(%1$L) w
         where w.word ~ '^[ABCD]'
         group by 1
        having sum(w.ndoc) > case when bool_or(substr(w.word, 3) ~ '\d') then 2 else 1 end
      ), gone as (
        delete from wiki.search_word w
         where w.locale = %2$L and not exists (select from counted c where c.word = w.word)
      )
      insert into wiki.search_word as w (locale, word, pages)
      select %2$L, word, pages from counted
      on conflict (locale, word) do update set pages = excluded.pages where w.pages <> excluded.pages$count$,
      format('select words from wiki.live_search where locale = %L and hashint8(page_id) %% %s = 0', size.locale, share),
      size.locale);
    insert into wiki.search_size (locale, pages, counted, mean_length)
    select size.locale, size.pages, count(*), coalesce(avg(coalesce(s.length, s.starts[cardinality(s.starts)])), 0)
      from wiki.live_search s where s.locale = size.locale and hashint8(s.page_id) % share = 0
    on conflict (locale) do update
      set pages = excluded.pages, counted = excluded.counted, mean_length = excluded.mean_length;
  end loop;
  delete from wiki.search_word w
   using wiki.search_size z
   where w.locale = z.locale and not exists (select from wiki.live_search s where s.locale = z.locale);
  delete from wiki.search_size z where not exists (select from wiki.live_search s where s.locale = z.locale);
  update wiki.search_statistics set indexed = 0, is_stale = false;
end $$;

-- An empty wiki has nothing to index again.
update wiki.search_index_version set index_version = 6 where not exists (select from wiki.live_search);

-- Suggestions find pages by the beginning of an alias. Most names are ends of paths.
create index live_name_alias on wiki.live_name (locale, key) where is_alias;
