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
  show(registry, Counter, {
    name: 'database_operations_total',
    help: 'Reads, and writes, each a transaction or a part of one.',
    label: 'kind',
    values: () => ({ read: reads.count, write: writes.count }),
  });
  show(registry, Counter, {
    name: 'database_operation_seconds_total',
    help: 'The total time of these operations, with their waits.',
    label: 'kind',
    values: () => ({ read: reads.milliseconds / 1_000, write: writes.milliseconds / 1_000 }),
  });
  show(registry, Counter, {
    name: 'database_transactions_total',
    help: 'Committed transactions; on SQLite, writes that wait at the same time share one.',
    values: () => transactions.count,
  });
  show(registry, Counter, {
    name: 'database_transaction_writes_total',
    help: 'The writes in these transactions; posts that are created or changed at the same time can be one write.',
    values: () => writes.transactionWrites,
  });
  show(registry, Counter, {
    name: 'database_transaction_seconds_total',
    help: 'The total time of these transactions, until they were on the disk.',
    values: () => transactions.milliseconds / 1_000,
  });
  show(registry, Gauge, {
    name: 'database_writes_waiting',
    help: 'Waiting writes; above a limit, further ones get 503.',
    values: waitingWrites,
  });
  if (connections)
    show(registry, Gauge, {
      name: 'database_connections',
      help: 'Connections to the primary that are idle or busy, and requests that wait for one.',
      label: 'state',
      values: connections,
    });
  if (replicas.length > 0) showReplicas(registry, replicas);
  // Last: these query the database, and the connections are counted before.
  show(registry, Gauge, {
    name: 'database_size_bytes',
    help: 'The size of the database and, on SQLite, of its write-ahead log.',
    label: 'part',
    values: () => state.sizes(),
  });
  show(registry, Gauge, {
    name: 'database_last_backup_timestamp_seconds',
    help: 'When the last backup was made; 0 when there is none.',
    values: () => state.lastBackup(),
  });
}

function showReplicas(registry: Registry, replicas: NonNullable<DatabaseActivity['replicas']>): void {
  show(registry, Gauge, {
    name: 'database_replica_used',
    help: 'Whether a replica is used for reads (1) or not (0).',
    label: 'replica',
    values: () => Object.fromEntries(replicas.map(({ name, isUsable }) => [name, isUsable ? 1 : 0])),
  });
  show(registry, Gauge, {
    name: 'database_replica_lag_seconds',
    help: 'How long a replica needed to catch up with the primary; for one that is not used, how long ago it last did.',
    label: 'replica',
    values: () => Object.fromEntries(replicas.map(({ name, lagMs }) => [name, lagMs / 1_000])),
  });
}
