import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** A TypeORM data source on PostgreSQL that also offers its pool. */
export class PostgresDataSource extends DataSource {
  get pool(): Pool {
    return (this.driver as PostgresDriver).master as Pool;
  }

  /** Entities say what SQLite makes of it: an `integer` has 64 bits, and a `text` is compared by code point. */
  protected override async buildMetadatas(): Promise<void> {
    await super.buildMetadatas();
    for (const column of this.entityMetadatas.flatMap(({ columns }) => columns)) {
      const type = this.driver.normalizeType(column);
      if (type === 'integer') column.type = 'bigint';
      if (type === 'text') column.collation = 'C';
    }
  }
}
