import type { Sql } from './sql.js';

interface FaultOptions {
  readonly cause?: unknown;
  /** The statement that failed. */
  readonly query?: Sql | undefined;
  /** The unique index that has the value already. */
  readonly index?: string | undefined;
}

/** A fault of the database. Its message may appear in a response; everything else is only logged. */
export class DatabaseFault extends Error {
  /** The text of the statement that failed, without its values. */
  readonly sql?: string;
  /** The name of the unique index that a `duplicate` violates. */
  readonly index?: string;
  /** The only row that the statement would have stored, for a `duplicate`. */
  row?: object | undefined;
  /** The stack of the code that sent the statement, where nothing awaited it. */
  sentBy?: string | undefined;

  constructor(
    readonly kind: DatabaseFaultKind,
    { query, index, ...options }: FaultOptions = {},
  ) {
    super(WORDS[kind], options);
    this.name = 'DatabaseFault';
    if (query) this.sql = query.text.trim();
    if (index !== undefined) this.index = index;
  }
}

export type DatabaseFaultKind =
  'busy' | 'duplicate' | 'full' | 'read-only' | 'replaced' | 'unreachable' | 'unconfirmed' | 'unexpected';

const WORDS: Record<DatabaseFaultKind, string> = {
  busy: 'The database is busy; nothing was changed.',
  duplicate: 'Another row has the value, which must be unique; nothing was changed.',
  full: 'The database has no space left; nothing was changed.',
  'read-only': 'The database accepts no writes at the moment; nothing was changed.',
  replaced: 'The file of the database was removed or replaced; nothing was changed.',
  unreachable: 'The database cannot be reached.',
  unconfirmed: 'The connection to the database broke during a commit: the change was made, or it was not.',
  unexpected: 'The database refused a statement.',
};
