-- In how many pages words occur, for the ranking of search. (D112)

select wiki.drop_guest_views();

-- How many positions the page takes, which is about its number of words. Null where a service of the version before
-- stored the page.
alter table wiki.live_search add column length int;

-- Words of live pages by language: stems as the index stores them, without the letters of weight and configuration. A word
-- of a single page has no row, so that the table stays small and names nothing that only one page contains.
create table wiki.search_word (
  locale text collate "C" not null,
  word text collate "C" not null,
  -- Pages among those that were counted.
  pages int not null,
  primary key (locale, word)
);

create table wiki.search_size (
  locale text collate "C" primary key,
  pages int not null,
  -- How many of these were counted for wiki.search_word.
  counted int not null,
  mean_length real not null
);

-- When to count again.
create table wiki.search_statistics (
  only_row boolean primary key default true check (only_row),
  -- Pages that were indexed since.
  indexed int not null default 0,
  -- Whether a page is gone whose words may be counted.
  is_stale boolean not null default true
);
insert into wiki.search_statistics default values;

-- Counts the words of live pages by language. Languages share `bytes_max` of words, the small ones first: of a language with
-- more, a sample of the pages stands for all. Memory needs a bound, because `ts_stat` keeps all different words there.
create function wiki.count_search_words(bytes_max bigint) returns void language plpgsql as $$
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
        having sum(w.ndoc) > 1
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

-- Only the first page that goes writes the row.
create function wiki.on_removed_words() returns trigger language plpgsql as $$
begin
  update wiki.search_statistics set is_stale = true where not is_stale;
  return null;
end $$;

revoke all on function wiki.count_search_words, wiki.on_removed_words from public;

create trigger remove_words after delete or truncate on wiki.live_search
  for each statement execute function wiki.on_removed_words();
alter table wiki.live_search enable always trigger remove_words;

select wiki.count_search_words(24 * 1024 * 1024);
