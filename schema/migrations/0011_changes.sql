-- The feed of changes: for each live page the number of its last change, and the addresses at which guests no longer find
-- a page. (D100)

-- Numbers of changes: microseconds since 1970, strictly increasing. A sequence belongs to no transaction, so that a
-- transaction with an old snapshot cannot take a number again.
create sequence wiki.change_number;

-- Proves that a cursor comes from this database.
create table wiki.change_feed (
  only_row boolean primary key default true check (only_row),
  key bytea not null
);
insert into wiki.change_feed (key) values (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

-- One row for each live page. It has no foreign key, because the row must still be there when the page is deleted.
create table wiki.live_change (
  page_id bigint primary key,
  change bigint not null,
  -- The number with which guests first saw a page at this address.
  shown_at bigint not null,
  -- The number of the tombstone that this page replaced, if there was one.
  gone_at bigint,
  locale text collate "C" not null,
  ns text collate "C" not null
);

-- Addresses at which guests saw a page, and see none now.
create table wiki.tombstone (
  locale text collate "C" not null,
  path text collate "C" not null,
  ns text collate "C" not null,
  change bigint not null,
  primary key (locale, path)
);

-- The first number of the running transaction; null before it has one. What has this number or a greater one changed in
-- this transaction.
create function wiki.first_change_of_transaction() returns bigint language sql volatile as $$
  select nullif(current_setting('lectern.first_change', true), '')::bigint
$$;

-- Lets the running transaction take numbers with nextval. Every writer holds the lock until it commits, so the order of
-- the numbers is the order of commits. @returns the first number of the transaction
create function wiki.begin_changes() returns bigint language plpgsql as $$
declare
  first bigint := wiki.first_change_of_transaction();
begin
  if first is null then
    lock table wiki.write_lock in exclusive mode;
    first := greatest(nextval('wiki.change_number'), (extract(epoch from clock_timestamp()) * 1000000)::bigint);
    perform setval('wiki.change_number', first), set_config('lectern.first_change', first::text, true);
  end if;
  return first;
end $$;

-- Records that guests see these pages changed. A page that already has a number of this transaction keeps it: readers
-- see the whole transaction at once.
create function wiki.mark_changed(pages bigint[]) returns void language plpgsql as $$
declare
  first bigint;
begin
  if cardinality(pages) = 0 then
    return;
  end if;
  first := wiki.begin_changes();
  update wiki.live_change c
     set change = nextval('wiki.change_number')
   where c.page_id = any (pages) and c.change < first;
end $$;

-- The same for the pages of translation groups, whose translations changed. The pages are found by bounds of the group: with
-- an equation, the planner might read all pages for each statement of an import. (D23)
create function wiki.mark_groups_changed(groups text[]) returns void language plpgsql as $$
begin
  if cardinality(groups) > 0 then
    perform wiki.mark_changed(array(
      select l.id
        from unnest(groups) as g (translation_group)
        join wiki.live_page l
          on l.translation_group >= g.translation_group and l.translation_group <= g.translation_group));
  end if;
end $$;

-- The page of a new address is a change of that address. The pages of its translation group now name it.
create function wiki.on_shown_pages() returns trigger language plpgsql as $$
begin
  if not exists (select from new_rows) then
    return null;
  end if;
  perform wiki.begin_changes();
  with former as (
    delete from wiki.tombstone t
     using new_rows n
     where t.locale = n.locale and t.path = n.path
    returning t.locale, t.path, t.change
  )
  insert into wiki.live_change (page_id, change, shown_at, gone_at, locale, ns)
  select n.id, n.number, n.number, f.change, n.locale, n.ns
    from (select r.id, r.locale, r.ns, r.path, nextval('wiki.change_number') as number from new_rows r) n
    left join former f on f.locale = n.locale and f.path = n.path
  on conflict (page_id) do update
    set change = excluded.change, shown_at = excluded.shown_at, gone_at = excluded.gone_at, locale = excluded.locale,
        ns = excluded.ns;
  perform wiki.mark_groups_changed(array(
    select distinct n.translation_group from new_rows n where n.translation_group is not null));
  return null;
end $$;

-- The address gets a tombstone if guests saw a page there. What a transaction shows and hides again leaves no trace: there
-- is no tombstone, or the one that was there before.
create function wiki.on_hidden_pages() returns trigger language plpgsql as $$
declare
  first bigint;
begin
  if not exists (select from old_rows) then
    return null;
  end if;
  first := wiki.begin_changes();
  with removed as (
    delete from wiki.live_change c
     using old_rows o
     where c.page_id = o.id
    returning o.locale, o.path, o.ns, c.shown_at, c.gone_at
  )
  insert into wiki.tombstone (locale, path, ns, change)
  select r.locale, r.path, r.ns, case when r.shown_at < first then nextval('wiki.change_number') else r.gone_at end
    from removed r
   where r.shown_at < first or r.gone_at is not null
  on conflict (locale, path) do update set change = excluded.change;
  perform wiki.mark_groups_changed(array(
    select distinct o.translation_group from old_rows o where o.translation_group is not null));
  return null;
end $$;

create function wiki.on_updated_pages() returns trigger language plpgsql as $$
begin
  if not exists (select from new_rows) then
    return null;
  end if;
  if exists (select from old_rows o
              where not exists (select from new_rows n where (n.id, n.locale, n.path) = (o.id, o.locale, o.path))) then
    raise exception 'wiki.live_page: delete the row of a page that moves, and insert another one';
  end if;
  perform wiki.mark_changed(array(select n.id from new_rows n));
  perform wiki.mark_groups_changed(array(
    select distinct g.translation_group
      from old_rows o
      join new_rows n on n.id = o.id
     cross join unnest(array[o.translation_group, n.translation_group]) as g (translation_group)
     where (o.title, o.translation_group) is distinct from (n.title, n.translation_group)
       and g.translation_group is not null));
  return null;
end $$;

create function wiki.before_truncated_pages() returns trigger language plpgsql as $$
declare
  first bigint := wiki.begin_changes();
begin
  insert into wiki.tombstone (locale, path, ns, change)
  select l.locale, l.path, l.ns, case when c.shown_at < first then nextval('wiki.change_number') else c.gone_at end
    from wiki.live_page l
    join wiki.live_change c on c.page_id = l.id
   where c.shown_at < first or c.gone_at is not null
  on conflict (locale, path) do update set change = excluded.change;
  delete from wiki.live_change;
  return null;
end $$;

-- Rows with a page_id, of which the page shows something. They are written only where they change. When a page is hidden,
-- its rows are deleted first: nothing is left to number.
create function wiki.on_rows_of_pages() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform wiki.mark_changed(array(
      select distinct c.page_id from changed c join wiki.live_page l on l.id = c.page_id));
  else
    perform wiki.mark_changed(array(select distinct c.page_id from changed c));
  end if;
  return null;
end $$;

-- Pages of an attached Wiki.js whose end dates change. An expired page was left out, also among the translations of others.
create function wiki.on_changed_expirations() returns trigger language plpgsql as $$
begin
  perform wiki.mark_changed(array(
    select distinct c.page_id from changed c join wiki.live_page l on l.id = c.page_id));
  perform wiki.mark_groups_changed(array(
    select distinct l.translation_group
      from changed c
      join wiki.live_page l on l.id = c.page_id
     where l.translation_group is not null));
  return null;
end $$;

create trigger insert_changes after insert on wiki.live_page referencing new table as new_rows
  for each statement execute function wiki.on_shown_pages();
create trigger update_changes after update on wiki.live_page referencing old table as old_rows new table as new_rows
  for each statement execute function wiki.on_updated_pages();
create trigger delete_changes after delete on wiki.live_page referencing old table as old_rows
  for each statement execute function wiki.on_hidden_pages();
create trigger truncate_changes before truncate on wiki.live_page
  for each statement execute function wiki.before_truncated_pages();
create trigger insert_changes after insert on wiki.live_category_member referencing new table as changed
  for each statement execute function wiki.on_rows_of_pages();
create trigger update_changes after update on wiki.live_category_member referencing new table as changed
  for each statement execute function wiki.on_rows_of_pages();
create trigger delete_changes after delete on wiki.live_category_member referencing old table as changed
  for each statement execute function wiki.on_rows_of_pages();

-- The same for the tables of an attached Wiki.js.
create function wiki.record_changes_of_wikijs() returns void language plpgsql as $$
declare
  watched record;
begin
  for watched in
    select * from (values
      ('wikijs.revision', 'insert', 'new'), ('wikijs.revision', 'update', 'new'), ('wikijs.revision', 'delete', 'old'),
      ('wikijs.indexed_digest', 'insert', 'new'), ('wikijs.indexed_digest', 'update', 'new'))
      as w (name, operation, rows)
  loop
    execute format('create trigger %1$s_changes after %1$s on %2$s referencing %3$s table as changed
                    for each statement execute function wiki.on_rows_of_pages()',
                   watched.operation, watched.name, watched.rows);
    execute format('alter table %s enable always trigger %s_changes', watched.name, watched.operation);
  end loop;
end $$;

-- As the triggers on the tables of Wiki.js, also with session_replication_role = replica.
alter table wiki.live_page enable always trigger insert_changes;
alter table wiki.live_page enable always trigger update_changes;
alter table wiki.live_page enable always trigger delete_changes;
alter table wiki.live_page enable always trigger truncate_changes;
alter table wiki.live_category_member enable always trigger insert_changes;
alter table wiki.live_category_member enable always trigger update_changes;
alter table wiki.live_category_member enable always trigger delete_changes;

revoke all on function wiki.first_change_of_transaction, wiki.begin_changes, wiki.mark_changed, wiki.mark_groups_changed,
  wiki.on_shown_pages, wiki.on_hidden_pages, wiki.on_updated_pages, wiki.before_truncated_pages, wiki.on_rows_of_pages,
  wiki.on_changed_expirations, wiki.record_changes_of_wikijs from public;

-- The pages that there are, in the order of their last edits.
select wiki.begin_changes();
insert into wiki.live_change (page_id, change, shown_at, locale, ns)
select n.id, n.number, n.number, n.locale, n.ns
  from (select l.id, l.locale, l.ns, nextval('wiki.change_number') as number
          from (select id, locale, ns from wiki.live_page order by revision_created_at, id offset 0) l) n;

create unique index live_change_number on wiki.live_change (change);
create index live_change_list on wiki.live_change (locale, ns, change);
create unique index tombstone_number on wiki.tombstone (change);
create index tombstone_list on wiki.tombstone (locale, ns, change);

do $$
begin
  if to_regclass('wikijs.revision') is not null then
    perform wiki.record_changes_of_wikijs();
  end if;
end $$;

analyze wiki.live_change, wiki.tombstone;
