import type { Dialect } from '../database/index.js';
import { DATE, named, type NamedStatement } from '../posts/statement-catalogue.js';
import { revisionInserts } from './post-revisions.sql.js';

/** The statements of the history, whole, as a database gets them. */
export function statementCatalogue(dialect: Dialect): NamedStatement[] {
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
