-- Statements about an attached Wiki.js, and about the tables of one before it is attached.

-- name: attachment
-- Whether a Wiki.js is attached, and whether this user may follow it. The serving role may run it.
select pg_catalog.to_regnamespace('wikijs') is not null as "isAttached",
       coalesce(pg_catalog.has_schema_privilege(pg_catalog.to_regnamespace('wikijs')::oid, 'usage'), false)
         as "mayFollow";

-- name: columns_of_schema
-- Columns of tables, such as `pages.id`. Not information_schema, which shows only what this user may read.
-- $1 schema
select c.relname || '.' || a.attname as name
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
 where n.nspname = $1 and c.relkind in ('r', 'p');

-- name: tables_of_others
-- Tables whose owner this user is not, and no member of.
-- $1 schema, $2 name[] tables
select c.relname as name, pg_get_userbyid(c.relowner) as owner
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
 where n.nspname = $1 and c.relname = any ($2) and not pg_has_role(c.relowner, 'usage');

-- name: tables_of_readers
-- Tables and views that the serving role, or everybody, may read.
-- $1 schema, $2 name[] tables
select c.relname as name
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
 where n.nspname = $1 and c.relkind in ('r', 'p', 'v', 'm') and c.relname = any ($2)
   and exists (select from pg_roles r
                where r.rolname = 'lectern_reader'
                  and (has_table_privilege(r.oid, c.oid, 'select') or has_any_column_privilege(r.oid, c.oid, 'select'))
               union all
               select where has_any_column_privilege('public', c.oid, 'select'));
