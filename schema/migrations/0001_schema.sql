-- The database of a wiki. Schema `wiki` contains everything. Schema `guest` contains the views of what guests may see, which
-- `lectern migrate` and `lectern attach wikijs` create from schema/views. The role `lectern_reader` serves guests, and can
-- select from these views and from nothing else. What guests may see is in tables of its own, `live_*` and
-- `revision_visible`: no filter is between a guest's query and a hidden row, because the row is not there. (D3, D84)

-- The role and the schemas

do $$
begin
  -- PostgreSQL refuses `create role` to a user without CREATEROLE even when the role exists.
  if not exists (select from pg_catalog.pg_roles where rolname = 'lectern_reader') then
    create role lectern_reader nologin;
  end if;
exception when duplicate_object or unique_violation then
  null; -- roles belong to the server, so the migration of another wiki may have created it, even just now
end $$;

do $$
begin
  execute format('grant lectern_reader to %I', current_user);
exception when invalid_grant_operation or insufficient_privilege then
  null; -- an administrator created the role and grants it
end $$;

create schema if not exists wiki; -- `lectern migrate` has created it, with the table `migration`
create schema guest;
revoke all on schema wiki from public;
revoke all on schema guest from public;
grant usage on schema guest to lectern_reader;

-- The comment of schema guest says which migrations the database has, where the serving role can read it: "Lectern,
-- migration 14", or "Lectern, migration 14 without 9 11". It changes with the rows, whoever changes them. (D4)
create function wiki.migration_note() returns text
language sql stable as $$
  select 'Lectern, migration ' || newest.number || coalesce(' without ' || (
           select string_agg(n::text, ' ' order by n)
             from generate_series(1, newest.number) n
            where not exists (select from wiki.migration m where m.number = n)), '')
    from (select coalesce(max(m.number), 0) as number from wiki.migration m) newest
$$;

create function wiki.note_migrations() returns trigger
language plpgsql as $$
begin
  execute format('comment on schema guest is %L', wiki.migration_note());
  return null;
end $$;

create trigger note_migrations
  after insert or update or delete or truncate on wiki.migration
  for each statement execute function wiki.note_migrations();

-- Drops all views, functions and types of schema `guest`. A migration calls it before it locks or changes what the views
-- read, so that no statement of a guest holds one lock and waits for another one. `lectern migrate` creates them again in
-- the same transaction.
create function wiki.drop_guest_views() returns void language plpgsql as $$
declare
  object text;
begin
  for object in select p.oid::regprocedure::text from pg_proc p where p.pronamespace = 'guest'::regnamespace loop
    execute 'drop function ' || object;
  end loop;
  for object in
    select c.oid::regclass::text from pg_class c where c.relnamespace = 'guest'::regnamespace and c.relkind = 'c'
  loop
    execute 'drop type ' || object;
  end loop;
  select string_agg(c.oid::regclass::text, ', ' order by c.relname) into object
    from pg_class c
   where c.relnamespace = 'guest'::regnamespace and c.relkind = 'v';
  if object is not null then
    execute 'drop view ' || object;
  end if;
end $$;

-- Every writer locks this table, which stays empty. An advisory lock would not do: any user of the database can take
-- one, also the one that serves guests. (D8)
create table wiki.write_lock ();

-- What editors wrote

-- The sources of content, such as a git repository. An import of a whole source removes what came from this source and is no
-- longer in it. (D87)
create table wiki.source (
  id int generated always as identity primary key,
  name text collate "C" not null unique check (octet_length(name) between 1 and 100),
  -- What the source says of itself after an import, so that the next import reads only what changed. (D91)
  state jsonb,
  -- A text that changes when the source changes, such as the hash of a commit.
  version text,
  -- Whether its last import left out pages that another source has. When such a page goes, the source is imported again.
  has_conflicts boolean not null default false,
  -- Folders in which references to files that begin with a slash are looked up: an array of texts. Null: it has no files.
  file_roots jsonb
);

create table wiki.wiki (
  only_row boolean primary key default true check (only_row),
  name text not null,
  default_locale text collate "C" not null,
  license text,
  -- The source that names the wiki, its license and its default language: the first one that does.
  source_id int references wiki.source (id)
);

create table wiki.locale (
  locale text collate "C" primary key,
  name text not null,
  search_config regconfig not null default 'simple'
);

create table wiki.category (
  locale text collate "C" not null,
  key text collate "C" not null,
  name text not null,
  source_id int references wiki.source (id),
  primary key (locale, key)
);

-- Every page, whatever its state. Titles and texts belong to revisions.
create table wiki.page (
  id bigint generated always as identity primary key,
  locale text collate "C" not null,
  path text collate "C" not null check (octet_length(path) between 1 and 512),
  state text not null check (state in ('live', 'draft', 'deleted')),
  translation_group text collate "C",
  source_id int references wiki.source (id),
  -- Further names of the page, such as the aliases of Obsidian: an array of texts. Null: its source has no such names. (D124)
  aliases jsonb,
  -- Where the source has the page, such as `docs/tea/index.md`: references to files are relative to its folder. Null: the
  -- same as the path.
  source_path text collate "C",
  -- The dialect of Markdown in which the source writes the page, such as `mkdocs`. Null: unknown. (D140)
  dialect text collate "C",
  unique (locale, path)
);

