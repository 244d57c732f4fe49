import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TYPES } from './1763750000000-create-schema.js';

/**
 * The keys by which the site sorts titles. The service sets them with the search index, which the first start rebuilds
 * in the background: databases cannot compute them. Version 1.1 runs on this schema.
 */
export class AddTitleKeys1763800000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { text } = TYPES[queryRunner.connection.options.type as keyof typeof TYPES];
    await queryRunner.query(`ALTER TABLE "posts" ADD COLUMN "title_key" ${text} NOT NULL DEFAULT ''`);
    await queryRunner.query('CREATE INDEX "posts_by_title_key" ON "posts" ("title_key", "id")');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "posts_by_title_key"');
    await queryRunner.query('ALTER TABLE "posts" DROP COLUMN "title_key"');
  }
}
