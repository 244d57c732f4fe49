import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** A TypeORM data source on PostgreSQL that also offers its pool. */
export class PostgresDataSource extends DataSource {
  get pool(): Pool {
    return (this.driver as PostgresDriver).master as Pool;
  }

  /** An `integer` of an entity has 64 bits, as SQLite's have; PostgreSQL's name for that is `bigint`. */
  protected override async buildMetadatas(): Promise<void> {
    await super.buildMetadatas();
    for (const { columns } of this.entityMetadatas) {
      for (const column of columns) {
        if (this.driver.normalizeType(column) === 'integer') column.type = 'bigint';
      }
    }
  }
}
