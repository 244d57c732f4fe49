import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The largest integer that JSON readers represent exactly. */
const MAX_ID = 2 ** 53 - 1;

/**
 * PostgreSQL's collation C compares code points, as SQLite does, and its `integer` has only 32 bits. AUTOINCREMENT: ids
 * are never reused, not even the id of a deleted last post.
 */
export const TYPES = {
  sqlite: {
    text: 'text',
    integer: 'integer',
    id: (_constraint: string) => 'integer PRIMARY KEY AUTOINCREMENT NOT NULL',
    key: (_constraint: string) => 'PRIMARY KEY NOT NULL',
  },
  postgres: {
    text: 'text COLLATE "C"',
    integer: 'bigint',
    id: (constraint: string) =>
      `bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE ${MAX_ID}) CONSTRAINT "${constraint}" PRIMARY KEY`,
    key: (constraint: string) => `CONSTRAINT "${constraint}" PRIMARY KEY NOT NULL`,
  },
};

/** The time of rows that are inserted without one. */
const UNKNOWN_TIME = `'1970-01-01T00:00:00.000000Z'`;

function tables({ text, integer, id, key }: (typeof TYPES)['sqlite']): string[] {
  return [
    `CREATE TABLE "posts" (
      "id" ${id('posts_by_id')},
      "title" ${text} NOT NULL,
      "pub_date" ${text} NOT NULL,
      "body" ${text} NOT NULL,
      "version" ${integer} NOT NULL DEFAULT (1),
      "modified" ${text} NOT NULL DEFAULT ${UNKNOWN_TIME}
    )`,
    'CREATE INDEX "posts_by_pub_date" ON "posts" ("pub_date", "id")',
    'CREATE INDEX "posts_by_title" ON "posts" ("title", "id")',
    'CREATE INDEX "posts_by_modified" ON "posts" ("modified", "id")',
    // feed_id is random and never changes. Posts with an id from hidden_from to hidden_to are staged by a running
    // import and not visible. search_version is that of the folding that built the search index; '' means that there is
    // no index.
    `CREATE TABLE "posts_state" (
      "feed_id" ${text} ${key('posts_state_by_feed_id')},
      "hidden_from" bigint NOT NULL DEFAULT 0,
      "hidden_to" bigint NOT NULL DEFAULT 0,
      "search_version" ${text} NOT NULL DEFAULT '',
      "importing_since" ${text} NOT NULL DEFAULT ''
    )`,
    // The sums over the rows are the number of posts, and a number that grows with every change.
    `CREATE TABLE "posts_counters" (
      "id" ${integer} PRIMARY KEY NOT NULL,
      "posts" bigint NOT NULL,
      "changes" bigint NOT NULL,
      "modified" ${text} NOT NULL DEFAULT ${UNKNOWN_TIME}
    )`,
    // A row is one change of one post, or the creation of all posts from post_id to last_post_id. `number` is the
    // version that the change created, and 0 for an entry that does not concern a post. The old values are those that the
    // change replaced or deleted; the current values are only in posts. `part_of` names the entry of an action that
    // changed many posts.
    `CREATE TABLE "post_revisions" (
      "id" ${id('post_revisions_pkey')},
      "post_id" ${integer} NOT NULL,
      "last_post_id" ${integer} NOT NULL,
      "number" ${integer} NOT NULL,
      "action" ${text} NOT NULL,
      "at" ${text} NOT NULL,
      "author_kind" ${text} NOT NULL,
      "author_name" ${text},
      "old_title" ${text},
      "old_pub_date" ${text},
      "old_body" ${text},
      "address" ${text},
      "subject" ${text},
      "detail" ${text},
      "count" ${integer},
      "part_of" ${integer}
    )`,
    // Each row is in only one of these two indexes, so that a change updates one index, not two.
    'CREATE INDEX "post_revisions_by_creation" ON "post_revisions" ("post_id", "last_post_id") WHERE "number" = 1',
    'CREATE UNIQUE INDEX "post_revisions_by_post" ON "post_revisions" ("post_id", "number") WHERE "number" > 1',
    // Ordinary changes, and those by anonymous API clients, do not update the next two indexes.
    `CREATE INDEX "post_revisions_by_action" ON "post_revisions" ("action", "id")
     WHERE "action" NOT IN ('created', 'changed') AND "part_of" IS NULL`,
    `CREATE INDEX "post_revisions_by_author" ON "post_revisions" ("author_kind", "author_name", "id")
     WHERE "author_kind" <> 'api' AND "part_of" IS NULL`,
    'CREATE INDEX "post_revisions_by_entry" ON "post_revisions" ("part_of", "id") WHERE "part_of" IS NOT NULL',
    // The index by action excludes the parts of an entry, but the list of deleted posts includes them.
    `CREATE INDEX "post_revisions_by_deletion" ON "post_revisions" ("id") WHERE "action" = 'deleted'`,
    `CREATE TABLE "idempotency_keys" (
      "id" ${text} PRIMARY KEY NOT NULL,
      "payload" ${text} NOT NULL,
      "status" ${integer} NOT NULL,
      "headers" ${text} NOT NULL,
      "entity_tag" ${text},
      "body" ${text},
      "created_at" ${text} NOT NULL
    )`,
    'CREATE INDEX "idempotency_keys_by_created_at" ON "idempotency_keys" ("created_at")',
    `CREATE TABLE "accounts" (
      "id" ${id('accounts_by_id')},
      "username" ${text} NOT NULL,
      "username_key" ${text} NOT NULL,
      "password_hash" ${text} NOT NULL,
      "is_enabled" ${integer} NOT NULL,
      "created_at" ${text} NOT NULL,
      "last_login_at" ${text},
      "role" ${text} NOT NULL DEFAULT 'viewer'
    )`,
    'CREATE UNIQUE INDEX "accounts_by_username_key" ON "accounts" ("username_key")',
    `CREATE TABLE "sessions" (
      "id" ${text} PRIMARY KEY NOT NULL,
      "account_id" ${integer} NOT NULL,
      "expires_at" ${text} NOT NULL
    )`,
    'CREATE INDEX "sessions_by_account_id" ON "sessions" ("account_id")',
    `CREATE TABLE "api_tokens" (
      "id" ${id('api_tokens_by_id')},
      "name" ${text} NOT NULL,
      "hint" ${text} NOT NULL,
      "digest" ${text} NOT NULL,
      "created_at" ${text} NOT NULL,
      "created_by" ${text} NOT NULL,
      "last_used_at" ${text},
      "expires_at" ${text},
      "role" ${text} NOT NULL DEFAULT 'viewer'
    )`,
    'CREATE UNIQUE INDEX "api_tokens_by_digest" ON "api_tokens" ("digest")',
    `CREATE TABLE "secrets" (
      "name" ${text} PRIMARY KEY NOT NULL,
      "value" ${text} NOT NULL
    )`,
  ];
}

