import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SQLITE_TRIGGERS, TYPES } from './1763750000000-create-schema.js';

/** The high half of the keys of the locks that show running writes: "post" in ASCII. */
const RUNNING_WRITES = 0x706f7374;

/** The class of the locks on counters: "coun" in ASCII. */
const COUNTERS = 0x636f756e;

const TIME_FORMAT = 'YYYY-MM-DD"T"HH24:MI:SS.MS"000Z"';

/** Version 1.1 hides the posts that an import stages. Its instances on PostgreSQL, which may run beside, need the columns. */
const STAGING = [
  `"hidden_from" bigint NOT NULL DEFAULT 0`,
  `"hidden_to" bigint NOT NULL DEFAULT 0`,
  `"importing_since" text NOT NULL DEFAULT ''`,
];

const DROP_COUNT_TRIGGERS = [
  'DROP TRIGGER "posts_count_insert"',
  'DROP TRIGGER "posts_count_update"',
  'DROP TRIGGER "posts_count_delete"',
];

const SQLITE_NOW = `strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')`;

const SQLITE = [
  // A crash of 1.1 may have left staged posts. Its triggers do not count them.
  `DELETE FROM "posts_search"
   WHERE "rowid" BETWEEN (SELECT "hidden_from" FROM "posts_state") AND (SELECT "hidden_to" FROM "posts_state")`,
  `DELETE FROM "posts"
   WHERE "id" BETWEEN (SELECT "hidden_from" FROM "posts_state") AND (SELECT "hidden_to" FROM "posts_state")`,
  ...DROP_COUNT_TRIGGERS,
  'ALTER TABLE "posts_state" DROP COLUMN "hidden_from"',
  'ALTER TABLE "posts_state" DROP COLUMN "hidden_to"',
  'ALTER TABLE "posts_state" DROP COLUMN "importing_since"',
  `CREATE TRIGGER "posts_count_insert" AFTER INSERT ON "posts"
   BEGIN
     UPDATE "posts_counters" SET
       "posts" = "posts" + 1, "changes" = "changes" + 1, "modified" = max("modified", NEW."modified");
   END`,
  `CREATE TRIGGER "posts_count_update" AFTER UPDATE ON "posts"
   BEGIN
     UPDATE "posts_counters" SET
       "posts" = "posts" + 0, "changes" = "changes" + 1, "modified" = max("modified", NEW."modified");
   END`,
  `CREATE TRIGGER "posts_count_delete" AFTER DELETE ON "posts"
   BEGIN
     UPDATE "posts_counters" SET
       "posts" = "posts" - 1, "changes" = "changes" + 1, "modified" = max("modified", ${SQLITE_NOW});
   END`,
  // Triggers record deletions, so that an older version of the service beside this one cannot leave out one.
  `CREATE TRIGGER "posts_note_deletion" AFTER DELETE ON "posts"
   BEGIN
     INSERT OR REPLACE INTO "post_deletions" ("id", "deleted_at")
       VALUES (OLD."id", max((SELECT "modified" FROM "posts_counters"), ${SQLITE_NOW}));
   END`,
];

const POSTGRES = [
  // In kB. The INSERT that fills this list of new words sorts them into the index: with the default of 4 MB, it takes
  // more than a second.
  'ALTER INDEX "posts_search_by_word" SET (gin_pending_list_limit = 1024)',
  // A transaction takes a number and a shared lock whose key is the current second, and then reads the time of its
  // change. So while a change is not visible yet, its lock tells the other transactions an earlier time.
  `CREATE OR REPLACE FUNCTION "posts_change_clock"() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
   BEGIN
     PERFORM pg_current_xact_id();
     PERFORM pg_advisory_xact_lock_shared(
       (CAST(${RUNNING_WRITES} AS bigint) << 32) | CAST(floor(extract(epoch FROM clock_timestamp())) AS bigint)
     );
     RETURN posts_now();
   END
   $$`,
  // Every change before this time is visible to a query that begins after this one. The list of running transactions is
  // cheaper to look at than the locks. A transaction that has no number yet reads its time later.
  `CREATE FUNCTION "posts_horizon"() RETURNS text LANGUAGE sql VOLATILE AS $$
     SELECT coalesce(
       CASE WHEN EXISTS (SELECT FROM pg_snapshot_xip(pg_current_snapshot())) THEN (
         SELECT to_char(to_timestamp(min(CAST(objid AS bigint))) AT TIME ZONE 'UTC', '${TIME_FORMAT}')
         FROM pg_locks
         WHERE locktype = 'advisory' AND classid = ${RUNNING_WRITES} AND objsubid = 1
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       ) END,
       to_char(statement_timestamp() AT TIME ZONE 'UTC', '${TIME_FORMAT}')
     )
   $$`,
  // Takes a counter that no other transaction has taken, so that no write waits for another one; only while others have
  // all of them does it wait. (Locks on the rows themselves make an UPDATE a quarter slower.)
  `CREATE OR REPLACE FUNCTION "posts_free_counter"() RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
   DECLARE
     own integer := pg_backend_pid() % 64;
   BEGIN
     IF pg_try_advisory_xact_lock(${COUNTERS}, own) THEN
       RETURN own;
     END IF;
     RETURN coalesce(
       (SELECT n FROM generate_series(0, 63) n WHERE pg_try_advisory_xact_lock(${COUNTERS}, n) LIMIT 1),
       own
     );
   END
   $$`,
  // All changes but deletions bring their time.
  `CREATE OR REPLACE FUNCTION "posts_count_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     touched bigint;
     latest text COLLATE "C";
   BEGIN
     SELECT count(*), greatest(max(modified), posts_change_clock() COLLATE "C") INTO touched, latest FROM touched_posts;
     IF touched > 0 THEN
       UPDATE posts_counters
         SET posts = posts + (CASE TG_OP WHEN 'INSERT' THEN touched WHEN 'DELETE' THEN -touched ELSE 0 END),
           changes = changes + 1,
           modified = greatest(modified, latest)
         WHERE id = (SELECT posts_free_counter());
     END IF;
     RETURN NULL;
   END
   $$`,
  `CREATE FUNCTION "posts_note_deletions"() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     latest text COLLATE "C";
   BEGIN
     SELECT greatest(max(modified), posts_change_clock() COLLATE "C") INTO latest FROM posts_counters;
     INSERT INTO post_deletions (id, deleted_at)
       SELECT id, latest FROM touched_posts
       ON CONFLICT (id) DO UPDATE SET deleted_at = excluded.deleted_at;
     RETURN NULL;
   END
   $$`,
  `CREATE TRIGGER "posts_note_deletion" AFTER DELETE ON "posts" REFERENCING OLD TABLE AS touched_posts
   FOR EACH STATEMENT EXECUTE FUNCTION "posts_note_deletions"()`,
];

