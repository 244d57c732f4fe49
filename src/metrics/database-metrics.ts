import { Counter, Gauge, type Registry } from 'prom-client';
import type { DatabaseActivity } from '../database/database-activity.js';

/** Shows what the database is busy with; nothing is counted here, the numbers are there already. */
export function showDatabaseActivity(
  registry: Registry,
  { reads, writes, waitingWrites }: DatabaseActivity,
): void {
  const registers = [registry];
  const operations = new Counter({
    name: 'database_operations_total',
    help: 'Reading queries, and writes, each of which is a transaction or a part of one.',
    labelNames: ['kind'],
    registers,
    collect: () => {
      operations.reset();
      operations.inc({ kind: 'read' }, reads.count);
      operations.inc({ kind: 'write' }, writes.count);
    },
  });
  const seconds = new Counter({
    name: 'database_operation_seconds_total',
    help: 'The time that they took, waiting included.',
    labelNames: ['kind'],
    registers,
    collect: () => {
      seconds.reset();
      seconds.inc({ kind: 'read' }, reads.milliseconds / 1_000);
      seconds.inc({ kind: 'write' }, writes.milliseconds / 1_000);
    },
  });
  const waiting = new Gauge({
    name: 'database_writes_waiting',
    help: 'Writes that wait for their turn; beyond a bound they are refused with 503.',
    registers,
    collect: () => {
      waiting.set(waitingWrites());
    },
  });
}
