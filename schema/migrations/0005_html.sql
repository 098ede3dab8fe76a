-- HTML of live pages. A page that is about to be rendered has a row without HTML, which a change of the page deletes: then
-- nothing is stored of what was read before the change.
select wiki.drop_guest_views();

create table wiki.live_html (
  page_id bigint primary key references wiki.live_page (id) on delete cascade,
  -- Which version of the renderer made it, for which languages of the wiki; empty: none yet.
  renderer text collate "C" not null,
  -- Of everything that it depends on. A service ignores a row with another one.
  digest text collate "C" not null,
  -- The host that its addresses of the wiki have. Each service puts its own addresses in their place. Nobody could know it
  -- when the text was written.
  host text collate "C" not null,
  -- Null: not yet, it cannot be rendered, or the page shows texts of other pages.
  html text
);

do $$
begin
  alter table wiki.live_html alter html set compression lz4;
exception when feature_not_supported then
  null; -- this server was built without lz4
end $$;

-- Deletes HTML in the transaction that changes what guests see of a page, because it may show what is hidden now.
create function wiki.on_outdated_html() returns trigger language plpgsql as $$
begin
  delete from wiki.live_html h using changed c where h.page_id = c.page_id;
  return null;
end $$;

create trigger delete_html after update on wiki.live_change referencing new table as changed
  for each statement execute function wiki.on_outdated_html();
-- Links by name that lead to other pages now. (D124)
create trigger delete_html after update on wiki.live_link referencing new table as changed
  for each statement execute function wiki.on_outdated_html();
alter table wiki.live_change enable always trigger delete_html;
alter table wiki.live_link enable always trigger delete_html;

revoke all on function wiki.on_outdated_html() from public;
