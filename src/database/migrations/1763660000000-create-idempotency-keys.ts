import type { MigrationInterface, QueryRunner } from 'typeorm';

/** PostgreSQL's collation C compares code points, as SQLite does. Its `integer` has only 32 bits. */
const TYPES: Readonly<Record<string, { readonly text: string; readonly integer: string }>> = {
  sqlite: { text: 'text', integer: 'integer' },
  postgres: { text: 'text COLLATE "C"', integer: 'bigint' },
};

export class CreateIdempotencyKeys1763660000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { text, integer } = TYPES[queryRunner.connection.options.type]!;
    await queryRunner.query(`
      CREATE TABLE "idempotency_keys" (
        "id" ${text} PRIMARY KEY NOT NULL,
        "payload" ${text} NOT NULL,
        "status" ${integer} NOT NULL,
        "headers" ${text} NOT NULL,
        "entity_tag" ${text},
        "body" ${text},
        "created_at" ${text} NOT NULL
      )
    `);
    await queryRunner.query(
      'CREATE INDEX "idempotency_keys_by_created_at" ON "idempotency_keys" ("created_at")',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "idempotency_keys_by_created_at"');
    await queryRunner.query('DROP TABLE "idempotency_keys"');
  }
}
