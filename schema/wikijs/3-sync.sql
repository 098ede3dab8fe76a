-- Syncs what guests see with Wiki.js's tables, in the transaction that changes these tables. (D57)

-- For each page, a digest of the rows of Wiki.js's tables at its last sync. The xmin of a row changes with every write,
-- also with writes that fire no trigger, as in some restores. So the digest does not read texts.
create table wikijs.synced_digest (
  page_id int primary key,
  digest text not null
);
create view wikijs.source_rows as
select p.id as page_id,
       md5(concat_ws('/', p.xmin,
         (select u.name from source.users u where u.id = p."authorId"),
         (select string_agg(concat(h.id, ' ', h.xmin), ',' order by h.id)
            from source."pageHistory" h where h."pageId" = p.id),
         (select string_agg(concat(g.id, ' ', g.xmin, ' ', t.tag), ',' order by g.id)
            from source."pageTags" g join source.tags t on t.id = g."tagId" where g."pageId" = p.id),
         (select string_agg(concat(g.id, ' ', g.xmin, ' ', t.tag), ',' order by g.id)
            from source."pageHistory" h
            join source."pageHistoryTags" g on g."pageId" = h.id
            join source.tags t on t.id = g."tagId"
           where h."pageId" = p.id))) as digest
  from source.pages p;

-- The same for the subjects of all pages: the rules of guests, the assets, and the settings.
create table wikijs.synced_subject_digest (
  subject text primary key,
  digest text not null
);
create view wikijs.source_subjects as
select 'rules' as subject,
       md5(concat_ws('/', (select string_agg(concat(id, ' ', xmin), ',' order by id) from source.groups),
                          (select string_agg(concat(id, ' ', xmin), ',' order by id)
                             from source."userGroups" where "userId" = 2))) as digest
union all
select 'files',
       md5(concat_ws('/', (select bit_xor(hashtextextended(concat(id, ' ', xmin), 0)) from source.assets),
                          (select bit_xor(hashtextextended(concat(id, ' ', xmin), 0)) from source."assetData"),
                          (select bit_xor(hashtextextended(concat(id, ' ', xmin), 0)) from source."assetFolders")))
union all
select 'settings',
       md5(concat_ws('/', (select string_agg(concat(key, ' ', xmin), ',' order by key) from source.settings),
                          (select string_agg(concat(code, ' ', xmin), ',' order by code) from source.locales)));

-- The page up to which the current round has compared Wiki.js's rows. All followers share it.
create table wikijs.comparison (
  last_id int not null,
  at timestamptz not null
);
insert into wikijs.comparison values (0, '-infinity');

create function wikijs.record_synced(ids int[]) returns void language sql as $$
  delete from wikijs.synced_digest d
   where d.page_id = any (ids) and not exists (select from source.pages p where p.id = d.page_id);
  insert into wikijs.synced_digest as d (page_id, digest)
  select s.page_id, s.digest from wikijs.source_rows s where s.page_id = any (ids)
  on conflict (page_id) do update set digest = excluded.digest where d.digest <> excluded.digest
$$;

create function wikijs.record_synced_subject(synced text) returns void language sql as $$
  insert into wikijs.synced_subject_digest
  select s.subject, s.digest from wikijs.source_subjects s where s.subject = synced
  on conflict (subject) do update set digest = excluded.digest
$$;

-- Stores the current state of pages in Wiki.js. @returns whether guests see a change
-- To plan these statements for each call took twice as long as to run them.
create function wikijs.refresh(changed_ids int[]) returns boolean language plpgsql
set plan_cache_mode = force_generic_plan as $$
declare
  ids int[];
  pages wikijs.shown_page[];
  versions wikijs.shown_version[];
  to_index int[];
  former_categories wiki.category[];
  former_paths wiki.live_former_path[];
  expirations wikijs.expiration[];
  affected bigint;
  changes bigint := 0;
  withdrawn bigint;
