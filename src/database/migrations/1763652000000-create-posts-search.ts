import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The index of the words of each post. The service folds the words, so the databases store them unchanged: the
 * tokenizer `ascii` splits at spaces, which no word contains, and PostgreSQL gets an array.
 */
export class CreatePostsSearch1763652000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    if (queryRunner.connection.options.type === 'postgres') {
      // A post has several parts when its words do not fit into one tsvector (1 MiB).
      await queryRunner.query(`
        CREATE TABLE "posts_search" (
          "post_id" bigint NOT NULL,
          "part" integer NOT NULL,
          "words" tsvector NOT NULL,
          CONSTRAINT "posts_search_by_post" PRIMARY KEY ("post_id", "part")
        )
      `);
      await queryRunner.query('CREATE INDEX "posts_search_by_word" ON "posts_search" USING gin ("words")');
      await queryRunner.query(
        'CREATE INDEX "posts_search_in_parts" ON "posts_search" ("post_id") WHERE "part" = 1',
      );
    } else {
      // The index stores only which posts contain a word, not the texts (content='') or the positions (detail=none).
      await queryRunner.query(`
        CREATE VIRTUAL TABLE "posts_search"
        USING fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii')
      `);
    }
    // The version of the folding that built the index; '' means that there is no index.
    await queryRunner.query(`ALTER TABLE "posts_state" ADD COLUMN "search_version" text NOT NULL DEFAULT ''`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "posts_state" DROP COLUMN "search_version"');
    await queryRunner.query('DROP TABLE "posts_search"');
  }
}
