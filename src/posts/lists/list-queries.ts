import type { Dialect } from '../../database/dialect.js';
import { columnOf, joined, raw, type Sql, sql, type SqlValues } from '../../database/sql.js';
import { Post } from '../post.entity.js';
import { POST_FIELDS, type PostField, propertyOf } from './list-fields.js';
import { sortKey } from './post-ordering.js';
import {
  filtersOf,
  goesDown,
  type PageRequest,
  type PostFilter,
  withRangeAsBounds,
} from './post-selection.js';

/** An SQL condition on the table `post`. The text does not depend on the values. */
export interface PostCondition {
  readonly sql: Sql;
  readonly values: SqlValues;
}

interface Query {
  readonly query: Sql;
  readonly values: SqlValues;
}

/**
 * A page in one row: the state of the collection, and the posts in two texts with a line for each. Neither line contains
 * a line feed: JSON writes it as `\n`.
 */
export interface PageRow {
  readonly count: number;
  readonly changes: number;
  readonly modified: string;
  readonly feedId: string;
  /** A PostKey a line (listed-post.ts); null without posts. */
  readonly keys: string | null;
  /** The posts as JSON; an empty line for a post whose body is larger than `maxBodyBytes`. */
  readonly posts: string | null;
}

const COLUMNS = {} as Record<keyof Post, Sql>;

/** Looked up once: lists are read often. */
const column = (property: keyof Post): Sql => (COLUMNS[property] ??= raw(`post.${columnOf(Post, property)}`));

/** Writes a text, or null, as JSON. Both functions escape what `JSON.stringify` escapes, in the same form. */
export const quote = ({ name }: Dialect, text: Sql): Sql =>
  name === 'sqlite' ? sql`json_quote(${text})` : sql`coalesce(to_json(${text}), 'null')`;

/** The texts of all rows as lines. The rows come sorted from a subquery, and are concatenated in this order. */
const lines = ({ name }: Dialect, text: Sql): Sql =>
  name === 'sqlite' ? sql`group_concat(${text}, '\n')` : sql`string_agg(${text}, '\n')`;

/** The value of a field as JSON, in the form of `PostDto`. */
function valueOf(dialect: Dialect, field: PostField): Sql {
  if (field === 'id') return column('id');
  // Only its end can be 000Z: three digits less, as in pub-date.ts.
  if (field === 'pub_date') return sql`'"' || replace(${column('pubDate')}, '000Z', 'Z') || '"'`;
  return quote(dialect, column(propertyOf(field)));
}

/** A post with these fields as the text that `JSON.stringify` would write. Measured, `format` takes twice as long. */
function jsonOf(dialect: Dialect, fields: readonly PostField[]): Sql {
  const parts = fields.flatMap((field, index) => [
    raw(`'${index === 0 ? '{' : ','}"${field}":'`),
    valueOf(dialect, field),
  ]);
  return sql`concat(${joined(parts, ', ')}, '}')`;
}

/** The state of the collection; see PostsState. */
const STATE = sql`
  SELECT CAST(sum(posts) AS bigint) AS "count", CAST(sum(changes) AS bigint) AS "changes",
    max(modified) AS "modified", (SELECT feed_id FROM posts_state) AS "feedId"
  FROM posts_counters`;

/** The beginnings of the statements of pages, which depend on few things, and are long. */
const PAGES = new Map<string, Sql>();

function beginningOf(
  dialect: Dialect,
  sorted: keyof Post,
  fields: readonly PostField[],
  isLimited: boolean,
): Sql {
  const name = [dialect.name, sorted, isLimited, ...fields].join();
  let beginning = PAGES.get(name);
  if (!beginning) PAGES.set(name, (beginning = writeBeginning(dialect, sorted, fields, isLimited)));
  return beginning;
}

