import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { Database } from '../database/database.js';
import { InFlightRequests } from '../http/pipeline/in-flight-requests.js';
import { showDatabaseActivity } from './database-metrics.js';
import { RequestMetrics } from './request-metrics.js';

/** The numbers by which the service is watched, in the text format of Prometheus. */
@Injectable()
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new RequestMetrics(this.#registry);

  constructor(database: Database, inFlightRequests: InFlightRequests) {
    // Processor time, memory, garbage collection, open files, and how late the event loop is.
    collectDefaultMetrics({ register: this.#registry });
    const inFlight = new Gauge({
      name: 'http_requests_in_flight',
      help: 'Requests whose answer is not yet complete.',
      registers: [this.#registry],
      collect: (): void => {
        inFlight.set(inFlightRequests.count);
      },
    });
    showDatabaseActivity(this.#registry, database.activity);
  }

  /** Counts a request that was answered. */
  readonly observe = (request: Request, response: Response, durationMs: number): void => {
    this.#requests.observe(request, response, durationMs);
  };

  async text(): Promise<string> {
    return `${await this.#registry.metrics()}\n${this.#requests.text()}`;
  }
}
