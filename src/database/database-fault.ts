import type { Sql } from './sql.js';

interface FaultOptions {
  readonly cause?: unknown;
  /** The statement that failed. */
  readonly query?: Sql | undefined;
}

/** A fault of the database. Its message may appear in a response; everything else is only logged. */
export class DatabaseFault extends Error {
  /** The text of the statement that failed, without its values. */
  readonly sql?: string;
  /** The stack of the code that sent the statement, where nothing awaited it. */
  sentBy?: string | undefined;

  constructor(
    readonly kind: DatabaseFaultKind,
    { query, ...options }: FaultOptions = {},
  ) {
    super(WORDS[kind], options);
    this.name = 'DatabaseFault';
    if (query) this.sql = query.text;
  }
}

export type DatabaseFaultKind =
  'busy' | 'full' | 'read-only' | 'replaced' | 'unreachable' | 'unconfirmed' | 'unexpected';

const WORDS: Record<DatabaseFaultKind, string> = {
  busy: 'The database is busy; nothing was changed.',
  full: 'The database has no space left; nothing was changed.',
  'read-only': 'The database accepts no writes at the moment; nothing was changed.',
  replaced: 'The file of the database was removed or replaced; nothing was changed.',
  unreachable: 'The database cannot be reached.',
  unconfirmed: 'The connection to the database broke during a commit: the change was made, or it was not.',
  unexpected: 'The database refused a statement.',
};
