import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The index of the words of each post. The words are folded by the service, so the databases take them as they are: the
 * tokenizer `ascii` splits at spaces, which no word has, and PostgreSQL is given an array.
 */
export class CreatePostsSearch1763652000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    if (queryRunner.connection.options.type === 'postgres') {
      // A post has more than one part when its words do not fit into one tsvector (1 MiB).
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
      // Only which posts have a word is kept: neither the texts (content='') nor where in them it is (detail=none).
      await queryRunner.query(`
        CREATE VIRTUAL TABLE "posts_search"
        USING fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii')
      `);
    }
    // By which version of the service's folding the index was made; '' is none.
    await queryRunner.query(`ALTER TABLE "posts_state" ADD COLUMN "search_version" text NOT NULL DEFAULT ''`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "posts_state" DROP COLUMN "search_version"');
    await queryRunner.query('DROP TABLE "posts_search"');
  }
}
