import { type Dialect, type RowStatements, type Sql, sql } from '../database/index.js';
import type { ListField } from './lists/list-fields.js';
import { LARGE_BODY_BYTES, type Post } from './post.entity.js';

/*
 * The statements of posts: single ones, then lists. `:name` stands for a value. What differs between the databases is a
 * named piece, and so is what differs between lists: their conditions and their order. docs/develop/statements.md has the
 * statements as the databases get them, with their plans. Those that write several rows take them as one value `:rows`, an
 * array of objects in JSON with the properties of a Post:
 *
 *     [{"id": 7, "title": "Fog", "pubDate": "2026-11-20T14:40:00.000000Z", "body": "…", "version": 2, …}, …]
 */

/** SQL as a condition, an expression or the end of a statement. */
type Piece = Sql;

/** The columns of a row, by the names of the properties of a Post. */
const COLUMNS: Piece = sql`
  id AS "id", title AS "title", pub_date AS "pubDate", body AS "body", version AS "version", modified AS "modified"`;

/** Large posts are read and changed alone. The length is stored before the text, so a large text is not read. */
const IS_SMALL: Piece = sql`octet_length(posts.body) <= ${sql.raw(String(LARGE_BODY_BYTES))}`;

/** What the database has set. */
const RETURNING: Piece = sql`RETURNING posts.id AS "id", posts.modified AS "modified"`;

/** Reads, locks and changes single posts, or several by their ids. */
export function postStatements(dialect: Dialect): RowStatements<Post> {
  const areAsked: Piece = sql`posts.id ${dialect.isOneOf(':ids')}`;
  const forUpdate: Piece = sql.raw(dialect.forUpdate);
  const forUpdateOfUnlocked: Piece = sql.raw(dialect.forUpdateOfUnlocked);

  // The time of a change that is made now. It never precedes the time of an earlier change, even if the clock was set
  // back. Times come from the database's clock, which all instances share, and have milliseconds.
  const changeTime: Piece = sql`(
    SELECT max(time) FROM (SELECT ${sql.raw(dialect.changeClock)} AS time UNION ALL SELECT modified FROM posts_counters) AS times
  )`;

  return {
    find: sql<Post>`SELECT ${COLUMNS} FROM posts WHERE id = ${':id'}`,

    findSmall: sql<Post>`SELECT ${COLUMNS} FROM posts WHERE ${areAsked} AND ${IS_SMALL}`,

    findVersions: sql<
      Pick<Post, 'id' | 'version'>
    >`SELECT id AS "id", version AS "version" FROM posts WHERE ${areAsked}`,

    lock: sql<Post>`SELECT ${COLUMNS} FROM posts WHERE id = ${':id'} ${forUpdate}`,

    lockSmall: sql<Post>`SELECT ${COLUMNS} FROM posts WHERE ${areAsked} AND ${IS_SMALL} ORDER BY posts.id ${forUpdate}`,

    lockSmallAndFree: sql<Post>`SELECT ${COLUMNS} FROM posts WHERE ${areAsked} AND ${IS_SMALL} ${forUpdateOfUnlocked}`,

    insert: {
      one: sql<Partial<Post>>`
        INSERT INTO posts (title, pub_date, body, version, modified)
        VALUES (${':title'}, ${':pubDate'}, ${':body'}, ${':version'}, ${changeTime})
        ${RETURNING}`,
      several: sql<Partial<Post>>`
        INSERT INTO posts (title, pub_date, body, version, modified)
        SELECT value ->> 'title', value ->> 'pubDate', value ->> 'body', CAST(value ->> 'version' AS bigint), ${changeTime}
        FROM ${dialect.elementsInOrder(':rows')}
        ${RETURNING}`,
    },

    restore: {
      one: sql<Partial<Post>>`
        INSERT INTO posts (id, title, pub_date, body, version, modified) ${sql.raw(dialect.overridingIds)}
        VALUES (${':id'}, ${':title'}, ${':pubDate'}, ${':body'}, ${':version'}, ${changeTime})
        ${RETURNING}`,
      several: sql<Partial<Post>>`
        INSERT INTO posts (id, title, pub_date, body, version, modified) ${sql.raw(dialect.overridingIds)}
        SELECT CAST(value ->> 'id' AS bigint), value ->> 'title', value ->> 'pubDate', value ->> 'body',
          CAST(value ->> 'version' AS bigint), ${changeTime}
        FROM ${dialect.elementsOf(':rows')}
        ${RETURNING}`,
    },

    replace: {
      one: dialect.checked(sql<Partial<Post>>`
        UPDATE posts SET
          title = ${':title'}, pub_date = ${':pubDate'}, body = ${':body'}, version = ${':version'},
          modified = ${changeTime}
        WHERE posts.id = ${':id'} AND posts.version = ${':version'} - 1
        ${RETURNING}`),
      several: dialect.checked(sql<Partial<Post>>`
        UPDATE posts SET
          title = value ->> 'title', pub_date = value ->> 'pubDate', body = value ->> 'body',
          version = CAST(value ->> 'version' AS bigint), modified = ${changeTime}
        FROM ${dialect.elementsOf(':rows')}
        WHERE posts.id = CAST(value ->> 'id' AS bigint)
          AND posts.version = CAST(value ->> 'version' AS bigint) - 1
        ${RETURNING}`),
    },

    remove: dialect.checked(sql<Partial<Post>>`
      DELETE FROM posts WHERE ${areAsked} RETURNING posts.id AS "id"`),
  };
}

