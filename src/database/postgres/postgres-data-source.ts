import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { StartFault } from '../../settings/settings.js';
import { assertUsable } from './assert-usable.js';
import { postgresFault } from './postgres-fault.js';

/** A TypeORM data source on PostgreSQL that also exposes its pool. */
export class PostgresDataSource extends DataSource {
  get pool(): Pool {
    return (this.driver as PostgresDriver).master as Pool;
  }

  /** Whether the connection goes through a pooler, such as PgBouncer; see assert-usable.ts. */
  isPooled = false;

  /** Connects. @param migrates whether missing migrations will be run @throws StartFault, or pg's fault */
  async open(migrates: boolean): Promise<void> {
    await this.initialize();
    await assertUsable(this, migrates);
  }

  /** Uses the message of the server or of the operating system. Neither contains the password. */
  startFaultOf(fault: unknown): StartFault {
    const { cause } = postgresFault(fault);
    const { message, code } = cause as { message: string; code?: string };
    const hint = /startup parameter/.test(message)
      ? ' In pgbouncer.ini, set ignore_startup_parameters = options,statement_timeout,idle_in_transaction_session_timeout.'
      : '';
    // When a host has several addresses, the connection error has no message.
    return new StartFault(`The database cannot be opened: ${message || code}.${hint}`, { cause });
  }

  /**
   * Entities declare SQLite's types. This maps them to PostgreSQL: an `integer` has 64 bits, and a `text` compares by
   * code point.
   */
  protected override async buildMetadatas(): Promise<void> {
    await super.buildMetadatas();
    for (const column of this.entityMetadatas.flatMap(({ columns }) => columns)) {
      const type = this.driver.normalizeType(column);
      // TypeORM returns a generated `bigint` as text, but treats `int8` as the same type.
      if (type === 'integer' || type === 'bigint') column.type = 'int8';
      if (type === 'text') column.collation = 'C';
    }
  }
}
