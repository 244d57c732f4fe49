import { columnOf, type Dialect, joined, raw, type Sql, sql, type SqlValues } from '../../database/index.js';
import { Post } from '../post.entity.js';
import { READ_STATE, type StoredState } from '../posts-state.repository.js';
import type { ListedPosts } from './listed-post.js';
import { type ListField, type NamedFilter, propertyOf, shownFields } from './list-fields.js';
import {
  filtersOf,
  goesDown,
  maxBodyBytes,
  type PageRequest,
  type PostFilter,
  sortKey,
  type SortKeyValues,
} from './post-selection.js';

/** An SQL condition on the table `post`. The text does not depend on the values. */
export interface PostCondition {
  /** Writes the text. Most pages need not: their statement is known. */
  readonly toSql: (write: WriteValue) => Sql;
  readonly values: SqlValues;
}

/** Writes the value with this name, which is compared with the column of the property. */
export type WriteValue = (name: string, property: keyof Post) => Sql;

const writeParameter: WriteValue = (name) => sql`${`:${name}`}`;

/** A statement with its values. */
interface Query<Row> {
  readonly query: Sql<Row>;
  readonly values: SqlValues;
}

/** What a ListedPost has besides its text. */
type PostKey = readonly [
  id: number,
  version: number,
  modified: string,
  bodyBytes: number,
  sortKey: SortKeyValues,
];

/** A page in one row: the state of the collection, and the posts as a text. */
export interface PageRow extends StoredState {
  /**
   * In its first line a {@link PostKey} for each post, in JSON and with commas between them. Then a post a line, as JSON,
   * which writes a line feed as `\n`; an empty line for a post whose body is larger than `maxBodyBytes`.
   */
  readonly page: string;
}

const COLUMNS = {} as Record<keyof Post, Sql>;

/** Looked up once: lists are read often. */
const column = (property: keyof Post): Sql => (COLUMNS[property] ??= raw(`post.${columnOf(Post, property)}`));

/** A column of the sort key. With a unary plus, SQLite does not use its index. */
const sortColumn = ({ sortsMatches }: PageRequest, property: keyof Post): Sql =>
  sortsMatches ? sql`+${column(property)}` : column(property);

/** Writes a text, or null, as JSON. Both functions escape what `JSON.stringify` escapes, in the same form. */
export const quote = ({ name }: Dialect, text: Sql): Sql =>
  name === 'sqlite' ? sql`json_quote(${text})` : sql`coalesce(to_json(${text}), 'null')`;

/** The texts of all rows. The rows come sorted from a subquery, and are concatenated in this order. */
const concatenated = ({ name }: Dialect, text: Sql): Sql =>
  name === 'sqlite' ? sql`group_concat(${text})` : sql`string_agg(${text})`;

/** The value of a field as JSON, in the form of `PostDto`. */
function valueOf(dialect: Dialect, field: ListField): Sql {
  if (field === 'id') return column('id');
  if (field === 'etag') return sql`'"\\"' || post.id || '-' || post.version || '\\""'`;
  // Its digits after the milliseconds are not part of it: see formatTime().
  if (field === 'modified') return sql`'"' || substr(post.modified, 1, 23) || 'Z"'`;
  // Only its end can be 000Z: three digits less, as in pub-date.ts.
  if (field === 'pub_date') return sql`'"' || replace(${column('pubDate')}, '000Z', 'Z') || '"'`;
  return quote(dialect, column(propertyOf(field)));
}

/** A post with these fields as the text that `JSON.stringify` would write. Measured, `format` takes twice as long. */
function jsonOf(dialect: Dialect, fields: readonly ListField[]): Sql {
  const parts = fields.flatMap((field, index) => [
    raw(`'${index === 0 ? '{' : ','}"${field}":'`),
    valueOf(dialect, field),
  ]);
  return sql`concat(${joined(parts, ', ')}, '}')`;
}

/** @param selected the conditions, the order and the limit */
function pageText(dialect: Dialect, sorted: keyof Post, fields: readonly ListField[], selected: Sql): Sql {
  // SQLite and PostgreSQL know the size of a text without reading it.
  const hasBody = fields.includes('body');
  const bytes = hasBody ? sql`octet_length(post.body)` : sql`0`;
  const sortedBy = sorted === 'id' ? raw(`''`) : sql`${quote(dialect, column(sorted))}, ','`;
  const key = sql`concat('[', post.id, ',', post.version, ',"', post.modified, '",', ${bytes}, ',[', ${sortedBy}, post.id, ']]')`;
  let json = jsonOf(dialect, fields);
  if (hasBody) json = sql`CASE WHEN ${bytes} <= ${':maxBodyBytes'} THEN ${json} ELSE '' END`;
  return sql`(
    SELECT concat(${concatenated(dialect, sql`key, ','`)}, '\n', ${concatenated(dialect, sql`post, '\n'`)})
    FROM (SELECT ${key} AS key, ${json} AS post FROM posts post WHERE ${selected}) AS lines
  )`;
}

export function readPage({ page, ...state }: PageRow): ListedPosts {
  const [keys, ...texts] = page.split('\n');
  const found = (JSON.parse(`[${keys}]`) as PostKey[]).map(
    ([id, version, modified, bodyBytes, key], index) => ({
      id,
      version,
      modified,
      bodyBytes,
      sortKey: key,
      json: texts[index]!,
    }),
  );
  return { posts: found, state };
}

