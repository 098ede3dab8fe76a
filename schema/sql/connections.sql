-- Statements that check connections, and watch servers. A pooler can drop settings, so they name the schema of functions.

-- name: check_session
-- What a new connection became. `schema`: the newest migration of the database, and those below it that it lacks, such as
-- `14` or `14 without 9 11`. They are stored where a role that cannot read the list of migrations can. (D4)
-- `clientPort`: as the server sees it; null for a Unix socket.
-- $1 text[] names of settings
-- null: seesHidden, schema, clientPort, settings
select session_user::text as login, current_user::text as role, pg_catalog.current_database()::text as database,
       pg_catalog.has_schema_privilege(pg_catalog.to_regnamespace('wiki')::oid, 'usage') as "seesHidden",
       pg_catalog.to_regclass('guest.wiki') is not null as "isSetUp",
       pg_catalog.substring(pg_catalog.obj_description(pg_catalog.to_regnamespace('guest')::oid, 'pg_namespace'),
                            'migration ([0-9]+( without [0-9 ]+)?)') as schema,
       pg_catalog.pg_is_in_recovery() as "isInRecovery", pg_catalog.inet_client_port() as "clientPort",
       (select pg_catalog.json_object_agg(name, setting)
          from pg_catalog.pg_settings where name = any ($1::text[])) as settings;

-- name: check_heartbeat
-- What a server says of itself: see `ServerReport`. `schema` as in `check_session`.
-- A primary can end after it has written the first pages of a record, but not the rest. A standby that lost it never replays
-- these pages. It has replayed all that was committed: it counts as if it had replayed them, too.
-- null: schema
select pg_catalog.pg_wal_lsn_diff(
         case when not r.in_recovery then pg_catalog.pg_current_wal_flush_lsn()
              when pg_catalog.pg_wal_lsn_diff(w.received, '0/0') % 8192 = 0
                   and pg_catalog.pg_wal_lsn_diff(w.received, w.replayed) < 65536
                   and not exists (select from pg_catalog.pg_stat_wal_receiver)
                   and not pg_catalog.pg_is_wal_replay_paused() then w.received
              else w.replayed end, '0/0')::float8 as position,
       pg_catalog.pg_wal_lsn_diff(
         case when r.in_recovery then w.received else pg_catalog.pg_current_wal_flush_lsn() end, '0/0')::float8 as received,
       r.in_recovery as "isInRecovery", pg_catalog.pg_postmaster_start_time()::text as instance,
       system_identifier || '/' || pg_catalog.current_database() as data,
       pg_catalog.substring(pg_catalog.obj_description(pg_catalog.to_regnamespace('guest')::oid, 'pg_namespace'),
                            'migration ([0-9]+( without [0-9 ]+)?)') as schema
  from pg_catalog.pg_control_system()
 cross join (select pg_catalog.pg_is_in_recovery() as in_recovery) r
  -- Some services refuse these functions to a primary.
  left join lateral (
       select pg_catalog.pg_last_wal_replay_lsn() as replayed,
              greatest(pg_catalog.pg_last_wal_receive_lsn(), pg_catalog.pg_last_wal_replay_lsn()) as received
        where r.in_recovery) w on true;

-- name: check_missing_rights
-- Rights that the serving role lacks, of those that schema/views gives it. The heartbeat of each server has this, so it
-- looks up only what depends on the schema.
select 'usage on schema guest' as name
 where not pg_catalog.has_schema_privilege('lectern_reader', pg_catalog.to_regnamespace('guest')::oid, 'usage')
union all
select case d.classid when 'pg_catalog.pg_class'::regclass then 'select on ' || d.objid::regclass
         else 'execute on ' || d.objid::regprocedure end
  from pg_catalog.pg_depend d
 where d.refclassid = 'pg_catalog.pg_namespace'::regclass
   and d.refobjid = pg_catalog.to_regnamespace('guest')::oid
   and case d.classid
         when 'pg_catalog.pg_class'::regclass
           then not pg_catalog.has_table_privilege('lectern_reader', d.objid, 'select')
         when 'pg_catalog.pg_proc'::regclass
           then not pg_catalog.has_function_privilege('lectern_reader', d.objid, 'execute')
         else false end
 order by 1;

-- name: check_migrator
-- What an administrator has to do before the first migration, and the owner of the wiki, or else of the database. Names are
-- quoted for SQL.
select quote_ident(current_user) as "user", quote_ident(current_database()) as "database",
       quote_ident(pg_get_userbyid(coalesce((select nspowner from pg_namespace where nspname = 'wiki'), d.datdba))) as "owner",
       to_regnamespace('wiki') is not null as "isSetUp", r.oid is not null as "hasReaderRole",
       coalesce(pg_has_role(r.oid, 'member'), false) as "isReader",
       has_database_privilege(current_database(), 'create') as "canCreate",
       (select u.rolsuper or u.rolcreaterole from pg_roles u where u.rolname = current_user) as "canCreateRole"
  from (select to_regrole('lectern_reader') as oid) r
  join pg_database d on d.datname = current_database();

-- name: withdraw_rights
-- Withdraws rights from PUBLIC, since PostgreSQL can deny nothing to a single role: temporary tables, and functions that no
-- statement of a guest needs (they write large objects or the log, take locks, or end other sessions). The owners of the
-- database and of the content keep them. Without the right to withdraw one (functions belong to a superuser), leaves it.
-- Does nothing while other tables are in the database, such as those of Wiki.js, because their programs may need these
-- rights. (D8)
do $$
declare
  functions text := '^(lo_(creat|create|from_bytea|open|put|truncate|truncate64|unlink)|lowrite|pg_(try_)?advisory_\w+'
    '|pg_logical_emit_message|pg_export_snapshot|pg_(cancel|terminate)_backend)$';
  database pg_catalog.pg_database;
  keepers text;
  f regprocedure;
begin
  if exists (select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
              where n.nspname not in ('wiki', 'guest', 'information_schema') and n.nspname !~ '^pg_'
                and not exists (select from pg_catalog.pg_depend d
                                 where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')) then
    return;
  end if;
  select * into database from pg_catalog.pg_database d where d.datname = current_database();
  select string_agg(distinct quote_ident(r.rolname), ', ') into keepers
    from pg_catalog.pg_roles r
   where r.oid = database.datdba
      or r.oid = (select n.nspowner from pg_catalog.pg_namespace n where n.nspname = 'wiki');
  if pg_has_role(database.datdba, 'usage') and has_database_privilege('public', database.oid, 'temporary') then
    execute format('revoke temporary on database %I from public', database.datname);
    execute format('grant temporary on database %I to %s', database.datname, keepers);
  end if;
  for f in select p.oid from pg_catalog.pg_proc p
            where p.pronamespace = 'pg_catalog'::regnamespace and p.proname ~ functions
              and pg_has_role(p.proowner, 'usage') and has_function_privilege('public', p.oid, 'execute') loop
    execute format('revoke execute on function %s from public', f);
    execute format('grant execute on function %s to %s', f, keepers);
  end loop;
end $$;
