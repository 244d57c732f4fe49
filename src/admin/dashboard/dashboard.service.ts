import { Injectable } from '@nestjs/common';
import { type HealthDto, HealthService } from '../../health/health.service.js';
import { HistoryService } from '../../history/history.service.js';
import type { LoggedChange } from '../../history/post-revision.entity.js';
import type { Reader } from '../../http/response/response-reader.js';
import { INFO } from '../../openapi/info.js';
import { type MonthCount, MonthsService } from '../../posts/overview/months.service.js';
import { PostsService } from '../../posts/posts.service.js';
import { type DatabaseFacts, DatabaseFactsRepository } from './database-facts.repository.js';

const LATEST_CHANGES = 10;

export interface Dashboard {
  readonly posts: number;
  readonly version: string;
  readonly startedAt: string;
  readonly database: DatabaseFacts;
  readonly health: HealthDto;
  readonly months: readonly MonthCount[];
  readonly changes: readonly LoggedChange[];
}

/** Collects the data of the dashboard. */
@Injectable()
export class DashboardService {
  readonly #startedAt = new Date().toISOString();

  constructor(
    private readonly posts: PostsService,
    private readonly months: MonthsService,
    private readonly history: HistoryService,
    private readonly health: HealthService,
    private readonly database: DatabaseFactsRepository,
  ) {}

  async read(zone: string, reader: Reader): Promise<Dashboard> {
    const [posts, database, health, months, changes] = await Promise.all([
      this.posts.count(),
      this.database.find(),
      this.health.readiness(),
      this.months.latest(zone, reader),
      this.history.changesOf({}, { limit: LATEST_CHANGES, cursor: undefined }),
    ]);
    const { version } = INFO;
    return { posts, version, startedAt: this.#startedAt, database, health, months, changes: changes.rows };
  }
}
