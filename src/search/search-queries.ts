import { type Dialect, type Sql, sql, type SqlValues } from '../database/index.js';
import type { PostCondition } from '../posts/lists/list-queries.js';
import { LARGE_BODY_BYTES } from '../posts/post.entity.js';
import { isAscii } from '../posts/folded-text.js';
import type { SearchTerms } from './search-terms.js';

/** The id of a post, the number of the part, and its words. */
export type IndexRow = readonly [id: number, part: number, words: string];

export interface FoundIds {
  readonly count: number;
  /** A JSON array; null on PostgreSQL when there are none. */
  readonly ids: string | null;
}

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
  /** A SQL condition that is true for a post that matches `:match`. */
  readonly matches: Sql;
  /**
   * The condition of a page in the order of an index: the database collects the ids of all matches first. PostgreSQL would
   * otherwise assume that they are spread evenly over the list, and check its posts one by one.
   */
  readonly collected: (matches: Sql) => Sql;
  /** Whether a page that is not in the order of an index has to be sorted, for the same reason. */
  readonly sortsUnordered: boolean;
  /** The check of each post while scanning the list. Its cost does not depend on the size of the index. */
  readonly onWalk: {
    /** A SQL condition that is true for every matching post, and possibly for other posts. */
    readonly condition: Sql;
    /** Whether the condition is true for matching posts only. */
    readonly isExact: boolean;
    readonly valuesOf: (terms: SearchTerms) => SqlValues;
  };
  /** How many posts match `:match`. */
  readonly count: Sql<Pick<FoundIds, 'count'>>;
  /** The ids of posts that match `:match`, in any order and some perhaps twice: at most `:most` of them. */
  readonly find: Sql<FoundIds>;
  /** Where the words of long posts are stored in parts, which {@link matches} may miss. */
  readonly inParts?: {
    /** The posts that match `:match` with all their parts. */
    readonly find: Sql<Pick<FoundIds, 'ids'>>;
    /** As {@link matches}, and also true for the posts `:found`, a JSON array of ids. */
    readonly matches: Sql;
  };
  /** The value of `:match`. */
  matchOf(terms: SearchTerms): string;
}

const FALSE = sql`1 = 0`;

/** The condition of a search text without words. */
export const NOTHING: PostCondition = { name: 'nothing', toSql: () => FALSE, values: {} };

/**
 * For many matches: the database finds them.
 *
 * @param match from {@link SearchQueries.matchOf} @param found a JSON array of the posts that match with all their parts
 */
export function isMatch({ matches, inParts }: SearchQueries, match: string, found?: string): PostCondition {
  if (!inParts || found === undefined) return { name: 'match', toSql: () => matches, values: { match } };
  return { name: 'match or found', toSql: () => inParts.matches, values: { match, found } };
}

/** The condition of {@link isMatch} for a page in the order of an index. */
export function isCollectedMatch({ collected }: SearchQueries, matches: PostCondition): PostCondition {
  return {
    ...matches,
    name: `collected ${matches.name}`,
    toSql: (write) => collected(matches.toSql(write)),
  };
}

const SQLITE_IDS = sql`SELECT rowid AS id FROM posts_search WHERE posts_search MATCH ${':match'}`;
/** The unary plus prevents SQLite from reading the matches one by one. */
const SQLITE_MATCHES = sql`+post.id IN (${SQLITE_IDS})`;

/**
 * The terms of an ASCII text occur in it literally, except for the case, which LIKE ignores. All other texts, and
 * bodies too large for LIKE, may match and must be checked by the service.
 */
const SQLITE_MAY_MATCH = sql`(
  octet_length(post.body) > ${sql.raw(String(LARGE_BODY_BYTES))}
  OR post.body LIKE ${':pattern'} OR post.title LIKE ${':pattern'}
  OR length(post.body) < octet_length(post.body) OR length(post.title) < octet_length(post.title)
)`;

/** Uses the longest term, because it occurs in the fewest texts. */
function sqlitePattern({ whole, beginnings }: SearchTerms): SqlValues {
  const terms = [...whole, ...beginnings].toSorted((a, b) => b.length - a.length);
  // A term that is not ASCII occurs in no ASCII text: the pattern '' excludes all of them except the empty one.
  return { pattern: terms.every(isAscii) ? `%${terms[0]}%` : '' };
}