function writeBeginning(
  dialect: Dialect,
  sorted: keyof Post,
  fields: readonly PostField[],
  isLimited: boolean,
): Sql {
  // SQLite and PostgreSQL know the size of a text without reading it.
  const bytes = fields.includes('body') ? sql`octet_length(post.body)` : sql`0`;
  const id = sql`'[', post.id, ',', post.version, ',"', post.modified, '",', ${bytes}`;
  const key = sorted === 'id' ? id : sql`${id}, ',', ${quote(dialect, column(sorted))}`;
  let json = jsonOf(dialect, fields);
  if (isLimited) json = sql`CASE WHEN ${bytes} <= ${':maxBodyBytes'} THEN ${json} ELSE '' END`;
  return sql`SELECT * FROM (${STATE}) AS state, (
    SELECT ${lines(dialect, sql`key`)} AS "keys", ${lines(dialect, sql`post`)} AS "posts"
    FROM (SELECT concat(${key}, ']') AS key, ${json} AS post FROM posts post`;
}

/** @param maxBodyBytes of bodies that are read @param condition also holds for the posts */
export function pageQuery(
  dialect: Dialect,
  request: PageRequest,
  maxBodyBytes: number,
  condition?: PostCondition,
): Query {
  const page = withRangeAsBounds(request);
  const { ordering, offset = 0, rows, fields = POST_FIELDS } = page;
  const values: Record<string, number> = { rows };
  const shown = POST_FIELDS.filter((field) => fields.includes(field));
  const isLimited = maxBodyBytes !== Infinity && shown.includes('body');
  if (isLimited) values['maxBodyBytes'] = maxBodyBytes;
  // SQLite prepares a statement again for each value of a plain limit.
  let end = sql`LIMIT (${':rows'} + 0)`;
  if (offset > 0) {
    values['offset'] = offset;
    end = sql`${end} OFFSET ${':offset'}`;
  }
  const where = [...conditionsOf(dialect, page.filter), ...boundsOf(page), ...(condition ? [condition] : [])];
  const key = sortKey(ordering);
  const order = key.map((each) => sql`${column(each)} ${raw(goesDown(page) ? 'DESC' : 'ASC')}`);
  return {
    query: sql`${beginningOf(dialect, key[0], shown, isLimited)}
      WHERE ${allOf(where)} ORDER BY ${joined(order, ', ')} ${end}) AS page) AS lines`,
    values: Object.assign(values, valuesOf(where)),
  };
}

export function countQuery(dialect: Dialect, filter: PostFilter, condition?: PostCondition): Query {
  const where = [...conditionsOf(dialect, filter), ...(condition ? [condition] : [])];
  return {
    query: sql`SELECT count(*) AS "count" FROM posts post WHERE ${allOf(where)}`,
    values: valuesOf(where),
  };
}

function allOf(conditions: readonly PostCondition[]): Sql {
  return joined([sql`TRUE`, ...conditions.map((each) => each.sql)], ' AND ');
}

function valuesOf(conditions: readonly PostCondition[]): SqlValues {
  return Object.assign({}, ...conditions.map(({ values }) => values)) as SqlValues;
}

function conditionsOf(dialect: Dialect, filter: PostFilter): PostCondition[] {
  return filtersOf(filter).map(({ name, property, operator }) => {
    const value = filter[name]!;
    // One value for any number of ids, so that all of them share one statement.
    return {
      sql:
        operator === 'in'
          ? sql`${column(property)} ${dialect.isOneOf(`:${name}`)}`
          : sql`${column(property)} ${raw(operator)} ${`:${name}`}`,
      values: { [name]: typeof value === 'string' ? value : JSON.stringify(value) },
    };
  });
}

/** The start and the end of a section. A row value is compared in the order of the list, and uses the same index. */
function boundsOf(page: PageRequest): PostCondition[] {
  const key = sortKey(page.ordering);
  // Posts filtered by title share their title, and a database that compares it scans all of them.
  const isShared = filtersOf(page.filter).some(
    ({ property, operator }) => property === key[0] && operator === '=',
  );
  const bounded = isShared ? (['id'] as const) : key;
  return (['after', 'until'] as const).flatMap((name) => {
    const bound = page[name]?.slice(-bounded.length) ?? [];
    if (bound.length === 0) return [];
    const names = bounded.map((property) => `${name}_${property}`);
    const sign = goesDown(page) === (name === 'after') ? '<' : '>';
    const columns = joined(bounded.map(column), ', ');
    const values = joined(
      names.map((each) => sql`${`:${each}`}`),
      ', ',
    );
    return [
      {
        sql: sql`(${columns}) ${raw(sign)} (${values})`,
        values: Object.fromEntries(names.map((each, index) => [each, bound[index]!])),
      },
    ];
  });
}
