/** What other rooms and the commands may use of the database; README.md explains it. */
export { BackgroundRemoval } from './background-removal.js';
export { Batches } from './batches.js';
export { DatabaseFault } from './database-fault.js';
export {
  type ChangeHooks,
  Database,
  type Queryable,
  type Snapshot,
  type Transaction,
  type Work,
} from './database.js';
export { DatabaseModule } from './database.module.js';
export type { Dialect } from './dialect.js';
export { selectProperties, walked } from './entity-queries.js';
export { type Sql, sql, type SqlValues } from './sql.js';
export {
  type ChangeListener,
  type Prepared,
  type RowChange,
  type RowStatements,
  VersionedRows,
} from './versioned-rows.js';

// For commands.
export { findMissingMigrations } from './missing-migrations.js';
export { moveToPostgres } from './move-to-postgres.js';
export { SqliteFile } from './sqlite/index.js';
