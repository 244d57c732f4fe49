import { Injectable } from '@nestjs/common';
import { HealthService } from '../../health/health.service.js';
import { HistoryService } from '../../history/history.service.js';
import type { Reader } from '../../http/response/response-reader.js';
import { INFO } from '../../openapi/info.js';
import { MonthsService } from '../../posts/overview/months.service.js';
import { PostsService } from '../../posts/posts.service.js';
import { ChangeDto } from '../history/change.dto.js';
import { DatabaseFactsRepository } from './database-facts.repository.js';
import type { DashboardDto } from './overview.dto.js';

const LATEST_CHANGES = 10;

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

  async read(zone: string, reader: Reader): Promise<DashboardDto> {
    const [posts, database, health, months, changes] = await Promise.all([
      this.posts.count(),
      this.database.find(),
      this.health.readiness(),
      this.months.latest(zone, reader),
      this.history.changesOf({}, { limit: LATEST_CHANGES, cursor: undefined }),
    ]);
    return {
      posts,
      version: INFO.version,
      started_at: this.#startedAt,
      database: { kind: database.kind, size_bytes: database.bytes },
      health,
      posts_per_month: months,
      latest_changes: changes.rows.map((change) => ChangeDto.from(change)),
    };
  }
}
