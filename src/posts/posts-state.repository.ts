import { Injectable } from '@nestjs/common';
import { Batches, Database, type Queryable } from '../database/index.js';
import { READ_CHANGES, READ_HORIZON, READ_STATE, type StoredState } from './posts.sql.js';

export interface PostsState extends StoredState {
  /**
   * Every change with an earlier time is visible to the state; a later one may have been running. In ms since 1970.
   */
  readonly horizonMs: number;
}

/** Both grow with every change of any post. */
type Changes = Pick<PostsState, 'changes' | 'modified'>;

/** A response that is built more than a second after its horizon shows an earlier date, see lastModifiedUpTo. */
const HORIZON_MS = 500;
/** How long a call waits for the query before its own. All calls that wait share one query. */
const MAX_WAIT_MS = 6_000;

/** Reads the state of all posts. */
@Injectable()
export class PostsStateRepository {
  readonly #changes: Batches<void, Changes>;
  #horizon = Promise.resolve(0);
  #horizonEndsAt = 0;

  constructor(private readonly database: Database) {
    this.#changes = new Batches({
      maxRunning: 1,
      maxItems: Infinity,
      maxWaitMs: MAX_WAIT_MS,
      async run(take) {
        const calls = take();
        const [result] = await database.reader.all(READ_CHANGES);
        return calls.map(() => ({ result: result! }));
      },
    });
  }

  /** Whether no post has changed since the state. Concurrent calls share a query that starts after all of them. */
  async isCurrent({ changes, modified }: PostsState): Promise<boolean> {
    const now = await this.#changes.add();
    return now.changes === changes && now.modified === modified;
  }

  /** A recent {@link PostsState.horizonMs} for a state that is read after the call. */
  horizonMs(): Promise<number> | number {
    // One process writes to SQLite, by the clock of this machine. A write reads the time of its change after it has begun.
    if (this.database.dialect.name === 'sqlite')
      return Math.min(Date.now(), this.database.oldestWriteMs ?? Infinity);
    // What was visible once stays visible, so two queries a second are enough.
    const now = performance.now();
    if (now >= this.#horizonEndsAt) {
      this.#horizonEndsAt = now + HORIZON_MS;
      this.#horizon = this.#findHorizon();
      this.#horizon.catch(() => (this.#horizonEndsAt = 0));
    }
    return this.#horizon;
  }

  async #findHorizon(): Promise<number> {
    const [row] = await this.database.reader.all(READ_HORIZON);
    return Date.parse(row!.horizon);
  }

  async readState(within: Queryable = this.database.reader): Promise<StoredState> {
    return (await within.all(READ_STATE))[0]!;
  }
}
