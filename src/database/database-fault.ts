import type { CompiledQuery } from './compiled-query.js';

interface FaultOptions {
  readonly cause?: unknown;
  /** The statement that failed. */
  readonly query?: CompiledQuery | undefined;
}

/** A fault of the database. Its message may appear in a response; everything else is only logged. */
export class DatabaseFault extends Error {
  /** The text of the statement that failed, without its values, and where the service has made it. */
  readonly sql?: string;
  readonly queryMadeAt?: string;

  constructor(
    readonly kind: DatabaseFaultKind,
    { query, ...options }: FaultOptions = {},
  ) {
    super(WORDS[kind], options);
    this.name = 'DatabaseFault';
    if (!query) return;
    this.sql = query.sql;
    if (query.madeAt !== undefined) this.queryMadeAt = query.madeAt;
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