-- Revisions, in two partitions: those that guests may see, and the others. Changing `visible` moves the row. An id is unique
-- in both partitions because the only writer looks in both.
create table wiki.revision (
  id uuid not null,
  page_id bigint not null,
  locale text collate "C" not null,
  created_at timestamptz(6) not null,
  author text not null,
  comment text not null,
  status text not null check (status in ('accepted', 'pending', 'rejected', 'draft')),
  visible boolean not null,
  title text not null,
  categories jsonb not null,
  -- Bytes of `markdown`.
  size int not null,
  markdown text not null,
  check (not visible or status = 'accepted')
) partition by list (visible);

create table wiki.revision_visible partition of wiki.revision for values in (true);
create table wiki.revision_hidden partition of wiki.revision for values in (false);

do $$
begin
  alter table wiki.revision_visible alter markdown set compression lz4;
  alter table wiki.revision_hidden alter markdown set compression lz4;
exception when feature_not_supported then
  null; -- this server was built without lz4
end $$;

create unique index revision_visible_id on wiki.revision_visible (id);
create index revision_visible_history on wiki.revision_visible (page_id, created_at desc, id desc);
create index revision_visible_recent on wiki.revision_visible (created_at desc, id desc);
create index revision_visible_recent_locale on wiki.revision_visible (locale, created_at desc, id desc);
create unique index revision_hidden_id on wiki.revision_hidden (id);
create index revision_hidden_page on wiki.revision_hidden (page_id);

-- Public revisions, wherever they are: attaching a Wiki.js puts its own in their place.
create view wiki.public_revision as select id, page_id, created_at from wiki.revision_visible;

-- Live pages

-- Live pages as their last accepted revision has them, with what a list shows of this revision.
create table wiki.live_page (
  id bigint primary key references wiki.page (id),
  locale text collate "C" not null,
  ns text collate "C" not null check (ns in ('main', 'template', 'page_template', 'module', 'category')),
  path text collate "C" not null,
  title text not null,
  translation_group text collate "C",
  revision_id uuid not null,
  revision_created_at timestamptz(6) not null,
  revision_author text not null,
  dialect text collate "C"
);

create unique index live_page_path on wiki.live_page (locale, path);
create index live_page_list on wiki.live_page (locale, ns, path)
  include (id, title, revision_id, revision_created_at, revision_author);
create index live_page_translations on wiki.live_page (translation_group, locale)
  where translation_group is not null;

-- Paths that live pages had before they moved, and at which guests could see a page. (D91)
create table wiki.live_former_path (
  locale text collate "C" not null,
  path text collate "C" not null,
  page_id bigint not null references wiki.live_page (id) on delete cascade,
  primary key (locale, path)
);

create index live_former_path_page on wiki.live_former_path (page_id);

-- The followers of sources. A source has at most one. (D91)
create table wiki.live_follower (
  source_id int primary key references wiki.source (id) on delete cascade,
  -- Name of the source.
  name text collate "C" not null,
  -- Which process it is, and until when; it renews this.
  follower uuid not null,
  followed_until timestamptz not null,
  -- When it last found that the database has what the source has.
  checked_at timestamptz,
  -- The first failure since then, and what failed last.
  failing_since timestamptz,
  failure text
);

-- Categories of live pages

-- Members, with what a list of them shows of their pages, and with the name of the category, which pages show. (D23)
create table wiki.live_category_member (
  locale text collate "C" not null,
  key text collate "C" not null,
  sort_key text collate "C" not null,
  path text collate "C" not null,
  page_id bigint not null references wiki.live_page (id) on delete cascade,
  ns text collate "C" not null,
  title text not null,
  revision_id uuid not null,
  revision_created_at timestamptz not null,
  revision_author text not null,
  name text not null,
  primary key (locale, key, sort_key, path)
);

create index live_category_member_page on wiki.live_category_member (page_id) include (locale, key, name);

-- How many live pages each category has, if it has any. (D23)
create table wiki.live_category (
  locale text collate "C" not null,
  key text collate "C" not null,
  pages int not null,
  primary key (locale, key)
);