/** The columns of a post, as conditions and orders name them. */
export const POST_COLUMNS: Readonly<Record<keyof Post, Piece>> = {
  id: sql`post.id`,
  title: sql`post.title`,
  pubDate: sql`post.pub_date`,
  body: sql`post.body`,
  version: sql`post.version`,
  modified: sql`post.modified`,
};

/** The state of the whole collection, as the database has it. */
export interface StoredState {
  readonly count: number;
  /** Increases with every change of any post. */
  readonly changes: number;
  /** Identifies this collection globally and permanently: 32 hexadecimal digits. */
  readonly feedId: string;
  /** The time of the last change; see writes/post-writes.repository.ts. */
  readonly modified: string;
}

/**
 *     count | changes | modified                    | feedId
 *     50000 | 50713   | 2026-11-20T14:40:00.123000Z | 3f0c5d0e6c1b4c6e9a570d7a0e1b8f11
 */
export const READ_STATE = sql<StoredState>`
  SELECT
    CAST(sum(posts) AS bigint) AS "count",
    CAST(sum(changes) AS bigint) AS "changes",
    max(modified) AS "modified",
    (SELECT feed_id FROM posts_state) AS "feedId"
  FROM posts_counters`;

/** Both grow with every change of any post. */
export const READ_CHANGES = sql<Pick<StoredState, 'changes' | 'modified'>>`
  SELECT CAST(sum(changes) AS bigint) AS "changes", max(modified) AS "modified" FROM posts_counters`;

/** On PostgreSQL: all changes before this time are visible to queries that begin after this one. In the form of dates. */
export const READ_HORIZON = sql<{ horizon: string }>`SELECT posts_horizon() AS "horizon"`;

/** What selects the posts of a page. */
export interface PageParts {
  /** Conditions on `post`. */
  readonly where: Sql;
  /** The columns of the walk with their directions; the last is the id. */
  readonly order: Sql;
  /** The same for a walk against the order of the list: the order of the list. Otherwise undefined. */
  readonly listOrder: Sql | undefined;
  /** See PageRequest. */
  readonly inIndexOrder: boolean | undefined;
  /** The column by which the list is sorted, besides the id. */
  readonly sorted: 'title' | 'pubDate' | 'modified' | undefined;
  /** The fields of a post to write, in their order. */
  readonly fields: readonly ListField[];
  /** How many posts are found, and how many of them are on the page. */
  readonly rows: Sql;
  readonly shownRows: Sql;
  /** Whether the post behind the page is found, too: there are more rows than are shown. */
  readonly findsNext: boolean;
  /** Goes between two posts. */
  readonly separator: Separator;
}

export type Separator = ',' | '\n';

/**
 * A page of a list, with the state of the collection:
 *
 *     … | place | page                                               | next
 *     … | 0     | [[7,2,"2026-…",31,"2026-…"],[6,1,"2026-…",9,"2026-…"]] | [5,1,"2026-…",12,"2026-…"]
 *       |       | {"id":7,"title":"a",…},{"id":6,"title":"b",…}      |
 */
export interface PageRow extends StoredState {
  /** Which of several pages it is, from 0. */
  readonly place: number;
  /**
   * In the first line a {@link PostKey} for each post, as JSON; then the posts as they are sent, without those whose bodies
   * are above `:maxBodyBytes`. Both are in the order of the list. JSON has no line feed within a text. (Two columns would
   * be two subqueries, which read each post twice: a page takes 10 % longer.)
   *
   * The post behind the page is the last one, where the walk goes on in the order of the list.
   */
  readonly page: string;
  /** The {@link PostKey} of the post behind the page, where the walk goes on against the order of the list; else null. */
  readonly next: string | null;
}

