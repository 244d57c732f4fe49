import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { Database, type DatabaseActivity } from '../database/database.js';
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
    const inFlight = new Gauge({
      name: 'http_requests_in_flight',
      help: 'Requests whose response is not yet complete.',
      registers: [this.#registry],
      collect: (): void => {
        inFlight.set(inFlightRequests.count);
      },
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
  if (connections) {
    const pool = new Gauge({
      name: 'database_connections',
      help: 'Connections to the primary that are idle or busy, and requests that wait for one.',
      labelNames: ['state'],
      registers,
      collect: () => {
        for (const [state, count] of Object.entries(connections())) pool.set({ state }, count);
      },
    });
  }
  if (replicas.length > 0) {
    const used = new Gauge({
      name: 'database_replica_used',
      help: 'Whether a replica is read from (1), or left out (0).',
      labelNames: ['replica'],
      registers,
      collect: () => {
        for (const { name, isUsable } of replicas) used.set({ replica: name }, isUsable ? 1 : 0);
      },
    });
  }
}
