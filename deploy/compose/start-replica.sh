#!/bin/bash
# Copies the primary's data at the first start, and then runs as its streaming replica.
set -euo pipefail
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  pg_basebackup --pgdata="$PGDATA" --wal-method=stream --checkpoint=fast --write-recovery-conf
  chmod 0700 "$PGDATA"
fi
exec postgres -D "$PGDATA"
