PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE IF NOT EXISTS "migrations" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "timestamp" bigint NOT NULL, "name" varchar NOT NULL);
INSERT INTO migrations VALUES(1,1763650000000,'CreatePosts1763650000000');
INSERT INTO migrations VALUES(11,1763750000000,'WidenChangeLog1763750000000');
CREATE TABLE IF NOT EXISTS "posts" (
      "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
      "title" text NOT NULL,
      "pub_date" text NOT NULL,
      "body" text NOT NULL,
      "version" integer NOT NULL DEFAULT (1), "modified" text NOT NULL DEFAULT '1970-01-01T00:00:00.000000Z');
INSERT INTO posts VALUES(2,'Grüße 🚀','2026-11-23T17:33:35.817000Z','newer words',2,'2026-11-23T17:33:36.240000Z');
INSERT INTO posts VALUES(5,'Imported','2026-11-23T17:33:36.349000Z','one',1,'2026-11-23T17:33:36.356000Z');
INSERT INTO posts VALUES(6,'Imported too','2026-11-23T17:33:36.349000Z','two',1,'2026-11-23T17:33:36.356000Z');
CREATE TABLE IF NOT EXISTS "posts_counters" (
        "id" integer PRIMARY KEY NOT NULL,
        "posts" bigint NOT NULL,
        "changes" bigint NOT NULL, "modified" text NOT NULL DEFAULT '1970-01-01T00:00:00.000000Z');
INSERT INTO posts_counters VALUES(0,3,9,'2026-11-23T17:33:36.378001Z');
CREATE VIRTUAL TABLE "posts_search"
        USING fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
INSERT INTO posts_search(rowid,words) VALUES(2,'grusse newer words 🚀'),(5,'imported one'),(6,'imported too two');
CREATE TABLE IF NOT EXISTS "idempotency_keys" (
        "id" text PRIMARY KEY NOT NULL,
        "payload" text NOT NULL,
        "status" integer NOT NULL,
        "headers" text NOT NULL,
        "entity_tag" text,
        "body" text,
        "created_at" text NOT NULL);
INSERT INTO idempotency_keys VALUES('e60ZiF5ELQyhYyLusNmc2AG1aG0HSZiy1M79bW7ocQA','XL6_aBE1n97QAtIIe-Ce7FPCcAKfpTDlZ4c6iXMBaoM',201,'{"Content-Type":"application/json","Cache-Control":"no-cache","Vary":"Accept, Accept-Encoding","Location":"http://localhost:4711/posts/4/","Last-Modified":"Mon, 23 Nov 2026 17:33:36 GMT"}','4-1','{"id":4,"title":"Fourth","pub_date":"2026-11-23T17:33:36.035Z","body":"with a key"}','2026-11-23T17:33:36.044Z');
CREATE TABLE IF NOT EXISTS "accounts" (
        "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
        "username" text NOT NULL,
        "username_key" text NOT NULL,
        "password_hash" text NOT NULL,
        "is_enabled" integer NOT NULL,
        "created_at" text NOT NULL,
        "last_login_at" text, "role" text NOT NULL DEFAULT 'viewer');
INSERT INTO accounts VALUES(1,'Ada','ada','$scrypt$ln=17,r=8,p=1$f_ni0XJDVOUbeigBuX5cxA$JhCPW1N7R-vg_QYKPxIIQ3VCSMSJeIDxBZzbkTkgp2Q',1,'2026-11-23T17:33:33.855Z','2026-11-23T17:33:37.448Z','administrator');
CREATE TABLE IF NOT EXISTS "sessions" (
        "id" text PRIMARY KEY NOT NULL,
        "account_id" integer NOT NULL,
        "expires_at" text NOT NULL);
INSERT INTO sessions VALUES('WunSEbLrqFXEWm7rwBmbmxQ6mzeWQfv9x4IsuFggzfo',1,'2999-01-01T00:00:00.000Z');
CREATE TABLE IF NOT EXISTS "api_tokens" (
        "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
        "name" text NOT NULL,
        "hint" text NOT NULL,
        "digest" text NOT NULL,
        "created_at" text NOT NULL,
        "created_by" text NOT NULL,
        "last_used_at" text, "expires_at" text, "role" text NOT NULL DEFAULT 'viewer');
INSERT INTO api_tokens VALUES(1,'Fixture','yabU','KYzFdxMKT_cIS5HwcQrDHJCVMVcc5BLFk068oW7AL8Y','2026-11-23T17:33:37.499Z','Ada',NULL,NULL,'editor');
CREATE TABLE IF NOT EXISTS "secrets" (
        "name" text PRIMARY KEY NOT NULL,
        "value" text NOT NULL);
INSERT INTO secrets VALUES('session-tokens','4kOWINIMIyz4I27VaPX8VN3WDx_e6tdzKFON9DSWZd0');
CREATE TABLE IF NOT EXISTS "post_revisions" (
        "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
        "post_id" integer NOT NULL,
        "last_post_id" integer NOT NULL,
        "number" integer NOT NULL,
        "action" text NOT NULL,
        "at" text NOT NULL,
        "author_kind" text NOT NULL,
        "author_name" text,
        "old_title" text,
        "old_pub_date" text,
        "old_body" text, "address" text, "subject" text, "detail" text, "count" integer, "part_of" integer);
