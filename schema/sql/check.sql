-- Statements of `lectern check`. The serving role may run all of them, except where a comment says otherwise.

-- name: check_server
select current_database()::text as name, current_setting('server_version_num')::int as version, current_setting('server_version') as "versionName",
       current_setting('server_encoding') as encoding, session_user::text as login,
       pg_is_in_recovery() as "isReplica",
       (select least(nullif(rolconnlimit, -1), current_setting('max_connections')::int
                       - current_setting('superuser_reserved_connections')::int)
          from pg_roles where rolname = session_user) as connections,
       to_regclass('guest.wiki') is not null as "isSetUp",
       coalesce(pg_has_role((select nspowner from pg_namespace where nspname = 'wiki'), 'usage'), false) as "isOwner";

-- name: check_logins
-- Logins that can serve, and lectern_web: whether it can, whether they can also act as the owner of the wiki or of the
-- database, or else use its tables, although lectern_reader cannot, and the statements that revoke that; whether a service
-- reads with them now, and whether this session does.
select r.rolname::text as login, r.rolsuper as "isSuperuser", m.reads as "mayRead",
       pg_has_role(r.oid, n.nspowner, 'member') or pg_has_role(r.oid, d.datdba, 'member') as "mayWrite",
       has_schema_privilege(r.oid, n.oid, 'usage') and not has_schema_privilege('lectern_reader', n.oid, 'usage') as "seesHidden",
       array_to_string(array(
         select format(e'revoke all on all tables in schema wiki from %1$I;\nrevoke all on schema wiki from %1$I;', r.rolname)
          where exists (select from aclexplode(n.nspacl) a where a.grantee = r.oid)
         union all
         select format('revoke %s from %I;', m.roleid::regrole, r.rolname)
           from pg_auth_members m
          where m.member = r.oid and has_schema_privilege(m.roleid, n.oid, 'usage')), e'\n') as revokes,
       exists (select from pg_stat_activity a
                where a.usesysid = r.oid and a.datname = current_database()
                  and a.application_name = 'lectern reader') as "isServing",
       r.rolname = session_user as "isUsed"
  from pg_roles r
  join pg_namespace n on n.nspname = 'wiki'
  join pg_database d on d.datname = current_database()
 cross join lateral (select r.rolcanlogin and pg_has_role(r.oid, to_regrole('lectern_reader')::oid, 'member')
                            and has_database_privilege(r.oid, current_database(), 'connect') as reads) m
 where m.reads or r.rolname = 'lectern_web'
 order by 1;

-- name: check_position
-- The server's position in the write-ahead log, its cluster and database, and which server it is.
select ((case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end) - '0/0')::float8
         as position,
       system_identifier || '/' || current_database() as data, pg_postmaster_start_time()::text as instance
  from pg_control_system();

-- name: check_reader
-- Privileges that the serving role has but does not need. Without tables of extensions.
select p.privilege || ' on ' || n.nspname || '.' || c.relname as name
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
 cross join (values ('select'), ('insert'), ('update'), ('delete'), ('truncate')) as p (privilege)
 where c.relkind in ('r', 'p', 'v', 'm', 'f')
   and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\_t%'
   and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
   and has_schema_privilege('lectern_reader', n.oid, 'usage')
   and has_table_privilege('lectern_reader', c.oid, p.privilege)
   and not (n.nspname = 'guest' and p.privilege = 'select')
union all
select 'usage on schema wiki'
 where has_schema_privilege('lectern_reader', (select oid from pg_namespace where nspname = 'wiki'), 'usage')
 order by 1;

-- name: check_indexes
select c.relname::text as name, i.indisvalid and i.indisready as "isValid"
  from pg_index i
  join pg_class c on c.oid = i.indexrelid
  join pg_namespace n on n.oid = c.relnamespace
 where n.nspname = 'wiki'
 order by 1;

-- name: check_statistics
-- Large tables without statistics; small ones need none, nor does live_html, which is read by its key. The login must be
-- able to read the tables.
select c.relname::text as name
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
 where n.nspname = 'wiki' and c.relkind = 'r' and c.relname <> 'live_html' and pg_relation_size(c.oid) > 65536
   and not exists (select from pg_stats s where s.schemaname = 'wiki' and s.tablename = c.relname)
 order by 1;

-- name: check_search
-- $1 int2 version of the index
select count(*)::int as pages,
       (count(*) filter (where s.page_id is null or s.index_version <> $1 or s.config <> l.search_config))::int as stale
  from guest.page p
  join guest.locale l on l.locale = p.locale
  left join guest.search s on s.page_id = p.id
 where p.ns <> 'category';

-- name: check_languages
-- Languages for which this PostgreSQL has another text search configuration than the index uses.
-- $1 text[] locales, $2 text[] search configurations
select l.locale
  from unnest($1::text[], $2::text[]) as g (locale, search_config)
  join guest.locale l on l.locale = g.locale
  left join pg_ts_config c on c.cfgname = g.search_config and c.cfgnamespace = 'pg_catalog'::regnamespace
 where l.search_config <> coalesce(c.oid, 'simple'::regconfig::oid)::regconfig
 order by 1;
