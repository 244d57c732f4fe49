#!/bin/sh
# PostgreSQL's image runs this once, when it creates the primary's data. It creates a role that owns the tables, and one for
# the service, which cannot change the tables. Neither is a superuser.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$POSTGRES_PASSWORD" --username=postgres --dbname="$POSTGRES_DB" <<'SQL'
CREATE ROLE posts_owner LOGIN PASSWORD :'password';
CREATE ROLE posts_service LOGIN PASSWORD :'password';
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT CREATE, USAGE ON SCHEMA public TO posts_owner;
GRANT USAGE ON SCHEMA public TO posts_service;
ALTER DEFAULT PRIVILEGES FOR ROLE posts_owner IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO posts_service;
SQL
