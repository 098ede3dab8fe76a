-- Links by the name of a page, as in `[[Green tea]]`. (D124)

alter table wiki.live_link
  -- As written, and as a title key. Null for a link with a URL. Until a page has this name, `path` is the name.
  add column name text collate "C",
  add column name_key text collate "C";

create index live_link_name on wiki.live_link (name_key) where name_key is not null;

-- Finds the targets of links by name: of the links from some pages that were indexed, and of other links that have their
-- names. Then the first link to each target stands for the others, and links from a page to itself are not listed.
create function wiki.resolve_link_names(page_ids bigint[]) returns void language plpgsql as $$
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
                                   select title_key from wiki.live_search where page_id = any (page_ids)))
       and l.name_key is not null
  ), resolved as (
    update wiki.live_link l
       set locale = f.locale, path = f.path
      from (select distinct page_locale, name, name_key from named) n
     cross join lateral guest.page_of_name(n.page_locale, n.name, n.name_key) f
     where l.ctid in (select row_id from named)
       and l.page_locale = n.page_locale and l.name = n.name and l.name_key = n.name_key
    returning l.page_id
  )
  select array(select distinct page_id from resolved union select distinct page_id from named) into changed;
  update wiki.live_link l
     set is_first = r.is_first
    from (select ctid as row_id,
                 row_number() over (partition by page_id, locale, path order by name is not null, key, name) = 1
                   and (locale, path) is distinct from (page_locale, page_path) as is_first
            from wiki.live_link
           where page_id = any (changed)) r
   where l.ctid = r.row_id and l.page_id = any (changed) and l.is_first <> r.is_first;
end $$;

revoke all on function wiki.resolve_link_names from public;

-- An empty wiki has nothing to index.
update wiki.search_index_version set index_version = 4 where not exists (select from wiki.live_page);
