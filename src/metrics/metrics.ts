import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { SessionsService } from '../accounts/sessions.service.js';
import { Database } from '../database/database.js';
import { InFlightRequests } from '../http/request/in-flight-requests.js';
import { METHODS, WRITES } from '../http/request/route-table.js';
import { NO_ROUTE } from '../logging/request-log.js';
import { VERSION } from '../settings/package-info.js';
import { DatabaseStateService } from './database-state.service.js';

/** From an in-memory read of SQLite to an import of many minutes. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];

const HELP = {
  posts_info: 'The version of the service.',
  posts_log_ins_failed_total: 'Log-ins with a wrong user name or password.',
  http_requests_in_flight: 'Requests whose response is not yet complete.',
  database_operations_total: 'Reads, and writes, each a transaction or a part of one.',
  database_operation_seconds_total: 'The total time of these operations, with their waits.',
  database_transactions_total: 'Committed transactions; on SQLite, writes that wait together share one.',
  database_transaction_writes_total: 'The writes in these transactions; posts changed together can be one.',
  database_transaction_seconds_total: 'The total time of these transactions, until they were on the disk.',
  database_writes_waiting: 'Waiting writes; above a limit, further ones get 503.',
  database_connections: 'Connections to PostgreSQL that are idle or busy, and requests that wait for one.',
  database_size_bytes: 'The size of the database and, on SQLite, of its write-ahead log.',
  database_last_backup_timestamp_seconds: 'When the last backup was made; 0 when there is none.',
};

/** A number, or one for each value of a label: `{ kind: { read: 7, write: 2 } }`. */
type Value = number | Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The metrics of the service in the text format of Prometheus. */
@Injectable()
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests by method, route and status of the response; 499 is a client that went away.',
    labelNames: ['method', 'route', 'status'],
    registers: [this.#registry],
  });
  readonly #durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the header of a request to the end of its response.',
    labelNames: ['method', 'route'],
    buckets: DURATION_BUCKETS,
    registers: [this.#registry],
  });
  readonly #refusedWrites = new Counter({
    name: 'posts_writes_refused_total',
    help: 'Writes that were refused with 503, such as those to a full disk.',
    registers: [this.#registry],
  });

  constructor(
    private readonly database: Database,
    private readonly databaseState: DatabaseStateService,
    private readonly inFlightRequests: InFlightRequests,
    private readonly sessions: SessionsService,
  ) {
    // Processor time, memory, garbage collection, open files, and the delay of the event loop.
    collectDefaultMetrics({ register: this.#registry });
    // promtool refuses gauges with a name that only a counter may have; the same gauges without `_total` stay.
    for (const { name, type } of this.#registry.getMetricsAsArray())
      if (String(type) === 'gauge' && name.endsWith('_total')) this.#registry.removeSingleMetric(name);
  }

  /** Counts a request whose response is complete. */
  observe(request: Request, status: number, durationMs: number): void {
    const route = request.context.route?.path ?? NO_ROUTE;
    const method = (METHODS as readonly string[]).includes(request.method) ? request.method : 'other';
    this.#requests.inc({ method, route, status });
    this.#durations.observe({ method, route }, durationMs / 1_000);
    if (status === 503 && WRITES.has(method)) this.#refusedWrites.inc();
  }

  async text(): Promise<string> {
    return Registry.merge([this.#registry, await this.#state()]).metrics();
  }

  /** The metrics that are not counted here, but read where they are kept. */
  async #state(): Promise<Registry> {
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
    const { reads, writes, waitingWrites, connections } = this.database;
    const { transactions } = writes;
    return {
      posts_info: { version: { [VERSION]: 1 } },
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
      // Last: these query the database, and the connections are counted before.
      database_size_bytes: { part: await this.databaseState.sizes() },
      database_last_backup_timestamp_seconds: await this.databaseState.lastBackup(),
    };
  }
}
