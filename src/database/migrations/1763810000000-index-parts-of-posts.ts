import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A post with many words has them in several rows of `posts_search`, which it had from part 0 on. Now its part 0 is empty,
 * and an index of its own finds a word in the parts of such posts without looking at all other posts. (Rows that version
 * 1.1 writes beside this version are numbered as before: a search for words of part 0 and of another part misses them
 * until their post is changed.)
 */
const POSTGRES_UP = [
  // In two steps, because the key is unique at each row. The old index names the posts that have parts.
  `UPDATE "posts_search" SET "part" = -1 - "part"
   WHERE "post_id" IN (SELECT "post_id" FROM "posts_search" WHERE "part" = 1)`,
  `UPDATE "posts_search" SET "part" = -"part" WHERE "part" < 0`,
  `INSERT INTO "posts_search" ("post_id", "part", "words")
   SELECT "post_id", 0, '' FROM "posts_search" WHERE "part" = 1`,
  'DROP INDEX "posts_search_in_parts"',
  // Without a list of pending words, which PostgreSQL would rather avoid by reading the words of all such posts.
  `CREATE INDEX "posts_search_parts_by_word" ON "posts_search" USING gin ("words")
   WITH (fastupdate = off) WHERE "part" > 0`,
];

const POSTGRES_DOWN = [
  'DROP INDEX "posts_search_parts_by_word"',
  `DELETE FROM "posts_search" WHERE "part" = 0
   AND "post_id" IN (SELECT "post_id" FROM "posts_search" WHERE "part" = 1)`,
  'UPDATE "posts_search" SET "part" = -"part" WHERE "part" > 0',
  'UPDATE "posts_search" SET "part" = -"part" - 1 WHERE "part" < 0',
  'CREATE INDEX "posts_search_in_parts" ON "posts_search" ("post_id") WHERE "part" = 1',
];

export class IndexPartsOfPosts1763810000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    if (queryRunner.connection.options.type !== 'postgres') return;
    for (const sql of POSTGRES_UP) await queryRunner.query(sql);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    if (queryRunner.connection.options.type !== 'postgres') return;
    for (const sql of POSTGRES_DOWN) await queryRunner.query(sql);
  }
}
