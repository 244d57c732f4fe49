import type { MigrationInterface, QueryRunner } from 'typeorm';

/** PostgreSQL's collation C compares code points, as SQLite does. Its `integer` has only 32 bits. */
const TYPES: Readonly<Record<string, { readonly text: string; readonly integer: string }>> = {
  sqlite: { text: 'text', integer: 'integer' },
  postgres: { text: 'text COLLATE "C"', integer: 'bigint' },
};

/**
 * Adds entries that do not concern a post (their `number` is 0) and the client's address. Groups the changes that one
 * action made to many posts under one entry (`part_of`).
 */
export class WidenChangeLog1763750000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { text, integer } = TYPES[queryRunner.connection.options.type]!;
    for (const column of [
      `"address" ${text}`,
      `"subject" ${text}`,
      `"detail" ${text}`,
      `"count" ${integer}`,
      `"part_of" ${integer}`,
    ]) {
      await queryRunner.query(`ALTER TABLE "post_revisions" ADD COLUMN ${column}`);
    }
    await recreateIndexes(queryRunner, ' AND "part_of" IS NULL');
    await queryRunner.query(`
      CREATE INDEX "post_revisions_by_entry" ON "post_revisions" ("part_of", "id") WHERE "part_of" IS NOT NULL
    `);
    // The index by action excludes the parts of an entry, but the list of deleted posts includes them.
    await queryRunner.query(`
      CREATE INDEX "post_revisions_by_deletion" ON "post_revisions" ("id") WHERE "action" = 'deleted'
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "post_revisions_by_deletion"');
    await queryRunner.query('DROP INDEX "post_revisions_by_entry"');
    await queryRunner.query('DELETE FROM "post_revisions" WHERE "number" = 0');
    await recreateIndexes(queryRunner, '');
    for (const column of ['part_of', 'count', 'detail', 'subject', 'address']) {
      await queryRunner.query(`ALTER TABLE "post_revisions" DROP COLUMN "${column}"`);
    }
  }
}

/** Recreates the indexes for the filters of the log. */
async function recreateIndexes(queryRunner: QueryRunner, condition: string): Promise<void> {
  await queryRunner.query('DROP INDEX "post_revisions_by_action"');
  await queryRunner.query('DROP INDEX "post_revisions_by_author"');
  await queryRunner.query(`
    CREATE INDEX "post_revisions_by_action" ON "post_revisions" ("action", "id")
    WHERE "action" NOT IN ('created', 'changed')${condition}
  `);
  await queryRunner.query(`
    CREATE INDEX "post_revisions_by_author" ON "post_revisions" ("author_kind", "author_name", "id")
    WHERE "author_kind" <> 'api'${condition}
  `);
}
