import type { MigrationInterface, QueryRunner } from 'typeorm';

/** No write runs meanwhile: none can restore a post between the DELETE and the trigger. Others wait; reads do not. */
const POSTGRES = [
  'LOCK TABLE "posts" IN SHARE ROW EXCLUSIVE MODE',
  'DELETE FROM "post_deletions" WHERE "id" IN (SELECT "id" FROM "posts")',
  `CREATE FUNCTION "posts_forget_deletions"() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     DELETE FROM post_deletions WHERE id IN (SELECT id FROM touched_posts);
     RETURN NULL;
   END
   $$`,
  `CREATE TRIGGER "posts_forget_deletion" AFTER INSERT ON "posts" REFERENCING NEW TABLE AS touched_posts
   FOR EACH STATEMENT EXECUTE FUNCTION "posts_forget_deletions"()`,
];

const SQLITE = [
  'DELETE FROM "post_deletions" WHERE "id" IN (SELECT "id" FROM "posts")',
  `CREATE TRIGGER "posts_forget_deletion" AFTER INSERT ON "posts"
   BEGIN
     DELETE FROM "post_deletions" WHERE "id" = NEW."id";
   END`,
];

/**
 * A post that comes back leaves the list of deleted posts with its row: without it, each request for the list would skip
 * the posts that were ever restored one by one. A trigger, because an older version of the service may restore posts
 * beside this one.
 */
export class ForgetRestoredDeletions1764000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const isPostgres = queryRunner.connection.options.type === 'postgres';
    for (const sql of isPostgres ? POSTGRES : SQLITE) await queryRunner.query(sql);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    if (queryRunner.connection.options.type === 'postgres') {
      await queryRunner.query('DROP TRIGGER "posts_forget_deletion" ON "posts"');
      await queryRunner.query('DROP FUNCTION "posts_forget_deletions"()');
    } else {
      await queryRunner.query('DROP TRIGGER "posts_forget_deletion"');
    }
  }
}