-- One update for each category that a statement changes. An update reads all versions that its transaction wrote of the
-- row. So an import gathers what it adds and removes in a temporary table, and counts at its end. Others should delete the
-- members of many pages with one statement: by their foreign key, they would be a statement for each page.
create function wiki.count_members() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    truncate wiki.live_category;
  elsif not exists (select from changed) then
    return null;
  elsif to_regclass('pg_temp.imported_member_count') is not null then
    insert into pg_temp.imported_member_count (locale, key, added)
    select locale, key, case tg_op when 'INSERT' then count(*) else -count(*) end from changed group by locale, key;
  elsif tg_op = 'INSERT' then
    insert into wiki.live_category as c (locale, key, pages)
    select locale, key, count(*) from changed group by locale, key
    on conflict (locale, key) do update set pages = c.pages + excluded.pages;
  else
    with removed as materialized (
      select locale, key, count(*) as pages from changed group by locale, key
    ), emptied as (
      delete from wiki.live_category c
       using removed r
       where (c.locale, c.key) = (r.locale, r.key) and c.pages <= r.pages
    )
    update wiki.live_category c
       set pages = c.pages - r.pages
      from removed r
     where (c.locale, c.key) = (r.locale, r.key) and c.pages > r.pages;
  end if;
  return null;
end $$;

create trigger count_added after insert on wiki.live_category_member referencing new table as changed
  for each statement execute function wiki.count_members();
create trigger count_removed after delete on wiki.live_category_member referencing old table as changed
  for each statement execute function wiki.count_members();
create trigger count_truncated after truncate on wiki.live_category_member
  for each statement execute function wiki.count_members();

-- Also with session_replication_role = replica, with which some restores write to the tables of an attached Wiki.js.
alter table wiki.live_category_member
  enable always trigger count_added, enable always trigger count_removed, enable always trigger count_truncated;

-- Search

-- What search reads: a narrow row for each page. Its words and text are stored apart (toast), so that many matches are
-- counted and sorted without reading their words. Lectern makes the lexemes. (D11)
create table wiki.live_search (
  page_id bigint primary key references wiki.live_page (id) on delete cascade,
  locale text collate "C" not null,
  -- Of two pages that match alike, the one with the higher score comes first: it depends on how often a page was edited.
  score real not null,
  -- How the words were made: version of the index, and configuration. `lectern reindex` indexes pages with others again.
  index_version smallint not null,
  config regconfig not null,
  -- Title and path as they are compared: folded, without accents.
  title_key text collate "C" not null,
  path_key text collate "C" not null,
  words tsvector not null,
  -- Positions of the first words of the sections, and of the end.
  starts int[] not null,
  -- Sections with U+0001 between them, in each of them heading and text with U+0002 between them.
  body text not null,
  -- How many positions the page takes, which is about its number of words. (D112)
  length int
) with (toast_tuple_target = 128);

-- The best pages of all by score and id, as far as wiki.hot_set_threshold says; empty in a wiki of few pages. Its rows are
-- narrow and near each other, unlike the rows of wiki.live_search that match a word. (D34, D105)
create table wiki.search_hot_set (
  page_id bigint primary key references wiki.live_search (page_id) on delete cascade,
  locale text collate "C" not null,
  score real not null,
  words tsvector not null,
  title_key text collate "C"
) with (toast_tuple_target = 128);

-- The last page of the hot set; no row if it is empty.
create table wiki.hot_set_threshold (
  only_row boolean primary key default true check (only_row),
  score real not null,
  page_id bigint not null
);

do $$
begin
  alter table wiki.live_search alter words set compression lz4, alter body set compression lz4;
  alter table wiki.search_hot_set alter words set compression lz4;
exception when feature_not_supported then
  null; -- this server was built without lz4
end $$;

create index live_search_words on wiki.live_search using gin (words);
create index live_search_title on wiki.live_search (title_key, locale);
create index live_search_path on wiki.live_search (path_key, locale);
create index live_search_beginning on wiki.live_search (locale, title_key) include (score, page_id);
create index search_hot_set_words on wiki.search_hot_set using gin (words);
create index search_hot_set_beginning on wiki.search_hot_set (locale, title_key) include (score, page_id);

-- The version of the search index in which all pages are indexed; 0: not all are. `lectern migrate` and `lectern reindex`
-- set it. An empty wiki has nothing to index.
create table wiki.search_index_version (
  only_row boolean primary key default true check (only_row),
  index_version smallint not null
);
insert into wiki.search_index_version (index_version) values (5);

-- In how many pages words occur, for the ranking of search. (D112)

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
insert into wiki.search_statistics (is_stale) values (false);

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

create trigger remove_words after delete or truncate on wiki.live_search
  for each statement execute function wiki.on_removed_words();
alter table wiki.live_search enable always trigger remove_words;

-- Links

-- Names of live pages besides path and title: the ends of the path, and aliases.
create table wiki.live_name (
  page_id bigint not null references wiki.live_page (id) on delete cascade,
  locale text collate "C" not null,
  -- As a title key.
  key text collate "C" not null,
  is_alias boolean not null,
  primary key (page_id, key)
);
create index live_name_key on wiki.live_name (key, locale);

