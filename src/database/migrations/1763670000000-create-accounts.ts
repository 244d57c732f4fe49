import type { MigrationInterface, QueryRunner } from 'typeorm';

/** PostgreSQL's collation C compares code points, as SQLite does. Its `integer` has only 32 bits. */
const TYPES: Readonly<
  Record<string, { readonly text: string; readonly integer: string; readonly id: (name: string) => string }>
> = {
  sqlite: {
    text: 'text',
    integer: 'integer',
    id: () => '"id" integer PRIMARY KEY AUTOINCREMENT NOT NULL',
  },
  postgres: {
    text: 'text COLLATE "C"',
    integer: 'bigint',
    id: (name) =>
      `"id" bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991), CONSTRAINT "${name}" PRIMARY KEY ("id")`,
  },
};

export class CreateAccounts1763670000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { text, integer, id } = TYPES[queryRunner.connection.options.type]!;
    await queryRunner.query(`
      CREATE TABLE "accounts" (
        ${id('accounts_by_id')},
        "username" ${text} NOT NULL,
        "username_key" ${text} NOT NULL,
        "password_hash" ${text} NOT NULL,
        "is_enabled" ${integer} NOT NULL,
        "created_at" ${text} NOT NULL,
        "last_login_at" ${text}
      )
    `);
    await queryRunner.query('CREATE UNIQUE INDEX "accounts_by_username_key" ON "accounts" ("username_key")');
    await queryRunner.query(`
      CREATE TABLE "sessions" (
        "id" ${text} PRIMARY KEY NOT NULL,
        "account_id" ${integer} NOT NULL,
        "expires_at" ${text} NOT NULL
      )
    `);
    await queryRunner.query('CREATE INDEX "sessions_by_account_id" ON "sessions" ("account_id")');
    await queryRunner.query(`
      CREATE TABLE "api_tokens" (
        ${id('api_tokens_by_id')},
        "name" ${text} NOT NULL,
        "hint" ${text} NOT NULL,
        "digest" ${text} NOT NULL,
        "created_at" ${text} NOT NULL,
        "created_by" ${text} NOT NULL,
        "last_used_at" ${text}
      )
    `);
    await queryRunner.query('CREATE UNIQUE INDEX "api_tokens_by_digest" ON "api_tokens" ("digest")');
    await queryRunner.query(`
      CREATE TABLE "secrets" (
        "name" ${text} PRIMARY KEY NOT NULL,
        "value" ${text} NOT NULL
      )
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "secrets"');
    await queryRunner.query('DROP TABLE "api_tokens"');
    await queryRunner.query('DROP TABLE "sessions"');
    await queryRunner.query('DROP TABLE "accounts"');
  }
}