begin
  -- The changed pages, and all pages that have, or had, the same paths: if several pages have one path, only the oldest
  -- shows. A few paths are looked up one by one; the planner expects many, and would not do so. The index of Wiki.js has
  -- the collation of the database: with the collation of paths in Lectern's tables, every page would be read.
  if cardinality(changed_ids) < 20 then
    ids := array(
      select unnest(changed_ids)
       union
      select o.id
        from (select path from source.pages where id = any (changed_ids)
               union
              select path from wiki.live_page where id = any (changed_ids)) a
       cross join lateral (select p.id from source.pages p where p.path = a.path collate "default" limit 1000) o);
  else
    ids := array(
      select unnest(changed_ids)
       union
      select o.id
        from (select path from source.pages where id = any (changed_ids)
               union
              select path from wiki.live_page where id = any (changed_ids)) a
        join source.pages o on o.path = a.path collate "default");
  end if;
  pages := array(
    select s
      from (select distinct on (p.locale, p.path) p from wikijs.shown_page p
             where p.page_id = any (ids)
             order by p.locale, p.path, p.page_id) x (s));

  former_categories := array(
    select distinct c from wiki.live_category_member m
      join wiki.category c on (c.locale, c.key) = (m.locale, m.key)
     where m.page_id = any (ids));
  -- Deleting the row of a page that moves deletes its former paths too. An address is one of them only if guests could
  -- see the page there before this transaction. (D100)
  former_paths := array(
    select (f.locale, f.path, f.page_id)::wiki.live_former_path
      from (select locale, path, page_id from wiki.live_former_path where page_id = any (ids)
             union
            select l.locale, l.path, l.id
              from wiki.live_page l
              join wiki.live_change c on c.page_id = l.id
             where l.id = any (ids)
               and (c.shown_at < coalesce(wiki.first_change_of_transaction(), 9223372036854775807) or c.gone_at is not null)) f
      join unnest(pages) s on s.page_id = f.page_id and (s.locale, s.path) <> (f.locale, f.path));
  -- One statement for all members, because each statement counts the members of categories.
  delete from wiki.live_category_member m
   where m.page_id = any (ids) and not exists (select from unnest(pages) s where s.page_id = m.page_id);
  delete from wiki.live_page l
   where l.id = any (ids)
     and not exists (select from unnest(pages) s where (s.page_id, s.locale, s.path) = (l.id, l.locale, l.path));
  get diagnostics withdrawn = row_count;
  delete from wiki.page p
   where p.id = any (ids) and not exists (select from wiki.live_page l where l.id = p.id);

  insert into wiki.page (id, locale, path, state, translation_group) overriding system value
  select s.page_id, s.locale, s.path, 'live', s.path from unnest(pages) s
  on conflict do nothing;
  pages := array(
    select s from unnest(pages) s
      join wiki.page p on (p.id, p.locale, p.path) = (s.page_id, s.locale, s.path));
  versions := array(
    select v from wikijs.shown_version v
     where v.page_id = any (array(select s.page_id from unnest(pages) s where s.with_history)));

  insert into wiki.locale (locale, name)
  select distinct s.locale, coalesce(nullif(wikijs.one_line(o."nativeName"), ''), s.locale)
    from unnest(pages) s
    left join source.locales o on lower(o.code) = s.locale
  on conflict do nothing;
  get diagnostics affected = row_count;
  changes := changes + withdrawn + affected;

  insert into wiki.live_page as l
         (id, locale, ns, path, title, translation_group, revision_id, revision_created_at, revision_author, dialect)
  select s.page_id, s.locale, s.ns, s.path, s.title, s.path, s.revision_id, s.created_at, s.author,
         case when s.format = 'markdown' then 'wikijs' end
    from unnest(pages) s
  on conflict (id) do update
    set title = excluded.title, revision_id = excluded.revision_id,
        revision_created_at = excluded.revision_created_at, revision_author = excluded.revision_author,
        dialect = excluded.dialect
    where (l.title, l.revision_id, l.revision_created_at, l.revision_author, l.dialect)
          is distinct from (excluded.title, excluded.revision_id, excluded.revision_created_at, excluded.revision_author,
                            excluded.dialect);
  get diagnostics affected = row_count;
  changes := changes + affected;

  insert into wiki.live_former_path (locale, path, page_id)
  select distinct on (f.locale, f.path) f.locale, f.path, f.page_id
    from unnest(former_paths) f
    join wiki.live_page l on l.id = f.page_id
   order by f.locale, f.path, f.page_id
  on conflict (locale, path) do update set page_id = excluded.page_id
    where wiki.live_former_path.page_id <> excluded.page_id;

  delete from wikijs.revision r
   where r.page_id = any (ids)
     and not exists (select from unnest(pages) s where s.revision_id = r.id)
     and not exists (select from unnest(versions) v where v.revision_id = r.id);
  get diagnostics affected = row_count;
  changes := changes + affected;
  insert into wikijs.revision as r (id, page_id, version_id, locale, created_at, author, comment, size, format)
  select n.revision_id, n.page_id, n.version_id, l.locale, n.created_at, n.author, n.comment,
         case when n.version_id > 0 and o.version_id = n.version_id and o.format = n.format then o.size
              else (select octet_length(t.text) from wikijs.text t
                     where t.page_id = n.page_id and t.version_id = n.version_id and t.format = n.format) end,
         n.format
    from (select s.page_id, 0 as version_id, s.revision_id, s.created_at, s.author, s.comment, s.format from unnest(pages) s
           union all
          select v.page_id, v.version_id, v.revision_id, v.created_at, v.author, v.comment, v.format
            from unnest(versions) v
           where not exists (select from unnest(pages) s where s.revision_id = v.revision_id)) n
    join wiki.live_page l on l.id = n.page_id
    left join wikijs.revision o on o.id = n.revision_id
  on conflict (id) do update
    set version_id = excluded.version_id, locale = excluded.locale, created_at = excluded.created_at,
        author = excluded.author, comment = excluded.comment, size = excluded.size, format = excluded.format
    where (r.version_id, r.locale, r.created_at, r.author, r.comment, r.size, r.format)
          is distinct from (excluded.version_id, excluded.locale, excluded.created_at, excluded.author,
                            excluded.comment, excluded.size, excluded.format);
  get diagnostics affected = row_count;
  changes := changes + affected;

  changes := changes + wikijs.refresh_members(ids, pages, former_categories);

  expirations := array(
    select (s.page_id, null, s.expires_at)::wikijs.expiration from unnest(pages) s where s.expires_at < 'infinity'
     union all
    select (v.page_id, v.revision_id, v.expires_at)::wikijs.expiration
      from unnest(versions) v where v.expires_at < 'infinity');
  delete from wikijs.expiration e
   where e.page_id = any (ids)
     and not exists (select from unnest(expirations) n
                      where n.page_id = e.page_id and n.expires_at = e.expires_at
                        and n.revision_id is not distinct from e.revision_id);
  insert into wikijs.expiration (page_id, revision_id, expires_at)
  select n.page_id, n.revision_id, n.expires_at
    from unnest(expirations) n
   where not exists (select from wikijs.expiration e
                      where e.page_id = n.page_id and e.expires_at = n.expires_at
                        and e.revision_id is not distinct from n.revision_id);
  delete from wikijs.schedule where page_id = any (ids);
  insert into wikijs.schedule (page_id, at)
  select v.page_id, min(case when v.starts_at > now() then v.starts_at else v.expires_at end)
    from wikijs.version v
   where v.page_id = any (ids) and v.is_public
     and v.expires_at > now() and case when v.starts_at > now() then v.starts_at else v.expires_at end < 'infinity'
     and exists (select from source.pages p where p.id = v.page_id)
   group by v.page_id;

  -- The search index of a text that is no longer visible is deleted at once; a follower indexes the new text.
  to_index := array(
    select s.page_id from unnest(pages) s
     cross join lateral (
           select md5(s.format || ' ' || coalesce(t.text, '')) as digest from wikijs.text t
            where t.page_id = s.page_id and t.version_id = 0 and t.format = s.format) d
      left join wikijs.indexed_digest o on o.page_id = s.page_id
     where (o.title, o.digest) is distinct from (s.title, d.digest));
  if to_index <> '{}' then
    insert into wikijs.indexed_digest (page_id, title, digest)
    select s.page_id, s.title, md5(s.format || ' ' || coalesce(t.text, ''))
      from unnest(pages) s
      join wikijs.text t on t.page_id = s.page_id and t.version_id = 0 and t.format = s.format
     where s.page_id = any (to_index)
    on conflict (page_id) do update set title = excluded.title, digest = excluded.digest;
    delete from wiki.live_search where page_id = any (to_index);
    delete from wiki.live_link where page_id = any (to_index);
    -- A file stays until the follower has read the new text, if its name is in that.
    delete from wiki.live_file_use u
     using wikijs.text t, unnest(pages) s
     where u.page_id = any (to_index) and s.page_id = u.page_id
       and t.page_id = s.page_id and t.version_id = 0 and t.format = s.format
       and position(substring(u.reference from '[^/]*$') in t.text) = 0;
    insert into wikijs.to_index (page_id)
    select s.page_id from unnest(pages) s where s.page_id = any (to_index) and s.ns <> 'category'
    on conflict (page_id) do update set due_at = excluded.due_at;
    changes := changes + 1;
  end if;

  perform wikijs.record_synced(ids);

  if withdrawn > 0 then
    delete from wiki.locale o
     where not exists (select from wiki.live_page l where l.locale = o.locale)
       and o.locale is distinct from (select default_locale from wiki.wiki);
  end if;
  return changes > 0;
