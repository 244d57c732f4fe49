import { Controller, Get, Inject, Query } from '@nestjs/common';
import { PickType } from '@nestjs/swagger';
import { ChangesService } from '../history/changes.service.js';
import { CurrentUser, Access, CurrentClient } from '../http/index.js';
import type { User } from '../users/user.js';
import type { Client } from '../limits/index.js';
import { VERSION } from '../settings/package-info.js';
import { ListPostsQuery } from '../posts/dto/list-posts.query.js';
import { type Excerpt, type MonthCount, OverviewService } from '../posts/overview/overview.service.js';
import { PostsService } from '../posts/posts.service.js';
import { type Settings, SETTINGS } from '../settings/settings.js';
import { AdminOperation } from './admin-operation.js';
import { isForAdministrators, toChangeDto, toChangeFilter } from './change.dto.js';

export type DashboardDto = Awaited<ReturnType<OverviewController['getDashboard']>>;

const LATEST_CHANGES = { limit: 10, cursor: undefined };

/** The posts, like a list's `id`. */
class ExcerptsQuery extends PickType(ListPostsQuery, ['id']) {}

@Controller('admin/api')
@Access({ session: 'viewer' })
export class OverviewController {
  readonly #startedAt = new Date().toISOString();

  constructor(
    private readonly posts: PostsService,
    private readonly overview: OverviewService,
    private readonly changes: ChangesService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** In the order of the ids; ids without a post are skipped. */
  @Get('excerpts')
  @AdminOperation({ name: 'admin-excerpt-list' })
  listExcerpts(
    @Query() { id = [] }: ExcerptsQuery,
    @CurrentClient() client: Client,
  ): Promise<readonly Excerpt[]> {
    return this.overview.findExcerpts(id.map(Number), client);
  }

  @Get('dashboard')
  @AdminOperation({ name: 'admin-dashboard' })
  async getDashboard(@CurrentUser() user: User, @CurrentClient() client: Client) {
    const [posts, bytes, months, { rows: latest }] = await Promise.all([
      this.posts.count(),
      this.overview.databaseBytes(),
      this.overview.latestMonths(client),
      this.changes.findPage(toChangeFilter({}, user), LATEST_CHANGES, client),
    ]);
    return {
      posts,
      /** Whether the API takes writes without a token, from everybody. */
      has_open_writes: this.settings.apiTokens.length === 0,
      version: VERSION,
      started_at: this.#startedAt,
      database: { kind: this.settings.database.kind, size_bytes: bytes ?? 0 },
      posts_per_month: withEmptyMonths(months),
      latest_changes: latest.map((change) => toChangeDto(change, isForAdministrators(user))),
    };
  }
}

/** The current month and the eleven before it, the newest first, also those without posts. @param months with posts */
function withEmptyMonths(months: readonly MonthCount[], now = new Date()): MonthCount[] {
  return Array.from({ length: 12 }, (_, ago) => {
    const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago));
    const month = start.toISOString().slice(0, 7);
    return months.find((each) => each.month === month) ?? { month, posts: 0 };
  });
}
