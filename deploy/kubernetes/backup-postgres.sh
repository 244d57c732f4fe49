#!/usr/bin/env bash
# backup-postgres.sh FOLDER KEEP: writes a dump named by its time, verifies it, and keeps the newest KEEP dumps.
#
# DATABASE_URL is that of the service, with the role that owns the tables. PGSSLROOTCERT names the file of the CAs for
# sslmode=verify-full; by default those of the system, as for the service.
set -euo pipefail
umask 077

[[ ${2-} =~ ^[1-9][0-9]*$ ]] || { echo "backup-postgres.sh FOLDER KEEP: KEEP must be a number from 1." >&2; exit 2; }

# libpq knows no parameter `schema`: it is the schema to dump.
url=$(sed -E 's/([?&])schema=[^&]*&?/\1/; s/[?&]$//' <<<"$DATABASE_URL")
schema=$(sed -nE 's/.*[?&]schema=([^&]*).*/\1/p' <<<"$DATABASE_URL")
schema=$(printf '%b' "${schema//%/\\x}")

# libpq alone looks for CAs in the home folder only, and with a file of CAs it would verify for sslmode=require, too.
case $url in
  *sslrootcert=*) ;;
  *sslmode=verify-full*) export PGSSLROOTCERT="${PGSSLROOTCERT:-/etc/ssl/certs/ca-certificates.crt}" ;;
  *) unset PGSSLROOTCERT ;;
esac

mkdir -p "$1"
name="$1/posts-$(date -u +%Y%m%dT%H%M%SZ).dump"
# bash handles a signal only when a program in the foreground has ended, and as the first process of a container it
# ignores a signal without a trap.
program=
run() {
  "$@" &
  program=$!
  wait "$program"
  program=
}
finish() {
  [[ -z $program ]] || { kill "$program" 2>/dev/null; wait "$program"; } || true
  rm -f "$name.partial"
}
trap finish EXIT
for signal in HUP:129 INT:130 TERM:143; do
  trap "echo 'SIG${signal%:*} ended the backup before it was complete; it can be run again.' >&2; exit ${signal#*:}" "${signal%:*}"
done
run pg_dump --format=custom --file="$name.partial" --dbname="$url" ${schema:+--schema="\"$schema\""}
# Reads the whole dump, as a restore does.
run pg_restore --file=/dev/null "$name.partial"
run sync "$name.partial"
mv "$name.partial" "$name"
# No other files, and never the new dump: a clock that was ahead leaves later names.
shopt -s nullglob
dumps=()
for dump in "$1"/posts-[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]T[0-9][0-9][0-9][0-9][0-9][0-9]Z.dump; do
  [[ $dump == "$name" ]] || dumps+=("$dump")
done
for ((i = 0; i <= ${#dumps[@]} - $2; i++)); do rm -- "${dumps[i]}"; done
# What a killed backup has left: a running one writes all the time.
find "$1" -maxdepth 1 -type f -name 'posts-????????T??????Z.dump.partial' -mtime +0 -delete
# For the metric posts_database_last_backup_timestamp_seconds.
psql --quiet --dbname="$url" --command="COMMENT ON TABLE ${schema:+\"$schema\".}migrations IS 'Last backup: $(date -u +%FT%TZ)'"
echo "$name was written and verified."
