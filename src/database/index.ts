/** What other rooms and the commands may use of the database; README.md explains it. */
export { BackgroundRemoval } from './background-removal.js';
export { Batches, type Outcomes } from './batches.js';
export type { WaitTimes, WriteRefusal } from './database-activity.js';
export { DatabaseFault, type DatabaseFaultKind } from './database-fault.js';
export {
  type AroundQuery,
  type ChangeHooks,
  Database,
  type Queryable,
  type ReaderConnection,
  type Snapshot,
  type Transaction,
} from './database.js';
export { DatabaseModule } from './database.module.js';
export type { Dialect } from './dialect.js';
export { selectProperties, walked } from './entity-queries.js';
export { type Sql, sql, type SqlValues } from './sql.js';
export {
  type ChangeListener,
  type CommittedRow,
  type Prepared,
  type RowChange,
  type RowStatements,
  type VersionedRow,
  VersionedRows,
} from './versioned-rows.js';

// For commands.
export { findMissingMigrations, type MissingMigration } from './missing-migrations.js';
export { moveToPostgres } from './move-to-postgres.js';
export { SqliteFile } from './sqlite/sqlite-file.js';
