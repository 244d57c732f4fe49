import { Counter, Gauge, type Registry } from 'prom-client';
import type { DatabaseActivity } from '../database/database-activity.js';
import type { DatabaseStateRepository } from './database-state.repository.js';
import { show } from './show.js';

/** Shows the counters that the database maintains, and its state. */
export function showDatabase(
  registry: Registry,
  { reads, writes, waitingWrites, connections, replicas = [] }: DatabaseActivity,
  state: DatabaseStateRepository,
): void {
  const { transactions } = writes;
  const counter = (name: string, help: string, values: () => number): void =>
    show(registry, Counter, name, help, undefined, values);
  show(
    registry,
    Counter,
    'database_operations_total',
    'Reads, and writes, each a transaction or a part of one.',
    'kind',
    () => ({
      read: reads.count,
      write: writes.count,
    }),
  );
  show(
    registry,
    Counter,
    'database_operation_seconds_total',
    'The total time of these operations, with their waits.',
    'kind',
    () => ({
      read: reads.milliseconds / 1_000,
      write: writes.milliseconds / 1_000,
    }),
  );
  counter(
    'database_transactions_total',
    'Committed transactions; on SQLite, writes that wait at the same time share one.',
    () => transactions.count,
  );
  counter(
    'database_transaction_writes_total',
    'The writes in these transactions; posts that are created or changed at the same time can be one write.',
    () => writes.transactionWrites,
  );
  counter(
    'database_transaction_seconds_total',
    'The total time of these transactions, until they were on the disk.',
    () => transactions.milliseconds / 1_000,
  );
  show(
    registry,
    Gauge,
    'database_writes_waiting',
    'Waiting writes; above a limit, further ones get 503.',
    undefined,
    waitingWrites,
  );
  if (connections) {
    show(
      registry,
      Gauge,
      'database_connections',
      'Connections to the primary that are idle or busy, and requests that wait for one.',
      'state',
      connections,
    );
  }
  if (replicas.length > 0) showReplicas(registry, replicas);
  // Last: these query the database, and the connections are counted before.
  show(
    registry,
    Gauge,
    'database_size_bytes',
    'The size of the database and, on SQLite, of its write-ahead log.',
    'part',
    () => state.sizes(),
  );
  show(
    registry,
    Gauge,
    'database_last_backup_timestamp_seconds',
    'When the last backup was made; 0 when there is none.',
    undefined,
    () => state.lastBackup(),
  );
}

function showReplicas(registry: Registry, replicas: NonNullable<DatabaseActivity['replicas']>): void {
  show(
    registry,
    Gauge,
    'database_replica_used',
    'Whether a replica is used for reads (1) or not (0).',
    'replica',
    () => Object.fromEntries(replicas.map(({ name, isUsable }) => [name, isUsable ? 1 : 0])),
  );
  show(
    registry,
    Gauge,
    'database_replica_lag_seconds',
    'How long a replica needed to catch up with the primary; for one that is not used, how long ago it last did.',
    'replica',
    () => Object.fromEntries(replicas.map(({ name, lagMs }) => [name, lagMs / 1_000])),
  );
}
