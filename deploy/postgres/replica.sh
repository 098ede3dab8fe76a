#!/bin/sh
# A streaming replica: copies the primary when it has no data of its own, then follows it.
# Environment: PGDATA, PGPASSWORD (the replicator's); PRIMARY, the primary's name.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  until pg_basebackup --host="${PRIMARY:-primary}" --port="${PRIMARY_PORT:-5432}" --username=replicator \
    --pgdata="$PGDATA" --wal-method=stream --checkpoint=fast --write-recovery-conf; do
    find "$PGDATA" -mindepth 1 -delete
    sleep 1
  done
  chmod 700 "$PGDATA"
fi
exec postgres -c hot_standby=on -c max_connections=200 "$@"
