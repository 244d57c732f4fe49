import { CompiledQuery } from '../../database/compiled-query.js';
import type { Dialect } from '../../database/dialect.js';
import type { SearchTerms } from './search-terms.js';

/** What the index holds of one post. */
export type IndexRows = readonly (readonly (string | number)[])[];

/** What the two databases have to be told in their own words to keep and to ask the index. */
export interface SearchQueries {
  /** Adds posts that are not in it. `:rows` is JSON: an array of what {@link rowsOf} gives for each. */
  readonly insert: CompiledQuery;
  rowsOf(id: number, terms: readonly string[]): IndexRows;
  /** Takes posts out. `:ids` is JSON: an array of ids. */
  readonly remove: CompiledQuery;
  /** Takes all posts out whose id is from `:first` to `:last`. */
  readonly removeRange: CompiledQuery;
  /** Conditions that are true of a post that matches `:match`. */
  readonly isFound: {
    /** Of few posts that match: the index is asked for them, and they are sorted. */
    readonly byIndex: string;
    /** Of many: the list is walked, and the index is asked about each post. */
    readonly onWalk: string;
    readonly inCount: string;
  };
  /** How many posts match `:match`, more or less; it stops counting at `:most`. */
  readonly countUpTo: CompiledQuery;
  /** The value of `:match`. */
  matchOf(terms: SearchTerms): string;
}

const SQLITE_IDS = 'SELECT rowid FROM posts_search WHERE posts_search MATCH :match';

const sqliteQueries: SearchQueries = {
  insert: CompiledQuery.fromText(
    'INSERT INTO posts_search (rowid, words) SELECT value ->> 0, value ->> 1 FROM json_each(:rows)',
  ),
  rowsOf: (id, terms) => [[id, terms.join(' ')]],
  remove: CompiledQuery.fromText(
    'DELETE FROM posts_search WHERE rowid IN (SELECT value FROM json_each(:ids))',
  ),
  removeRange: CompiledQuery.fromText('DELETE FROM posts_search WHERE rowid BETWEEN :first AND :last'),
  isFound: {
    byIndex: `post.id IN (${SQLITE_IDS})`,
    // A unary plus keeps SQLite from taking the matches one by one.
    onWalk: `+post.id IN (${SQLITE_IDS})`,
    inCount: `+post.id IN (${SQLITE_IDS})`,
  },
  countUpTo: CompiledQuery.fromText(`SELECT count(*) AS "count" FROM (${SQLITE_IDS} LIMIT :most)`),
  matchOf: ({ whole, beginnings }) =>
    [...whole.map((term) => `"${term}"`), ...beginnings.map((term) => `"${term}" *`)].join(' AND '),
};

/** A code unit is 3 bytes at the most, and a tsvector holds 1 MiB. */
const MAX_PART_CODE_UNITS = 250_000;

const POSTGRES_MATCHES = 'words @@ CAST(CAST(:match AS text) AS tsquery)';
// A post in several parts matches when each term is in one of them.
const POSTGRES_LONG_IDS = `
  SELECT long.post_id FROM posts_search long WHERE long.part = 1 AND NOT EXISTS (
    SELECT 1 FROM string_to_table(CAST(:match AS text), ' & ') AS term WHERE NOT EXISTS (
      SELECT 1 FROM posts_search part WHERE part.post_id = long.post_id AND part.words @@ CAST(term AS tsquery)
    )
  )`;
const POSTGRES_IDS = `SELECT post_id FROM posts_search WHERE ${POSTGRES_MATCHES} UNION ALL ${POSTGRES_LONG_IDS}`;

const postgresQueries: SearchQueries = {
  insert: CompiledQuery.fromText(`
    INSERT INTO posts_search (post_id, part, words)
    SELECT CAST(value ->> 0 AS bigint), CAST(value ->> 1 AS integer),
      array_to_tsvector(string_to_array(value ->> 2, ' '))
    FROM json_array_elements(CAST(:rows AS json))
  `),
  rowsOf: (id, terms) => partsOf(terms).map((words, part) => [id, part, words.join(' ')]),
  remove: CompiledQuery.fromText(`
    DELETE FROM posts_search
    WHERE post_id IN (SELECT CAST(value AS bigint) FROM json_array_elements_text(CAST(:ids AS json)))
  `),
  removeRange: CompiledQuery.fromText('DELETE FROM posts_search WHERE post_id BETWEEN :first AND :last'),
  isFound: {
    byIndex: `post.id IN (${POSTGRES_IDS})`,
    // A subquery that gives a value is asked for each post on the way, and never for all of them ahead.
    onWalk: `(
      (SELECT bool_or(own.${POSTGRES_MATCHES}) FROM posts_search own WHERE own.post_id = post.id)
      OR post.id IN (${POSTGRES_LONG_IDS})
    )`,
    inCount: `post.id IN (${POSTGRES_IDS})`,
  },
  countUpTo: CompiledQuery.fromText(`
    SELECT count(*) AS "count"
    FROM (SELECT 1 FROM posts_search WHERE ${POSTGRES_MATCHES} LIMIT CAST(:most AS integer)) AS found
  `),
  matchOf: ({ whole, beginnings }) =>
    [...whole.map((term) => `'${term}'`), ...beginnings.map((term) => `'${term}':*`)].join(' & '),
};

/** The different terms, in as many parts as it takes; a text without any has one part. */
function partsOf(terms: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  let codeUnits = 0;
  for (const term of new Set(terms)) {
    codeUnits += term.length + 4;
    if (codeUnits > MAX_PART_CODE_UNITS) {
      parts.push([]);
      codeUnits = term.length;
    }
    parts.at(-1)!.push(term);
  }
  return parts;
}

export function searchQueries({ name }: Dialect): SearchQueries {
  return name === 'postgres' ? postgresQueries : sqliteQueries;
}
