-- Places of live pages in the navigation of the site from which they were imported. A page without a row has none. A table
-- of its own: another order is no change of a page.
select wiki.drop_guest_views();

create table wiki.live_page_position (
  page_id bigint primary key references wiki.live_page (id) on delete cascade,
  position int not null,
  -- Title of the group that has the page there. Null: none.
  group_title text collate "C"
);
