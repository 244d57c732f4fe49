import type { DataSource, EntityManager } from 'typeorm';
import type { CompiledQuery, QueryValues } from '../compiled-query.js';
import { DatabaseFault } from '../database-fault.js';
import type { Snapshot } from '../database.js';
import { readingManager } from '../entity-manager.js';
import type { PostgresConnection } from './postgres-connection.js';
import type { PostgresSettings } from '../data-source-options.js';
import type { PostgresPool } from './postgres-pool.js';

/** A client that takes nothing for so long is cut off by the HTTP server anyway. */
const IDLE_TIMEOUT_MS = 150_000;

/** A server ignores a cancellation that overtakes its query, so it is repeated until the query is over. */
const CANCEL_INTERVAL_MS = 200;

/** Read transactions that see one state, each for as long as a stream takes. */
export class PostgresSnapshots {
  readonly maxOpen: number;
  #open = 0;

  /** At most half of the pool's connections are lent out for so long. */
  constructor(
    private readonly dataSource: DataSource,
    private readonly pool: PostgresPool,
    { poolSize }: Pick<PostgresSettings, 'poolSize'>,
  ) {
    this.maxOpen = Math.max(1, Math.floor(poolSize / 2));
  }

  /** @throws DatabaseFault `busy` when too many are open already */
  async open(): Promise<Snapshot> {
    if (this.#open >= this.maxOpen) throw new DatabaseFault('busy');
    this.#open++;
    try {
      const connection = await this.pool.acquire();
      try {
        await connection.execute('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
        await connection.execute(`SET LOCAL idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}`);
      } catch (error) {
        connection.release();
        throw error;
      }
      return new PostgresSnapshot(this.dataSource, connection, () => this.#open--);
    } catch (error) {
      this.#open--;
      throw error;
    }
  }
}

class PostgresSnapshot implements Snapshot {
  #isClosed = false;
  /** One connection answers one query at a time; the last of them must be over before it is given back. */
  #running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly connection: PostgresConnection,
    private readonly onClose: () => void,
  ) {}

  get manager(): EntityManager {
    return readingManager(this.dataSource, this);
  }

  all<Row>(query: CompiledQuery, values?: QueryValues): Promise<Row[]> {
    if (this.#isClosed) throw new Error('The snapshot is closed.');
    const rows = this.connection.all<Row>(query, values);
    this.#running = rows.catch(() => undefined);
    return rows;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.connection.cancel();
    const timer = setInterval(() => this.connection.cancel(), CANCEL_INTERVAL_MS);
    await this.#running;
    clearInterval(timer);
    await this.connection.rollback();
    this.connection.release();
    this.onClose();
  }
}
