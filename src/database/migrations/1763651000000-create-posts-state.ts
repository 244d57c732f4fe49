import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many rows PostgreSQL's count is divided into, so that concurrent writers rarely wait for each other. */
export const POSTGRES_COUNTERS = 64;

const RANDOM_ID: Readonly<Record<string, string>> = {
  sqlite: 'lower(hex(randomblob(16)))',
  postgres: `replace(CAST(gen_random_uuid() AS text), '-', '')`,
};

export const EVENTS = ['insert', 'update', 'delete'] as const;

/** Totals over all posts. Triggers maintain them, so they are right for every kind of change and never need a count. */
export class CreatePostsState1763651000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { type } = queryRunner.connection.options;
    // feed_id is random and never changes. Posts with an id from hidden_from to hidden_to are staged by a running
    // import and not visible. Only SQLite needs that.
    await queryRunner.query(`
      CREATE TABLE "posts_state" (
        "feed_id" text NOT NULL,
        "hidden_from" bigint NOT NULL DEFAULT 0,
        "hidden_to" bigint NOT NULL DEFAULT 0
      )
    `);
    await queryRunner.query(`INSERT INTO "posts_state" ("feed_id") SELECT ${RANDOM_ID[type]}`);
    // The sums over the rows are the number of posts, and a number that grows with every change.
    await queryRunner.query(`
      CREATE TABLE "posts_counters" (
        "id" integer PRIMARY KEY NOT NULL,
        "posts" bigint NOT NULL,
        "changes" bigint NOT NULL
      )
    `);
    await queryRunner.query('INSERT INTO "posts_counters" SELECT 0, count(*), 0 FROM "posts"');
    if (type === 'postgres') {
      await queryRunner.query(
        `INSERT INTO "posts_counters" SELECT n, 0, 0 FROM generate_series(1, ${POSTGRES_COUNTERS - 1}) n`,
      );
      await createPostgresFunction(queryRunner);
      await createPostgresTriggers(queryRunner);
    } else {
      await createSqliteTriggers(queryRunner);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const isPostgres = queryRunner.connection.options.type === 'postgres';
    for (const event of EVENTS) {
      await queryRunner.query(`DROP TRIGGER "posts_count_${event}"${isPostgres ? ' ON "posts"' : ''}`);
    }
    if (isPostgres) await queryRunner.query('DROP FUNCTION "posts_count_changes"()');
    await queryRunner.query('DROP TABLE "posts_counters"');
    await queryRunner.query('DROP TABLE "posts_state"');
  }
}

export async function createSqliteTriggers(queryRunner: QueryRunner): Promise<void> {
  const differences = { insert: '+ 1', update: '+ 0', delete: '- 1' };
  for (const event of EVENTS) {
    const row = event === 'delete' ? 'OLD' : 'NEW';
    await queryRunner.query(`
      CREATE TRIGGER "posts_count_${event}" AFTER ${event.toUpperCase()} ON "posts"
      WHEN ${row}."id" NOT BETWEEN (SELECT "hidden_from" FROM "posts_state") AND (SELECT "hidden_to" FROM "posts_state")
      BEGIN
        UPDATE "posts_counters" SET "posts" = "posts" ${differences[event]}, "changes" = "changes" + 1;
      END
    `);
  }
}

export async function createPostgresFunction(queryRunner: QueryRunner): Promise<void> {
  // A transaction has one backend, so it locks only one counter, and the counters cannot cause a deadlock.
  await queryRunner.query(`
    CREATE OR REPLACE FUNCTION "posts_count_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      touched bigint;
    BEGIN
      SELECT count(*) INTO touched FROM touched_posts;
      IF touched > 0 THEN
        UPDATE posts_counters
          SET posts = posts + (CASE TG_OP WHEN 'INSERT' THEN touched WHEN 'DELETE' THEN -touched ELSE 0 END),
            changes = changes + 1
          WHERE id = pg_backend_pid() % ${POSTGRES_COUNTERS};
      END IF;
      RETURN NULL;
    END
    $$
  `);
}

export async function createPostgresTriggers(queryRunner: QueryRunner): Promise<void> {
  for (const event of EVENTS) {
    await queryRunner.query(`
      CREATE TRIGGER "posts_count_${event}" AFTER ${event.toUpperCase()} ON "posts"
      REFERENCING ${event === 'delete' ? 'OLD' : 'NEW'} TABLE AS touched_posts
      FOR EACH STATEMENT EXECUTE FUNCTION "posts_count_changes"()
    `);
  }
}
