import type { Logger } from 'pino';
import { CompiledQuery } from '../compiled-query.js';
import { Database, type Queryable, type Snapshot, type Work } from '../database.js';
import { Reader } from '../entity-manager.js';
import type { DatabaseActivity } from '../database-activity.js';
import { postgresDialect } from '../dialect.js';
import type { PostgresDataSource } from './postgres-data-source.js';
import type { PostgresSettings } from './pool-options.js';
import { PostgresPool } from './postgres-pool.js';
import { PostgresSnapshots } from './postgres-snapshots.js';
import { PostgresReplica } from './postgres-replica.js';
import { PostgresWriter } from './postgres-writer.js';
import { ReplicaReader } from './replica-reader.js';

/** About no table, so the builder could not begin. */
const PING = CompiledQuery.fromText('SELECT 1');

/** A PostgreSQL server and its replicas, shared with any number of other instances of the service. */
export class PostgresDatabase extends Database {
  readonly dialect = postgresDialect;
  readonly reader: Queryable;
  readonly activity: DatabaseActivity;
  readonly #primary: PostgresPool;
  readonly #writer: PostgresWriter;
  readonly #snapshots: PostgresSnapshots;
  readonly #replicas: ReplicaReader | undefined;

  /** @param dataSource an open one, on a database that has its tables */
  constructor(dataSource: PostgresDataSource, settings: PostgresSettings, logger: Logger) {
    super();
    this.#primary = new PostgresPool(dataSource.pool, settings);
    this.#writer = new PostgresWriter(dataSource, this.#primary);
    this.#snapshots = new PostgresSnapshots(dataSource, this.#primary, settings);
    if (settings.replicaUrls.length > 0) {
      const replicas = settings.replicaUrls.map((url) => new PostgresReplica(url, settings, logger));
      this.#replicas = new ReplicaReader(this.#primary, replicas);
    }
    this.reader = new Reader(dataSource, this.#replicas ?? this.#primary);
    this.activity = {
      reads: this.#primary.stopwatch,
      writes: this.#writer.stopwatch,
      waitingWrites: () => this.#primary.waiting,
    };
  }

  write<Result>(work: Work<Result>): Promise<Result> {
    return this.#writer.write(work);
  }

  /** Nobody waits for the transaction of another here. */
  writeInBackground<Result>(work: Work<Result>): Promise<Result> {
    return this.#writer.write(work);
  }

  /** Other instances write too, and asking the server for news takes as long as asking it for the post. */
  changeToken(): undefined {
    return undefined;
  }

  get maxSnapshots(): number {
    return this.#snapshots.maxOpen;
  }

  snapshot(): Promise<Snapshot> {
    return this.#snapshots.open();
  }

  async ping(): Promise<void> {
    await this.#primary.all(PING);
  }

  async close(): Promise<void> {
    await this.#replicas?.close();
  }
}
