import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { DatabaseActivity } from '../database/database-activity.js';
import { Database } from '../database/database.js';
import { InFlightRequests } from '../http/pipeline/in-flight-requests.js';
import { RequestMetrics } from './request-metrics.js';

/** The metrics of the service in the text format of Prometheus. */
@Injectable()
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new RequestMetrics(this.#registry);

  constructor(database: Database, inFlightRequests: InFlightRequests) {
    // Processor time, memory, garbage collection, open files, and the delay of the event loop.
    collectDefaultMetrics({ register: this.#registry });
    show(this.#registry, Gauge, undefined, {
      name: 'http_requests_in_flight',
      help: 'Requests whose response is not yet complete.',
      values: () => inFlightRequests.count,
    });
    showDatabaseActivity(this.#registry, database.activity);
  }

  /** Counts a request whose response is complete. */
  readonly observe = (request: Request, response: Response, durationMs: number): void => {
    this.#requests.observe(request, response, durationMs);
  };

  async text(): Promise<string> {
    return `${await this.#registry.metrics()}\n${this.#requests.text()}`;
  }
}

/** Exposes counters that the database already maintains. */
function showDatabaseActivity(
  registry: Registry,
  { reads, writes, waitingWrites, connections, replicas = [] }: DatabaseActivity,
): void {
  const { transactions } = writes;
  show(registry, Counter, 'kind', {
    name: 'database_operations_total',
    help: 'Reads, and writes, each a transaction or a part of one.',
    values: () => ({ read: reads.count, write: writes.count }),
  });
  show(registry, Counter, 'kind', {
    name: 'database_operation_seconds_total',
    help: 'The total time of these operations, with their waits.',
    values: () => ({ read: reads.milliseconds / 1_000, write: writes.milliseconds / 1_000 }),
  });
  show(registry, Counter, undefined, {
    name: 'database_transactions_total',
    help: 'Committed transactions; on SQLite, writes that wait at the same time share one.',
    values: () => transactions.count,
  });
  show(registry, Counter, undefined, {
    name: 'database_transaction_writes_total',
    help: 'The writes in these transactions; posts that are created or changed at the same time can be one write.',
    values: () => writes.transactionWrites,
  });
  show(registry, Counter, undefined, {
    name: 'database_transaction_seconds_total',
    help: 'The total time of these transactions, until they were on the disk.',
    values: () => transactions.milliseconds / 1_000,
  });
  show(registry, Gauge, undefined, {
    name: 'database_writes_waiting',
    help: 'Waiting writes; above a limit, further ones get 503.',
    values: waitingWrites,
  });
  if (connections) {
    show(registry, Gauge, 'state', {
      name: 'database_connections',
      help: 'Connections to the primary that are idle or busy, and requests that wait for one.',
      values: connections,
    });
  }
  if (replicas.length > 0) {
    show(registry, Gauge, 'replica', {
      name: 'database_replica_used',
      help: 'Whether a replica is used for reads (1) or not (0).',
      values: () => Object.fromEntries(replicas.map(({ name, isUsable }) => [name, isUsable ? 1 : 0])),
    });
    show(registry, Gauge, 'replica', {
      name: 'database_replica_lag_seconds',
      help: 'How long a replica needed to catch up with the primary; for one that is not used, how long ago it last did.',
      values: () => Object.fromEntries(replicas.map(({ name, lagMs }) => [name, lagMs / 1_000])),
    });
  }
}

/** Registers a metric whose values are read when Prometheus asks: one number, or one for each value of the label. */
function show(
  registry: Registry,
  Metric: typeof Counter | typeof Gauge,
  label: string | undefined,
  { name, help, values }: { name: string; help: string; values: () => number | Record<string, number> },
): void {
  const metric = new Metric({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    collect: () => {
      metric.reset();
      const current = values();
      if (typeof current === 'number') metric.inc(current);
      else for (const [value, count] of Object.entries(current)) metric.inc({ [label!]: value }, count);
    },
  });
}
