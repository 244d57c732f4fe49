import type { Pool } from 'pg';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { type OpenDataSource, SchemaDataSource } from '../data-source.js';
import type { Database } from '../database.js';
import type { PostgresPoolOptions } from '../pool-options.js';

/** A TypeORM data source on PostgreSQL that also exposes its pool. */
export class PostgresDataSource extends SchemaDataSource implements OpenDataSource {
  get pool(): Pool {
    return (this.driver as PostgresDriver).master as Pool;
  }

  get poolOptions(): PostgresPoolOptions {
    return this.options.extra as PostgresPoolOptions;
  }

  /** Whether the connection goes through a pooler, such as PgBouncer; see assert-usable.ts. */
  isPooled = false;

  async openDatabase(): Promise<Database> {
    // It loads pg, which a service on SQLite does not need.
    const { PostgresDatabase } = await import('./postgres-database.js');
    return new PostgresDatabase(this);
  }
}