-- Links of live pages, and their texts: what other pages call a page. A target need not exist. The first link from a page to
-- another one stands for the others, which have other texts. What the list of links to a page shows of the pages with the
-- links is stored with the links. (D103, D124)
create table wiki.live_link (
  page_id bigint not null references wiki.live_page (id) on delete cascade,
  -- The text, as titles are compared; empty if search should not use it.
  key text collate "C" not null,
  -- The target.
  locale text collate "C" not null,
  path text collate "C" not null,
  is_first boolean not null default false,
  is_redirect boolean not null default false,
  -- Of the page with the link.
  page_locale text collate "C",
  page_ns text collate "C",
  page_path text collate "C",
  -- Of a link by the name of a page, as in `[[Green tea]]`: as written, and as a title key. Null for a link with a URL. Until
  -- a page has this name, `path` is the name.
  name text collate "C",
  name_key text collate "C"
);

create index live_link_page on wiki.live_link (page_id);
create index live_link_redirect on wiki.live_link (page_id) where is_redirect;
create index live_link_target on wiki.live_link (locale, path, page_ns, page_locale, page_path) where is_first;
-- Links without a key are not searched by their text.
create index live_link_key on wiki.live_link (key, locale, path) where key <> '';
create index live_link_name on wiki.live_link (name_key) where name_key is not null;
create index live_link_named_target on wiki.live_link (locale, path) where name_key is not null;

-- Finds the targets of links by name: of the links from some pages that were indexed, of links that have their names, and
-- of links that lead to them, or to addresses where no page is any more. Then the first link to each target stands for the
-- others, and links from a page to itself are not listed.
create function wiki.resolve_link_names(page_ids bigint[], gone_locales text[] default '{}', gone_paths text[] default '{}')
returns void language plpgsql as $$
declare
  changed bigint[];
begin
  if not exists (select from wiki.live_link where name_key is not null) then
    return;
  end if;
  with named as (
    select l.ctid as row_id, l.page_id, l.page_locale, l.name, l.name_key
      from wiki.live_link l
     where l.page_id = any (page_ids) and l.name_key is not null
    union
    select l.ctid, l.page_id, l.page_locale, l.name, l.name_key
      from wiki.live_link l
     where l.name_key = any (array(select path_key from wiki.live_search where page_id = any (page_ids)
                                   union
                                   select title_key from wiki.live_search where page_id = any (page_ids)
                                   union
                                   select key from wiki.live_name where page_id = any (page_ids)))
       and l.name_key is not null
    union
    select l.ctid, l.page_id, l.page_locale, l.name, l.name_key
      from (select p.locale, p.path from wiki.live_page p where p.id = any (page_ids)
             union
            select g.locale, g.path from unnest(gone_locales, gone_paths) as g (locale, path)) t
      join wiki.live_link l on l.locale = t.locale and l.path = t.path and l.name_key is not null
  ), resolved as (
    update wiki.live_link l
       set locale = n.locale, path = n.path
      from (select d.page_locale, d.name, d.name_key, coalesce(f.locale, d.page_locale) as locale,
                   coalesce(f.path, d.name) as path
              from (select distinct page_locale, name, name_key from named) d
              left join lateral guest.page_of_name(d.page_locale, d.name, d.name_key) f on true) n
     where l.ctid in (select row_id from named)
       and l.page_locale = n.page_locale and l.name = n.name and l.name_key = n.name_key
       and (l.locale, l.path) <> (n.locale, n.path)
    returning l.page_id
  )
  select array(select distinct page_id from resolved union select unnest(page_ids)) into changed;
  update wiki.live_link l
     set is_first = r.is_first
    from (select ctid as row_id,
                 row_number() over (partition by page_id, locale, path order by name is not null, key, name) = 1
                   and (locale, path) is distinct from (page_locale, page_path) as is_first
            from wiki.live_link
           where page_id = any (changed)) r
   where l.ctid = r.row_id and l.page_id = any (changed) and l.is_first <> r.is_first;
end $$;

-- Links by name lead to no page that guests do not see any more. (D124)
create function wiki.on_hidden_targets() returns trigger language plpgsql as $$
begin
  perform wiki.resolve_link_names('{}', array_agg(o.locale order by o.id), array_agg(o.path order by o.id))
     from old_rows o
   having count(*) > 0;
  return null;
end $$;

create trigger resolve_links after delete on wiki.live_page referencing old table as old_rows
  for each statement execute function wiki.on_hidden_targets();

-- Files: pictures and documents that live pages show or link. Others are never stored. (D139)

-- The bytes of files: equal ones once, in parts of 256 KiB. When the last file with these bytes goes, they go at once.
create table wiki.live_blob (
  id bigint generated always as identity primary key,
  -- Null until all parts are written, in the transaction that writes them.
  sha256 bytea unique,
  -- They have no parts, because they are in a store outside the database. (D143)
  is_outside boolean not null default false
);

create table wiki.live_blob_part (
  blob_id bigint not null references wiki.live_blob (id) on delete cascade,
  part int not null,
  data bytea not null,
  primary key (blob_id, part)
);

-- Pictures are compressed already.
alter table wiki.live_blob_part alter data set storage external;

-- Hashes of bytes that are outside the database and may be unused: those that were just written, and those that no file has
-- any more. After each import, the writer deletes the unused ones. Without a key: two connections write it.
create table wiki.unused_blob (
  sha256 bytea not null
);