end $$;

-- Tags as categories: only tags of visible pages.
create function wikijs.members_of(pages wikijs.shown_page[])
returns table (locale text, key text, sort_key text, path text, page_id bigint, ns text, title text, revision_id uuid,
               revision_created_at timestamptz, revision_author text, name text) language sql stable as $$
  select s.locale, t.key, left(normalize(lower(normalize(s.title, nfkc)), nfc), 255), s.path, s.page_id, s.ns, s.title,
         s.revision_id, s.created_at, s.author,
         coalesce((select nullif(wikijs.one_line(o.title), '') from source.tags o where o.tag = t.key), t.key)
    from unnest(pages) s
   cross join lateral (select distinct wikijs.one_line(tag) as key from unnest(s.tags) tag) t
   where octet_length(t.key) between 1 and 255
$$;

-- @param former_categories categories that had the pages before: no other category can be empty now
-- @returns how many rows changed
create function wikijs.refresh_members(ids int[], pages wikijs.shown_page[], former_categories wiki.category[])
returns bigint language plpgsql as $$
declare
  affected bigint;
  changes bigint;
begin
  delete from wiki.live_category_member m
   where m.page_id = any (ids)
     and not exists (select from wikijs.members_of(pages) n
                      where (n.locale, n.key, n.sort_key, n.path, n.page_id, n.title, n.revision_id,
                             n.revision_created_at, n.revision_author, n.name)
                            = (m.locale, m.key, m.sort_key, m.path, m.page_id, m.title, m.revision_id,
                               m.revision_created_at, m.revision_author, m.name));
  get diagnostics changes = row_count;
  insert into wiki.live_category_member
         (locale, key, sort_key, path, page_id, ns, title, revision_id, revision_created_at, revision_author, name)
  select n.locale, n.key, n.sort_key, n.path, n.page_id, n.ns, n.title, n.revision_id, n.revision_created_at,
         n.revision_author, n.name
    from wikijs.members_of(pages) n
  on conflict do nothing;
  get diagnostics affected = row_count;
  changes := changes + affected;
  insert into wiki.category as c (locale, key, name)
  select distinct n.locale, n.key, n.name from wikijs.members_of(pages) n
  on conflict (locale, key) do update set name = excluded.name where c.name is distinct from excluded.name;
  get diagnostics affected = row_count;
  changes := changes + affected;
  delete from wiki.category c
   using unnest(former_categories) f
   where (c.locale, c.key) = (f.locale, f.key)
     and not exists (select from wiki.live_category_member m where m.locale = f.locale and m.key = f.key);
  get diagnostics affected = row_count;
  return changes + affected;
