#!/bin/sh
# Run once by PostgreSQL's image, when the primary's data is made: lets the replica copy it. (The role `posts` is a
# superuser in that image, and so may.)
set -eu
echo 'host replication posts all scram-sha-256' >>"$PGDATA/pg_hba.conf"
