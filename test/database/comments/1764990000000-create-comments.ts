import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TYPES } from '../../../src/database/migrations/1763750000000-create-schema.js';

export class CreateExampleComments1764990000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { id, integer, text } = TYPES[queryRunner.connection.options.type as keyof typeof TYPES];
    for (const sql of [
      `CREATE TABLE "example_comments" (
        "id" ${id('example_comments_by_id')},
        "post_id" ${integer} NOT NULL,
        "slug" ${text},
        "text" ${text} NOT NULL,
        "version" ${integer} NOT NULL
      )`,
      'CREATE INDEX "example_comments_by_post" ON "example_comments" ("post_id", "id")',
      'CREATE UNIQUE INDEX "example_comments_by_slug" ON "example_comments" ("slug")',
    ])
      await queryRunner.query(sql);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "example_comments"');
  }
}
