import {
  type Dialect,
  postgresDialect,
  raw,
  type Sql,
  sql,
  sqliteDialect,
  type SqlValues,
} from '../database/index.js';
import { LARGE_BODY_BYTES } from '../posts/lists/post-pages.repository.js';
import { isAscii } from '../posts/folded-text.js';
import type { SearchTerms } from './search-terms.js';

/** The id of a post, the number of the part, and its words. */
export type IndexRow = readonly [id: number, part: number, words: string];

/**
 * The statements of the search index, in the SQL of each database. They are SQL texts because TypeORM's query builder
 * supports neither FTS5 tables nor `tsvector`.
 */
export interface SearchQueries {
  /** Adds posts. `:rows` is a JSON array of {@link IndexRow}s. */
  readonly insert: Sql;
  /** Whether `insert` replaces posts that are in the index. Otherwise they have to be removed first. */
  readonly insertReplaces: boolean;
  /** The length of the texts into which the words of a post are split, in UTF-16 units. */
  readonly maxTextLength: number;
  /** Removes posts. `:ids` is a JSON array of ids. */
  readonly remove: Sql;
  /** SQL conditions that are true for a post that matches `:match`. */
  readonly isFound: {
    /** For few matches: the database reads the matching posts one by one and sorts them. */
    readonly one: Sql;
    /** For many matches: the database collects them all, and checks each post of the list against them. */
    readonly batched: Sql;
  };
  /** The check of each post while scanning the list. Its cost does not depend on the size of the index. */
  readonly onWalk: {
    /** A SQL condition that is true for every matching post, and possibly for other posts. */
    readonly condition: Sql;
    /** Whether the condition is true for matching posts only. */
    readonly isExact: boolean;
    readonly valuesOf: (terms: SearchTerms) => SqlValues;
  };
  /** The approximate number of posts that match `:match`. It stops counting at `:most`. */
  readonly countUpTo: Sql<{ count: number }>;
  /** The value of `:match`. */
  matchOf(terms: SearchTerms): string;
}

/** The condition of a search text without words. */
export const FINDS_NOTHING = sql`1 = 0`;

const SQLITE_IDS = sql`SELECT rowid FROM posts_search WHERE posts_search MATCH ${':match'}`;

/**
 * The terms of an ASCII text occur in it literally, except for the case, which LIKE ignores. All other texts, and
 * bodies too large for LIKE, may match and must be checked by the service.
 */
const SQLITE_MAY_MATCH = sql`(
  octet_length(post.body) > ${raw(String(LARGE_BODY_BYTES))}
  OR post.body LIKE ${':pattern'} OR post.title LIKE ${':pattern'}
  OR length(post.body) < octet_length(post.body) OR length(post.title) < octet_length(post.title)
)`;

/** Uses the longest term, because it occurs in the fewest texts. */
function sqlitePattern({ whole, beginnings }: SearchTerms): SqlValues {
  const terms = [...whole, ...beginnings].toSorted((a, b) => b.length - a.length);
  // A term that is not ASCII occurs in no ASCII text: the pattern '' excludes all of them except the empty one.
  return { pattern: terms.every(isAscii) ? `%${terms[0]}%` : '' };
}

const sqliteQueries: SearchQueries = {
  insert: sql`
    INSERT OR REPLACE INTO posts_search (rowid, words)
    SELECT value ->> 0, value ->> 2 FROM ${sqliteDialect.elementsOf(':rows')}
  `,
  insertReplaces: true,
  maxTextLength: Infinity,
  remove: sql`DELETE FROM posts_search WHERE rowid ${sqliteDialect.isOneOf(':ids')}`,
  isFound: {
    one: sql`post.id IN (${SQLITE_IDS})`,
    // The unary plus prevents SQLite from reading the matches one by one.
    batched: sql`+post.id IN (${SQLITE_IDS})`,
  },
  onWalk: { condition: SQLITE_MAY_MATCH, isExact: false, valuesOf: sqlitePattern },
  countUpTo: sql<{ count: number }>`SELECT count(*) AS "count" FROM (${SQLITE_IDS} LIMIT (${':most'} + 0))`,
  matchOf: ({ whole, beginnings }) =>
    [...whole.map((term) => `"${term}"`), ...beginnings.map((term) => `"${term}" *`)].join(' AND '),
};

const POSTGRES_MATCHES = sql`words @@ CAST(CAST(${':match'} AS text) AS tsquery)`;
// A post with several parts matches when each term occurs in one of the parts.
const POSTGRES_LONG_IDS = sql`
  SELECT long.post_id FROM posts_search long WHERE long.part = 1 AND NOT EXISTS (
    SELECT 1 FROM unnest(string_to_array(CAST(${':match'} AS text), ' & ')) AS term WHERE NOT EXISTS (
      SELECT 1 FROM posts_search part WHERE part.post_id = long.post_id AND part.words @@ CAST(term AS tsquery)
    )
  )`;
const POSTGRES_IDS = sql`SELECT post_id FROM posts_search WHERE ${POSTGRES_MATCHES} UNION ALL ${POSTGRES_LONG_IDS}`;

const postgresQueries: SearchQueries = {
  insert: sql`
    INSERT INTO posts_search (post_id, part, words)
    SELECT CAST(value ->> 0 AS bigint), CAST(value ->> 1 AS integer),
      array_to_tsvector(string_to_array(value ->> 2, ' '))
    FROM ${postgresDialect.elementsOf(':rows')}
  `,
  insertReplaces: false,
  // A UTF-16 code unit takes at most 3 bytes of UTF-8, and a tsvector holds 1 MiB.
  maxTextLength: 250_000,
  remove: sql`DELETE FROM posts_search WHERE post_id ${postgresDialect.isOneOf(':ids')}`,
  isFound: { one: sql`post.id IN (${POSTGRES_IDS})`, batched: sql`post.id IN (${POSTGRES_IDS})` },
  onWalk: {
    // PostgreSQL runs a scalar subquery for each scanned post, never for all posts in advance.
    condition: sql`(
      (SELECT bool_or(own.${POSTGRES_MATCHES}) FROM posts_search own WHERE own.post_id = post.id)
      OR post.id IN (${POSTGRES_LONG_IDS})
    )`,
    isExact: true,
    valuesOf: (terms) => ({ match: postgresMatch(terms) }),
  },
  countUpTo: sql<{ count: number }>`
    SELECT count(*) AS "count"
    FROM (SELECT 1 FROM posts_search WHERE ${POSTGRES_MATCHES} LIMIT CAST(${':most'} AS integer)) AS found
  `,
  matchOf: postgresMatch,
};

function postgresMatch({ whole, beginnings }: SearchTerms): string {
  return [...whole.map((term) => `'${term}'`), ...beginnings.map((term) => `'${term}':*`)].join(' & ');
}

export function searchQueries({ name }: Dialect): SearchQueries {
  return name === 'postgres' ? postgresQueries : sqliteQueries;
}
