-- Places of live pages in the navigation of the site from which they were imported, and their paths there. A page without a
-- row has none. A table of its own: another order is no change of a page.
select wiki.drop_guest_views();

create table wiki.live_page_position (
  page_id bigint primary key references wiki.live_page (id) on delete cascade,
  position int,
  -- Titles of the groups around the page there, one a line, the outermost first. Null: it is in none.
  group_titles text collate "C",
  -- Title of the page there. Null: that of the page.
  nav_title text collate "C",
  -- Path of the page in the URL of that site, with a slash at its beginning. Null: the path of the page.
  site_path text collate "C"
);

create index live_page_position_site_path on wiki.live_page_position (page_id) where site_path is not null;
