import { Injectable } from '@nestjs/common';
import { Batches, Database, raw, type ReaderConnection, type Sql, sql } from '../database/index.js';

/** The state of the whole collection, as the database has it. */
export interface StoredState {
  readonly count: number;
  /** Increases with every change of any post. */
  readonly changes: number;
  /** Identifies this collection globally and permanently: 32 hexadecimal digits. */
  readonly feedId: string;
  /** The time of the last change; see writes/post-writes.repository.ts. */
  readonly modified: string;
}

export interface PostsState extends StoredState {
  /**
   * Every change with an earlier time is visible to the state; a later one may have been running. In ms since 1970.
   */
  readonly horizonMs: number;
}

/** Both grow with every change of any post. */
type Changes = Pick<PostsState, 'changes' | 'modified'>;

const CHANGES = sql`CAST(sum(changes) AS bigint) AS "changes", max(modified) AS "modified"`;
const READ_CHANGES = sql<Changes>`SELECT ${CHANGES} FROM posts_counters`;
export const READ_STATE = sql<StoredState>`
  SELECT CAST(sum(posts) AS bigint) AS "count", ${CHANGES}, (SELECT feed_id FROM posts_state) AS "feedId"
  FROM posts_counters`;

/** A response that is built more than a second after its horizon shows an earlier date, see lastModifiedUpTo. */
const HORIZON_MS = 500;

/** Reads the state of all posts. */
@Injectable()
export class PostsStateRepository {
  readonly #readHorizon: Sql<{ horizon: string }>;
  readonly #changes: Batches<void, Changes>;
  #horizon = Promise.resolve(0);
  #horizonEndsAt = 0;

  constructor(private readonly database: Database) {
    this.#readHorizon = sql<{ horizon: string }>`SELECT ${raw(database.dialect.horizon)} AS "horizon"`;
    this.#changes = new Batches({
      maxRunning: 1,
      maxItems: Infinity,
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

  /**
   * A recent {@link PostsState.horizonMs} for a state that is read after the call. What was visible once stays visible, so
   * two queries a second are enough.
   */
  horizonMs(): Promise<number> {
    const now = performance.now();
    if (now >= this.#horizonEndsAt) {
      this.#horizonEndsAt = now + HORIZON_MS;
      this.#horizon = this.#findHorizon();
      this.#horizon.catch(() => (this.#horizonEndsAt = 0));
    }
    return this.#horizon;
  }

  async #findHorizon(): Promise<number> {
    // Before the query, which may not see what these writes change.
    const oldestWriteMs = this.database.oldestWriteMs ?? Infinity;
    const [row] = await this.database.reader.all(this.#readHorizon);
    return Math.min(Date.parse(row!.horizon), oldestWriteMs);
  }

  async readState(within: ReaderConnection = this.database.reader): Promise<StoredState> {
    return (await within.all(READ_STATE))[0]!;
  }
}
