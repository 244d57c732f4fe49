import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { StartFault } from '../../settings/settings.js';
import { isStarting, type PostgresFault, postgresFault } from './postgres-fault.js';

/** How long a service waits for a server that starts with it, as after a power cut. */
const START_TIMEOUT_MS = 30_000;
const PAUSE_MS = 250;

/** A TypeORM data source on PostgreSQL that also offers its pool. */
export class PostgresDataSource extends DataSource {
  get pool(): Pool {
    return (this.driver as PostgresDriver).master as Pool;
  }

  /**
   * Connects, once the server can be reached.
   *
   * @throws StartFault when it cannot, at once or within the time that a server needs to start
   */
  override async initialize(): Promise<this> {
    const deadline = performance.now() + START_TIMEOUT_MS;
    for (;;) {
      try {
        await super.initialize();
        break;
      } catch (error) {
        const fault = postgresFault(error);
        if (!isStarting(fault) || performance.now() > deadline) throw cannotOpen(fault);
      }
      await sleep(PAUSE_MS);
    }
    await this.#assertUtf8();
    return this;
  }

  /** Other encodings hold no emoji, and SQL_ASCII would hold anything. */
  async #assertUtf8(): Promise<void> {
    const [{ server_encoding: encoding }] = (await this.query('SHOW server_encoding')) as [
      { server_encoding: string },
    ];
    if (encoding === 'UTF8') return;
    await this.destroy();
    throw new StartFault(
      `The database has the encoding ${encoding}; create it with ENCODING 'UTF8' TEMPLATE template0.`,
    );
  }

  /** Entities say what SQLite makes of it: an `integer` has 64 bits, and a `text` is compared by code point. */
  protected override async buildMetadatas(): Promise<void> {
    await super.buildMetadatas();
    for (const column of this.entityMetadatas.flatMap(({ columns }) => columns)) {
      const type = this.driver.normalizeType(column);
      // TypeORM gives a generated `bigint` as text, and knows `int8` as the same type.
      if (type === 'integer' || type === 'bigint') column.type = 'int8';
      if (type === 'text') column.collation = 'C';
    }
  }
}

/** Says it in the words of the server, or of the system where nobody answers: neither tells the password. */
function cannotOpen({ cause }: PostgresFault): StartFault {
  const { message, code } = cause as { message: string; code?: string };
  // A host that has several addresses fails without a message of its own.
  return new StartFault(`The database cannot be opened: ${message || code}.`, { cause });
}
