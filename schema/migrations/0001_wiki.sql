-- The wiki: what its editors wrote (schema wiki), what of it a guest may see (schema guest), and the role
-- that serves guests. What a guest may see lies in tables of its own, which the views of schema guest show
-- whole: no filter stands between a guest's query and a hidden row, since the row is not there. (D3)

do $$
begin
  -- PostgreSQL refuses `create role` to a user without CREATEROLE even when the role exists.
  if not exists (select from pg_catalog.pg_roles where rolname = 'lectern_reader') then
    create role lectern_reader nologin;
  end if;
exception when duplicate_object or unique_violation then
  null; -- roles belong to the server, so another wiki's migration may have made it, even just now
end $$;

do $$
begin
  execute format('grant lectern_reader to %I', current_user);
exception when invalid_grant_operation or insufficient_privilege then
  null; -- an administrator made the role and grants it
end $$;

create schema if not exists wiki; -- `lectern migrate` keeps its record there
create schema guest;
revoke all on schema wiki from public;
revoke all on schema guest from public;

create table wiki.wiki (
  only_row boolean primary key default true check (only_row),
  name text not null,
  default_locale text collate "C" not null,
  license text
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
  primary key (locale, key)
);

-- Every page there ever was, whatever its state. Its title and text are its edits'.
create table wiki.page (
  id bigint generated always as identity primary key,
  locale text collate "C" not null,
  path text collate "C" not null check (octet_length(path) between 1 and 512),
  state text not null check (state in ('live', 'draft', 'deleted')),
  translation_group text collate "C",
  unique (locale, path)
);

-- Edits, in two partitions: those a guest may see, and the rest. Changing `visible` moves the row.
-- An id is unique over both partitions because the one writer (an advisory lock) looks in both.
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

-- Live pages as their last accepted edit has them, with what a list shows of that edit.
create table wiki.live_page (
  id bigint primary key references wiki.page (id),
  locale text collate "C" not null,
  ns text collate "C" not null check (ns in ('main', 'template', 'page_template', 'module', 'category')),
  path text collate "C" not null,
  title text not null,
  translation_group text collate "C",
  revision_id uuid not null,
  revision_created_at timestamptz(6) not null,
  revision_author text not null
);

create unique index live_page_path on wiki.live_page (locale, path);
create index live_page_list on wiki.live_page (locale, ns, path)
  include (id, title, revision_id, revision_created_at, revision_author);
create index live_page_translations on wiki.live_page (translation_group, locale)
  where translation_group is not null;

create table wiki.live_category_member (
  locale text collate "C" not null,
  key text collate "C" not null,
  sort_key text collate "C" not null,
  path text collate "C" not null,
  page_id bigint not null references wiki.live_page (id) on delete cascade,
  primary key (locale, key, sort_key, path)
);

create index live_category_member_page on wiki.live_category_member (page_id);

-- What search reads: a row a page for matching, a row a section for passages.
create table wiki.live_search (
  page_id bigint primary key references wiki.live_page (id) on delete cascade,
  locale text collate "C" not null,
  revision_id uuid not null,
  title_folded text not null,
  score real not null,
  words tsvector not null
);

create index live_search_words on wiki.live_search using gin (words);

create table wiki.live_section (
  page_id bigint not null references wiki.live_page (id) on delete cascade,
  position int not null,
  heading text not null,
  body text not null,
  words tsvector not null,
  primary key (page_id, position)
);

create view guest.wiki as select name, default_locale, license from wiki.wiki;
create view guest.locale as select locale, name, search_config from wiki.locale;
create view guest.category as select locale, key, name from wiki.category;
create view guest.page as
  select id, locale, ns, path, title, translation_group, revision_id, revision_created_at, revision_author
    from wiki.live_page;
create view guest.revision as
  select id, page_id, locale, created_at, author, comment, size, markdown from wiki.revision_visible;
create view guest.category_member as
  select locale, key, sort_key, path, page_id from wiki.live_category_member;
create view guest.search as select page_id, locale, title_folded, score, words from wiki.live_search;
create view guest.section as select page_id, position, heading, body, words from wiki.live_section;

grant usage on schema guest to lectern_reader;
grant select on all tables in schema guest to lectern_reader;
