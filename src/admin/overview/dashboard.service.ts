import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { HealthService } from '../../health/health.service.js';
import { HistoryService } from '../../history/history.service.js';
import type { Reader } from '../../http/response/response-reader.js';
import { INFO } from '../../openapi/info.js';
import { OverviewService } from '../../posts/overview/overview.service.js';
import { PostsService } from '../../posts/posts.service.js';
import { ChangeDto } from '../history/change.dto.js';
import type { DashboardDto } from './overview.dto.js';

const LATEST_CHANGES = 10;

@Injectable()
export class DashboardService {
  readonly #startedAt = new Date().toISOString();

  constructor(
    private readonly posts: PostsService,
    private readonly overview: OverviewService,
    private readonly history: HistoryService,
    private readonly health: HealthService,
    private readonly database: Database,
  ) {}

  async read(zone: string, reader: Reader): Promise<DashboardDto> {
    const [posts, bytes, health, months, changes] = await Promise.all([
      this.posts.count(),
      this.database.size(),
      this.health.readiness(),
      this.overview.latestMonths(zone, reader),
      this.history.changesOf({}, { limit: LATEST_CHANGES, cursor: undefined }),
    ]);
    return {
      posts,
      version: INFO.version,
      started_at: this.#startedAt,
      database: { kind: this.database.dialect.name, size_bytes: bytes },
      health,
      posts_per_month: months,
      latest_changes: changes.rows.map((change) => ChangeDto.from(change)),
    };
  }
}
