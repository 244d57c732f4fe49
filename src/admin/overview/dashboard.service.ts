import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { HealthService } from '../../health/health.service.js';
import { HistoryService } from '../../history/history.service.js';
import type { Reader } from '../../http/request/client-shares.js';
import { INFO } from '../../openapi/info.js';
import { OverviewService } from '../../posts/overview/overview.service.js';
import { PostsService } from '../../posts/posts.service.js';
import { type Settings, SETTINGS } from '../../settings/settings.js';
import { toChangeDto } from '../history/change.dto.js';

export type DashboardDto = Awaited<ReturnType<DashboardService['read']>>;

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
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @param isAdministrator whether failed log-ins and addresses are shown */
  async read(zone: string, isAdministrator: boolean, reader: Reader) {
    const [posts, bytes, health, months, changes] = await Promise.all([
      this.posts.count(),
      this.database.size(),
      this.health.readiness(),
      this.overview.latestMonths(zone, reader),
      this.history.changesOf(
        { hidden: isAdministrator ? undefined : 'login_failed' },
        { limit: LATEST_CHANGES, cursor: undefined },
      ),
    ]);
    return {
      posts,
      /** Whether the API takes writes without a token, from everybody. */
      has_open_writes: this.settings.apiTokens.length === 0,
      version: INFO.version,
      started_at: this.#startedAt,
      database: { kind: this.database.dialect.name, size_bytes: bytes },
      health,
      posts_per_month: months,
      latest_changes: changes.rows.map((change) => toChangeDto(change, isAdministrator)),
    };
  }
}