create table wiki.live_file (
  id bigint generated always as identity primary key,
  source_id int references wiki.source (id) on delete cascade,
  -- '' for a file that belongs to no language.
  locale text collate "C" not null,
  path text collate "C" not null check (octet_length(path) between 1 and 1024),
  blob_id bigint not null references wiki.live_blob (id),
  sha256 bytea not null,
  media_type text collate "C" not null,
  -- The media type up to its slash, such as `image`.
  media_kind text collate "C" not null generated always as (split_part(media_type, '/', 1)) stored,
  bytes int not null,
  -- Of a picture, if its header says them.
  width int,
  height int,
  modified_at timestamptz(6),
  author text,
  -- What the source says of the bytes: they are read again when it changes.
  version text not null
);

create unique index live_file_path on wiki.live_file (path, locale);
create index live_file_kind on wiki.live_file (media_kind, path, locale);
create index live_file_type on wiki.live_file (media_type, path, locale);
create index live_file_sha256 on wiki.live_file (sha256);
create index live_file_blob on wiki.live_file (blob_id);
create index live_file_source on wiki.live_file (source_id);

-- What live pages show or link and may be a file, with the paths at which it may be. Files that are stored, and others.
create table wiki.live_file_reference (
  page_id bigint not null references wiki.live_page (id) on delete cascade,
  -- As the text has it.
  reference text collate "C" not null,
  -- Paths with a smaller number are tried first.
  place smallint not null,
  path text collate "C" not null,
  -- Of a reference by name, as in `![[cup.png]]`: the last segment in lower case. Then `path` is the end of a path.
  name_key text collate "C"
);

create index live_file_reference_page on wiki.live_file_reference (page_id);
create index live_file_reference_path on wiki.live_file_reference (path);
create index live_file_reference_name on wiki.live_file_reference (name_key) where name_key is not null;

-- The references that lead to files. What the list of pages that use a file shows of the pages is stored here, too. (D103)
create table wiki.live_file_use (
  page_id bigint not null references wiki.live_page (id) on delete cascade,
  reference text collate "C" not null check (octet_length(reference) <= 2000),
  file_id bigint not null references wiki.live_file (id) on delete cascade,
  page_locale text collate "C" not null,
  page_path text collate "C" not null,
  primary key (page_id, reference)
);

create index live_file_use_file on wiki.live_file_use (file_id, page_locale, page_path);

-- Files without a page that uses them go at once: hiding a page hides its files. An import gathers what may be unused in a
-- temporary table, and deletes it at its end, because a page that moves is deleted and inserted.
create function wiki.on_removed_file_uses() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then
    return null;
  elsif to_regclass('pg_temp.imported_unused_file') is not null then
    insert into pg_temp.imported_unused_file (id) select distinct file_id from changed;
  else
    delete from wiki.live_file f
     using (select distinct file_id from changed) c
     where f.id = c.file_id and not exists (select from wiki.live_file_use u where u.file_id = f.id);
  end if;
  return null;
end $$;

create trigger delete_unused_files after delete on wiki.live_file_use referencing old table as changed
  for each statement execute function wiki.on_removed_file_uses();
create trigger replace_unused_files after update on wiki.live_file_use referencing old table as changed
  for each statement execute function wiki.on_removed_file_uses();

create function wiki.on_removed_files() returns trigger language plpgsql as $$
begin
  with removed as (
    delete from wiki.live_blob b
     using (select distinct blob_id from changed) c
     where b.id = c.blob_id and not exists (select from wiki.live_file f where f.blob_id = b.id)
    returning b.sha256, b.is_outside
  )
  insert into wiki.unused_blob (sha256) select r.sha256 from removed r where r.is_outside;
  return null;
end $$;

create trigger delete_unused_blobs after delete on wiki.live_file referencing old table as changed
  for each statement execute function wiki.on_removed_files();
create trigger replace_unused_blobs after update on wiki.live_file referencing old table as changed
  for each statement execute function wiki.on_removed_files();

-- As the triggers on the tables of Wiki.js, also with session_replication_role = replica.
alter table wiki.live_file_use
  enable always trigger delete_unused_files, enable always trigger replace_unused_files;
alter table wiki.live_file
  enable always trigger delete_unused_blobs, enable always trigger replace_unused_blobs;

-- Cursors of lists of revisions (D7)

-- Where lists continue after a revision that shares its created_at: a date of its own, which no revision has.
create table wiki.live_position (
  position timestamptz(3) primary key,
  created_at timestamptz(6) not null,
  revision_id uuid not null,
  page_id bigint not null references wiki.live_page (id) on delete cascade
);

create unique index live_position_revision on wiki.live_position (revision_id);
create index live_position_page on wiki.live_position (page_id);

create type wiki.tied_revision as (created_at timestamptz, revision_id uuid, page_id bigint, revisions bigint);

