import type { CompiledQuery, QueryValues } from '../compiled-query.js';
import type { ReaderConnection } from '../database.js';
import type { PostgresReplica } from './postgres-replica.js';
import { SharedQuery } from './shared-query.js';
import { flushedPosition } from './wal-position.js';

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
