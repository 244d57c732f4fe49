import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { Database } from '../database/database.js';
import { showDatabaseActivity } from './database-metrics.js';
import { RequestMetrics } from './request-metrics.js';

/** The numbers by which the service is watched, in the text format of Prometheus. */
@Injectable()
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new RequestMetrics(this.#registry);

  constructor(database: Database) {
    // Processor time, memory, garbage collection, open files, and how late the event loop is.
    collectDefaultMetrics({ register: this.#registry });
    showDatabaseActivity(this.#registry, database.activity);
  }

  /** Counts a request that was answered. */
  readonly observe = (request: Request, response: Response, durationMs: number): void => {
    this.#requests.observe(request, response, durationMs);
  };

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
