import type { MigrationInterface, QueryRunner } from 'typeorm';

const CREATE_POSTS: Readonly<Record<string, string>> = {
  // AUTOINCREMENT: ids are never reused, not even the id of a deleted last post.
  sqlite: `
    CREATE TABLE "posts" (
      "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
      "title" text NOT NULL,
      "pub_date" text NOT NULL,
      "body" text NOT NULL,
      "version" integer NOT NULL DEFAULT (1)
    )
  `,
  // The collation C compares code points, as SQLite does. The largest id is 2^53 - 1, the largest integer that JSON
  // readers represent exactly.
  postgres: `
    CREATE TABLE "posts" (
      "id" bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991),
      "title" text COLLATE "C" NOT NULL,
      "pub_date" text COLLATE "C" NOT NULL,
      "body" text COLLATE "C" NOT NULL,
      "version" bigint NOT NULL DEFAULT 1,
      CONSTRAINT "posts_by_id" PRIMARY KEY ("id")
    )
  `,
};

export class CreatePosts1763650000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(CREATE_POSTS[queryRunner.connection.options.type]!);
    await queryRunner.query('CREATE INDEX "posts_by_pub_date" ON "posts" ("pub_date", "id")');
    await queryRunner.query('CREATE INDEX "posts_by_title" ON "posts" ("title", "id")');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "posts_by_title"');
    await queryRunner.query('DROP INDEX "posts_by_pub_date"');
    await queryRunner.query('DROP TABLE "posts"');
  }
}
