import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** A TypeORM data source on PostgreSQL that also exposes its pool. */
export class PostgresDataSource extends DataSource {
  get pool(): Pool {
    return (this.driver as PostgresDriver).master as Pool;
  }

  /** Whether the connection goes through a pooler, such as PgBouncer; see assert-usable.ts. */
  isPooled = false;

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
