import { type Dialect, type Sql, sql } from '../database/index.js';

/** The statements that add rows to the history: one, whose old texts may be long, or several as `:rows`. */
export interface RevisionInserts {
  readonly one: Sql;
  /** `:rows` is an array of objects in JSON, with the properties of a PostRevision. */
  readonly several: Sql;
}

/** The history grows with every change of a post, so its rows are written without TypeORM. */
export function revisionInserts(dialect: Dialect): RevisionInserts {
  return {
    one: sql`
      INSERT INTO post_revisions (
        post_id, last_post_id, number, action, at, author_kind, author_name,
        old_title, old_pub_date, old_body, address, subject, detail, count, part_of
      ) VALUES (
        ${':postId'}, ${':lastPostId'}, ${':number'}, ${':action'}, ${':at'}, ${':authorKind'}, ${':authorName'},
        ${':oldTitle'}, ${':oldPubDate'}, ${':oldBody'}, ${':address'}, ${':subject'}, ${':detail'}, ${':count'}, ${':partOf'}
      )`,
    several: sql`
      INSERT INTO post_revisions (
        post_id, last_post_id, number, action, at, author_kind, author_name,
        old_title, old_pub_date, old_body, address, subject, detail, count, part_of
      )
      SELECT
        CAST(value ->> 'postId' AS bigint), CAST(value ->> 'lastPostId' AS bigint), CAST(value ->> 'number' AS bigint),
        value ->> 'action', value ->> 'at', value ->> 'authorKind', value ->> 'authorName',
        value ->> 'oldTitle', value ->> 'oldPubDate', value ->> 'oldBody', value ->> 'address', value ->> 'subject',
        value ->> 'detail', CAST(value ->> 'count' AS bigint), CAST(value ->> 'partOf' AS bigint)
      FROM ${dialect.elementsInOrder(':rows')}`,
  };
}