/** @param condition also holds for the posts */
export function pageQuery(dialect: Dialect, page: PageRequest, condition?: PostCondition): Query<PageRow> {
  const { offset = 0, rows } = page;
  const conditions = [...pageConditions(dialect, page), ...(condition ? [condition] : [])];
  // SQLite prepares a statement again for each value of a plain limit.
  const limit = sql`LIMIT (${':rows'} + 0)`;
  const end = offset > 0 ? sql`${limit} OFFSET ${':offset'}` : limit;
  const text = writePage(dialect, page, allOf(conditions), end);
  return {
    query: sql<PageRow>`SELECT state.*, ${text} AS "page" FROM (${READ_STATE}) AS state`,
    values: { rows, offset, maxBodyBytes: maxBodyBytes(page), ...valuesOf(conditions) },
  };
}

/** The filters that a statement needs for a page. */
export function unimpliedFilters(page: PageRequest): readonly NamedFilter[] {
  return filtersOf(page.filter).filter((each) => !isImplied(each, page));
}

/** The conditions of a page, without a search. */
export function pageConditions(dialect: Dialect, page: PageRequest): PostCondition[] {
  return [...conditionsOf(dialect, page.filter, unimpliedFilters(page)), ...boundsOf(page)];
}

/** The text of {@link PageRow.page}. @param end the limit, and the offset */
export function writePage(dialect: Dialect, page: PageRequest, where: Sql, end: Sql): Sql {
  const { ordering, fields } = page;
  const key = sortKey(ordering);
  const order = key.map((each) => sql`${sortColumn(page, each)} ${raw(goesDown(page) ? 'DESC' : 'ASC')}`);
  return pageText(dialect, key[0], shownFields(fields), sql`${where} ORDER BY ${joined(order, ', ')} ${end}`);
}

/** Up to this many posts are sorted in some milliseconds. */
const FEW_POSTS = 2_000;

/** Whether few posts match the ranges that are not in the order of the list; undefined without such ranges. */
export function fewQuery(
  dialect: Dialect,
  { filter, ordering }: PageRequest,
): Query<{ areFew: number }> | undefined {
  const [first] = sortKey(ordering);
  const ranges = filtersOf(filter).filter(
    ({ property, operator }) => (operator === '>=' || operator === '<') && property !== first,
  );
  if (ranges.length === 0) return undefined;
  const where = conditionsOf(dialect, filter, ranges);
  return {
    query: sql<{ areFew: number }>`SELECT count(*) < ${raw(String(FEW_POSTS))} AS "areFew"
      FROM (SELECT 1 FROM posts post WHERE ${allOf(where)} LIMIT ${raw(String(FEW_POSTS))}) AS found`,
    values: valuesOf(where),
  };
}

export function countQuery(
  dialect: Dialect,
  filter: PostFilter,
  condition?: PostCondition,
): Query<{ count: number }> {
  const where = [...conditionsOf(dialect, filter), ...(condition ? [condition] : [])];
  return {
    query: sql<{ count: number }>`SELECT count(*) AS "count" FROM posts post WHERE ${allOf(where)}`,
    values: valuesOf(where),
  };
}

export function allOf(conditions: readonly PostCondition[], write = writeParameter): Sql {
  return joined([sql`TRUE`, ...conditions.map((each) => each.toSql(write))], ' AND ');
}

export function valuesOf(conditions: readonly PostCondition[]): SqlValues {
  return Object.assign({}, ...conditions.map(({ values }) => values)) as SqlValues;
}

function conditionsOf(dialect: Dialect, filter: PostFilter, filters = filtersOf(filter)): PostCondition[] {
  return filters.map(({ name, property, operator }) => {
    const value = filter[name]!;
    // One value for any number of ids, so that all of them share one statement.
    return {
      toSql: (write) =>
        operator === 'in'
          ? sql`${column(property)} ${dialect.isOneOf(`:${name}`)}`
          : sql`${column(property)} ${raw(operator)} ${write(name, property)}`,
      values: { [name]: typeof value === 'string' ? value : JSON.stringify(value) },
    };
  });
}

/**
 * Whether a bound of the section implies the filter, because it is the key of a post that matches. With two conditions on
 * one side, a database starts at the first one and scans all posts up to the second one.
 */
function isImplied({ property, operator }: NamedFilter, page: PageRequest): boolean {
  if ((operator !== '>=' && operator !== '<') || property !== sortKey(page.ordering)[0]) return false;
  const isStart = (operator === '>=') !== goesDown(page);
  return ((isStart ? page.after : page.until) ?? []).length > 0;
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
    const nameOf = (property: keyof Post): string => `${name}_${property}`;
    const toSql = (write: WriteValue): Sql => {
      const sign = goesDown(page) === (name === 'after') ? '<' : '>';
      const columns = joined(
        bounded.map((property) => sortColumn(page, property)),
        ', ',
      );
      const values = bounded.map((property) => write(nameOf(property), property));
      return sql`(${columns}) ${raw(sign)} (${joined(values, ', ')})`;
    };
    return [
      {
        toSql,
        values: Object.fromEntries(bounded.map((property, index) => [nameOf(property), bound[index]!])),
      },
    ];
  });
}
