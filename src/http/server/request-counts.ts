import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { METHODS, NO_ROUTE, WRITES } from '../routes/route-table.js';

/** From an in-memory read of SQLite to an import of many minutes, in seconds. */
const DURATION_BUCKETS: readonly number[] = [
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

const COUNTED_METHODS: ReadonlySet<string> = new Set(METHODS);

/** How long requests took. */
interface Durations {
  readonly buckets: readonly number[];
  /** For each of the buckets, how many took no longer, but longer than the bucket before. */
  readonly counts: number[];
  /** The sum of all. */
  seconds: number;
}

/** The complete requests of a route and a method. */
interface RequestCount {
  readonly byStatus: Map<number, number>;
  readonly durations: Durations;
}

/** Counts the requests whose response is complete, for the metrics. */
@Injectable()
export class RequestCounts {
  /** By route and method. prom-client would check and join the labels of each request, which takes 50 times as long. */
  readonly byRoute = new Map<string, Record<string, RequestCount>>();
  /** Answered from the cache. */
  cached = 0;
  refusedWrites = 0;
  /** Refused with 429. */
  limited = 0;

  add(request: Request, status: number, seconds: number): void {
    const count = this.#countOf(request);
    count.byStatus.set(status, (count.byStatus.get(status) ?? 0) + 1);
    count.durations.seconds += seconds;
    const bucket = DURATION_BUCKETS.findIndex((bound) => seconds <= bound);
    count.durations.counts[bucket]! += 1;
    if (request.context.isFromCache) this.cached += 1;
    if (status === 429) this.limited += 1;
    if (status === 503 && WRITES.has(request.method)) this.refusedWrites += 1;
  }

  #countOf({ context, method: sent }: Request): RequestCount {
    const route = context.route?.path ?? NO_ROUTE;
    const method = COUNTED_METHODS.has(sent) ? sent : 'other';
    let byMethod = this.byRoute.get(route);
    if (!byMethod) this.byRoute.set(route, (byMethod = {}));
    return (byMethod[method] ??= {
      byStatus: new Map(),
      durations: { buckets: DURATION_BUCKETS, counts: DURATION_BUCKETS.map(() => 0), seconds: 0 },
    });
  }
}