end $$;

-- Stores the wiki's name, default language and license, and the names of languages.
create function wikijs.refresh_wiki() returns void language plpgsql as $$
declare
  found record;
begin
  select coalesce(nullif(wikijs.one_line(max(value ->> 'v') filter (where key = 'title')), ''), 'Wiki.js') as name,
         coalesce(lower(max(value ->> 'code') filter (where key = 'lang')), 'en') as locale,
         case max(value ->> 'v') filter (where key = 'contentLicense')
           when 'cc0' then 'https://creativecommons.org/publicdomain/zero/1.0/'
           when 'ccby' then 'https://creativecommons.org/licenses/by/4.0/'
           when 'ccbysa' then 'https://creativecommons.org/licenses/by-sa/4.0/'
           when 'ccbynd' then 'https://creativecommons.org/licenses/by-nd/4.0/'
           when 'ccbync' then 'https://creativecommons.org/licenses/by-nc/4.0/'
           when 'ccbyncsa' then 'https://creativecommons.org/licenses/by-nc-sa/4.0/'
           when 'ccbyncnd' then 'https://creativecommons.org/licenses/by-nc-nd/4.0/'
         end as license
    into found
    from source.settings;
  insert into wiki.wiki (name, default_locale, license) values (found.name, found.locale, found.license)
  on conflict (only_row) do update
    set name = excluded.name, default_locale = excluded.default_locale, license = excluded.license;
  insert into wiki.locale as l (locale, name)
  select lower(o.code), coalesce(nullif(wikijs.one_line(o."nativeName"), ''), lower(o.code))
    from source.locales o
   where lower(o.code) = found.locale or exists (select from wiki.live_page p where p.locale = lower(o.code))
  on conflict (locale) do update set name = excluded.name where l.name <> excluded.name;
  delete from wiki.locale o
   where o.locale <> found.locale and not exists (select from wiki.live_page l where l.locale = o.locale);
  perform wikijs.refresh_files(null);
  notify lectern_changed;
end $$;

-- Syncs pages. It never fails, because an edit in Wiki.js must not fail. If a page cannot be read, it is hidden, and
-- synced again after a minute. If one of several pages fails, each is synced alone, so that the others show. All
-- writers take one lock, so that no writer overwrites a newer edit with older data.
create function wikijs.sync(ids int[]) returns void language plpgsql as $$
declare
  one_id int;
