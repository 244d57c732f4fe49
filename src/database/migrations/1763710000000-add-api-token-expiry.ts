import type { MigrationInterface, QueryRunner } from 'typeorm';

/** PostgreSQL's collation C compares code points, as SQLite does. */
const TEXT: Readonly<Record<string, string>> = { sqlite: 'text', postgres: 'text COLLATE "C"' };

export class AddApiTokenExpiry1763710000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const text = TEXT[queryRunner.connection.options.type]!;
    await queryRunner.query(`ALTER TABLE "api_tokens" ADD COLUMN "expires_at" ${text}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "api_tokens" DROP COLUMN "expires_at"');
  }
}
