import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import { SessionsService } from '../accounts/sessions.service.js';
import { Database } from '../database/database.js';
import { InFlightRequests } from '../http/request/in-flight-requests.js';
import { INFO } from '../openapi/info.js';
import { DatabaseStateRepository } from './database-state.repository.js';

const HELP = {
  posts_info: 'The version of the service.',
  posts_log_ins_failed_total: 'Log-ins with a wrong user name or password.',
  http_requests_in_flight: 'Requests whose response is not yet complete.',
  database_operations_total: 'Reads, and writes, each a transaction or a part of one.',
  database_operation_seconds_total: 'The total time of these operations, with their waits.',
  database_transactions_total:
    'Committed transactions; on SQLite, writes that wait at the same time share one.',
  database_transaction_writes_total:
    'The writes in these transactions; posts that change together can be one.',
  database_transaction_seconds_total: 'The total time of these transactions, until they were on the disk.',
  database_writes_waiting: 'Waiting writes; above a limit, further ones get 503.',
  database_connections: 'Connections to the primary that are idle or busy, and requests that wait for one.',
  database_replica_used: 'Whether a replica is used for reads (1) or not (0).',
  database_replica_lag_seconds:
    'How long a replica needed to catch up with the primary; for one that is not used, how long ago it last did.',
  database_size_bytes: 'The size of the database and, on SQLite, of its write-ahead log.',
  database_last_backup_timestamp_seconds: 'When the last backup was made; 0 when there is none.',
};

/** A number, or one for each value of a label: `{ kind: { read: 7, write: 2 } }`. */
type Value = number | Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The metrics that are not counted here, but read where they are kept when Prometheus asks. */
@Injectable()
export class StateMetrics {
  constructor(
    private readonly database: Database,
    private readonly databaseState: DatabaseStateRepository,
    private readonly inFlightRequests: InFlightRequests,
    private readonly sessions: SessionsService,
  ) {}

  async registry(): Promise<Registry> {
    const registers = [new Registry()];
    for (const [key, value] of Object.entries(await this.#values())) {
      const name = key as keyof typeof HELP;
      const [label, values] = typeof value === 'number' ? [undefined, value] : Object.entries(value)[0]!;
      // A counter, and nothing else, has this suffix.
      const Metric = name.endsWith('_total') ? Counter : Gauge;
      const metric = new Metric({ name, help: HELP[name], labelNames: label ? [label] : [], registers });
      if (typeof values === 'number') metric.inc(values);
      else for (const [each, number] of Object.entries(values)) metric.inc({ [label!]: each }, number);
    }
    return registers[0]!;
  }

  async #values(): Promise<Partial<Record<keyof typeof HELP, Value>>> {
    const { primary, writes, waitingWrites, connections, replicas } = this.database;
    const reads = primary.stopwatch;
    const { transactions } = writes;
    const ofReplicas = (valueOf: (replica: (typeof replicas)[number]) => number): Value => ({
      replica: Object.fromEntries(replicas.map((replica) => [replica.name, valueOf(replica)])),
    });
    return {
      posts_info: { version: { [INFO.version]: 1 } },
      posts_log_ins_failed_total: this.sessions.failedLogIns,
      http_requests_in_flight: this.inFlightRequests.count,
      database_operations_total: { kind: { read: reads.count, write: writes.count } },
      database_operation_seconds_total: {
        kind: { read: reads.milliseconds / 1_000, write: writes.milliseconds / 1_000 },
      },
      database_transactions_total: transactions.count,
      database_transaction_writes_total: writes.transactionWrites,
      database_transaction_seconds_total: transactions.milliseconds / 1_000,
      database_writes_waiting: waitingWrites,
      ...(connections && { database_connections: { state: connections } }),
      ...(replicas.length > 0 && {
        database_replica_used: ofReplicas(({ isUsable }) => (isUsable ? 1 : 0)),
        database_replica_lag_seconds: ofReplicas(({ lagMs }) => lagMs / 1_000),
      }),
      // Last: these query the database, and the connections are counted before.
      database_size_bytes: { part: await this.databaseState.sizes() },
      database_last_backup_timestamp_seconds: await this.databaseState.lastBackup(),
    };
  }
}
