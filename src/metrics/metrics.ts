import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { SessionsService } from '../accounts/sessions.service.js';
import { Database } from '../database/database.js';
import { InFlightRequests } from '../http/server/in-flight-requests.js';
import { METHODS, WRITES } from '../http/routes/route-table.js';
import { NO_ROUTE } from '../http/access/request-log.js';
import { VERSION } from '../settings/package-info.js';
import { DatabaseStateService } from './database-state.service.js';

/** From an in-memory read of SQLite to an import of many minutes, in seconds. */
const DURATION_BUCKETS = [
  0.001,
  0.0025,
  0.005,
  0.01,
  0.025,
  0.05,
  0.1,
  0.25,
  0.5,
  1,
  2.5,
  5,
  10,
  60,
  Infinity,
];

const HELP = {
  http_requests_total:
    'Requests by method, route and status of the response; 499 is a client that went away.',
  http_request_duration_seconds: 'Time from the header of a request to the end of its response.',
  http_requests_in_flight: 'Requests whose response is not yet complete.',
  posts_info: 'The version of the service.',
  posts_log_ins_failed_total: 'Log-ins with a wrong user name or password.',
  posts_writes_refused_total: 'Writes that were refused with 503, such as those to a full disk.',
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

/** The complete requests of a route and a method. */
interface RequestCounts {
  readonly byStatus: Map<number, number>;
  /** For each of {@link DURATION_BUCKETS}, how many took no longer. */
  readonly byDuration: number[];
  seconds: number;
}

/** A number, or one for each series, by what follows the name of the metric: `{ '{kind="read"}': 7 }`. */
type Value = number | Readonly<Record<string, number>>;

/** The metrics of the service in the text format of Prometheus. */
@Injectable()
export class Metrics {
  readonly #registry = new Registry();
  /** By route and method. prom-client would check and join the labels of each request, which takes 50 times as long. */
  readonly #requests = new Map<string, Record<string, RequestCounts>>();
  #refusedWrites = 0;

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
  observe(request: Request, status: number, seconds: number): void {
    const route = request.context.route?.path ?? NO_ROUTE;
    const method = (METHODS as readonly string[]).includes(request.method) ? request.method : 'other';
    let byMethod = this.#requests.get(route);
    if (!byMethod) this.#requests.set(route, (byMethod = {}));
    byMethod[method] ??= { byStatus: new Map(), byDuration: DURATION_BUCKETS.map(() => 0), seconds: 0 };
    const { byStatus, byDuration } = byMethod[method];
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    let bucket = DURATION_BUCKETS.length;
    while (bucket > 0 && seconds <= DURATION_BUCKETS[bucket - 1]!) byDuration[--bucket]! += 1;
    byMethod[method].seconds += seconds;
    if (status === 503 && WRITES.has(method)) this.#refusedWrites += 1;
  }

  async text(): Promise<string> {
    const metrics = Object.entries(await this.#values()).map(([name, value]) => {
      const type = name.endsWith('_total') ? 'counter' : name.includes('_duration_') ? 'histogram' : 'gauge';
      const series = Object.entries(typeof value === 'number' ? { '': value } : value);
      const lines = series.map(([rest, number]) => `${name}${rest} ${number}\n`);
      return `# HELP ${name} ${HELP[name as keyof typeof HELP]}\n# TYPE ${name} ${type}\n${lines.join('')}\n`;
    });
    return metrics.join('') + (await this.#registry.metrics());
  }

  async #values(): Promise<Partial<Record<keyof typeof HELP, Value>>> {
    const { reads, writes, waitingWrites, connections } = this.database;
    const { transactions } = writes;
    return {
      ...this.#requestValues(),
      http_requests_in_flight: this.inFlightRequests.count,
      posts_info: by('version', { [VERSION]: 1 }),
      posts_log_ins_failed_total: this.sessions.failedLogIns,
      posts_writes_refused_total: this.#refusedWrites,
      database_operations_total: by('kind', { read: reads.count, write: writes.count }),
      database_operation_seconds_total: by('kind', {
        read: reads.milliseconds / 1_000,
        write: writes.milliseconds / 1_000,
      }),
      database_transactions_total: transactions.count,
      database_transaction_writes_total: writes.transactionWrites,
      database_transaction_seconds_total: transactions.milliseconds / 1_000,
      database_writes_waiting: waitingWrites,
      ...(connections && { database_connections: by('state', connections) }),
      // Last: these query the database, and the connections are counted before.
      database_size_bytes: by('part', await this.databaseState.sizes()),
      database_last_backup_timestamp_seconds: await this.databaseState.lastBackup(),
    };
  }

  #requestValues(): Record<'http_requests_total' | 'http_request_duration_seconds', Value> {
    const totals: Record<string, number> = {};
    const durations: Record<string, number> = {};
    for (const [route, byMethod] of this.#requests) {
      for (const [method, { byStatus, byDuration, seconds }] of Object.entries(byMethod)) {
        const labels = `method="${method}",route="${route}"`;
        for (const [status, count] of byStatus) totals[`{${labels},status="${status}"}`] = count;
        for (const [i, bound] of DURATION_BUCKETS.entries())
          durations[`_bucket{le="${bound === Infinity ? '+Inf' : bound}",${labels}}`] = byDuration[i]!;
        durations[`_sum{${labels}}`] = seconds;
        durations[`_count{${labels}}`] = byDuration.at(-1)!;
      }
    }
    return { http_requests_total: totals, http_request_duration_seconds: durations };
  }
}

/** The numbers of the series that differ in one label, by its values. */
function by(label: string, numbers: Readonly<Record<string, number>>): Value {
  return Object.fromEntries(
    Object.entries(numbers).map(([value, number]) => [`{${label}="${value}"}`, number]),
  );
}
