import { DatabaseFault, type DatabaseFaultKind } from '../database-fault.js';
import type { Sql } from '../sql.js';

/** A fault of PostgreSQL or of the connection to it. */
export class PostgresFault extends DatabaseFault {
  constructor(
    kind: DatabaseFaultKind,
    /** Whether a retry over another connection may succeed at once. It does not mean that a retry is safe. */
    readonly isTransient: boolean,
    /** Whether the connection is unusable after this fault. */
    readonly breaksConnection: boolean,
    cause: unknown,
    query?: Sql,
    index?: string,
  ) {
    super(kind, { cause, query, index });
  }
}

/** SQLSTATE codes or their classes (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const KINDS: Readonly<Record<string, DatabaseFaultKind>> = {
  '08': 'unreachable',
  '23505': 'duplicate',
  '25006': 'read-only',
  '28': 'unreachable',
  '3D': 'unreachable',
  '40': 'busy',
  '53': 'busy',
  '53100': 'full',
  '55P03': 'busy',
  '57014': 'busy',
  '57P': 'unreachable',
  '58': 'unreachable',
};

/**
 * A serialization failure, a deadlock, a server that has become a standby (the next connection may reach the new
 * primary), and a server that is shutting down (the next connection may reach it after its restart).
 */
const TRANSIENT = new Set(['40001', '40P01', '25006', '57P01', '57P02', 'ECONNRESET', 'EPIPE']);

/** pg's messages, which have no code, for an open connection that was lost. */
const LOST = /^(Connection terminated|Client has encountered a connection error|Client was closed)/;
/** pg-pool's message when no connection becomes free in time. */
const NONE_FREE = 'timeout exceeded when trying to connect';

/** Translates everything that pg throws. No other code does. */
export function postgresFault(thrown: unknown, query?: Sql): PostgresFault {
  if (thrown instanceof PostgresFault) return thrown;
  const {
    code = '',
    message = '',
    severity,
    constraint,
  } = thrown as { code?: string; message?: string; severity?: string; constraint?: string };
  if (severity === undefined) {
    const kind = message === NONE_FREE ? 'busy' : 'unreachable';
    // A connect timeout is also reported as "terminated", and a retry would take as long again.
    const isLost = LOST.test(message) && !message.includes('timeout');
    return new PostgresFault(kind, isLost || TRANSIENT.has(code), true, thrown, query);
  }
  const kind = KINDS[code] ?? KINDS[code.slice(0, 3)] ?? KINDS[code.slice(0, 2)] ?? 'unexpected';
  const breaksConnection = severity !== 'ERROR' || code === '25006';
  return new PostgresFault(kind, TRANSIENT.has(code), breaksConnection, thrown, query, constraint);
}

/**
 * Refused or unreachable, a host name that does not exist (yet: a container's name appears with the container), a
 * server that is not ready (57P03, cannot_connect_now), or one without a free connection (53300).
 */
const NOT_THERE =
  /^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOENT|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|57P03|53300)$/;

/** @param cause what pg has thrown @returns whether the server may still be starting. A wrong password or certificate stays wrong. */
export function isStarting(cause: unknown): boolean {
  const { code = '', message = '' } = cause as { code?: string; message?: string };
  return NOT_THERE.test(code) || LOST.test(message);
}
