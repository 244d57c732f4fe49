import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import type { Logger } from 'pino';
import { shownAddress } from './postgres-url.js';
import { DatabaseFault } from '../database-fault.js';
import { SharedQuery } from '../shared-query.js';
import { type Sql, sql, type SqlValues } from '../sql.js';
import { poolOptions, type PostgresSettings } from './pool-options.js';
import { PostgresPool } from './postgres-pool.js';

/** If a replica needs longer to catch up, reading from the primary is faster. */
const MAX_WAIT_MS = 100;
/** Replication normally takes about a millisecond. */
const POLL_INTERVAL_MS = 2;
/** A replica is logged as not used after this many failed checks: the first connections may need longer than one. */
const LOGGED_FAILURES = 2;

/**
 * Lower than every position in the write-ahead log, which is in bytes from its start. A replica has this position until
 * it reports another one.
 */
const NOWHERE = -1;

/** NULL on a server that is not, or no longer, in recovery: its data may differ from the primary's. */
const REPLAYED = sql`
  SELECT CASE WHEN pg_is_in_recovery()
    THEN CAST(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') AS bigint) END AS "position",
    pg_backend_pid() AS "backend"
`;

/**
 * A streaming replica. A read fails when the replica cannot return the rows soon; the caller then reads from the
 * primary.
 */
export class PostgresReplica {
  /** Without the password. */
  readonly name: string;
  readonly #pool: Pool;
  readonly #queries: PostgresPool;
  readonly #position = new SharedQuery(() => this.#askPosition());
  readonly #giveUpReads = new Set<(fault: DatabaseFault) => void>();
  /** Whether the replica was up to date at the last check. */
  isUsable = false;
  /** Why the last query of its position failed. */
  #fault: string | undefined;
  #failures = 0;
  #isLoggedAs: boolean | undefined;
  /** When the replica was last seen to have everything, and how long it needed for that. */
  #caughtUp = { at: performance.now(), tookMs: 0 };
  #replayed = NOWHERE;
  #connections = 0;

  constructor(
    url: string,
    settings: PostgresSettings,
    private readonly logger: Logger,
  ) {
    this.name = shownAddress(url);
    this.#pool = new Pool(poolOptions(url, settings));
    // Raised when an idle connection breaks. The next check finds out the state of the replica.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', () => {
      // The new connection may reach a restarted server, which may be further behind than before.
      this.#connections += 1;
      this.#replayed = NOWHERE;
    });
    this.#queries = new PostgresPool(this.#pool, settings);
  }

  /**
   * How long the replica needed to catch up at the last check; when it is not usable, the time since it last had
   * everything.
   */
  get lagMs(): number {
    const { at, tookMs } = this.#caughtUp;
    return this.isUsable ? tookMs : performance.now() - at;
  }

  /**
   * Runs a query on a state no older than the position. @throws DatabaseFault when the replica is unreachable or behind
   */
  async readAt<Row>(position: number, query: Sql, values?: SqlValues): Promise<Row[]> {
    if (this.#replayed < position) await this.check(position);
    if (this.#replayed < position) throw new DatabaseFault('unreachable');
    return new Promise((resolve, reject) => {
      this.#giveUpReads.add(reject);
      void this.#ofOneServer(this.#queries.all<Row>(query, values))
        .then(resolve, reject)
        .finally(() => this.#giveUpReads.delete(reject));
    });
  }

  /** Waits up to 100 ms for the replica to reach the primary's position. A replica that does not is not read from. */
  async check(position: number): Promise<void> {
    const startedAt = performance.now();
    const timeout = new AbortController();
    this.isUsable = await Promise.race([
      this.#pollUntil(position, timeout.signal),
      sleep(MAX_WAIT_MS, false, { signal: timeout.signal }),
    ]).catch(() => false);
    timeout.abort();
    const at = performance.now();
    if (this.isUsable) this.#caughtUp = { at, tookMs: at - startedAt };
    else this.#failReads();
    this.#log();
  }

  /** Logs when the replica begins or ceases to be used. */
  #log(): void {
    this.#failures = this.isUsable ? 0 : this.#failures + 1;
    if (this.#isLoggedAs === this.isUsable || (!this.isUsable && this.#failures < LOGGED_FAILURES)) return;
    this.#isLoggedAs = this.isUsable;
    if (this.isUsable) this.logger.info(`The replica ${this.name} is used for reads.`);
    else
      this.logger.warn(
        `The replica ${this.name} is not used: ${this.#fault ?? 'it lags, or does not respond'}.`,
      );
  }

  async close(): Promise<void> {
    this.#failReads();
    await this.#pool.end();
  }

  async #pollUntil(position: number, signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      if ((await this.#position.ask()) >= position) return true;
      await sleep(POLL_INTERVAL_MS);
    }
    return false;
  }

  async #askPosition(): Promise<number> {
    const connection = await this.#queries.acquire().catch((fault: Error) => {
      this.#fault = ((fault.cause ?? fault) as Error).message;
      throw fault;
    });
    try {
      const asked = connection.all<{ position: number | null; backend: number }>(REPLAYED);
      const [row] = await this.#ofOneServer(asked);
      const { position, backend } = row!;
      const isServer = connection.processId === backend;
      this.#replayed = isServer ? (position ?? NOWHERE) : NOWHERE;
      // Behind a pooler, the next query may reach another server, which may be further behind.
      if (!isServer) this.#fault = 'it is behind a pooler; set its own address';
      else this.#fault = position === null ? 'it is not a standby of the primary' : undefined;
      return this.#replayed;
    } finally {
      connection.release();
    }
  }

  /** @throws DatabaseFault when a connection was opened meanwhile: it may have reached another server */
  async #ofOneServer<Value>(query: Promise<Value>): Promise<Value> {
    const connections = this.#connections;
    const value = await query;
    if (this.#connections !== connections) throw new DatabaseFault('unreachable');
    return value;
  }

  #failReads(): void {
    for (const giveUp of this.#giveUpReads) giveUp(new DatabaseFault('unreachable'));
  }
}
