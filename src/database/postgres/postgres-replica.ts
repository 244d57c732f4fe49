import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import type { Logger } from 'pino';
import { shownAddress } from './postgres-url.js';
import { CompiledQuery, type QueryValues } from '../compiled-query.js';
import { poolOptions, type PostgresSettings } from '../data-source-options.js';
import { DatabaseFault } from '../database-fault.js';
import { SharedQuery } from '../shared-query.js';
import { PostgresPool } from './postgres-pool.js';
import { withTargets } from './postgres-targets.js';
import type { WalPosition } from './replica-reader.js';

/** If a replica needs longer to catch up, reading from the primary is faster. */
const MAX_WAIT_MS = 100;
/** How soon a replica that is not used is logged again, with another reason. */
const WARNING_INTERVAL_MS = 60_000;
/** How long a replica may take to connect before it is logged as not used. */
const START_MS = 5_000;
/** Replication normally takes about a millisecond. */
const POLL_INTERVAL_MS = 2;

/** Lower than every position. A replica has this position until it reports another one. */
const NOWHERE: WalPosition = -1;

/** NULL on a server that is not, or no longer, in recovery: its data may differ from the primary's. */
const REPLAYED = CompiledQuery.fromText(`
  SELECT CASE WHEN pg_is_in_recovery()
    THEN CAST(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') AS bigint) END AS "position",
    pg_backend_pid() AS "backend"
`);

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
  #isUsable = false;
  /** Why the last query of its position failed. */
  #fault: string | undefined;
  #warned: { readonly at: number; readonly reason?: string } = { at: -Infinity };
  readonly #openedAt = performance.now();
  /** When the replica was last seen to have everything, and how long it needed for that. */
  #caughtUp = { at: performance.now(), tookMs: 0 };
  #replayed: WalPosition = NOWHERE;
  #connections = 0;

  constructor(
    url: string,
    settings: PostgresSettings,
    private readonly logger: Logger,
  ) {
    this.name = shownAddress(url);
    this.#pool = new Pool(withTargets(poolOptions(url, settings)));
    // Raised when an idle connection breaks. The next check finds out the state of the replica.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', () => {
      // The new connection may reach a restarted server, which may be further behind than before.
      this.#connections += 1;
      this.#replayed = NOWHERE;
    });
    this.#queries = new PostgresPool(this.#pool, settings);
  }

  /** Whether the replica was up to date at the last check. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  /**
   * How long the replica needed to have everything that the primary had, or, while it is left out, how long ago it had
   * everything.
   */
  get lagMs(): number {
    const { at, tookMs } = this.#caughtUp;
    return this.#isUsable ? tookMs : performance.now() - at;
  }

  /**
   * Runs a query on a state no older than the position. @throws DatabaseFault when the replica is unreachable or behind
   */
  async readAt<Row>(position: WalPosition, query: CompiledQuery, values?: QueryValues): Promise<Row[]> {
    if (this.#replayed < position) await this.check(position);
    if (this.#replayed < position) throw new DatabaseFault('unreachable');
    return new Promise((resolve, reject) => {
      this.#giveUpReads.add(reject);
      void this.#queries
        .all<Row>(query, values)
        .then(this.#unlessReconnected(resolve))
        .catch(reject)
        .finally(() => this.#giveUpReads.delete(reject));
    });
  }

  /** Waits up to 100 ms for the replica to reach the primary's position. A replica that does not is not read from. */
  async check(position: WalPosition): Promise<void> {
    const startedAt = performance.now();
    const timeout = new AbortController();
    const isUsable = await Promise.race([
      this.#pollUntil(position, timeout.signal),
      sleep(MAX_WAIT_MS, false, { signal: timeout.signal }),
    ]).catch(() => false);
    timeout.abort();
    if (!isUsable) this.#warn();
    else if (!this.#isUsable) this.logger.info(`The replica ${this.name} is used for reads.`);
    this.#isUsable = isUsable;
    const at = performance.now();
    if (isUsable) this.#caughtUp = { at, tookMs: at - startedAt };
    else this.#failReads();
  }

  /** Says why the replica is not used: when it no longer is, and at most once a minute when there is another reason. */
  #warn(): void {
    const reason = this.#fault ?? 'it lags, or does not respond';
    const { at, reason: known } = this.#warned;
    const isOther = reason !== known && performance.now() - at > WARNING_INTERVAL_MS;
    // The first connections may need longer than a check.
    const isStarting = this.#fault === undefined && performance.now() - this.#openedAt < START_MS;
    if (!this.#isUsable && (!isOther || isStarting)) return;
    this.#warned = { at: performance.now(), reason };
    this.logger.warn(`The replica ${this.name} is not used: ${reason}.`);
  }

  async close(): Promise<void> {
    this.#failReads();
    await this.#pool.end();
  }

  async #pollUntil(position: WalPosition, signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      if ((await this.#position.ask()) >= position) return true;
      await sleep(POLL_INTERVAL_MS);
    }
    return false;
  }

  async #askPosition(): Promise<WalPosition> {
    const connection = await this.#queries.acquire().catch((fault: Error) => {
      this.#fault = ((fault.cause ?? fault) as Error).message;
      throw fault;
    });
    try {
      const note = this.#unlessReconnected((position: WalPosition) => {
        this.#replayed = position;
      });
      const [row] = await connection.all<{ position: WalPosition | null; backend: number }>(REPLAYED);
      const { position, backend } = row!;
      const isServer = connection.processId === backend;
      note(isServer ? (position ?? NOWHERE) : NOWHERE);
      // Behind a pooler, the next query may reach another server, which may be further behind.
      if (!isServer) this.#fault = 'it is behind a pooler; set its own address';
      else this.#fault = position === null ? 'it is not a standby of the primary' : undefined;
      return this.#replayed;
    } finally {
      connection.release();
    }
  }

  /**
   * @throws DatabaseFault from the returned function, when a connection was opened meanwhile: the server may be another
   *   one
   */
  #unlessReconnected<Value>(then: (value: Value) => void): (value: Value) => void {
    const connections = this.#connections;
    return (value) => {
      if (this.#connections !== connections) throw new DatabaseFault('unreachable');
      then(value);
    };
  }

  #failReads(): void {
    for (const giveUp of this.#giveUpReads) giveUp(new DatabaseFault('unreachable'));
  }
}
