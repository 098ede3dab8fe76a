#!/bin/sh
# Creates the login of the service and the login of the replica. PostgreSQL's image runs this script once, when it
# creates the primary's database.
# Environment: POSTGRES_USER, POSTGRES_DB, WEB_PASSWORD, REPLICATION_PASSWORD, PGDATA.
set -eu
psql -v ON_ERROR_STOP=1 -v web="$WEB_PASSWORD" -v replication="$REPLICATION_PASSWORD" \
  --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role lectern_reader nologin;
create role lectern_web login password :'web' in role lectern_reader;
create role replicator login replication password :'replication';
SQL
echo 'host replication replicator all scram-sha-256' >>"$PGDATA/pg_hba.conf"
