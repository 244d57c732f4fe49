import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreatePosts1763650000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // AUTOINCREMENT: an id is never given twice, not even that of the last post after it was deleted.
    await queryRunner.query(`
      CREATE TABLE "posts" (
        "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
        "title" text NOT NULL,
        "pub_date" text NOT NULL,
        "body" text NOT NULL,
        "version" integer NOT NULL DEFAULT (1)
      )
    `);
    await queryRunner.query('CREATE INDEX "posts_by_pub_date" ON "posts" ("pub_date", "id")');
    await queryRunner.query('CREATE INDEX "posts_by_title" ON "posts" ("title", "id")');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "posts_by_title"');
    await queryRunner.query('DROP INDEX "posts_by_pub_date"');
    await queryRunner.query('DROP TABLE "posts"');
  }
}
