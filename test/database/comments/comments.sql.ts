import { type Dialect, type RowStatements, sql } from '../../../src/database/index.js';
import type { Comment } from './comment.entity.js';

const COLUMNS = sql`id AS "id", post_id AS "postId", slug AS "slug", text AS "text", version AS "version"`;
const RETURNING = sql`RETURNING example_comments.id AS "id"`;

/** Reads, locks and changes comments. None is large, so "small" ones are all. */
export function commentStatements(dialect: Dialect): RowStatements<Comment> {
  const areAsked = sql`example_comments.id ${dialect.isOneOf(':ids')}`;
  const forUpdate = sql.raw(dialect.forUpdate);
  return {
    find: sql<Comment>`SELECT ${COLUMNS} FROM example_comments WHERE id = ${':id'}`,
    findSmall: sql<Comment>`SELECT ${COLUMNS} FROM example_comments WHERE ${areAsked}`,
    findVersions: sql<
      Pick<Comment, 'id' | 'version'>
    >`SELECT id AS "id", version AS "version" FROM example_comments WHERE ${areAsked}`,
    lock: sql<Comment>`SELECT ${COLUMNS} FROM example_comments WHERE id = ${':id'} ${forUpdate}`,
    lockSmall: sql<Comment>`SELECT ${COLUMNS} FROM example_comments WHERE ${areAsked} ORDER BY example_comments.id ${forUpdate}`,
    lockSmallAndFree: sql<Comment>`
      SELECT ${COLUMNS} FROM example_comments WHERE ${areAsked} ${sql.raw(dialect.forUpdateOfUnlocked)}`,
    insert: {
      one: sql<Partial<Comment>>`
        INSERT INTO example_comments (post_id, slug, text, version)
        VALUES (${':postId'}, ${':slug'}, ${':text'}, ${':version'})
        ${RETURNING}`,
      several: sql<Partial<Comment>>`
        INSERT INTO example_comments (post_id, slug, text, version)
        SELECT CAST(value ->> 'postId' AS bigint), value ->> 'slug', value ->> 'text', CAST(value ->> 'version' AS bigint)
        FROM ${dialect.elementsInOrder(':rows')}
        ${RETURNING}`,
    },
    replace: {
      one: dialect.checked(sql<Partial<Comment>>`
        UPDATE example_comments SET slug = ${':slug'}, text = ${':text'}, version = ${':version'}
        WHERE example_comments.id = ${':id'} AND example_comments.version = ${':version'} - 1
        ${RETURNING}`),
      several: dialect.checked(sql<Partial<Comment>>`
        UPDATE example_comments SET
          slug = value ->> 'slug', text = value ->> 'text', version = CAST(value ->> 'version' AS bigint)
        FROM ${dialect.elementsOf(':rows')}
        WHERE example_comments.id = CAST(value ->> 'id' AS bigint)
          AND example_comments.version = CAST(value ->> 'version' AS bigint) - 1
        ${RETURNING}`),
    },
    remove: dialect.checked(
      sql<Partial<Comment>>`DELETE FROM example_comments WHERE ${areAsked} ${RETURNING}`,
    ),
  };
}
