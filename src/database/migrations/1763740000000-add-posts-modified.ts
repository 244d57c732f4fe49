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

/** The time of rows that are inserted without one. */
const UNKNOWN = `'1970-01-01T00:00:00.000000Z'`;

const NOW: Readonly<Record<string, string>> = {
  sqlite: `strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')`,
  postgres: 'posts_now() COLLATE "C"',
};

/** The later time, marked when another change was made in the same second, as in src/posts/writes/change-time.ts. */
const markedAfter = (time: string): string =>
  `CASE WHEN substr(${time}, 1, 19) = substr("modified", 1, 19) THEN substr(${time}, 1, 23) || '001Z' ELSE ${time} END`;

/** Adds the time of the last change to each post and to the collection. */
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
      // A transaction locks its counter before it reads the time, so that other transactions see from then on that a
      // change is in flight.
      await queryRunner.query(`
        CREATE FUNCTION "posts_change_clock"() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
        BEGIN
          PERFORM FROM posts_counters WHERE id = pg_backend_pid() % ${POSTGRES_COUNTERS} FOR UPDATE;
          RETURN posts_now();
        END
        $$
      `);
    }
    // Setting the times must not count as a change of the posts.
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
    // The time comes from the history: the last change, else the creation, or the time when an older post was found.
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
  // A transaction has one backend, so it locks only one counter, and the counters cannot cause a deadlock.
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
