import { CompiledQuery, type QueryValues } from '../database/compiled-query.js';
import { type Dialect, postgresDialect, sqliteDialect } from '../database/dialect.js';
import { LARGE_BODY_BYTES } from '../posts/lists/post-page-queries.js';
import { isAscii } from './fold.js';
import type { SearchTerms } from './search-terms.js';

/** What the index holds of one post. */
export type IndexRows = readonly (readonly (string | number)[])[];

/**
 * The builder has no word for an FTS5 table or a `tsvector`, so all of these are SQL texts.
 *
 * What the two databases have to be told in their own words to keep and to ask the index.
 */
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
    /** Of few posts that match: they are taken one by one, and sorted. */
    readonly one: string;
    /** Of many: all of them are gathered, and each post of the list is looked for among them. */
    readonly batched: string;
  };
  /** What is asked of each post on a walk along the list. It costs the same whatever the index holds. */
  readonly onWalk: {
    /** A condition that is true of a post that is found; of another one it may be. */
    readonly condition: string;
    /** Whether it is true of no other. */
    readonly isExact: boolean;
    valuesOf(terms: SearchTerms): QueryValues;
  };
  /** Merges some of the pieces that the transactions have left, `:pages` of them; undefined where they leave none. */
  readonly merge: CompiledQuery | undefined;
  /** Sorts what the index has gathered; undefined where it gathers nothing. */
  readonly sort: CompiledQuery | undefined;
  /** How many posts match `:match`, more or less; it stops counting at `:most`. */
  readonly countUpTo: CompiledQuery;
  /** The value of `:match`. */
  matchOf(terms: SearchTerms): string;
}

/** The lowest id and the highest: two looks at an index. (The builder would begin with a FROM, and read every id.) */
export const ID_RANGE = CompiledQuery.fromText(`
  SELECT coalesce((SELECT min(id) FROM posts), 0) AS "first", coalesce((SELECT max(id) FROM posts), 0) AS "last"
`);

const SQLITE_IDS = 'SELECT rowid FROM posts_search WHERE posts_search MATCH :match';

/** More of them would hardly leave out another post. */
const WALK_PATTERNS = 3;
const isInText = (pattern: string): string => `(post.body LIKE ${pattern} OR post.title LIKE ${pattern})`;
/**
 * The terms of a text of ASCII stand in it as they are, but for the case, which LIKE does not tell apart. What else there
 * is must be looked at, and so must what is too large for that.
 */
const SQLITE_MAY_MATCH = `(
  octet_length(post.body) > ${LARGE_BODY_BYTES}
  OR (${Array.from({ length: WALK_PATTERNS }, (_, index) => isInText(`:pattern${index}`)).join(' AND ')})
  OR length(post.body) < octet_length(post.body) OR length(post.title) < octet_length(post.title)
)`;

/** The longest terms, because these are in the fewest texts. */
function sqlitePatterns({ whole, beginnings }: SearchTerms): QueryValues {
  const terms = [...whole, ...beginnings];
  // Of ASCII only the empty text is like that.
  const patterns = terms.every(isAscii)
    ? terms.toSorted((a, b) => b.length - a.length).map((term) => `%${term}%`)
    : [''];
  return Object.fromEntries(
    Array.from({ length: WALK_PATTERNS }, (_, index) => [`pattern${index}`, patterns[index] ?? '%']),
  );
}

const sqliteQueries: SearchQueries = {
  insert: CompiledQuery.fromText(
    `INSERT INTO posts_search (rowid, words) SELECT value ->> 0, value ->> 1 FROM ${sqliteDialect.elementsOf(':rows')}`,
  ),
  rowsOf: (id, terms) => [[id, terms.join(' ')]],
  remove: CompiledQuery.fromText(`DELETE FROM posts_search WHERE rowid ${sqliteDialect.isOneOf(':ids')}`),
  removeRange: CompiledQuery.fromText('DELETE FROM posts_search WHERE rowid BETWEEN :first AND :last'),
  isFound: {
    one: `post.id IN (${SQLITE_IDS})`,
    // A unary plus keeps SQLite from taking the matches one by one.
    batched: `+post.id IN (${SQLITE_IDS})`,
  },
  onWalk: { condition: SQLITE_MAY_MATCH, isExact: false, valuesOf: sqlitePatterns },
  merge: CompiledQuery.fromText(`INSERT INTO posts_search (posts_search, rank) VALUES ('merge', :pages)`),
  sort: undefined,
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
    SELECT 1 FROM unnest(string_to_array(CAST(:match AS text), ' & ')) AS term WHERE NOT EXISTS (
      SELECT 1 FROM posts_search part WHERE part.post_id = long.post_id AND part.words @@ CAST(term AS tsquery)
    )
  )`;
const POSTGRES_IDS = `SELECT post_id FROM posts_search WHERE ${POSTGRES_MATCHES} UNION ALL ${POSTGRES_LONG_IDS}`;

const postgresQueries: SearchQueries = {
  insert: CompiledQuery.fromText(`
    INSERT INTO posts_search (post_id, part, words)
    SELECT CAST(value ->> 0 AS bigint), CAST(value ->> 1 AS integer),
      array_to_tsvector(string_to_array(value ->> 2, ' '))
    FROM ${postgresDialect.elementsOf(':rows')}
  `),
  rowsOf: (id, terms) => partsOf(terms).map((words, part) => [id, part, words.join(' ')]),
  remove: CompiledQuery.fromText(`DELETE FROM posts_search WHERE post_id ${postgresDialect.isOneOf(':ids')}`),
  removeRange: CompiledQuery.fromText('DELETE FROM posts_search WHERE post_id BETWEEN :first AND :last'),
  isFound: { one: `post.id IN (${POSTGRES_IDS})`, batched: `post.id IN (${POSTGRES_IDS})` },
  onWalk: {
    // A subquery that gives a value is asked for each post on the way, and never for all of them ahead.
    condition: `(
      (SELECT bool_or(own.${POSTGRES_MATCHES}) FROM posts_search own WHERE own.post_id = post.id)
      OR post.id IN (${POSTGRES_LONG_IDS})
    )`,
    isExact: true,
    valuesOf: (terms) => ({ match: postgresMatch(terms) }),
  },
  merge: undefined,
  sort: CompiledQuery.fromText(`SELECT gin_clean_pending_list('posts_search_by_word')`),
  countUpTo: CompiledQuery.fromText(`
    SELECT count(*) AS "count"
    FROM (SELECT 1 FROM posts_search WHERE ${POSTGRES_MATCHES} LIMIT CAST(:most AS integer)) AS found
  `),
  matchOf: postgresMatch,
};

function postgresMatch({ whole, beginnings }: SearchTerms): string {
  return [...whole.map((term) => `'${term}'`), ...beginnings.map((term) => `'${term}':*`)].join(' & ');
}

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
