import { DatabaseFault, type DatabaseFaultKind } from '../database-fault.js';

/** A fault of PostgreSQL, or of the way to it. */
export class PostgresFault extends DatabaseFault {
  constructor(
    kind: DatabaseFaultKind,
    /** Whether the same again may succeed at once, over another connection. It does not say that this would be safe. */
    readonly isTransient: boolean,
    /** Whether the connection can still be used. */
    readonly breaksConnection: boolean,
    cause: unknown,
  ) {
    super(kind, { cause });
  }
}

/** SQLSTATEs (https://www.postgresql.org/docs/current/errcodes-appendix.html), or their classes. */
const KINDS: Readonly<Record<string, DatabaseFaultKind>> = {
  '08': 'unreachable',
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
 * A serialization failure, a deadlock; a server that has become a standby (the next connection may lead to its
 * successor), and one that is shutting down (the next connection may lead to one that has restarted).
 */
const TRANSIENT = new Set(['40001', '40P01', '25006', '57P01', '57P02', 'ECONNRESET', 'EPIPE']);

/** What pg says, without a code, of a connection that was open and is no more. */
const LOST = /^(Connection terminated|Client has encountered a connection error|Client was closed)/;
/** What pg-pool says when all connections are in use and none came back in time. */
const NONE_FREE = 'timeout exceeded when trying to connect';

/** The one translation of what pg throws. */
export function postgresFault(thrown: unknown): PostgresFault {
  if (thrown instanceof PostgresFault) return thrown;
  const {
    code = '',
    message = '',
    severity,
  } = thrown as { code?: string; message?: string; severity?: string };
  if (severity === undefined) {
    const kind = message === NONE_FREE ? 'busy' : 'unreachable';
    // An attempt to connect that took too long is "terminated" too, and would take as long again.
    const isLost = LOST.test(message) && !message.includes('timeout');
    return new PostgresFault(kind, isLost || TRANSIENT.has(code), true, thrown);
  }
  const kind = KINDS[code] ?? KINDS[code.slice(0, 3)] ?? KINDS[code.slice(0, 2)] ?? 'unexpected';
  const breaksConnection = severity !== 'ERROR' || code === '25006';
  return new PostgresFault(kind, TRANSIENT.has(code), breaksConnection, thrown);
}

/** What our own client says of a server that takes no writes; see postgres-targets.ts. */
export const READ_ONLY_SERVER = 'no server takes writes';

/** Nobody there, no such name (yet: it is given with the container), one that is not ready (cannot_connect_now), or has no free connection. */
const NOT_THERE = new Set(
  'ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH ENOENT ENOTFOUND EAI_AGAIN ETIMEDOUT 57P03 53300'.split(
    ' ',
  ),
);

/** What poolers say of it, and pg-pool. */
const NO_FREE = /no more connections allowed|timeout exceeded when trying to connect/;

/** Tells whether the server may only have to start; a wrong password or certificate stays wrong. */
export function isStarting({ cause }: PostgresFault): boolean {
  const { code = '', message = '' } = cause as { code?: string; message?: string };
  return NOT_THERE.has(code) || LOST.test(message) || message === READ_ONLY_SERVER || NO_FREE.test(message);
}
