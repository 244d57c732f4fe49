import { CompiledQuery } from '../compiled-query.js';
import type { ReaderConnection } from '../database.js';

/** A place in PostgreSQL's write-ahead log, in bytes from its start: it only grows, and 2^53 of them are never written. */
export type WalPosition = number;

/** About the server, and no table. */
const FLUSHED = CompiledQuery.fromText(
  `SELECT CAST(pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0') AS bigint) AS "position"`,
);

/** The end of what is on the primary's disk: all that was acknowledged to anybody, by whatever instance, is before it. */
export async function flushedPosition(primary: ReaderConnection): Promise<WalPosition> {
  const [row] = await primary.all<{ position: WalPosition }>(FLUSHED);
  return row!.position;
}
