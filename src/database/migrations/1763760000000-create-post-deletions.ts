import type { MigrationInterface, QueryRunner } from 'typeorm';

/** PostgreSQL's collation C compares code points, as SQLite does. */
const TEXT: Readonly<Record<string, string>> = { sqlite: 'text', postgres: 'text COLLATE "C"' };
const BIGINT: Readonly<Record<string, string>> = { sqlite: 'integer', postgres: 'bigint' };

/** The posts that a running import stages are not visible, and their removal is no deletion. */
const IS_VISIBLE = (id: string): string =>
  `${id} NOT BETWEEN (SELECT "hidden_from" FROM "posts_state") AND (SELECT "hidden_to" FROM "posts_state")`;

/** The high half of the keys of the locks that show running writes: "post" in ASCII. */
const LOCK_CLASS = 0x706f7374;

const TIME_FORMAT = 'YYYY-MM-DD"T"HH24:MI:SS.MS"000Z"';

/** The later of two times, without the mark of src/posts/writes/change-time.ts. */
const unmarked = (time: string): string => `substr(${time}, 1, 23) || '000Z'`;

/**
 * Records which posts were deleted, and when. Triggers do it, so that an older version of the service beside this one
 * cannot leave out a deletion. On PostgreSQL, other transactions see since when a write runs.
 */
export class CreatePostDeletions1763760000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { type } = queryRunner.connection.options;
    await queryRunner.query(`
      CREATE TABLE "post_deletions" (
        "id" ${BIGINT[type]!} NOT NULL,
        "deleted_at" ${TEXT[type]!} NOT NULL,
        CONSTRAINT "post_deletions_by_id" PRIMARY KEY ("id")
      )
    `);
    await queryRunner.query('CREATE INDEX "post_deletions_by_time" ON "post_deletions" ("deleted_at", "id")');
    await queryRunner.query(
      `ALTER TABLE "posts_state" ADD COLUMN "deletions_since" ${TEXT[type]!} NOT NULL DEFAULT ''`,
    );
    // For a post that was removed permanently, only the time of its removal is known.
    await queryRunner.query(`
      INSERT INTO "post_deletions" ("id", "deleted_at")
      SELECT "post_id", max("at") FROM "post_revisions"
      WHERE "action" IN ('deleted', 'purged') AND "number" > 1
        AND NOT EXISTS (SELECT 1 FROM "posts" WHERE "posts"."id" = "post_revisions"."post_id")
      GROUP BY "post_id"
    `);
    if (type === 'postgres') {
      await showRunningWrites(queryRunner);
      await noteDeletionsOnPostgres(queryRunner);
    } else {
      await noteDeletionsOnSqlite(queryRunner);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const isPostgres = queryRunner.connection.options.type === 'postgres';
    await queryRunner.query(`DROP TRIGGER "posts_note_deletion"${isPostgres ? ' ON "posts"' : ''}`);
    if (isPostgres) {
      await queryRunner.query('DROP FUNCTION "posts_note_deletions"()');
      await queryRunner.query('DROP FUNCTION "posts_horizon"()');
      await queryRunner.query(`
        CREATE OR REPLACE FUNCTION "posts_change_clock"() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
        BEGIN
          PERFORM FROM posts_counters WHERE id = pg_backend_pid() % 64 FOR UPDATE;
          RETURN posts_now();
        END
        $$
      `);
      await countChanges(queryRunner, 'posts_now()');
    }
    await queryRunner.query('DROP INDEX "post_deletions_by_time"');
    await queryRunner.query('DROP TABLE "post_deletions"');
    await queryRunner.query('ALTER TABLE "posts_state" DROP COLUMN "deletions_since"');
  }
}

/**
 * A transaction takes a number and a shared lock whose key is the current second, and then reads the time of its
 * change. So while a change is not visible yet, its lock tells the other transactions an earlier time.
 */
