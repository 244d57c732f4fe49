import { DatabaseFault, type DatabaseFaultKind } from '../database-fault.js';

const KINDS: Readonly<Record<string, DatabaseFaultKind>> = {
  SQLITE_BUSY: 'busy',
  SQLITE_LOCKED: 'busy',
  SQLITE_FULL: 'full',
  SQLITE_IOERR: 'unreachable',
  SQLITE_CANTOPEN: 'unreachable',
  SQLITE_READONLY: 'unreachable',
  SQLITE_CORRUPT: 'unreachable',
  SQLITE_NOTADB: 'unreachable',
};

/** The one translation of SQLite's result codes (https://sqlite.org/rescode.html). */
export function sqliteFault(cause: Error & { code?: string }): DatabaseFault {
  return new DatabaseFault(KINDS[cause.code ?? ''] ?? 'unexpected', { cause });
}
