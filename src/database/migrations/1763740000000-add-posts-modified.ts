import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  createPostgresFunction,
  createPostgresTriggers,
  createSqliteTriggers,
  EVENTS,
  POSTGRES_COUNTERS,
} from './1763651000000-create-posts-state.js';

/** PostgreSQL's collation C compares code points, as SQLite does. */
const TEXT: Readonly<Record<string, string>> = { sqlite: 'text', postgres: 'text COLLATE "C"' };

/** Of changes that come in without a time. */
const UNKNOWN = `'1970-01-01T00:00:00.000000Z'`;

const NOW: Readonly<Record<string, string>> = {
  sqlite: `strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')`,
  postgres: 'posts_now() COLLATE "C"',
};

/** The later time; marked when another change came in the same second, as src/posts/writes/change-time.ts has it. */
const markedAfter = (time: string): string =>
  `CASE WHEN substr(${time}, 1, 19) = substr("modified", 1, 19) THEN substr(${time}, 1, 23) || '001Z' ELSE ${time} END`;

/** When each post, and the collection, was last changed. */
export class AddPostsModified1763740000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { type } = queryRunner.connection.options;
    const isPostgres = type === 'postgres';
    if (isPostgres) {
      await queryRunner.query(`
        CREATE FUNCTION "posts_now"() RETURNS text LANGUAGE sql VOLATILE AS $$
          SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"000Z"')
        $$
      `);
      // A transaction locks its counter before it gives a change its time, so that others see from then on that there is one.
      await queryRunner.query(`
        CREATE FUNCTION "posts_change_clock"() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
        BEGIN
          PERFORM FROM posts_counters WHERE id = pg_backend_pid() % ${POSTGRES_COUNTERS} FOR UPDATE;
          RETURN posts_now();
        END
        $$
      `);
    }
    // The posts are not changed by being given their times.
    await dropTriggers(queryRunner);
    await queryRunner.query(
      `ALTER TABLE "posts" ADD COLUMN "modified" ${TEXT[type]!} NOT NULL DEFAULT ${UNKNOWN}`,
    );
    await queryRunner.query(
      `ALTER TABLE "posts_counters" ADD COLUMN "modified" ${TEXT[type]!} NOT NULL DEFAULT ${UNKNOWN}`,
    );
    await queryRunner.query(
      `ALTER TABLE "posts_state" ADD COLUMN "importing_since" ${TEXT[type]!} NOT NULL DEFAULT ''`,
    );
    // The history knows when each post was changed or made; of posts older than that, when they were found.
    await queryRunner.query(`
      UPDATE "posts" SET "modified" = COALESCE(
        (
          SELECT substr("at", 1, 23) || '001Z' FROM "post_revisions"
          WHERE "post_id" = "posts"."id" AND "number" = "posts"."version" AND "number" > 1
        ),
        (
          SELECT "at" FROM "post_revisions"
          WHERE "number" = 1 AND "post_id" <= "posts"."id" AND "last_post_id" >= "posts"."id"
          ORDER BY "post_id" DESC LIMIT 1
        ),
        ${NOW[type]!}
      )
    `);
    await queryRunner.query(`UPDATE "posts_counters" SET "modified" = ${NOW[type]!} WHERE "id" = 0`);
    await queryRunner.query('CREATE INDEX "posts_by_modified" ON "posts" ("modified", "id")');
    if (isPostgres) await createPostgresTriggersWithTimes(queryRunner);
    else await createSqliteTriggersWithTimes(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const isPostgres = queryRunner.connection.options.type === 'postgres';
    await dropTriggers(queryRunner);
    await queryRunner.query('DROP INDEX "posts_by_modified"');
    await queryRunner.query('ALTER TABLE "posts_state" DROP COLUMN "importing_since"');
    await queryRunner.query('ALTER TABLE "posts_counters" DROP COLUMN "modified"');
    await queryRunner.query('ALTER TABLE "posts" DROP COLUMN "modified"');
    if (isPostgres) {
      await createPostgresFunction(queryRunner);
      await createPostgresTriggers(queryRunner);
      await queryRunner.query('DROP FUNCTION "posts_change_clock"()');
      await queryRunner.query('DROP FUNCTION "posts_now"()');
    } else {
      await createSqliteTriggers(queryRunner);
    }
  }
}

async function dropTriggers(queryRunner: QueryRunner): Promise<void> {
  const isPostgres = queryRunner.connection.options.type === 'postgres';
  for (const event of EVENTS) {
    await queryRunner.query(`DROP TRIGGER "posts_count_${event}"${isPostgres ? ' ON "posts"' : ''}`);
  }
}

async function createSqliteTriggersWithTimes(queryRunner: QueryRunner): Promise<void> {
  const differences = { insert: '+ 1', update: '+ 0', delete: '- 1' };
  for (const event of EVENTS) {
    const row = event === 'delete' ? 'OLD' : 'NEW';
    const time = `max("modified", ${event === 'delete' ? NOW['sqlite'] : 'NEW."modified"'})`;
    await queryRunner.query(`
      CREATE TRIGGER "posts_count_${event}" AFTER ${event.toUpperCase()} ON "posts"
      WHEN ${row}."id" NOT BETWEEN (SELECT "hidden_from" FROM "posts_state") AND (SELECT "hidden_to" FROM "posts_state")
      BEGIN
        UPDATE "posts_counters" SET
          "posts" = "posts" ${differences[event]},
          "changes" = "changes" + 1,
          "modified" = ${markedAfter(time)};
      END
    `);
  }
}

async function createPostgresTriggersWithTimes(queryRunner: QueryRunner): Promise<void> {
  // A transaction has one backend, so it locks one counter only and can be in no deadlock because of it.
  await queryRunner.query(`
    CREATE OR REPLACE FUNCTION "posts_count_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      touched bigint;
      latest text COLLATE "C";
    BEGIN
      SELECT count(*), greatest(max(modified), posts_now() COLLATE "C") INTO touched, latest FROM touched_posts;
      IF touched > 0 THEN
        UPDATE posts_counters
          SET posts = posts + (CASE TG_OP WHEN 'INSERT' THEN touched WHEN 'DELETE' THEN -touched ELSE 0 END),
            changes = changes + 1,
            modified = ${markedAfter('greatest(modified, latest)')}
          WHERE id = pg_backend_pid() % ${POSTGRES_COUNTERS};
      END IF;
      RETURN NULL;
    END
    $$
  `);
  await createPostgresTriggers(queryRunner);
}