-- Brings the positions of the revisions of some pages up to date, and those of revisions that share a created_at with them. A
-- position stays as long as its revision is public at the same created_at, even when no other one shares it any more: a client
-- may hold the cursor. It is given to another revision if a new revision has this very date as its created_at.
--
-- The date is chosen by the id of the revision, among as many as leave each tie 256 ms a revision, beginning 10 ms after it.
-- None is a multiple of 10 ms, as dates that people write mostly are. So 230 dates lie in 256 ms. If a date is taken, another
-- one is tried, each time among twice as many.
create function wiki.assign_positions(pages bigint[]) returns void language plpgsql
set jit = off as $$
declare
  moments timestamptz[];
  tied wiki.tied_revision[];
  attempt int := 0;
begin
  if cardinality(pages) = 0 then
    return;
  end if;
  delete from wiki.live_position p
   where p.page_id = any (pages)
     and not exists (select from wiki.public_revision r
                      where r.id = p.revision_id and r.created_at = p.created_at
                        and r.page_id = p.page_id);
  with taken as (
    delete from wiki.live_position p
     using wiki.public_revision r
     where r.page_id = any (pages) and r.created_at = p.position
    returning p.created_at
  )
  select array(select created_at from taken) into moments;
  moments := array(
    select unnest(moments)
     union
    select r.created_at
      from wiki.public_revision r
     where r.page_id = any (pages)
       and not exists (select from wiki.live_position p where p.revision_id = r.id));
  tied := array(
    select (t.created_at, t.id, t.page_id, t.revisions)::wiki.tied_revision
      from (select r.created_at, r.id, r.page_id, count(*) over (partition by r.created_at) as revisions
              from unnest(moments) m (created_at)
              join wiki.public_revision r on r.created_at = m.created_at) t
     where t.revisions > 1
       and not exists (select from wiki.live_position p where p.revision_id = t.id));
  while cardinality(tied) > 0 loop
    insert into wiki.live_position (position, created_at, revision_id, page_id)
    select distinct on (c.position) c.position, t.created_at, t.revision_id, t.page_id
      from unnest(tied) t
     cross join lateral (
           select (uuid_hash_extended(t.revision_id, attempt) & x'7fffffffffffffff'::bigint)
                  % ((230 * t.revisions) << attempt) as n) s
     cross join lateral (
           -- No date comes after the year 9999: its ties have their positions before them.
           select date_bin('10 milliseconds', t.created_at, '2000-01-01T00:00:00Z')
                  + case when t.created_at < '9999-01-01T00:00:00Z' then 1 + s.n / 9 else -1 - s.n / 9 end
                    * interval '10 milliseconds'
                  + (1 + s.n % 9) * interval '1 millisecond' as position) c
     where not exists (select from wiki.public_revision r where r.created_at = c.position)
     order by c.position, t.revision_id
    on conflict do nothing;
    tied := array(
      select t from unnest(tied) t
       where not exists (select from wiki.live_position p where p.revision_id = t.revision_id));
    attempt := attempt + 1;
  end loop;
end $$;

create function wiki.on_versions() returns trigger language plpgsql as $$
begin
  perform wiki.assign_positions(array(select distinct page_id from changed));
  return null;
end $$;

-- Puts the versions of an attached Wiki.js in the place of revisions: from now on they get their positions in the
-- transaction that writes them.
create function wiki.take_versions() returns void language plpgsql as $$
begin
  create or replace view wiki.public_revision as select id, page_id, created_at from wikijs.revision;
  create trigger insert_positions after insert on wikijs.revision referencing new table as changed
    for each statement execute function wiki.on_versions();
  create trigger update_positions after update on wikijs.revision referencing new table as changed
    for each statement execute function wiki.on_versions();
  create trigger delete_positions after delete on wikijs.revision referencing old table as changed
    for each statement execute function wiki.on_versions();
end $$;

-- The feed of changes: for each live page the number of its last change, and the addresses at which guests no longer find
-- a page (D100)

-- Numbers of changes: microseconds since 1970, strictly increasing. A sequence belongs to no transaction, so that a
-- transaction with an old snapshot cannot take a number again.
create sequence wiki.change_number;

