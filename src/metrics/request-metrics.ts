import type { Request, Response } from 'express';
import { Counter, Histogram, type Registry } from 'prom-client';
import { METHODS } from '../http/route.js';

/** From a read that SQLite answers from memory to an import of many minutes. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];
const SIZE_BUCKETS = [256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 16_777_216, 67_108_864];

/** What stands for all paths that are none of the service's; the paths themselves would be labels without number. */
const NO_ROUTE = 'none';
const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS);

type Series = (durationSeconds: number, requestBytes: number, responseBytes: number) => void;

/** Counts requests by method, route and status. */
export class RequestMetrics {
  readonly #requests: Counter<'method' | 'route' | 'status'>;
  readonly #durations: Histogram<'method' | 'route'>;
  readonly #requestSizes: Histogram<'route'>;
  readonly #responseSizes: Histogram<'route'>;
  /** prom-client sorts and joins the labels of each observation anew, which costs more than the observation. */
  readonly #series = new Map<string, Series>();

  constructor(registry: Registry) {
    const registers = [registry];
    this.#requests = new Counter({
      name: 'http_requests_total',
      help: 'Requests that were answered, by method, route and status.',
      labelNames: ['method', 'route', 'status'],
      registers,
    });
    this.#durations = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the header of a request to the end of its answer.',
      labelNames: ['method', 'route'],
      buckets: DURATION_BUCKETS,
      registers,
    });
    this.#requestSizes = new Histogram({
      name: 'http_request_size_bytes',
      help: 'Size of request bodies as their header announced it; bodies without Content-Length are not counted.',
      labelNames: ['route'],
      buckets: SIZE_BUCKETS,
      registers,
    });
    this.#responseSizes = new Histogram({
      name: 'http_response_size_bytes',
      help: 'Size of response bodies as sent; streams, which have no Content-Length, are not counted.',
      labelNames: ['route'],
      buckets: SIZE_BUCKETS,
      registers,
    });
  }

  observe(request: Request, response: Response, durationMs: number): void {
    const route = request.context.route?.path ?? NO_ROUTE;
    const { method } = request;
    const key = `${response.statusCode} ${method} ${route}`;
    let series = this.#series.get(key);
    if (!series) {
      series = this.#open(KNOWN_METHODS.has(method) ? method : 'other', route, response.statusCode);
      this.#series.set(key, series);
    }
    series(durationMs / 1_000, Number(request.headers['content-length']), request.context.sentBytes ?? 0);
  }

  /** @returns what counts a request of these labels */
  #open(method: string, route: string, status: number): Series {
    const requests = this.#requests.labels(method, route, String(status));
    const durations = this.#durations.labels(method, route);
    const requestSizes = this.#requestSizes.labels(route);
    const responseSizes = this.#responseSizes.labels(route);
    return (durationSeconds, requestBytes, responseBytes) => {
      requests.inc();
      durations.observe(durationSeconds);
      if (requestBytes > 0) requestSizes.observe(requestBytes);
      if (responseBytes > 0) responseSizes.observe(responseBytes);
    };
  }
}