INSERT INTO post_revisions VALUES(3,2,2,1,'created','2026-11-23T17:33:35.839000Z','api',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO post_revisions VALUES(4,3,3,1,'created','2026-11-23T17:33:35.986000Z','api',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO post_revisions VALUES(6,2,2,2,'changed','2026-11-23T17:33:36.240000Z','api',NULL,'Grüße 🚀','2026-11-23T17:33:35.817000Z','changed words',NULL,NULL,NULL,NULL,NULL);
INSERT INTO post_revisions VALUES(7,3,3,2,'deleted','2026-11-23T17:33:36.288000Z','api',NULL,'Third','2026-11-23T17:33:35.985000Z','deleted words',NULL,NULL,NULL,NULL,NULL);
INSERT INTO post_revisions VALUES(8,5,6,1,'imported','2026-11-23T17:33:36.378000Z','api',NULL,NULL,NULL,NULL,'127.0.0.1',NULL,NULL,NULL,NULL);
INSERT INTO post_revisions VALUES(10,0,0,0,'token_created','2026-11-23T17:33:37.506000Z','account','Ada',NULL,NULL,NULL,'127.0.0.1','Fixture','editor',1,NULL);
CREATE TABLE IF NOT EXISTS "posts_state" (
      "feed_id" text PRIMARY KEY NOT NULL,
      "hidden_from" bigint NOT NULL DEFAULT 0,
      "hidden_to" bigint NOT NULL DEFAULT 0,
      "search_version" text NOT NULL DEFAULT '', "importing_since" text NOT NULL DEFAULT '');
INSERT INTO posts_state VALUES('574c7a8bccdbef599f64289aedd99f88',0,0,'2 (Unicode 17.0)','');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('migrations',11);
INSERT INTO sqlite_sequence VALUES('post_revisions',10);
INSERT INTO sqlite_sequence VALUES('accounts',1);
INSERT INTO sqlite_sequence VALUES('posts',6);
INSERT INTO sqlite_sequence VALUES('api_tokens',1);
CREATE INDEX "posts_by_pub_date" ON "posts" ("pub_date", "id");
CREATE INDEX "posts_by_title" ON "posts" ("title", "id");
CREATE INDEX "idempotency_keys_by_created_at" ON "idempotency_keys" ("created_at");
CREATE UNIQUE INDEX "accounts_by_username_key" ON "accounts" ("username_key");
CREATE INDEX "sessions_by_account_id" ON "sessions" ("account_id");
CREATE UNIQUE INDEX "api_tokens_by_digest" ON "api_tokens" ("digest");
CREATE INDEX "post_revisions_by_creation" ON "post_revisions" ("post_id", "last_post_id") WHERE "number" = 1;
CREATE UNIQUE INDEX "post_revisions_by_post" ON "post_revisions" ("post_id", "number") WHERE "number" > 1;
CREATE INDEX "posts_by_modified" ON "posts" ("modified", "id");
CREATE TRIGGER "posts_count_insert" AFTER INSERT ON "posts"
      WHEN NEW."id" NOT BETWEEN (SELECT "hidden_from" FROM "posts_state") AND (SELECT "hidden_to" FROM "posts_state")
      BEGIN
        UPDATE "posts_counters" SET
          "posts" = "posts" + 1,
          "changes" = "changes" + 1,
          "modified" = CASE WHEN substr(max("modified", NEW."modified"), 1, 19) = substr("modified", 1, 19) THEN substr(max("modified", NEW."modified"), 1, 23) || '001Z' ELSE max("modified", NEW."modified") END;
      END;
CREATE TRIGGER "posts_count_update" AFTER UPDATE ON "posts"
      WHEN NEW."id" NOT BETWEEN (SELECT "hidden_from" FROM "posts_state") AND (SELECT "hidden_to" FROM "posts_state")
      BEGIN
        UPDATE "posts_counters" SET
          "posts" = "posts" + 0,
          "changes" = "changes" + 1,
          "modified" = CASE WHEN substr(max("modified", NEW."modified"), 1, 19) = substr("modified", 1, 19) THEN substr(max("modified", NEW."modified"), 1, 23) || '001Z' ELSE max("modified", NEW."modified") END;
      END;
CREATE TRIGGER "posts_count_delete" AFTER DELETE ON "posts"
      WHEN OLD."id" NOT BETWEEN (SELECT "hidden_from" FROM "posts_state") AND (SELECT "hidden_to" FROM "posts_state")
      BEGIN
        UPDATE "posts_counters" SET
          "posts" = "posts" - 1,
          "changes" = "changes" + 1,
          "modified" = CASE WHEN substr(max("modified", strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')), 1, 19) = substr("modified", 1, 19) THEN substr(max("modified", strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')), 1, 23) || '001Z' ELSE max("modified", strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')) END;
      END;
CREATE INDEX "post_revisions_by_action" ON "post_revisions" ("action", "id") WHERE "action" NOT IN ('created', 'changed') AND "part_of" IS NULL;
CREATE INDEX "post_revisions_by_author" ON "post_revisions" ("author_kind", "author_name", "id") WHERE "author_kind" <> 'api' AND "part_of" IS NULL;
CREATE INDEX "post_revisions_by_entry" ON "post_revisions" ("part_of", "id") WHERE "part_of" IS NOT NULL;
CREATE INDEX "post_revisions_by_deletion" ON "post_revisions" ("id") WHERE "action" = 'deleted';
COMMIT;
