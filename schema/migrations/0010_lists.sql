-- Lists of links between pages, of categories, and of titles that begin with a text. (D103, D104, D105)

select wiki.drop_guest_views();

-- The first link from a page to another page stands for the others, which have other texts. What the list of links to a
-- page shows of the pages with the links is stored with the links. Pages that were indexed before have no list yet:
-- after this, `lectern migrate` indexes all pages again. (D103)
alter table wiki.live_link
  add column is_first boolean not null default false,
  add column is_redirect boolean not null default false,
  -- Of the page with the link; null where a service of the version before stored the link.
  add column page_locale text collate "C",
  add column page_ns text collate "C",
  add column page_path text collate "C",
  drop constraint live_link_pkey;

create index live_link_page on wiki.live_link (page_id);
create index live_link_redirect on wiki.live_link (page_id) where is_redirect;
create index live_link_target on wiki.live_link (locale, path, page_ns, page_locale, page_path) where is_first;

-- Links without a key are not searched by their text.
drop index wiki.live_link_key;
create index live_link_key on wiki.live_link (key, locale, path) where key <> '';

-- An empty wiki has nothing to index.
update wiki.search_index_version set index_version = 2 where not exists (select from wiki.live_page);

-- How many live pages each category has, if it has any. (D104)
create table wiki.live_category (
  locale text collate "C" not null,
  key text collate "C" not null,
  pages int not null,
  primary key (locale, key)
);

insert into wiki.live_category (locale, key, pages)
select locale, key, count(*) from wiki.live_category_member group by locale, key;

analyze wiki.live_category;

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

revoke all on function wiki.count_members from public;

create trigger count_added after insert on wiki.live_category_member referencing new table as changed
  for each statement execute function wiki.count_members();
create trigger count_removed after delete on wiki.live_category_member referencing old table as changed
  for each statement execute function wiki.count_members();
create trigger count_truncated after truncate on wiki.live_category_member
  for each statement execute function wiki.count_members();

-- Also with session_replication_role = replica, with which some restores write to the tables of an attached Wiki.js.
alter table wiki.live_category_member
  enable always trigger count_added, enable always trigger count_removed, enable always trigger count_truncated;

-- Titles by their beginnings, of all pages and of the hot set. A service of the version before does not store the title
-- key in the hot set. (D105)
create index live_search_beginning on wiki.live_search (locale, title_key) include (score, page_id);

alter table wiki.search_hot_set add column title_key text collate "C";
update wiki.search_hot_set h set title_key = s.title_key from wiki.live_search s where s.page_id = h.page_id;
create index search_hot_set_beginning on wiki.search_hot_set (locale, title_key) include (score, page_id);
