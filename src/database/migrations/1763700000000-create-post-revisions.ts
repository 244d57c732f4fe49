import type { MigrationInterface, QueryRunner } from 'typeorm';

/** PostgreSQL's collation C compares code points, as SQLite does. Its `integer` has only 32 bits. */
const TYPES: Readonly<
  Record<string, { readonly id: string; readonly text: string; readonly integer: string }>
> = {
  sqlite: { id: 'integer PRIMARY KEY AUTOINCREMENT NOT NULL', text: 'text', integer: 'integer' },
  postgres: {
    id: 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
    text: 'text COLLATE "C"',
    integer: 'bigint',
  },
};

/** The history of the posts: their changes and their former values; see docs/adr/0012. */
export class CreatePostRevisions1763700000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { id, text, integer } = TYPES[queryRunner.connection.options.type]!;
    // A row is one change of one post, or the creation of all posts from post_id to last_post_id. `number` is the
    // version that the change created. The old values are those that the change replaced or deleted; the current values
    // are only in posts.
    await queryRunner.query(`
      CREATE TABLE "post_revisions" (
        "id" ${id},
        "post_id" ${integer} NOT NULL,
        "last_post_id" ${integer} NOT NULL,
        "number" ${integer} NOT NULL,
        "action" ${text} NOT NULL,
        "at" ${text} NOT NULL,
        "author_kind" ${text} NOT NULL,
        "author_name" ${text},
        "old_title" ${text},
        "old_pub_date" ${text},
        "old_body" ${text}
      )
    `);
    // Each row is in only one of these two indexes, so that a change updates one index, not two.
    await queryRunner.query(`
      CREATE INDEX "post_revisions_by_creation" ON "post_revisions" ("post_id", "last_post_id") WHERE "number" = 1
    `);
    await queryRunner.query(`
      CREATE UNIQUE INDEX "post_revisions_by_post" ON "post_revisions" ("post_id", "number") WHERE "number" > 1
    `);
    await queryRunner.query(`
      CREATE INDEX "post_revisions_by_action" ON "post_revisions" ("action", "id")
      WHERE "action" NOT IN ('created', 'changed')
    `);
    // Changes by anonymous API clients do not update this index.
    await queryRunner.query(`
      CREATE INDEX "post_revisions_by_author" ON "post_revisions" ("author_kind", "author_name", "id")
      WHERE "author_kind" <> 'api'
    `);
    // Posts that existed before the history get one row with the action 'found'.
    const at = `${new Date().toISOString().slice(0, -1)}000Z`;
    await queryRunner.query(`
      INSERT INTO "post_revisions" ("post_id", "last_post_id", "number", "action", "at", "author_kind", "author_name")
      SELECT min("id"), max("id"), 1, 'found', '${at}', 'command', NULL FROM "posts" HAVING count(*) > 0
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "post_revisions"');
  }
}
