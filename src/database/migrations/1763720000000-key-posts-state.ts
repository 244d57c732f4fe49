import type { MigrationInterface, QueryRunner } from 'typeorm';

const COPY = 'posts_state_copy';

/**
 * Gives `posts_state` a primary key, which TypeORM requires of an entity, and gives the columns of `posts_state` and
 * `posts_counters` the same types as in all other tables.
 */
export class KeyPostsState1763720000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    if (queryRunner.connection.options.type !== 'postgres') {
      await recreate(queryRunner, '"feed_id" text PRIMARY KEY NOT NULL');
      return;
    }
    await queryRunner.query(`
      ALTER TABLE "posts_state"
        ALTER "feed_id" TYPE text COLLATE "C",
        ALTER "search_version" TYPE text COLLATE "C",
        ADD CONSTRAINT "posts_state_by_feed_id" PRIMARY KEY ("feed_id")
    `);
    await queryRunner.query('ALTER TABLE "posts_counters" ALTER "id" TYPE bigint');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    if (queryRunner.connection.options.type !== 'postgres') {
      await recreate(queryRunner, '"feed_id" text NOT NULL');
      return;
    }
    await queryRunner.query('ALTER TABLE "posts_counters" ALTER "id" TYPE integer');
    await queryRunner.query(`
      ALTER TABLE "posts_state"
        DROP CONSTRAINT "posts_state_by_feed_id",
        ALTER "feed_id" TYPE text COLLATE "default",
        ALTER "search_version" TYPE text COLLATE "default"
    `);
  }
}

/**
 * SQLite cannot add a primary key to a table. (Triggers refer to the table by name, so another table cannot be renamed
 * to it.)
 */
async function recreate(queryRunner: QueryRunner, feedId: string): Promise<void> {
  await queryRunner.query(`CREATE TEMPORARY TABLE "${COPY}" AS SELECT * FROM "posts_state"`);
  await queryRunner.query('DROP TABLE "posts_state"');
  await queryRunner.query(`
    CREATE TABLE "posts_state" (
      ${feedId},
      "hidden_from" bigint NOT NULL DEFAULT 0,
      "hidden_to" bigint NOT NULL DEFAULT 0,
      "search_version" text NOT NULL DEFAULT ''
    )
  `);
  await queryRunner.query(`INSERT INTO "posts_state" SELECT * FROM temp."${COPY}"`);
  await queryRunner.query(`DROP TABLE temp."${COPY}"`);
}
