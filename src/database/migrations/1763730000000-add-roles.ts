import type { MigrationInterface, QueryRunner } from 'typeorm';

/** PostgreSQL's collation C compares code points, as SQLite does. */
const TEXT: Readonly<Record<string, string>> = { sqlite: 'text', postgres: 'text COLLATE "C"' };

/** Existing accounts could do everything, and existing tokens could write; they keep these rights. */
export class AddRoles1763730000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const text = TEXT[queryRunner.connection.options.type]!;
    // The default is the lowest role: an older instance that is still running must not create an administrator.
    for (const [table, role] of [
      ['accounts', 'administrator'],
      ['api_tokens', 'editor'],
    ]) {
      await queryRunner.query(`ALTER TABLE "${table}" ADD COLUMN "role" ${text} NOT NULL DEFAULT 'viewer'`);
      await queryRunner.query(`UPDATE "${table}" SET "role" = '${role}'`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "api_tokens" DROP COLUMN "role"');
    await queryRunner.query('ALTER TABLE "accounts" DROP COLUMN "role"');
  }
}
