#!/bin/sh
# Creates the owner of the database, and the logins of the service and of the replica. PostgreSQL's image runs this script once, when it
# creates the primary's database.
# Environment: POSTGRES_DB, OWNER_PASSWORD, WEB_PASSWORD, REPLICATION_PASSWORD, PGDATA.
set -eu
psql -v ON_ERROR_STOP=1 -v owner="$OWNER_PASSWORD" -v web="$WEB_PASSWORD" -v replication="$REPLICATION_PASSWORD" \
  -v database="$POSTGRES_DB" --username postgres --dbname "$POSTGRES_DB" <<'SQL'
create role lectern_reader nologin;
create role lectern login password :'owner' in role lectern_reader;
alter database :"database" owner to lectern;
create role lectern_web login password :'web' in role lectern_reader;
create role replicator login replication password :'replication';
SQL
echo 'host replication replicator all scram-sha-256' >>"$PGDATA/pg_hba.conf"