/** A post of a page: its id, its version, the time of its last change, the size of its body, and what the list is sorted by. */
export type PostKey = readonly [
  id: number,
  version: number,
  modified: string,
  bodyBytes: number,
  sorted?: string,
];

/**
 * Reads a page in the order of an index. One walk along the index finds the posts and writes them, so a page costs the
 * same at any depth.
 */
export function indexedPage(dialect: Dialect, page: PageParts): Sql<PageRow> {
  const source = sql`posts post WHERE ${page.where}`;
  return sql<PageRow>`
    SELECT state.*, 0 AS "place",
      ${pageOf(dialect, page, source)} AS "page",
      ${nextOf(dialect, page, source)} AS "next"
    FROM (${READ_STATE}) AS state`;
}

/**
 * Reads several pages of the same kind in the order of an index. `:pages` is a JSON array of the values of each.
 *
 * Gain: with 64 connections, a page takes two thirds of the time of one that is read alone.
 */
export function indexedPages(dialect: Dialect, page: PageParts): Sql<PageRow> {
  const source = sql`posts post WHERE ${page.where}`;
  return sql<PageRow>`
    SELECT state.*, asked.place AS "place",
      ${pageOf(dialect, page, source)} AS "page",
      ${nextOf(dialect, page, source)} AS "next"
    FROM (${READ_STATE}) AS state, ${pieces(dialect).numbered(':pages')} AS asked`;
}

/**
 * Reads any page: first the keys of its posts, then these posts. A database computes what a subquery returns for each
 * row that it sorts or skips: here only ids. (SQLite keeps the tables of a CROSS JOIN in their order.)
 */
export function pageByKeys(dialect: Dialect, page: PageParts): Sql<PageRow> {
  return pageOfFound(dialect, page, page.rows, sql`found CROSS JOIN posts post WHERE post.id = found.id`);
}

/**
 * Reads a page of those of the next posts of the list for which a condition holds that takes long. It is checked for no
 * others, however the database finds the keys of these posts.
 */
export function pageOfChecked(
  dialect: Dialect,
  page: PageParts,
  checked: { readonly rows: Sql; readonly condition: Sql },
): Sql<PageRow> {
  const source = sql`found CROSS JOIN posts post WHERE post.id = found.id AND ${checked.condition}`;
  return pageOfFound(dialect, page, checked.rows, source);
}

/** @param source the posts of the page, from the keys in `found` */
function pageOfFound(dialect: Dialect, page: PageParts, keys: Sql, source: Sql): Sql<PageRow> {
  const matches =
    page.inIndexOrder === false ? pieces(dialect).collected(page.where) : sql`posts post WHERE ${page.where}`;
  return sql<PageRow>`
    SELECT state.*, 0 AS "place", page.*
    FROM (${READ_STATE}) AS state, (
      WITH found AS MATERIALIZED (
        SELECT post.id FROM ${matches} ORDER BY ${page.order} LIMIT ${keys} OFFSET ${':offset'}
      )
      SELECT
        ${pageOf(dialect, page, source)} AS "page",
        ${nextOf(dialect, page, source)} AS "next"
    ) AS page`;
}

/** How many posts match, one by one. */
export function countPosts(where: Sql): Sql<{ count: number }> {
  return sql<{ count: number }>`SELECT count(*) AS "count" FROM posts post WHERE ${where}`;
}

/** Whether fewer than `:most` posts match. */
export function areFewPosts(where: Sql): Sql<{ areFew: number }> {
  return sql<{ areFew: number }>`
    SELECT count(*) < ${':most'} AS "areFew" FROM (SELECT 1 FROM posts post WHERE ${where} LIMIT (${':most'} + 0)) AS found`;
}

function pageOf(dialect: Dialect, page: PageParts, source: Sql): Sql {
  const { concatenated } = pieces(dialect);
  const written = sql`${keyOf(dialect, page)} AS key, ${itemOf(dialect, page)} AS item`;
  const walk = sql`FROM ${source} ORDER BY ${page.order} LIMIT ${page.listOrder ? page.shownRows : page.rows}`;
  const listed = page.listOrder
    ? sql`SELECT ${written} FROM (SELECT post.* ${walk}) AS post ORDER BY ${page.listOrder}`
    : sql`SELECT ${written} ${walk}`;
  const keys = concatenated(sql`listed.key`, ',');
  const items = concatenated(sql`listed.item`, page.separator);
  return sql`(
        SELECT concat('[', ${keys}, ']\n', ${items})
        FROM (
          ${listed}
        ) AS listed
      )`;
}

