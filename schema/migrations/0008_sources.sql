-- The source that each page and category came from. An import of a whole source removes what came from this source and
-- is no longer in it. Rows that were stored before this migration have no source. (D87)
create table wiki.source (
  id int generated always as identity primary key,
  name text collate "C" not null unique check (octet_length(name) between 1 and 100)
);

alter table wiki.page add column source_id int references wiki.source (id);
alter table wiki.category add column source_id int references wiki.source (id);

-- The source that names the wiki, its license and its default language: the first one that does.
alter table wiki.wiki add column source_id int references wiki.source (id);
