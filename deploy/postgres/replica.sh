#!/bin/sh
# Runs a streaming replica. It copies the primary if PGDATA is empty, then follows the primary.
# Environment: PGDATA; PGPASSWORD, the password of the role replicator; PRIMARY and PRIMARY_PORT, the primary's host
# (default: primary) and port (default: 5432).
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
