-- Lists of links between pages. (D103)

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
