#!/bin/sh
# Patroni calls it once, on the first leader, with the URL of its server. The service creates its tables itself.
set -eu
psql --no-psqlrc --set=ON_ERROR_STOP=1 --dbname="$1" <<'SQL'
CREATE ROLE posts LOGIN PASSWORD 'change-me-3';
CREATE DATABASE posts OWNER posts;
SQL
