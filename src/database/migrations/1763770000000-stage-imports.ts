import type { MigrationInterface, QueryRunner } from 'typeorm';
import { countChanges } from './1763760000000-create-post-deletions.js';

/** The key of the advisory lock on the ids of posts ("ids" in ASCII). */
const LOCK = 0x696473;
const CLOCK = 'posts_change_clock()';
const VISIBLE = ' WHERE NOT EXISTS (SELECT FROM posts_state WHERE id BETWEEN hidden_from AND hidden_to)';

/**
 * Stages imports on PostgreSQL too, as on SQLite: posts with a hidden id are not visible and not counted. Lets an import
 * reserve consecutive ids, and describes the running import.
 */
export class StageImports1763770000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const isPostgres = queryRunner.connection.options.type === 'postgres';
    const text = isPostgres ? 'text COLLATE "C"' : 'text';
    await queryRunner.query(`ALTER TABLE "posts_state" ADD COLUMN "import_key" ${text} NOT NULL DEFAULT ''`);
    await queryRunner.query(`ALTER TABLE "posts_state" ADD COLUMN "import_beats" bigint NOT NULL DEFAULT 0`);
    if (!isPostgres) return;
    // An INSERT takes the shared lock before its first id, and an import the exclusive one, so that no other post has
    // an id within the reserved range. The service may not have rights on the sequence: the owner's are used.
    await queryRunner.query(`
      CREATE FUNCTION "posts_share_ids"() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(${LOCK});
        RETURN NULL;
      END
      $$
    `);
    await queryRunner.query(`
      CREATE TRIGGER "posts_share_ids" BEFORE INSERT ON "posts" FOR EACH STATEMENT EXECUTE FUNCTION "posts_share_ids"()
    `);
    await queryRunner.query(`
      CREATE FUNCTION "posts_reserve_ids"(count bigint) RETURNS bigint
      LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
      DECLARE
        ids regclass := pg_get_serial_sequence('posts', 'id');
      BEGIN
        PERFORM pg_advisory_xact_lock(${LOCK});
        RETURN setval(ids, nextval(ids) + count - 1) - count + 1;
      END
      $$
    `);
    await countChanges(queryRunner, CLOCK, VISIBLE);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    if (queryRunner.connection.options.type === 'postgres') {
      await countChanges(queryRunner, CLOCK);
      await queryRunner.query('DROP FUNCTION "posts_reserve_ids"(bigint)');
      await queryRunner.query('DROP TRIGGER "posts_share_ids" ON "posts"');
      await queryRunner.query('DROP FUNCTION "posts_share_ids"()');
    }
    await queryRunner.query('ALTER TABLE "posts_state" DROP COLUMN "import_beats"');
    await queryRunner.query('ALTER TABLE "posts_state" DROP COLUMN "import_key"');
  }
}
