import { CompiledQuery, type QueryValues } from '../compiled-query.js';
import type { ReaderConnection } from '../database.js';
import type { PostgresReplica } from './postgres-replica.js';

/** How soon a replica that is dead, frozen or behind is noticed, and one that is well again. */
const CHECK_INTERVAL_MS = 500;

/**
 * Reads from replicas what nobody can tell from a read of the primary.
 *
 * Before each read the primary is asked how far it is (one small question for all reads that wait), and a replica answers
 * only once it has replayed all of that. So who has seen a write acknowledged, by any instance, never reads an older
 * state. A replica that is dead or behind is left out, and the primary answers instead.
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
    this.#position = new SharedQuery(() => flushedPosition(primary));
    this.#timer = setInterval(() => void this.#checkAll(), CHECK_INTERVAL_MS);
    void this.#checkAll();
  }

  async all<Row>(query: CompiledQuery, values?: QueryValues): Promise<Row[]> {
    const replica = this.#nextUsable();
    if (replica) {
      try {
        return await replica.readAt<Row>(await this.#position.ask(), query, values);
      } catch {
        // The replica's fault is no fault yet, and the primary's shows in its own answer.
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
      // Without the primary there is nothing to compare a replica with, and nothing to read that is surely up to date.
    } finally {
      this.#isChecking = false;
    }
  }
}

/** Asks a question once for all who wait for a response that is no older than their own asking. */
export class SharedQuery<ApiResponse> {
  #running: Promise<ApiResponse> | undefined;
  #next: Promise<ApiResponse> | undefined;

  constructor(private readonly query: () => Promise<ApiResponse>) {}

  ask(): Promise<ApiResponse> {
    if (this.#next) return this.#next;
    if (!this.#running) return this.#start();
    // What is on its way may be answered already, with what was true before it was asked here.
    const start = (): Promise<ApiResponse> => {
      this.#next = undefined;
      return this.#start();
    };
    this.#next = this.#running.then(start, start);
    return this.#next;
  }

  #start(): Promise<ApiResponse> {
    const running = this.query().finally(() => {
      this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}

/** A place in PostgreSQL's write-ahead log, in bytes from its start: it only grows, and 2^53 of them are never written. */
export type WalPosition = number;

/** About the server, and no table. */
const FLUSHED = CompiledQuery.fromText(
  `SELECT CAST(pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0') AS bigint) AS "position"`,
);

/** The end of what is on the primary's disk: all that was acknowledged to anybody, by whatever instance, is before it. */
async function flushedPosition(primary: ReaderConnection): Promise<WalPosition> {
  const [row] = await primary.all<{ position: WalPosition }>(FLUSHED);
  return row!.position;
}
