import { SharedQuery } from '../shared-query.js';
import { type Sql, sql, type SqlValues } from '../sql.js';
import type { ReaderConnection } from '../transaction.js';
import type { PostgresReplica } from './postgres-replica.js';

/**
 * The end of the log on the primary's disk, in bytes from the log's start. Every write that any instance has
 * acknowledged is before it. (TypeORM's query builder cannot write a query without a table.)
 */
const FLUSHED = sql`
  SELECT CAST(pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0') AS bigint) AS "position"
`;

/** How soon the reader notices that a replica is dead, frozen or behind, or usable again. */
const CHECK_INTERVAL_MS = 500;

/**
 * Reads from replicas, and never returns an older state than the primary would.
 *
 * Before a read, the primary is queried for its log position; concurrent reads share this query. A replica runs the
 * read only after it has replayed the log up to that position. So a client that has seen a write acknowledged by any
 * instance never reads an older state. A replica that is dead or behind is skipped, and the primary runs the query.
 */
export class ReplicaReader implements ReaderConnection {
  readonly #position: SharedQuery<number>;
  readonly #timer: NodeJS.Timeout;
  #turn = 0;
  #isChecking = false;

  constructor(
    private readonly primary: ReaderConnection,
    private readonly replicas: readonly PostgresReplica[],
  ) {
    this.#position = new SharedQuery(async () => {
      const [row] = await primary.all<{ position: number }>(FLUSHED);
      return row!.position;
    });
    this.#timer = setInterval(() => void this.#checkAll(), CHECK_INTERVAL_MS);
    void this.#checkAll();
  }

  async all<Row>(query: Sql, values?: SqlValues): Promise<Row[]> {
    const replica = this.#nextUsable();
    if (replica) {
      try {
        return await replica.readAt<Row>(await this.#position.ask(), query, values);
      } catch {
        // A fault of the replica is not reported. The query is retried on the primary, which throws its own.
      }
    }
    return this.primary.all<Row>(query, values);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.replicas.map((replica) => replica.close()));
  }

  #nextUsable(): PostgresReplica | undefined {
    const usable = this.replicas.filter(({ isUsable }) => isUsable);
    this.#turn = (this.#turn + 1) % (usable.length || 1);
    return usable[this.#turn];
  }

  async #checkAll(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      const position = await this.#position.ask();
      await Promise.all(this.replicas.map((replica) => replica.check(position)));
    } catch {
      // Without the primary's position, no replica can be proven up to date.
    } finally {
      this.#isChecking = false;
    }
  }
}