const sqliteQueries = (dialect: Dialect): SearchQueries => ({
  insert: sql`
    INSERT OR REPLACE INTO posts_search (rowid, words)
    SELECT value ->> 0, value ->> 2 FROM ${dialect.elementsOf(':rows')}
  `,
  insertReplaces: true,
  maxTextLength: Infinity,
  remove: sql`DELETE FROM posts_search WHERE rowid ${dialect.isOneOf(':ids')}`,
  matches: SQLITE_MATCHES,
  collected: (matches) => matches,
  sortsUnordered: false,
  onWalk: { condition: SQLITE_MAY_MATCH, isExact: false, valuesOf: sqlitePattern },
  count: sql<Pick<FoundIds, 'count'>>`SELECT count(*) AS "count" FROM (${SQLITE_IDS})`,
  find: sql<FoundIds>`
    SELECT count(*) AS "count", json_group_array(id) AS "ids" FROM (${SQLITE_IDS} LIMIT (${':most'} + 0))`,
  matchOf: ({ whole, beginnings }) =>
    [...whole.map((term) => `"${term}"`), ...beginnings.map((term) => `"${term}" *`)].join(' AND '),
});

const POSTGRES_MATCHES = sql`words @@ CAST(CAST(${':match'} AS text) AS tsquery)`;
const POSTGRES_IDS = sql`SELECT post_id AS id FROM posts_search WHERE ${POSTGRES_MATCHES}`;
/**
 * A post with many words has them in parts from 1, and matches when each term occurs in one of them. The index of the parts
 * finds those of each term; their words, of up to some megabytes, are not read.
 */
const POSTGRES_IDS_IN_PARTS = sql`
  SELECT part.post_id AS id
  FROM unnest(string_to_array(CAST(${':match'} AS text), ' & ')) AS term
  JOIN posts_search AS part ON part.part > 0 AND part.words @@ CAST(term AS tsquery)
  GROUP BY part.post_id
  HAVING count(DISTINCT term) = cardinality(string_to_array(CAST(${':match'} AS text), ' & '))`;

const postgresQueries = (dialect: Dialect): SearchQueries => ({
  insert: sql`
    INSERT INTO posts_search (post_id, part, words)
    SELECT CAST(value ->> 0 AS bigint), CAST(value ->> 1 AS integer),
      array_to_tsvector(string_to_array(value ->> 2, ' '))
    FROM ${dialect.elementsOf(':rows')}
  `,
  insertReplaces: false,
  // While scanning a list, PostgreSQL reads the words of each post. A tsvector holds 1 MiB at most.
  maxTextLength: 16_384,
  remove: sql`DELETE FROM posts_search WHERE post_id ${dialect.isOneOf(':ids')}`,
  // A UNION in it would be planned as 200 rows.
  matches: sql`post.id IN (${POSTGRES_IDS})`,
  // IS TRUE keeps PostgreSQL from making a join of it: it puts the ids into a hash table.
  collected: (matches) => sql`(${matches}) IS TRUE`,
  sortsUnordered: true,
  onWalk: {
    // PostgreSQL runs a scalar subquery for each scanned post, never for all posts in advance.
    condition: sql`(
      (SELECT own.${POSTGRES_MATCHES} FROM posts_search own WHERE own.post_id = post.id AND own.part = 0)
      OR post.id = ANY (ARRAY(${POSTGRES_IDS_IN_PARTS}))
    )`,
    isExact: true,
    valuesOf: (terms) => ({ match: postgresMatch(terms) }),
  },
  // Version 1.1, which may run beside this one, also writes words of a post in parts to part 0.
  count: sql<Pick<FoundIds, 'count'>>`
    SELECT
      (SELECT count(*) FROM posts_search WHERE part = 0 AND ${POSTGRES_MATCHES})
      + (
        SELECT count(*) FROM (${POSTGRES_IDS_IN_PARTS}) AS found
        WHERE NOT EXISTS (SELECT 1 FROM posts_search own WHERE own.post_id = found.id AND own.part = 0 AND own.${POSTGRES_MATCHES})
      ) AS "count"`,
  find: sql<FoundIds>`
    SELECT count(*) AS "count", CAST(json_agg(id) AS text) AS "ids"
    FROM (SELECT id FROM (${POSTGRES_IDS_IN_PARTS}) AS found UNION ALL ${POSTGRES_IDS} LIMIT CAST(${':most'} AS integer)) AS found
  `,
  inParts: {
    find: sql<Pick<FoundIds, 'ids'>>`
      SELECT CAST(json_agg(id) AS text) AS "ids" FROM (${POSTGRES_IDS_IN_PARTS}) AS found`,
    // One subquery: PostgreSQL joins no condition with an OR outside of it.
    matches: sql`post.id IN (${POSTGRES_IDS} OR post_id ${dialect.isOneOf(':found')})`,
  },
  matchOf: postgresMatch,
});

function postgresMatch({ whole, beginnings }: SearchTerms): string {
  return [...whole.map((term) => `'${term}'`), ...beginnings.map((term) => `'${term}':*`)].join(' & ');
}

export function searchQueries(dialect: Dialect): SearchQueries {
  return dialect.name === 'postgres' ? postgresQueries(dialect) : sqliteQueries(dialect);
}
