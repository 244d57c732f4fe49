import { Injectable } from '@nestjs/common';
import { Database, type Snapshot } from '../../database/database.js';
import { ReaderShares } from '../../http/pipeline/reader-shares.js';
import type { Reader } from '../../http/response/response-reader.js';

/** What the administration takes for itself is not taken by exports. */
const RESERVED_SNAPSHOTS = 2;

/** The snapshots that responses are read from. Each is closed when its reader leaves. */
@Injectable()
export class PostSnapshots {
  readonly #shares: ReaderShares;

  constructor(private readonly database: Database) {
    const { maxSnapshots } = database;
    this.#shares = new ReaderShares(Math.max(Math.ceil(maxSnapshots / 2), maxSnapshots - RESERVED_SNAPSHOTS));
  }

  /**
   * Opens the state that is committed now.
   *
   * @throws TooManyResponses when others hold all snapshots and read them fast enough
   * @throws the signal's reason when the reader leaves, also out of a query of the snapshot
   */
  async open(reader: Reader): Promise<Snapshot> {
    const { signal } = reader;
    const release = await this.#shares.wait(reader, 1);
    let snapshot: Snapshot;
    try {
      snapshot = await this.database.snapshot();
    } catch (error) {
      release();
      throw error;
    }
    let closed: Promise<void> | undefined;
    const close = (): Promise<void> => {
      signal.removeEventListener('abort', onAbort);
      return (closed ??= snapshot.close().finally(release));
    };
    const onAbort = (): void => void close().catch(() => undefined);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    return {
      manager: snapshot.manager,
      all: async (query, values) => {
        signal.throwIfAborted();
        try {
          return await snapshot.all(query, values);
        } catch (error) {
          signal.throwIfAborted();
          throw error;
        }
      },
      close,
    };
  }
}
