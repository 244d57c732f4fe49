import type { DataSource, EntityManager } from 'typeorm';
import type { CompiledQuery, QueryValues } from './compiled-query.js';
import { DatabaseFault } from './database-fault.js';
import { readingManager } from './entity-manager.js';
import type { ReaderConnection, Snapshot } from './transaction.js';

/** A connection in a transaction that sees one state of the database. */
export interface SnapshotConnection extends ReaderConnection {
  /** Ends the transaction and cancels the running queries. */
  close(): Promise<void>;
}

/** The open snapshots of a database. Each has its own connection for the duration of a stream. */
export class Snapshots {
  #open = 0;

  constructor(
    private readonly dataSource: DataSource,
    /** How many can be open at a time. */
    readonly maxOpen: number,
    private readonly begin: () => Promise<SnapshotConnection>,
  ) {}

  /** @throws DatabaseFault `busy` when too many are open already */
  async open(): Promise<Snapshot> {
    if (this.#open >= this.maxOpen) throw new DatabaseFault('busy');
    this.#open++;
    try {
      return new OpenSnapshot(this.dataSource, await this.begin(), () => this.#open--);
    } catch (error) {
      this.#open--;
      throw error;
    }
  }
}

class OpenSnapshot implements Snapshot {
  #isClosed = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly connection: SnapshotConnection,
    private readonly onClose: () => void,
  ) {}

  get manager(): EntityManager {
    return readingManager(this.dataSource, this);
  }

  all<Row>(query: CompiledQuery, values?: QueryValues): Promise<Row[]> {
    if (this.#isClosed) throw new Error('The snapshot is closed.');
    return this.connection.all(query, values);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      await this.connection.close();
    } finally {
      this.onClose();
    }
  }
}
