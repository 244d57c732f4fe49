import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the time at which a session began, because use no longer extends it after twelve hours. Sessions of version 1.1,
 * which runs beside this one during an upgrade, have the default: they are never extended.
 */
export class SlideSessions1763780000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const text = queryRunner.connection.options.type === 'postgres' ? 'text COLLATE "C"' : 'text';
    await queryRunner.query(
      `ALTER TABLE "sessions" ADD COLUMN "begun_at" ${text} NOT NULL DEFAULT '1970-01-01T00:00:00.000Z'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "sessions" DROP COLUMN "begun_at"');
  }
}
