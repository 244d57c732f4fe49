/** A fault of the database. Its message may appear in a response; its cause is only logged. */
export class DatabaseFault extends Error {
  constructor(
    readonly kind: DatabaseFaultKind,
    options?: { cause?: unknown },
  ) {
    super(WORDS[kind], options);
    this.name = 'DatabaseFault';
  }
}

export type DatabaseFaultKind = 'busy' | 'full' | 'read-only' | 'unreachable' | 'unconfirmed' | 'unexpected';

const WORDS: Record<DatabaseFaultKind, string> = {
  busy: 'The database is busy; nothing was changed.',
  full: 'The database has no space left; nothing was changed.',
  'read-only': 'The database accepts no writes at the moment; nothing was changed.',
  unreachable: 'The database cannot be reached.',
  unconfirmed: 'The connection to the database broke during a commit: the change was made, or it was not.',
  unexpected: 'The database refused a statement.',
};