/**
 * The post behind a page that is read against the order of the list. As a row of the page, it would be the first one, so it is
 * found by a walk of its own.
 */
function nextOf(dialect: Dialect, page: PageParts, source: Sql): Sql {
  if (!page.findsNext || !page.listOrder) return sql`NULL`;
  return sql`(
        SELECT ${keyOf(dialect, page)} FROM ${source} ORDER BY ${page.order} LIMIT 1 OFFSET ${page.shownRows}
      )`;
}

function keyOf(dialect: Dialect, page: PageParts): Sql {
  const sortedBy = page.sorted
    ? sql`, ',', ${pieces(dialect).quoted(POST_COLUMNS[page.sorted])}`
    : sql.raw('');
  return sql`concat('[', post.id, ',', post.version, ',"', post.modified, '",', ${bodyBytes(page)}${sortedBy}, ']')`;
}

/** Both databases know the size of a text without reading it. */
function bodyBytes({ fields }: PageParts): Sql {
  return fields.includes('body') ? sql`octet_length(post.body)` : sql`0`;
}

/** A post as the text that `JSON.stringify` would write. (`format` takes twice as long.) */
function itemOf(dialect: Dialect, page: PageParts): Sql {
  const { quoted } = pieces(dialect);
  const valueOf: Readonly<Record<ListField, Sql>> = {
    id: sql`post.id`,
    title: quoted(sql`post.title`),
    // Only its end can be 000Z: three digits less, as in pub-date.ts.
    pub_date: sql`'"' || replace(post.pub_date, '000Z', 'Z') || '"'`,
    body: quoted(sql`post.body`),
    // Its digits after the milliseconds are not part of it: see formatTime().
    modified: sql`'"' || substr(post.modified, 1, 23) || 'Z"'`,
    etag: sql`'"\\"' || post.id || '-' || post.version || '\\""'`,
  };
  const parts = page.fields.flatMap((field, index) => [
    sql.raw(`'${index === 0 ? '{' : ','}"${field}":'`),
    valueOf[field],
  ]);
  const json = sql`concat(${sql.joined(parts, ', ')}, '}')`;
  return page.fields.includes('body')
    ? sql`CASE WHEN ${bodyBytes(page)} <= ${':maxBodyBytes'} THEN ${json} END`
    : json;
}

/** What differs between the databases. */
interface Pieces {
  /** A text, or null, as JSON. Both functions escape what `JSON.stringify` escapes, in the same form. */
  readonly quoted: (text: Sql) => Sql;
  /** The texts of all rows, in the order in which a subquery returns them; null without rows. */
  readonly concatenated: (text: Sql, separator: Separator) => Sql;
  /** All posts for which a condition holds, to be sorted: the database does not read them in the order of the list. */
  readonly collected: (where: Sql) => Sql;
  /** A column of the list's order, so that its index is not used. */
  readonly unindexed: (column: Sql) => Sql;
  /** A table with the elements of a JSON array: `value`, and their `place` from 0. */
  readonly numbered: (json: `:${string}`) => Sql;
}

const SQLITE: Pieces = {
  quoted: (text) => sql`json_quote(${text})`,
  concatenated: (text, separator) => sql`group_concat(${text}, ${sql.raw(`'${separator}'`)})`,
  collected: (where) => sql`posts post WHERE ${where}`,
  unindexed: (column) => sql`+${column}`,
  numbered: (json) => sql`(SELECT key AS place, value FROM json_each(${json}))`,
};

const POSTGRES: Pieces = {
  quoted: (text) => sql`coalesce(to_json(${text}), 'null')`,
  concatenated: (text, separator) => sql`string_agg(${text}, ${sql.raw(`'${separator}'`)})`,
  // Plans nothing across an OFFSET: above all not for the few rows of the LIMIT behind it.
  collected: (where) => sql`(SELECT post.* FROM posts post WHERE ${where} OFFSET 0) AS post`,
  unindexed: (column) => column,
  numbered: (json) =>
    sql`(SELECT place - 1 AS place, value FROM jsonb_array_elements(CAST(${json} AS jsonb)) WITH ORDINALITY AS element (value, place))`,
};

function pieces({ name }: Dialect): Pieces {
  return name === 'sqlite' ? SQLITE : POSTGRES;
}

/** See {@link Pieces.unindexed}. */
export function unindexed(dialect: Dialect, column: Sql): Sql {
  return pieces(dialect).unindexed(column);
}

/** Writes a text as JSON; see {@link Pieces.quoted}. */
export function quote(dialect: Dialect, text: Sql): Sql {
  return pieces(dialect).quoted(text);
}
