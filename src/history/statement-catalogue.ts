import type { Dialect } from '../database/index.js';
import { named, type NamedStatement, POST } from '../posts/statement-catalogue.js';
import { ANONYMOUS } from '../users/user.js';
import { revisionRow } from './post-revision.entity.js';
import { revisionInserts } from './post-revisions.sql.js';

/** The statements of the history, whole, as a database gets them. */
export function statementCatalogue(dialect: Dialect): NamedStatement[] {
  const { one, several } = revisionInserts(dialect);
  const revision = revisionRow('changed', ANONYMOUS, POST.id, POST.version, POST);
  return [
    ...named('history: insert a row', one, revision),
    ...named('history: insert rows', several, { rows: JSON.stringify([revision, revision]) }),
  ];
}
