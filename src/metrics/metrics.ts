import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { InFlightRequests } from '../http/request/in-flight-requests.js';
import { METHODS, WRITES } from '../http/request/route-table.js';
import { endStatusOf, NO_ROUTE } from '../logging/request-log.js';
import { StateMetrics } from './state-metrics.js';

/** From an in-memory read of SQLite to an import of many minutes. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];
const SIZE_BUCKETS = [256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 16_777_216, 67_108_864];

const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS);

/** Gauges of prom-client with a name that only a counter may have; the same gauges without `_total` stay. */
const MISNAMED = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
];

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
  readonly #requestSizes = this.#sizes(
    'http_request_size_bytes',
    'Size of request bodies as their header announced it; bodies without Content-Length are not counted.',
  );
  readonly #responseSizes = this.#sizes(
    'http_response_size_bytes',
    'Size of response bodies as sent; streams, which have no Content-Length, are not counted.',
  );
  readonly #refusedWrites = new Counter({
    name: 'posts_writes_refused_total',
    help: 'Writes that were refused with 503, such as those to a full disk.',
    registers: [this.#registry],
  });

  constructor(
    private readonly state: StateMetrics,
    inFlightRequests: InFlightRequests,
  ) {
    inFlightRequests.observers.push(this.observe);
    // Processor time, memory, garbage collection, open files, and the delay of the event loop.
    collectDefaultMetrics({ register: this.#registry });
    for (const name of MISNAMED) this.#registry.removeSingleMetric(name);
  }

  /** Counts a request whose response is complete. */
  readonly observe = (request: Request, response: Response, durationMs: number): void => {
    const { route: { path: route } = { path: NO_ROUTE }, sentBytes } = request.context;
    const method = KNOWN_METHODS.has(request.method) ? request.method : 'other';
    const status = endStatusOf(response);
    this.#requests.inc({ method, route, status });
    this.#durations.observe({ method, route }, durationMs / 1_000);
    if (status === 503 && WRITES.has(method)) this.#refusedWrites.inc();
    const announced = Number(request.headers['content-length'] ?? 0);
    // A body that never arrived may have been announced with any size.
    if (request.complete && announced > 0) this.#requestSizes.observe({ route }, announced);
    if (sentBytes !== undefined && sentBytes > 0) this.#responseSizes.observe({ route }, sentBytes);
  };

  async text(): Promise<string> {
    return Registry.merge([this.#registry, await this.state.registry()]).metrics();
  }

  #sizes(name: string, help: string): Histogram<'route'> {
    const registers = [this.#registry];
    return new Histogram({ name, help, labelNames: ['route'], buckets: SIZE_BUCKETS, registers });
  }
}
