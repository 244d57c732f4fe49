#!/usr/bin/env bash
# backup-postgres.sh FOLDER KEEP: writes a dump named by its time, verifies it, and keeps the newest KEEP dumps.
set -euo pipefail
umask 077
mkdir -p "$1"
name="$1/posts-$(date -u +%Y%m%dT%H%M%SZ).dump"
trap 'rm -f "$name.partial"' EXIT
pg_dump --format=custom --file="$name.partial" --dbname="$DATABASE_URL"
# Reads the whole dump, as a restore does.
pg_restore --file=/dev/null "$name.partial"
sync "$name.partial"
mv "$name.partial" "$name"
ls "$1"/posts-*.dump | sort | head -n "-$2" | xargs -r rm --
echo "$name was written and verified."
