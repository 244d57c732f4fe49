import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { SessionsService } from '../accounts/sessions.service.js';
import { Database } from '../database/index.js';
import { InFlightRequests, RequestCounts } from '../http/index.js';
import { standardOutput } from '../logging/log-output.js';
import { VERSION } from '../settings/package-info.js';

/** A number, or one for each series, by what follows the name of the metric: `{ '{kind="read"}': 7 }`. */
type Value = number | Readonly<Record<string, number>>;

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Undefined where there is no such thing: SQLite has no connections. */
  readonly value: () => Value | undefined | Promise<Value>;
}

/** The metrics of the service in the text format of Prometheus. */
@Injectable()
export class Metrics {
  /** Those of the process: processor time, memory, garbage collection, open files, and the delay of the event loop. */
  readonly #process = new Registry();
  /** Those that query the database come last: its connections are counted before. */
  readonly #metrics: Metric[] = [
    {
      name: 'posts_http_requests_total',
      help: 'Requests by method, route and status of the response; 499 is a client that went away.',
      type: 'counter',
      value: () => this.#requestsByStatus(),
    },
    {
      name: 'posts_http_request_duration_seconds',
      help: 'Time from the header of a request to the end of its response.',
      type: 'histogram',
      value: () => this.#requestDurations(),
    },
    {
      name: 'posts_http_requests_in_flight',
      help: 'Requests whose response is not yet complete.',
      type: 'gauge',
      value: () => this.inFlightRequests.count,
    },
    {
      name: 'posts_info',
      help: 'The version of the service.',
      type: 'gauge',
      value: () => labelled('version', { [VERSION]: 1 }),
    },
    {
      name: 'posts_log_ins_failed_total',
      help: 'Log-ins with a wrong user name or password.',
      type: 'counter',
      value: () => this.sessions.failedLogIns,
    },
    {
      name: 'posts_log_lines_dropped_total',
      help: 'Log lines that could not be written, such as to a full disk or for a reader that has stopped.',
      type: 'counter',
      value: () => standardOutput().droppedLines,
    },
    {
      name: 'posts_requests_limited_total',
      help: 'Requests that were refused with 429, by RATE_LIMIT or by the limits of log-ins.',
      type: 'counter',
      value: () => this.requestCounts.limited,
    },
    {
      name: 'posts_responses_cached_total',
      help: 'Responses from the cache, which ran no handler; some had to wait for the request that built them.',
      type: 'counter',
      value: () => this.requestCounts.cached,
    },
    {
      name: 'posts_writes_refused_total',
      help: 'Writes that were refused with 503, such as those to a full disk.',
      type: 'counter',
      value: () => this.requestCounts.refusedWrites,
    },
    {
      name: 'posts_database_operations_total',
      help: 'Reads, and writes, each a transaction or a part of one.',
      type: 'counter',
      value: () => labelled('kind', { read: this.database.reads.count, write: this.database.writes.count }),
    },
    {
      name: 'posts_database_operation_seconds_total',
      help: 'The total time of these operations, with their waits.',
      type: 'counter',
      value: () =>
        labelled('kind', {
          read: this.database.reads.milliseconds / 1_000,
          write: this.database.writes.milliseconds / 1_000,
        }),
    },
    {
      name: 'posts_database_transactions_total',
      help: 'Committed transactions; on SQLite, writes that wait together share one.',
      type: 'counter',
      value: () => this.database.writes.transactions.count,
    },
    {
      name: 'posts_database_transaction_writes_total',
      help: 'The writes in these transactions; posts changed together can be one.',
      type: 'counter',
      value: () => this.database.writes.transactionWrites,
    },
    {
      name: 'posts_database_transaction_seconds_total',
      help: 'The total time of these transactions, until they were on the disk.',
      type: 'counter',
      value: () => this.database.writes.transactions.milliseconds / 1_000,
    },
    {
      name: 'posts_database_writes_waiting',
      help: 'Waiting writes; above a limit, further ones get 503.',
      type: 'gauge',
      value: () => this.database.waitingWrites,
    },
    {
      name: 'posts_database_connections',
      help: 'Connections to PostgreSQL that are idle or busy, and requests that wait for one.',
      type: 'gauge',
      value: () => this.database.connections && labelled('state', this.database.connections),
    },
    {
      name: 'posts_database_connection_wait_seconds',
      help: 'How long reads and writes waited for a connection to PostgreSQL.',
      type: 'histogram',
      value: () => this.database.connectionWaits && seriesOfTimes(this.database.connectionWaits),
    },
    {
      name: 'posts_database_size_bytes',
      help: 'The size of the database and, on SQLite, of its write-ahead log.',
      type: 'gauge',
      value: async () => labelled('part', await this.database.sizes()),
    },
    {
      name: 'posts_database_last_backup_timestamp_seconds',
      help: 'When the last backup was made; 0 when there is none.',
      type: 'gauge',
      value: () => this.database.lastBackup(),
    },
  ];

  #building: Promise<unknown> = Promise.resolve();
  #next: Promise<string> | undefined;

  constructor(
    private readonly database: Database,
    private readonly inFlightRequests: InFlightRequests,
    private readonly requestCounts: RequestCounts,
    private readonly sessions: SessionsService,
  ) {
    collectDefaultMetrics({ register: this.#process });
    // promtool refuses gauges with a name that only a counter may have; the same gauges without `_total` stay.
    for (const { name, type } of this.#process.getMetricsAsArray())
      if (String(type) === 'gauge' && name.endsWith('_total')) this.#process.removeSingleMetric(name);
  }

  /** Adds the metric of another room, while the service starts. */
  add(metric: Metric): void {
    this.#metrics.push(metric);
  }

  /**
   * Building the text takes some milliseconds of the event loop, so calls share the next text, which is built after them.
   */
  text(): Promise<string> {
    this.#next ??= this.#building.then(() => {
      this.#next = undefined;
      const text = this.#build();
      this.#building = text.catch(() => undefined);
      return text;
    });
    return this.#next;
  }

  async #build(): Promise<string> {
    const texts: string[] = [];
    for (const metric of this.#metrics) {
      const value = await metric.value();
      if (value !== undefined) texts.push(textOf(metric, value));
    }
    return texts.join('') + (await this.#process.metrics());
  }

  #requestsByStatus(): Value {
    const series: Record<string, number> = {};
    for (const [labels, { byStatus }] of this.#requests()) {
      for (const [status, count] of byStatus) series[`{${labels},status="${status}"}`] = count;
    }
    return series;
  }

  #requestDurations(): Value {
    const series: Record<string, number> = {};
    for (const [labels, { durations }] of this.#requests())
      Object.assign(series, seriesOfTimes(durations, labels));
    return series;
  }

  /** The counts of each route and method, with their labels. */
  *#requests() {
    for (const [route, byMethod] of this.requestCounts.byRoute) {
      for (const [method, count] of Object.entries(byMethod))
        yield [`method="${method}",route="${route}"`, count] as const;
    }
  }
}

/** The series of a histogram. @param labels besides that of the bucket */
function seriesOfTimes(
  {
    buckets,
    counts,
    seconds,
  }: Pick<NonNullable<Database['connectionWaits']>, 'buckets' | 'counts' | 'seconds'>,
  labels = '',
): Value {
  const series: Record<string, number> = {};
  const others = labels === '' ? '' : `,${labels}`;
  let total = 0;
  for (const [i, bound] of buckets.entries()) {
    total += counts[i]!;
    series[`_bucket{le="${bound === Infinity ? '+Inf' : bound}"${others}}`] = total;
  }
  const whole = labels === '' ? '' : `{${labels}}`;
  return { ...series, [`_sum${whole}`]: seconds, [`_count${whole}`]: total };
}

function textOf({ name, help, type }: Metric, value: Value): string {
  const series = Object.entries(typeof value === 'number' ? { '': value } : value);
  const lines = series.map(([rest, number]) => `${name}${rest} ${number}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}\n`;
}

/** The numbers of the series that differ in one label, by its values. */
function labelled(label: string, numbers: Readonly<Record<string, number>>): Value {
  return Object.fromEntries(
    Object.entries(numbers).map(([value, number]) => [`{${label}="${value}"}`, number]),
  );
}
