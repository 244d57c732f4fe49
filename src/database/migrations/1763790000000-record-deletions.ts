import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TYPES } from './1763750000000-create-schema.js';

/** The high half of the keys of the locks that show running writes: "post" in ASCII. */
const RUNNING_WRITES = 0x706f7374;

/** The key of the lock on the ids of posts: "ids" in ASCII. */
const IDS = 0x696473;

/** The class of the locks on counters: "coun" in ASCII. */
const COUNTERS = 0x636f756e;

const TIME_FORMAT = 'YYYY-MM-DD"T"HH24:MI:SS.MS"000Z"';

/** The posts that a running import stages are not visible: they do not count, and their removal is no deletion. */
const isVisible = (id: string): string =>
  `${id} NOT BETWEEN (SELECT "hidden_from" FROM "posts_state") AND (SELECT "hidden_to" FROM "posts_state")`;

/** A time without the mark of src/posts/writes/change-time.ts. */
const unmarked = (time: string): string => `substr(${time}, 1, 23) || '000Z'`;

/** Triggers record deletions, so that an older version of the service beside this one cannot leave out one. */
const SQLITE = [
  `CREATE TRIGGER "posts_note_deletion" AFTER DELETE ON "posts"
   WHEN ${isVisible('OLD."id"')}
   BEGIN
     INSERT OR REPLACE INTO "post_deletions" ("id", "deleted_at") VALUES (
       OLD."id",
       ${unmarked(`max((SELECT "modified" FROM "posts_counters"), strftime('%Y-%m-%dT%H:%M:%f000Z', 'now'))`)}
     );
   END`,
];

const POSTGRES = [
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
     SELECT count(*), greatest(max(modified), posts_change_clock() COLLATE "C") INTO touched, latest FROM touched_posts
       WHERE NOT EXISTS (SELECT FROM posts_state WHERE id BETWEEN hidden_from AND hidden_to);
     IF touched > 0 THEN
       UPDATE posts_counters
         SET posts = posts + (CASE TG_OP WHEN 'INSERT' THEN touched WHEN 'DELETE' THEN -touched ELSE 0 END),
           changes = changes + 1,
           modified = CASE WHEN substr(greatest(modified, latest), 1, 19) = substr(modified, 1, 19)
             THEN substr(greatest(modified, latest), 1, 23) || '001Z' ELSE greatest(modified, latest) END
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
       SELECT id, ${unmarked('latest')} FROM touched_posts WHERE ${isVisible('id')}
       ON CONFLICT (id) DO UPDATE SET deleted_at = excluded.deleted_at;
     RETURN NULL;
   END
   $$`,
  `CREATE TRIGGER "posts_note_deletion" AFTER DELETE ON "posts" REFERENCING OLD TABLE AS touched_posts
   FOR EACH STATEMENT EXECUTE FUNCTION "posts_note_deletions"()`,
  // An INSERT takes the shared lock before its first id, and an import the exclusive one, so that no other post has an
  // id within the reserved range. The service may not have rights on the sequence: the owner's are used.
  `CREATE FUNCTION "posts_share_ids"() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM pg_advisory_xact_lock_shared(${IDS});
     RETURN NULL;
   END
   $$`,
  'CREATE TRIGGER "posts_share_ids" BEFORE INSERT ON "posts" FOR EACH STATEMENT EXECUTE FUNCTION "posts_share_ids"()',
  `CREATE FUNCTION "posts_reserve_ids"(count bigint) RETURNS bigint
   LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
   DECLARE
     ids regclass := pg_get_serial_sequence('posts', 'id');
   BEGIN
     PERFORM pg_advisory_xact_lock(${IDS});
     RETURN setval(ids, nextval(ids) + count - 1) - count + 1;
   END
   $$`,
];

/**
 * What version 1.2 adds: which posts were deleted, and when; imports that are staged on PostgreSQL too, and described
 * while they run; since when a write runs on PostgreSQL; when a session began; and the keys by which the site sorts
 * titles. The service sets the keys with the search index, which the first start rebuilds in the background: databases
 * cannot compute them. Version 1.1 runs on this schema.
 */
export class RecordDeletions1763790000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const type = queryRunner.connection.options.type as keyof typeof TYPES;
    const { text, integer } = TYPES[type];
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
      `ALTER TABLE "posts_state" ADD COLUMN "import_key" ${text} NOT NULL DEFAULT ''`,
      'ALTER TABLE "posts_state" ADD COLUMN "import_beats" bigint NOT NULL DEFAULT 0',
      // Sessions of 1.1, which may run beside this version, have the default: they are never extended.
      `ALTER TABLE "sessions" ADD COLUMN "begun_at" ${text} NOT NULL DEFAULT '1970-01-01T00:00:00.000Z'`,
      `ALTER TABLE "posts" ADD COLUMN "title_key" ${text} NOT NULL DEFAULT ''`,
      'CREATE INDEX "posts_by_title_key" ON "posts" ("title_key", "id")',
      ...(type === 'postgres' ? POSTGRES : SQLITE),
    ])
      await queryRunner.query(sql);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const isPostgres = queryRunner.connection.options.type === 'postgres';
    await queryRunner.query(`DROP TRIGGER "posts_note_deletion"${isPostgres ? ' ON "posts"' : ''}`);
    if (isPostgres) {
      // The replaced functions stay: version 1.1 works with them, too.
      await queryRunner.query('DROP TRIGGER "posts_share_ids" ON "posts"');
      await queryRunner.query(
        'DROP FUNCTION "posts_note_deletions"(), "posts_horizon"(), "posts_share_ids"(), "posts_reserve_ids"(bigint)',
      );
    }
    await queryRunner.query('DROP INDEX "posts_by_title_key"');
    await queryRunner.query('ALTER TABLE "posts" DROP COLUMN "title_key"');
    await queryRunner.query('ALTER TABLE "sessions" DROP COLUMN "begun_at"');
    for (const column of ['import_beats', 'import_key', 'deletions_since'])
      await queryRunner.query(`ALTER TABLE "posts_state" DROP COLUMN "${column}"`);
    await queryRunner.query('DROP TABLE "post_deletions"');
  }
}