-- Proves that a cursor comes from this database.
create table wiki.change_feed (
  only_row boolean primary key default true check (only_row),
  key bytea not null
);
insert into wiki.change_feed (key) values (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

-- One row for each live page. It has no foreign key, because the row must still be there when the page is deleted.
create table wiki.live_change (
  page_id bigint primary key,
  change bigint not null,
  -- The number with which guests first saw a page at this address.
  shown_at bigint not null,
  -- The number of the tombstone that this page replaced, if there was one.
  gone_at bigint,
  locale text collate "C" not null,
  ns text collate "C" not null
);

create unique index live_change_number on wiki.live_change (change);
create index live_change_list on wiki.live_change (locale, ns, change);

-- Addresses at which guests saw a page, and see none now.
create table wiki.tombstone (
  locale text collate "C" not null,
  path text collate "C" not null,
  ns text collate "C" not null,
  change bigint not null,
  primary key (locale, path)
);

create unique index tombstone_number on wiki.tombstone (change);
create index tombstone_list on wiki.tombstone (locale, ns, change);

-- The first number of the running transaction; null before it has one. What has this number or a greater one changed in
-- this transaction.
create function wiki.first_change_of_transaction() returns bigint language sql volatile as $$
  select nullif(current_setting('lectern.first_change', true), '')::bigint
$$;

-- Lets the running transaction take numbers with nextval. Every writer holds the lock until it commits, so the order of
-- the numbers is the order of commits. @returns the first number of the transaction
create function wiki.begin_changes() returns bigint language plpgsql as $$
declare
  first bigint := wiki.first_change_of_transaction();
begin
  if first is null then
    lock table wiki.write_lock in exclusive mode;
    first := greatest(nextval('wiki.change_number'), (extract(epoch from clock_timestamp()) * 1000000)::bigint);
    perform setval('wiki.change_number', first), set_config('lectern.first_change', first::text, true);
  end if;
  return first;
end $$;

-- Records that guests see these pages changed. A page that already has a number of this transaction keeps it: readers
-- see the whole transaction at once.
create function wiki.mark_changed(pages bigint[]) returns void language plpgsql as $$
declare
  first bigint;
begin
  if cardinality(pages) = 0 then
    return;
  end if;
  first := wiki.begin_changes();
  update wiki.live_change c
     set change = nextval('wiki.change_number')
   where c.page_id = any (pages) and c.change < first;
end $$;

-- The same for the pages of translation groups, whose translations changed. The pages are found by bounds of the group: with
-- an equation, the planner might read all pages for each statement of an import. (D23)
create function wiki.mark_groups_changed(groups text[]) returns void language plpgsql as $$
begin
  if cardinality(groups) > 0 then
    perform wiki.mark_changed(array(
      select l.id
        from unnest(groups) as g (translation_group)
        join wiki.live_page l
          on l.translation_group >= g.translation_group and l.translation_group <= g.translation_group));
  end if;
end $$;

-- The page of a new address is a change of that address. The pages of its translation group now name it.
create function wiki.on_shown_pages() returns trigger language plpgsql as $$
begin
  if not exists (select from new_rows) then
    return null;
  end if;
  perform wiki.begin_changes();
  with former as (
    delete from wiki.tombstone t
     using new_rows n
     where t.locale = n.locale and t.path = n.path
    returning t.locale, t.path, t.change
  )
  insert into wiki.live_change (page_id, change, shown_at, gone_at, locale, ns)
  select n.id, n.number, n.number, f.change, n.locale, n.ns
    from (select r.id, r.locale, r.ns, r.path, nextval('wiki.change_number') as number from new_rows r) n
    left join former f on f.locale = n.locale and f.path = n.path
  on conflict (page_id) do update
    set change = excluded.change, shown_at = excluded.shown_at, gone_at = excluded.gone_at, locale = excluded.locale,
        ns = excluded.ns;
  perform wiki.mark_groups_changed(array(
    select distinct n.translation_group from new_rows n where n.translation_group is not null));
  return null;
end $$;

-- The address gets a tombstone if guests saw a page there. What a transaction shows and hides again leaves no trace: there
-- is no tombstone, or the one that was there before.
create function wiki.on_hidden_pages() returns trigger language plpgsql as $$
declare
  first bigint;
begin
  if not exists (select from old_rows) then
    return null;
  end if;
  first := wiki.begin_changes();
  with removed as (
    delete from wiki.live_change c
     using old_rows o
     where c.page_id = o.id
    returning o.locale, o.path, o.ns, c.shown_at, c.gone_at
  )
  insert into wiki.tombstone (locale, path, ns, change)
  select r.locale, r.path, r.ns, case when r.shown_at < first then nextval('wiki.change_number') else r.gone_at end
    from removed r
   where r.shown_at < first or r.gone_at is not null
  on conflict (locale, path) do update set change = excluded.change;
  perform wiki.mark_groups_changed(array(
    select distinct o.translation_group from old_rows o where o.translation_group is not null));
  return null;
end $$;

create function wiki.on_updated_pages() returns trigger language plpgsql as $$
begin
  if not exists (select from new_rows) then
    return null;
  end if;
  if exists (select from old_rows o
              where not exists (select from new_rows n where (n.id, n.locale, n.path) = (o.id, o.locale, o.path))) then
    raise exception 'wiki.live_page: delete the row of a page that moves, and insert another one';
  end if;
  perform wiki.mark_changed(array(select n.id from new_rows n));
  perform wiki.mark_groups_changed(array(
    select distinct g.translation_group
      from old_rows o
      join new_rows n on n.id = o.id
     cross join unnest(array[o.translation_group, n.translation_group]) as g (translation_group)
     where (o.title, o.translation_group) is distinct from (n.title, n.translation_group)
       and g.translation_group is not null));
  return null;
end $$;

create function wiki.before_truncated_pages() returns trigger language plpgsql as $$
declare
  first bigint := wiki.begin_changes();
begin
  insert into wiki.tombstone (locale, path, ns, change)
  select l.locale, l.path, l.ns, case when c.shown_at < first then nextval('wiki.change_number') else c.gone_at end
    from wiki.live_page l
    join wiki.live_change c on c.page_id = l.id
   where c.shown_at < first or c.gone_at is not null
  on conflict (locale, path) do update set change = excluded.change;
  delete from wiki.live_change;
  return null;
end $$;

-- Rows with a page_id, of which the page shows something. They are written only where they change. When a page is hidden,
-- its rows are deleted first: nothing is left to number.
create function wiki.on_rows_of_pages() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform wiki.mark_changed(array(
      select distinct c.page_id from changed c join wiki.live_page l on l.id = c.page_id));
  else
    perform wiki.mark_changed(array(select distinct c.page_id from changed c));
  end if;
  return null;
end $$;

-- A page that shows a file shows another picture when the file changes.
create function wiki.on_updated_files() returns trigger language plpgsql as $$
begin
  perform wiki.mark_changed(array(
    select distinct u.page_id
      from new_rows n
      join old_rows o on o.id = n.id
      join wiki.live_file_use u on u.file_id = n.id
     where (n.sha256, n.media_type, n.width, n.height) is distinct from (o.sha256, o.media_type, o.width, o.height)));
  return null;
end $$;

-- Pages of an attached Wiki.js whose end dates change. An expired page was left out, also among the translations of others.
create function wiki.on_changed_expirations() returns trigger language plpgsql as $$
begin
  perform wiki.mark_changed(array(
    select distinct c.page_id from changed c join wiki.live_page l on l.id = c.page_id));
  perform wiki.mark_groups_changed(array(
    select distinct l.translation_group
      from changed c
      join wiki.live_page l on l.id = c.page_id
     where l.translation_group is not null));
  return null;
end $$;

create trigger insert_changes after insert on wiki.live_page referencing new table as new_rows
  for each statement execute function wiki.on_shown_pages();
create trigger update_changes after update on wiki.live_page referencing old table as old_rows new table as new_rows
  for each statement execute function wiki.on_updated_pages();
create trigger delete_changes after delete on wiki.live_page referencing old table as old_rows
  for each statement execute function wiki.on_hidden_pages();
create trigger truncate_changes before truncate on wiki.live_page
  for each statement execute function wiki.before_truncated_pages();
create trigger insert_changes after insert on wiki.live_category_member referencing new table as changed
  for each statement execute function wiki.on_rows_of_pages();
create trigger update_changes after update on wiki.live_category_member referencing new table as changed
  for each statement execute function wiki.on_rows_of_pages();
create trigger delete_changes after delete on wiki.live_category_member referencing old table as changed
  for each statement execute function wiki.on_rows_of_pages();
create trigger insert_changes after insert on wiki.live_file_use referencing new table as changed
  for each statement execute function wiki.on_rows_of_pages();
create trigger update_changes after update on wiki.live_file_use referencing new table as changed
  for each statement execute function wiki.on_rows_of_pages();
create trigger delete_changes after delete on wiki.live_file_use referencing old table as changed
  for each statement execute function wiki.on_rows_of_pages();
create trigger update_changes after update on wiki.live_file referencing old table as old_rows new table as new_rows
  for each statement execute function wiki.on_updated_files();

-- The same for the tables of an attached Wiki.js.
create function wiki.record_changes_of_wikijs() returns void language plpgsql as $$
declare
  watched record;
begin
  for watched in
    select * from (values
      ('wikijs.revision', 'insert', 'new'), ('wikijs.revision', 'update', 'new'), ('wikijs.revision', 'delete', 'old'),
      ('wikijs.indexed_digest', 'insert', 'new'), ('wikijs.indexed_digest', 'update', 'new'))
      as w (name, operation, rows)
  loop
    execute format('create trigger %1$s_changes after %1$s on %2$s referencing %3$s table as changed
                    for each statement execute function wiki.on_rows_of_pages()',
                   watched.operation, watched.name, watched.rows);
    execute format('alter table %s enable always trigger %s_changes', watched.name, watched.operation);
  end loop;
end $$;

-- As the triggers on the tables of Wiki.js, also with session_replication_role = replica.
alter table wiki.live_page
  enable always trigger insert_changes, enable always trigger update_changes, enable always trigger delete_changes,
  enable always trigger truncate_changes, enable always trigger resolve_links;
alter table wiki.live_category_member
  enable always trigger insert_changes, enable always trigger update_changes, enable always trigger delete_changes;
alter table wiki.live_file_use
  enable always trigger insert_changes, enable always trigger update_changes, enable always trigger delete_changes;
alter table wiki.live_file enable always trigger update_changes;

-- Only the owner calls functions of schema `wiki`, and triggers do.
revoke all on all functions in schema wiki from public;
