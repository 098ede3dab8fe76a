-- Search anew: a narrow row a page, whose words and text lie apart (toast), so that many matches are counted
-- and put in order without reading their words. Lexemes are made by Lectern. (D33) What was indexed before is
-- dropped: `lectern migrate` indexes the pages again after this, and an import whatever it touches.

drop view guest.search;
drop view guest.section;
drop table wiki.live_section;
drop table wiki.live_search;

create table wiki.live_search (
  page_id bigint primary key references wiki.live_page (id) on delete cascade,
  locale text collate "C" not null,
  -- Of two pages that match alike, the greater comes first: how often a page was edited.
  score real not null,
  -- How words were made: form of the index and configuration. Another one is due for `lectern reindex`.
  form smallint not null,
  config regconfig not null,
  -- Title and path as they are compared: folded, without accents.
  title_key text collate "C" not null,
  path_key text collate "C" not null,
  words tsvector not null,
  -- Positions of the first words of the sections, and of the end.
  starts int[] not null,
  -- Sections apart by U+0001, in each heading and text apart by U+0002.
  body text not null
) with (toast_tuple_target = 128);

do $$
begin
  alter table wiki.live_search alter words set compression lz4;
  alter table wiki.live_search alter body set compression lz4;
exception when feature_not_supported then
  null; -- this server was built without lz4
end $$;

create index live_search_words on wiki.live_search using gin (words);
create index live_search_title on wiki.live_search (title_key, locale);
create index live_search_path on wiki.live_search (path_key, locale);

-- What other pages call a page: texts of links, as titles are compared. A target need not exist.
create table wiki.live_link (
  page_id bigint not null references wiki.live_page (id) on delete cascade,
  key text collate "C" not null,
  locale text collate "C" not null,
  path text collate "C" not null,
  primary key (page_id, key, locale, path)
);

create index live_link_key on wiki.live_link (key, locale, path);

create view guest.link as select key, locale, path from wiki.live_link;
grant select on guest.link to lectern_reader;

-- The form in which all pages are indexed; 0: not all are. `lectern migrate` and `lectern reindex` see to it.
create table wiki.search_form (
  only_row boolean primary key default true check (only_row),
  form smallint not null
);

insert into wiki.search_form (form) select case when exists (select from wiki.live_page) then 0 else 1 end;

create view guest.search_form as select form from wiki.search_form;
grant select on guest.search_form to lectern_reader;

create view guest.search as
  select page_id, locale, score, form, config, title_key, path_key, words, starts, body from wiki.live_search;
grant select on guest.search to lectern_reader;
