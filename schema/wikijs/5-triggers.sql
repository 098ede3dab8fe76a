-- Triggers on Wiki.js's tables. Their functions run as the user that attached, whichever user writes.

-- The arguments of the trigger are a query that returns ids of pages or assets from the changed rows, `changed`, and the
-- function that syncs these.
create function wikijs.on_change() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
  ids int[];
  rows text := case tg_op when 'INSERT' then 'table new_rows' when 'DELETE' then 'table old_rows'
                          else '(table new_rows) union all (table old_rows)' end;
begin
  execute format('with changed as (%s) select array_agg(distinct x.id) from (%s) x (id) where x.id is not null',
                 rows, tg_argv[0])
     into ids;
  if ids is not null then
    execute format('select wikijs.%I($1)', tg_argv[1]) using ids;
  end if;
  return null;
end $$;

create function wikijs.on_truncate() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
  perform wikijs.sync_all();
  return null;
end $$;

create function wikijs.on_user() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
  perform wikijs.sync(array(
    select id from source.pages where "authorId" = new.id
     union
    select "pageId" from source."pageHistory" where "authorId" = new.id and "pageId" is not null));
  return null;
end $$;

create function wikijs.on_rules() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
  perform wikijs.sync_rules();
  return null;
end $$;

create function wikijs.on_settings() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
  perform wikijs.refresh_wiki();
  perform wikijs.record_synced_subject('settings');
  return null;
exception when others then
  raise warning 'Lectern keeps the old name and languages of the wiki: %', sqlerrm;
  return null;
end $$;

do $do$
declare
  source_table record;
  op text;
begin
  for source_table in
    select * from (values
      ('pages', '{insert,update,delete}'::text[], 'select id from changed'),
      ('pageHistory', '{insert,update,delete}', 'select "pageId" from changed'),
      ('pageTags', '{insert,update,delete}', 'select "pageId" from changed'),
      ('pageHistoryTags', '{insert,update,delete}',
       'select h."pageId" from changed c join source."pageHistory" h on h.id = c."pageId"'),
      ('tags', '{update}',
       'select g."pageId" from changed c join source."pageTags" g on g."tagId" = c.id union all
        select h."pageId" from changed c join source."pageHistoryTags" g on g."tagId" = c.id
          join source."pageHistory" h on h.id = g."pageId"'),
      ('assets', '{insert,update,delete}', 'select id from changed'),
      ('assetData', '{insert,update,delete}', 'select id from changed'),
      ('assetFolders', '{update,delete}', 'select id from source.assets')) w (name, ops, ids)
  loop
    foreach op in array source_table.ops loop
      execute format('create trigger lectern_%s after %s on source.%I referencing %s for each statement execute function wikijs.on_change(%L, %L)',
        op, op, source_table.name,
        case op when 'insert' then 'new table as new_rows' when 'delete' then 'old table as old_rows'
                else 'old table as old_rows new table as new_rows' end,
        source_table.ids, case when source_table.name like 'asset%' then 'refresh_files' else 'sync' end);
    end loop;
    execute format('create trigger lectern_truncate after truncate on source.%I for each statement execute function wikijs.on_truncate()',
                   source_table.name);
  end loop;
end $do$;

create trigger lectern_rename after update of name on source.users
  for each row when (old.name is distinct from new.name) execute function wikijs.on_user();
create trigger lectern_rules after insert or update or delete or truncate on source.groups
  for each statement execute function wikijs.on_rules();
create trigger lectern_rules after insert or update or delete or truncate on source."userGroups"
  for each statement execute function wikijs.on_rules();
create trigger lectern_settings after insert or update or delete or truncate on source.settings
  for each statement execute function wikijs.on_settings();
create trigger lectern_settings after insert or update or delete or truncate on source.locales
  for each statement execute function wikijs.on_settings();

-- The triggers also fire with session_replication_role = replica, with which replication and some restores write.
do $do$
declare
  installed record;
begin
  for installed in
    select t.tgname, t.tgrelid::regclass as on_table from pg_trigger t join pg_proc p on p.oid = t.tgfoid
     where p.pronamespace = 'wikijs'::regnamespace
  loop
    execute format('alter table %s enable always trigger %I', installed.on_table, installed.tgname);
  end loop;
end $do$;

-- The pages were compared with those of a former attachment before: see `attachWikijs`.
select wiki.record_changes_of_wikijs();
-- A page or version that had expired may have been left out of responses, although nothing else of it changes.
create trigger delete_changes after delete on wikijs.expiration referencing old table as changed
  for each statement execute function wiki.on_changed_expirations();
alter table wikijs.expiration enable always trigger delete_changes;

select wikijs.record_synced_subject(subject) from wikijs.source_subjects;

revoke all on all functions in schema wikijs from public;