async function showRunningWrites(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE OR REPLACE FUNCTION "posts_change_clock"() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
    BEGIN
      PERFORM pg_current_xact_id();
      PERFORM pg_advisory_xact_lock_shared(
        (CAST(${LOCK_CLASS} AS bigint) << 32) | CAST(floor(extract(epoch FROM clock_timestamp())) AS bigint)
      );
      RETURN posts_now();
    END
    $$
  `);
  // Every change before this time is visible to a query that begins after this one. The list of running transactions
  // is cheaper to look at than the locks. A transaction that has no number yet reads its time later.
  await queryRunner.query(`
    CREATE FUNCTION "posts_horizon"() RETURNS text LANGUAGE sql VOLATILE AS $$
      SELECT coalesce(
        CASE WHEN EXISTS (SELECT FROM pg_snapshot_xip(pg_current_snapshot())) THEN (
          SELECT to_char(to_timestamp(min(CAST(objid AS bigint))) AT TIME ZONE 'UTC', '${TIME_FORMAT}')
          FROM pg_locks
          WHERE locktype = 'advisory' AND classid = ${LOCK_CLASS} AND objsubid = 1
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        ) END,
        to_char(statement_timestamp() AT TIME ZONE 'UTC', '${TIME_FORMAT}')
      )
    $$
  `);
  await countChanges(queryRunner, 'posts_change_clock()');
}

/**
 * @param clock the time of a deletion; all other changes store their time
 * @param visible limits the changed posts to those that count
 */
export async function countChanges(queryRunner: QueryRunner, clock: string, visible = ''): Promise<void> {
  await queryRunner.query(`
    CREATE OR REPLACE FUNCTION "posts_count_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      touched bigint;
      latest text COLLATE "C";
    BEGIN
      SELECT count(*), greatest(max(modified), ${clock} COLLATE "C") INTO touched, latest FROM touched_posts${visible};
      IF touched > 0 THEN
        UPDATE posts_counters
          SET posts = posts + (CASE TG_OP WHEN 'INSERT' THEN touched WHEN 'DELETE' THEN -touched ELSE 0 END),
            changes = changes + 1,
            modified = CASE WHEN substr(greatest(modified, latest), 1, 19) = substr(modified, 1, 19)
              THEN substr(greatest(modified, latest), 1, 23) || '001Z' ELSE greatest(modified, latest) END
          WHERE id = pg_backend_pid() % 64;
      END IF;
      RETURN NULL;
    END
    $$
  `);
}

async function noteDeletionsOnPostgres(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE FUNCTION "posts_note_deletions"() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      latest text COLLATE "C";
    BEGIN
      SELECT greatest(max(modified), posts_change_clock() COLLATE "C") INTO latest FROM posts_counters;
      INSERT INTO post_deletions (id, deleted_at)
        SELECT id, ${unmarked('latest')} FROM touched_posts WHERE ${IS_VISIBLE('id')}
        ON CONFLICT (id) DO UPDATE SET deleted_at = excluded.deleted_at;
      RETURN NULL;
    END
    $$
  `);
  await queryRunner.query(`
    CREATE TRIGGER "posts_note_deletion" AFTER DELETE ON "posts"
    REFERENCING OLD TABLE AS touched_posts
    FOR EACH STATEMENT EXECUTE FUNCTION "posts_note_deletions"()
  `);
}

async function noteDeletionsOnSqlite(queryRunner: QueryRunner): Promise<void> {
  const latest = `max((SELECT "modified" FROM "posts_counters"), strftime('%Y-%m-%dT%H:%M:%f000Z', 'now'))`;
  await queryRunner.query(`
    CREATE TRIGGER "posts_note_deletion" AFTER DELETE ON "posts"
    WHEN ${IS_VISIBLE('OLD."id"')}
    BEGIN
      INSERT OR REPLACE INTO "post_deletions" ("id", "deleted_at") VALUES (OLD."id", ${unmarked(latest)});
    END
  `);
}
