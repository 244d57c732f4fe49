import { type Dialect, type Sql, sql } from '../database/index.js';
import { DATE, named, type NamedStatement } from '../posts/statement-catalogue.js';

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

/** The statements of the history, whole, as a database gets them. */
export function statementsOfHistory(dialect: Dialect): NamedStatement[] {
  const { one, several } = revisionInserts(dialect);
  const row = {
    postId: 7,
    lastPostId: 7,
    number: 2,
    action: 'changed',
    at: DATE,
    authorKind: 'api',
    authorName: null,
  };
  const old = { oldTitle: 'Fog', oldPubDate: DATE, oldBody: null };
  const entry = { address: null, subject: null, detail: null, count: null, partOf: null };
  const revision = { ...row, ...old, ...entry };
  return [
    ...named('history: insert a row', one, revision),
    ...named('history: insert rows', several, { rows: JSON.stringify([revision, revision]) }),
  ];
}
