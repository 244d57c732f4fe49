import { Injectable } from '@nestjs/common';
import { Database, type Snapshot } from '../../database/index.js';
import { type Client, ClientQuota } from '../../limits/index.js';

/**
 * The number of snapshot queries that run at once; one client may use one of them. On SQLite each occupies one of
 * libuv's threads, and the reader and the writer need the others.
 */
const MAX_RUNNING_QUERIES = 2;
/** How long a response, which may have begun, waits for the queries or the large bodies of others. */
export const MAX_WAIT_MS = 30_000;

/** Opens snapshots for slow queries and streams. Each is closed when its client disconnects. */
@Injectable()
export class PostSnapshots {
  readonly #shares: ClientQuota;
  readonly #running = new ClientQuota(MAX_RUNNING_QUERIES, MAX_WAIT_MS);

  constructor(private readonly database: Database) {
    this.#shares = new ClientQuota(database.maxSnapshots);
  }

  /** Runs the work on its own snapshot. @throws as {@link open} does, and what the work throws */
  async run<Result>(client: Client, work: (snapshot: Snapshot) => Promise<Result>): Promise<Result> {
    const snapshot = await this.open(client);
    try {
      return await work(snapshot);
    } finally {
      await snapshot.close();
    }
  }

  /**
   * Opens a snapshot of the committed state.
   *
   * @throws TooBusy when others hold all snapshots
   * @throws the signal's reason when the client disconnects, also from a query of the snapshot
   */
  async open(client: Client): Promise<Snapshot> {
    const { signal } = client;
    const release = await this.#shares.wait(client);
    const snapshot = await this.#begin(client, release).catch((error: unknown) => {
      release();
      throw error;
    });
    const onAbort = (): void => void snapshot.close().catch(() => undefined);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
    return snapshot;
  }

  /** @param release is called when the snapshot is closed */
  #begin(client: Client, release: () => void): Promise<Snapshot> {
    return this.database.snapshot(async (query) => {
      const done = await this.#running.wait(client);
      try {
        return await query();
      } catch (error) {
        client.signal?.throwIfAborted();
        throw error;
      } finally {
        done();
      }
    }, release);
  }
}
