-- Assets of Wiki.js as files. What lists need of the visible ones is stored; the bytes stay in Wiki.js's tables. (D139)

-- All assets, also hidden ones, at the paths at which Wiki.js serves them.
create view wikijs.asset as
with recursive folder as (
  select id, slug::text as path from source."assetFolders" where "parentId" is null
   union all
  select f.id, p.path || '/' || f.slug
    from source."assetFolders" f
    join folder p on p.id = f."parentId"
)
select a.id as asset_id, concat(f.path || '/', a.filename) as written_path,
       normalize(concat(f.path || '/', a.filename), nfc) collate "C" as path,
       -- Another upload for the same asset has another version.
       concat(a.id, ' ', d.xmin) as version,
       wikijs.timestamp_from(a."updatedAt") as modified_at, nullif(wikijs.one_line(u.name), '') as author
  from source.assets a
  join source."assetData" d on d.id = a.id
  left join folder f on f.id = a."folderId"
  left join source.users u on u.id = a."authorId"
 where a."folderId" is null or f.id is not null;

create view wikijs.asset_bytes as
select id as asset_id, data from source."assetData";

-- Wiki.js asks for the permission in its default language.
create function wikijs.may_read_asset(written_path text) returns boolean language sql stable as $$
  select wikijs.may('read:assets',
                    coalesce((select value ->> 'code' from source.settings where key = 'lang'), 'en'), written_path, '{}')
$$;

-- The assets that pages show or link, and guests may read. Rules are evaluated for these alone.
create function wikijs.assets_of(pages bigint[])
returns table (page_id bigint, reference text, asset_id int, path text, version text) language sql stable as $$
  with wanted as materialized (
    select r.page_id, r.reference, r.place, a.asset_id, a.written_path, a.path, a.version
      from wiki.live_file_reference r
      join wikijs.asset a on a.path = r.path
     where r.page_id = any (pages) and r.name_key is null
  )
  select distinct on (w.page_id, w.reference) w.page_id, w.reference, w.asset_id, w.path, w.version
    from wanted w
   where wikijs.may_read_asset(w.written_path)
   order by w.page_id, w.reference, w.place
$$;

-- Stores what lists need of an asset.
create function wikijs.add_file(added_id int, media_type text, width int, height int) returns void language sql as $$
  with added as materialized (
    select a.path, a.version, a.modified_at, a.author, octet_length(b.data) as bytes, sha256(b.data) as sha256
      from wikijs.asset a
      join wikijs.asset_bytes b on b.asset_id = a.asset_id
     where a.asset_id = added_id
  ), blob as (
    insert into wiki.live_blob as b (sha256) select a.sha256 from added a
    on conflict (sha256) do update set sha256 = b.sha256
    returning b.id
  )
  insert into wiki.live_file
         (locale, path, version, blob_id, sha256, media_type, bytes, width, height, modified_at, author)
  select '', a.path, a.version, b.id, a.sha256, add_file.media_type, a.bytes, add_file.width, add_file.height,
         a.modified_at, a.author
    from added a cross join blob b
  on conflict (path, locale) do nothing
$$;

-- Stores which files pages use, once these have been added.
create function wikijs.use_files(pages bigint[]) returns void language sql as $$
  with found as materialized (
    select a.page_id, a.reference, f.id as file_id
      from wikijs.assets_of(pages) a
      join wiki.live_file f on f.path = a.path and f.version = a.version
  ), removed as (
    delete from wiki.live_file_use u
     where u.page_id = any (pages)
       and not exists (select from found f where (f.page_id, f.reference) = (u.page_id, u.reference))
  )
  insert into wiki.live_file_use (page_id, reference, file_id, page_locale, page_path)
  select f.page_id, f.reference, f.file_id, l.locale, l.path
    from found f
    join wiki.live_page l on l.id = f.page_id
  on conflict (page_id, reference) do update set file_id = excluded.file_id
    where wiki.live_file_use.file_id <> excluded.file_id
$$;

-- Removes files that have changed or that guests may no longer see, and lets a follower read the pages again that refer to
-- them or to new assets. It never fails, because an upload in Wiki.js must not fail.
-- @param ids assets; null: all
create function wikijs.refresh_files(ids int[]) returns void language plpgsql as $$
begin
  lock table wiki.write_lock in exclusive mode;
  begin
    with gone as (
      select f.id from wiki.live_file f
       where (ids is null or split_part(f.version, ' ', 1)::int = any (ids))
         and not exists (select from wikijs.asset a
                          where a.path = f.path and a.version = f.version and wikijs.may_read_asset(a.written_path))
    ), deleted as (
      delete from wiki.live_file f using gone g where f.id = g.id
    ), added as (
      select r.page_id
        from wikijs.asset a
        join wiki.live_file_reference r on r.path = a.path
       where (ids is null or a.asset_id = any (ids))
         and not exists (select from wiki.live_file f where f.path = a.path and f.version = a.version)
    )
    insert into wikijs.to_index (page_id)
    select u.page_id from wiki.live_file_use u join gone g on g.id = u.file_id
     union
    select page_id from added
    on conflict (page_id) do update set due_at = excluded.due_at;
    if found then
      notify lectern_changed;
    end if;
  exception when others then
    raise warning 'Lectern hides all files, because it cannot read the assets: %', sqlerrm;
    delete from wiki.live_file;
    notify lectern_changed;
  end;
  perform wikijs.record_synced_subject('files');
end $$;