begin
  if coalesce(cardinality(ids), 0) = 0 then
    return;
  end if;
  lock table wiki.write_lock in exclusive mode;
  begin
    if wikijs.refresh(ids) then
      notify lectern_changed;
    end if;
  exception when others then
    if cardinality(ids) > 1 then
      foreach one_id in array ids loop
        perform wikijs.sync(array[one_id]);
      end loop;
      return;
    end if;
    raise warning 'Lectern hides the page %, because it cannot read it: %', ids[1], sqlerrm;
    delete from wiki.live_page where id = ids[1];
    delete from wiki.page where id = ids[1];
    insert into wikijs.schedule (page_id, at) values (ids[1], now() + interval '1 minute')
    on conflict (page_id) do update set at = excluded.at;
    perform wikijs.record_synced(ids);
    notify lectern_changed;
  end;
end $$;

-- Syncs all pages. While the tables are filled for the first time, plans for empty tables would read whole tables for
-- every batch. So the tables are analyzed each time that their size has grown fourfold.
create function wikijs.sync_all() returns void language plpgsql as $$
declare
  ids int[];
  done int := 0;
  known float := (select reltuples from pg_class where oid = 'wikijs.revision'::regclass);
begin
  lock table wiki.write_lock in exclusive mode;
  for ids in
    select array_agg(id)
      from (select id, row_number() over (order by id) / 500 as batch
              from (select id from source.pages union select id::int from wiki.live_page) pages) numbered
     group by batch
  loop
    perform wikijs.sync(ids);
    done := done + cardinality(ids);
    if done > 4 * known then
      analyze wiki.page, wiki.live_page, wiki.live_category_member, wiki.category, wikijs.revision, wikijs.indexed_digest,
        wiki.live_position, wiki.live_change, wikijs.expiration, wikijs.schedule;
      known := done;
    end if;
  end loop;
  perform wikijs.refresh_files(null);
end $$;

-- Syncs the pages that are due.
create function wikijs.sweep() returns void language sql as $$
  select wikijs.sync(array(select page_id from wikijs.schedule where at <= now() order by at limit 500))
$$;

-- Compares the digests of the next pages with those of their last sync, and syncs the pages that changed: at most once a
-- second, however many followers there are.
-- @param batch how many pages; @returns how many changed; null if another follower has just compared
create function wikijs.compare(batch int) returns int language plpgsql as $$
declare
  first int;
  last int;
  changed int[];
  subjects text[];
begin
  select c.last_id into first from wikijs.comparison c
   where c.at <= clock_timestamp() - interval '1 second' for update skip locked;
  if first is null then
    return null;
  end if;
  subjects := array(select s.subject from wikijs.source_subjects s
                      left join wikijs.synced_subject_digest j on j.subject = s.subject
                     where j.digest is distinct from s.digest);
  if subjects <> '{}' then
    lock table wiki.write_lock in exclusive mode;
    if 'settings' = any (subjects) then
      perform wikijs.refresh_wiki();
      perform wikijs.record_synced_subject('settings');
    end if;
    if 'rules' = any (subjects) then
      perform wikijs.sync_rules();
    end if;
    if 'files' = any (subjects) then
      perform wikijs.refresh_files(null);
    end if;
  end if;
  last := (select p.id from source.pages p where p.id > first order by p.id offset batch - 1 limit 1);
  changed := array(
    select coalesce(s.page_id, j.page_id)
      from (select * from wikijs.source_rows where page_id > first and page_id <= coalesce(last, 2147483647)) s
      full join (select * from wikijs.synced_digest where page_id > first and page_id <= coalesce(last, 2147483647)) j
        on j.page_id = s.page_id
     where s.digest is distinct from j.digest
     limit 100);
  perform wikijs.sync(changed);
  update wikijs.comparison
     set last_id = case when cardinality(changed) = 100 then first else coalesce(last, 0) end, at = clock_timestamp();
  return cardinality(changed) + cardinality(subjects);
end $$;

-- Reads the rules of guests, and syncs all pages if the rules changed.
create function wikijs.sync_rules() returns void language plpgsql as $$
begin
  lock table wiki.write_lock in exclusive mode;
  perform wikijs.record_synced_subject('rules');
  begin
    if not wikijs.read_rules() then
      return;
    end if;
  exception when others then
    raise warning 'Lectern hides every page, because it cannot read the rules of the guests: %', sqlerrm;
    delete from wikijs.rule;
  end;
  perform wikijs.sync_all();
end $$;
