import {
  type Dialect,
  raw,
  type RowStatements,
  type Sql,
  sql,
  type VersionedRow,
} from '../database/index.js';
import { LARGE_BODY_BYTES } from './lists/post-pages.repository.js';
import type { Post } from './post.entity.js';

/*
 * The statements of posts. What differs between the databases is a named piece of the dialect. Statements of several rows
 * take them as one value `:rows`, an array of objects in JSON with the properties of a Post:
 *
 *     [{"id": 7, "title": "Fog", "pubDate": "2026-11-20T14:40:00.000000Z", "body": "…", "version": 2, …}, …]
 */

/** SQL as a condition, an expression or the end of a statement. */
type Piece = Sql;

/** The columns of a row, by the names of the properties of a Post. */
const COLUMNS: Piece = sql`
  id AS "id", title AS "title", pub_date AS "pubDate", body AS "body", version AS "version", modified AS "modified"`;

/** Large posts are read and changed alone. The length is stored before the text, so a large text is not read. */
const IS_SMALL: Piece = sql`octet_length(posts.body) <= ${raw(String(LARGE_BODY_BYTES))}`;

/** What the database has set. */
const RETURNING: Piece = sql`RETURNING posts.id AS "id", posts.modified AS "modified"`;

/** Reads, locks and changes single posts, or several by their ids. */
export function postStatements(dialect: Dialect): RowStatements<Post> {
  const areAsked: Piece = sql`posts.id ${dialect.isOneOf(':ids')}`;
  const forUpdate: Piece = raw(dialect.forUpdate);
  const forUpdateOfUnlocked: Piece = raw(dialect.forUpdateOfUnlocked);

  // The time of a change that is made now. It never precedes the time of an earlier change, even if the clock was set
  // back. Times come from the database's clock, which all instances share, and have milliseconds.
  const changeTime: Piece = sql`(
    SELECT max(time) FROM (SELECT ${raw(dialect.changeClock)} AS time UNION ALL SELECT modified FROM posts_counters) AS times
  )`;

  return {
    find: sql<Post>`SELECT ${COLUMNS} FROM posts WHERE id = ${':id'}`,

    findSmall: sql<Post>`SELECT ${COLUMNS} FROM posts WHERE ${areAsked} AND ${IS_SMALL}`,

    findVersions: sql<VersionedRow>`SELECT id AS "id", version AS "version" FROM posts WHERE ${areAsked}`,

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
        INSERT INTO posts (id, title, pub_date, body, version, modified) ${raw(dialect.overridingIds)}
        VALUES (${':id'}, ${':title'}, ${':pubDate'}, ${':body'}, ${':version'}, ${changeTime})
        ${RETURNING}`,
      several: sql<Partial<Post>>`
        INSERT INTO posts (id, title, pub_date, body, version, modified) ${raw(dialect.overridingIds)}
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