/**
 * What version 2.0 adds: which posts were deleted, and when; since when a write runs on PostgreSQL; and when a session
 * began. Version 1.1 runs on this schema.
 */
export class RecordDeletions1763790000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const type = queryRunner.connection.options.type as keyof typeof TYPES;
    const { text, integer } = TYPES[type];
    // First of all, and in the order of writers, which lock the posts before anything else: writes of version 1.1 wait, and
    // no post is deleted between the INSERT below and the trigger. Reads do not wait.
    if (type === 'postgres') await queryRunner.query('LOCK TABLE "posts" IN SHARE ROW EXCLUSIVE MODE');
    // Searches have the table when they ask for its index, which ALTER INDEX locks below, and a later migration for the table.
    if (type === 'postgres') await queryRunner.query('LOCK TABLE "posts_search" IN ACCESS EXCLUSIVE MODE');
    for (const sql of [
      `CREATE TABLE "post_deletions" (
        "id" ${integer} NOT NULL,
        "deleted_at" ${text} NOT NULL,
        CONSTRAINT "post_deletions_by_id" PRIMARY KEY ("id")
      )`,
      'CREATE INDEX "post_deletions_by_time" ON "post_deletions" ("deleted_at", "id")',
      // For a post that was removed permanently, only the time of its removal is known.
      `INSERT INTO "post_deletions" ("id", "deleted_at")
       SELECT "post_id", max("at") FROM "post_revisions"
       WHERE "action" IN ('deleted', 'purged') AND "number" > 1
         AND NOT EXISTS (SELECT 1 FROM "posts" WHERE "posts"."id" = "post_revisions"."post_id")
       GROUP BY "post_id"`,
      `ALTER TABLE "posts_state" ADD COLUMN "deletions_since" ${text} NOT NULL DEFAULT ''`,
      // Sessions of 1.1, which may run beside this version, have the default: they are never extended.
      `ALTER TABLE "sessions" ADD COLUMN "begun_at" ${text} NOT NULL DEFAULT '1970-01-01T00:00:00.000Z'`,
      ...(type === 'postgres' ? POSTGRES : SQLITE),
    ])
      await queryRunner.query(sql);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const isPostgres = queryRunner.connection.options.type === 'postgres';
    await queryRunner.query(`DROP TRIGGER "posts_note_deletion"${isPostgres ? ' ON "posts"' : ''}`);
    if (isPostgres) {
      // The replaced functions stay: version 1.1 works with them, too.
      await queryRunner.query('DROP FUNCTION "posts_note_deletions"(), "posts_horizon"()');
    } else {
      const columns = STAGING.map((column) => `ALTER TABLE "posts_state" ADD COLUMN ${column}`);
      for (const sql of [...columns, ...DROP_COUNT_TRIGGERS, ...SQLITE_TRIGGERS])
        await queryRunner.query(sql);
    }
    await queryRunner.query('ALTER TABLE "sessions" DROP COLUMN "begun_at"');
    await queryRunner.query('ALTER TABLE "posts_state" DROP COLUMN "deletions_since"');
    await queryRunner.query('DROP TABLE "post_deletions"');
  }
}
