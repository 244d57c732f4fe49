/** The settings of the connections of a SQLite file, besides those that TypeORM sets: WAL, and how long a lock is awaited. */
export const PRAGMAS = {
  /** The connection that migrates and writes. */
  writer: [
    // A commit is on the disk before it is acknowledged. (WAL's default protects only consistency.)
    'PRAGMA synchronous = FULL',
    // In KiB. With SQLite's default of 2 MiB, each batch of an import reads the changed pages of the title index again.
    // Measured, this size halves the reads.
    'PRAGMA cache_size = -16384',
    // In bytes. An import, or writes during a long export, make the log long; when it starts again, the file is cut to this.
    'PRAGMA journal_size_limit = 67108864',
  ],
  /** The same connection, once the service has opened the database: another one runs the checkpoints. */
  servedWriter: ['PRAGMA wal_autocheckpoint = 0'],
  /** The connection that reads committed data. */
  reader: ['PRAGMA query_only = ON'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
