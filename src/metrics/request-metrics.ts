import type { Request, Response } from 'express';
import { Counter, type Registry } from 'prom-client';
import { METHODS, type Route, routeLabel } from '../http/pipeline/route-table.js';

/** The distribution of one series' values over the buckets. */
export class Distribution {
  /** Counts per bucket; the last bucket is for values beyond all bounds. */
  readonly #counts: number[];
  #sum = 0;

  constructor(private readonly bounds: readonly number[]) {
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.bounds.length && value > this.bounds[bucket]!) bucket += 1;
    this.#counts[bucket]! += 1;
    this.#sum += value;
  }

  /** The text lines of the series. Buckets are cumulative. */
  lines(name: string, labels: string): string[] {
    let total = 0;
    const buckets = this.#counts.map((count, index) => {
      total += count;
      return `${name}_bucket{le="${this.bounds[index] ?? '+Inf'}",${labels}} ${total}`;
    });
    return [...buckets, `${name}_sum{${labels}} ${this.#sum}`, `${name}_count{${labels}} ${total}`];
  }
}

/**
 * A histogram in the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/). For each
 * value, a histogram of prom-client sorts and joins the labels to look up the series, which took a twelfth of the time
 * of a response from the cache.
 */
export class Histogram {
  /** By labels in their text form. */
  readonly #series = new Map<string, Distribution>();

  constructor(
    private readonly name: string,
    private readonly help: string,
    private readonly bounds: readonly number[],
  ) {}

  /** The series with these labels. Frequent callers should keep the reference. */
  series(labels: Readonly<Record<string, string>>): Distribution {
    const written = Object.entries(labels)
      .map(([name, value]) => `${name}="${value}"`)
      .join(',');
    let series = this.#series.get(written);
    if (!series) {
      series = new Distribution(this.bounds);
      this.#series.set(written, series);
    }
    return series;
  }

  text(): string {
    const lines = [...this.#series].flatMap(([labels, series]) => series.lines(this.name, labels));
    return [`# HELP ${this.name} ${this.help}`, `# TYPE ${this.name} histogram`, ...lines, ''].join('\n');
  }
}

/** From an in-memory read of SQLite to an import of many minutes. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];
const SIZE_BUCKETS = [256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 16_777_216, 67_108_864];

const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS);

interface Series {
  readonly durations: Distribution;
  readonly requestSizes: Distribution;
  readonly responseSizes: Distribution;
  readonly statuses: Map<number, number>;
}

/** Counts requests by method, route and status. */
export class RequestMetrics {
  readonly #durations = new Histogram(
    'http_request_duration_seconds',
    'Time from the header of a request to the end of its response.',
    DURATION_BUCKETS,
  );
  readonly #requestSizes = new Histogram(
    'http_request_size_bytes',
    'Size of request bodies as their header announced it; bodies without Content-Length are not counted.',
    SIZE_BUCKETS,
  );
  readonly #responseSizes = new Histogram(
    'http_response_size_bytes',
    'Size of response bodies as sent; streams, which have no Content-Length, are not counted.',
    SIZE_BUCKETS,
  );
  readonly #series = new Map<Route | undefined, Map<string, Series>>();

  constructor(registry: Registry) {
    const requests = new Counter({
      name: 'http_requests_total',
      help: 'Requests by method, route and status of the response.',
      labelNames: ['method', 'route', 'status'],
      registers: [registry],
      collect: () => {
        requests.reset();
        for (const [route, methods] of this.#series) {
          for (const [method, { statuses }] of methods) {
            for (const [status, count] of statuses) {
              requests.inc({ method, route: routeLabel(route), status }, count);
            }
          }
        }
      },
    });
  }

  observe(request: Request, response: Response, durationMs: number): void {
    const { route, sentBytes } = request.context;
    const { durations, requestSizes, responseSizes, statuses } = this.#seriesOf(route, request.method);
    const { statusCode } = response;
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
    durations.observe(durationMs / 1_000);
    const announced = request.headers['content-length'];
    if (announced !== undefined && announced !== '0') requestSizes.observe(Number(announced));
    if (sentBytes !== undefined && sentBytes > 0) responseSizes.observe(sentBytes);
  }

  text(): string {
    return [this.#durations, this.#requestSizes, this.#responseSizes].map((each) => each.text()).join('\n');
  }

  #seriesOf(route: Route | undefined, method: string): Series {
    let methods = this.#series.get(route);
    if (!methods) {
      methods = new Map();
      this.#series.set(route, methods);
    }
    const known = methods.get(method);
    if (known) return known;
    const label = KNOWN_METHODS.has(method) ? method : 'other';
    const series = methods.get(label) ?? this.#open(routeLabel(route), label);
    methods.set(label, series);
    return series;
  }

  #open(route: string, method: string): Series {
    return {
      durations: this.#durations.series({ method, route }),
      requestSizes: this.#requestSizes.series({ route }),
      responseSizes: this.#responseSizes.series({ route }),
      statuses: new Map(),
    };
  }
}
