import type { MigrationInterface } from 'typeorm';
import { CreateSchema1763750000000 } from './migrations/1763750000000-create-schema.js';
import { RecordDeletions1763790000000 } from './migrations/1763790000000-record-deletions.js';
import { IndexPartsOfPosts1763810000000 } from './migrations/1763810000000-index-parts-of-posts.js';
import { ForgetRestoredDeletions1764000000000 } from './migrations/1764000000000-forget-restored-deletions.js';
import { SeeAllRunningWrites1764010000000 } from './migrations/1764010000000-see-all-running-writes.js';

type Migration = new () => MigrationInterface;

/** How a migration on PostgreSQL holds up requests to a table that exists before it, until all migrations are committed. */
export interface TableLock {
  readonly table: string;
  /** SHARE ROW EXCLUSIVE lets reads run; ACCESS EXCLUSIVE lets nothing run. */
  readonly mode: 'SHARE ROW EXCLUSIVE' | 'ACCESS EXCLUSIVE';
}

/** The rows that a migration inserts, changes or deletes in a table. */
export interface TouchedRows {
  readonly table: string;
  /** Counts them, as `rows`, before any migration runs. */
  readonly count: string;
  /**
   * The table that the statement reads. While it does not exist, the rows are 0: an earlier migration of the same run makes
   * the table as this one leaves it.
   */
  readonly reads: string;
}

interface MigrationDescription {
  /** A sentence. */
  readonly does: string;
  /** None on SQLite: its migrations have the whole file. */
  readonly locks: readonly TableLock[];
  readonly rows: readonly TouchedRows[];
}

const CREATES_SCHEMA: MigrationDescription = {
  does: 'Creates the tables of an empty database.',
  locks: [],
  rows: [],
};

const RECORDS_DELETIONS = 'Records which posts were deleted, and when, and when a session began.';

/** The posts that are deleted, by their history. */
const DELETIONS: TouchedRows = {
  table: 'post_deletions',
  count: `SELECT count(DISTINCT post_id) AS rows FROM post_revisions
          WHERE action IN ('deleted', 'purged') AND number > 1
            AND NOT EXISTS (SELECT 1 FROM posts WHERE posts.id = post_revisions.post_id)`,
  reads: 'post_revisions',
};

/** What an import of version 1.1 has left that was killed. */
const STAGED = 'BETWEEN (SELECT hidden_from FROM posts_state) AND (SELECT hidden_to FROM posts_state)';

const NOTHING_ON_SQLITE: MigrationDescription = { does: 'Changes nothing on SQLite.', locks: [], rows: [] };

const FORGETS_RESTORED: MigrationDescription = {
  does: 'Removes restored posts from the list of deleted posts, now and from now on.',
  locks: [],
  rows: [
    {
      table: 'post_deletions',
      count: 'SELECT count(*) AS rows FROM post_deletions WHERE id IN (SELECT id FROM posts)',
      reads: 'post_deletions',
    },
  ],
};

/**
 * All migrations, in the order in which they run, with what `migrate --dry-run` says about each of them. That stands here,
 * because a migration never changes and imports nothing. test/database/migrations.e2e.ts compares it with what they do.
 */
const DESCRIBED: readonly (readonly [
  Migration,
  Readonly<Record<'sqlite' | 'postgres', MigrationDescription>>,
])[] = [
  [CreateSchema1763750000000, { sqlite: CREATES_SCHEMA, postgres: CREATES_SCHEMA }],
  [
    RecordDeletions1763790000000,
    {
      sqlite: {
        does: `${RECORDS_DELETIONS} Removes what a killed import of version 1.1 has left.`,
        locks: [],
        rows: [
          DELETIONS,
          {
            table: 'posts_search',
            count: `SELECT count(*) AS rows FROM posts_search WHERE rowid ${STAGED}`,
            reads: 'posts_search',
          },
          {
            table: 'posts',
            count: `SELECT count(*) AS rows FROM posts WHERE id ${STAGED}`,
            reads: 'posts',
          },
        ],
      },
      postgres: {
        does: RECORDS_DELETIONS,
        locks: [
          { table: 'posts', mode: 'SHARE ROW EXCLUSIVE' },
          { table: 'posts_search', mode: 'ACCESS EXCLUSIVE' },
          { table: 'posts_state', mode: 'ACCESS EXCLUSIVE' },
          { table: 'sessions', mode: 'ACCESS EXCLUSIVE' },
        ],
        rows: [DELETIONS],
      },
    },
  ],
  [
    IndexPartsOfPosts1763810000000,
    {
      sqlite: NOTHING_ON_SQLITE,
      postgres: {
        does: 'Gives posts with many words an index of their own; reads the whole search index for it.',
        locks: [{ table: 'posts_search', mode: 'ACCESS EXCLUSIVE' }],
        rows: [
          {
            table: 'posts_search',
            // Each row of such a post is changed twice, and one more is inserted.
            count: `SELECT 2 * count(*) + count(*) FILTER (WHERE part = 1) AS rows FROM posts_search
                    WHERE post_id IN (SELECT post_id FROM posts_search WHERE part = 1)`,
            reads: 'posts_search',
          },
        ],
      },
    },
  ],
  [
    ForgetRestoredDeletions1764000000000,
    {
      sqlite: FORGETS_RESTORED,
      postgres: { ...FORGETS_RESTORED, locks: [{ table: 'posts', mode: 'SHARE ROW EXCLUSIVE' }] },
    },
  ],
  [
    SeeAllRunningWrites1764010000000,
    {
      sqlite: NOTHING_ON_SQLITE,
      postgres: {
        does: 'Corrects the time before which all changes are visible, for copies and streams of changes.',
        locks: [],
        rows: [],
      },
    },
  ],
];

export const MIGRATIONS = DESCRIBED.map(([Migration]) => Migration);

/** By the names of the migrations. */
export const MIGRATION_DESCRIPTIONS = new Map(
  DESCRIBED.map(([Migration, description]) => [nameOf(Migration), description]),
);

/** The name under which a database records that the migration has run. */
export function nameOf(Migration: Migration): string {
  return new Migration().name ?? Migration.name;
}