const EVENTS = ['insert', 'update', 'delete'];

/** Maintain the counters, without the posts that an import stages. */
export const SQLITE_TRIGGERS = EVENTS.map((event) => {
  const row = event === 'delete' ? 'OLD' : 'NEW';
  const difference = { insert: '+ 1', update: '+ 0', delete: '- 1' }[event];
  const time = `max("modified", ${event === 'delete' ? `strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')` : 'NEW."modified"'})`;
  return `
    CREATE TRIGGER "posts_count_${event}" AFTER ${event.toUpperCase()} ON "posts"
    WHEN ${row}."id" NOT BETWEEN (SELECT "hidden_from" FROM "posts_state") AND (SELECT "hidden_to" FROM "posts_state")
    BEGIN
      UPDATE "posts_counters" SET
        "posts" = "posts" ${difference},
        "changes" = "changes" + 1,
        "modified" = CASE WHEN substr(${time}, 1, 19) = substr("modified", 1, 19) THEN substr(${time}, 1, 23) || '001Z' ELSE ${time} END;
    END`;
});

/**
 * The index of the words of each post, and the triggers. The service folds the words, so the databases store them
 * unchanged.
 */
const SQLITE = [
  // The index stores only which posts contain a word, not the texts (content='') or the positions (detail=none). The
  // tokenizer `ascii` splits at spaces, which no word contains.
  `CREATE VIRTUAL TABLE "posts_search"
   USING fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii')`,
  `INSERT INTO "posts_state" ("feed_id") VALUES (lower(hex(randomblob(16))))`,
  `INSERT INTO "posts_counters" VALUES (0, 0, 0, strftime('%Y-%m-%dT%H:%M:%f000Z', 'now'))`,
  ...SQLITE_TRIGGERS,
];

const POSTGRES = [
  // A post has several parts when its words do not fit into one tsvector (1 MiB).
  `CREATE TABLE "posts_search" (
    "post_id" bigint NOT NULL,
    "part" integer NOT NULL,
    "words" tsvector NOT NULL,
    CONSTRAINT "posts_search_by_post" PRIMARY KEY ("post_id", "part")
  )`,
  'CREATE INDEX "posts_search_by_word" ON "posts_search" USING gin ("words")',
  'CREATE INDEX "posts_search_in_parts" ON "posts_search" ("post_id") WHERE "part" = 1',
  `CREATE FUNCTION "posts_now"() RETURNS text LANGUAGE sql VOLATILE AS $$
    SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"000Z"')
  $$`,
  `INSERT INTO "posts_state" ("feed_id") VALUES (replace(CAST(gen_random_uuid() AS text), '-', ''))`,
  // Several rows, so that concurrent writers rarely want the same one.
  'INSERT INTO "posts_counters" SELECT n, 0, 0 FROM generate_series(0, 63) n',
  'UPDATE "posts_counters" SET "modified" = posts_now() WHERE "id" = 0',
  // The next migration writes what the function does.
  `CREATE FUNCTION "posts_count_changes"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$`,
  ...EVENTS.map(
    (event) => `
      CREATE TRIGGER "posts_count_${event}" AFTER ${event.toUpperCase()} ON "posts"
      REFERENCING ${event === 'delete' ? 'OLD' : 'NEW'} TABLE AS touched_posts
      FOR EACH STATEMENT EXECUTE FUNCTION "posts_count_changes"()`,
  ),
];

/**
 * The schema of version 1.1. The migration has the name of the last one of that version, so that it counts as done in a
 * database of 1.1.
 */
export class CreateSchema1763750000000 implements MigrationInterface {
  readonly name = 'WidenChangeLog1763750000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const type = queryRunner.connection.options.type as keyof typeof TYPES;
    for (const sql of [...tables(TYPES[type]), ...(type === 'sqlite' ? SQLITE : POSTGRES)])
      await queryRunner.query(sql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Without its first schema, a database is empty: remove it instead.'));
  }
}
