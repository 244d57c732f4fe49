import { Controller, Get, Query } from '@nestjs/common';
import { ApiProperty, ApiTags, PickType } from '@nestjs/swagger';
import { StreamReader } from '../../http/request/handler-arguments.js';
import type { InputCheck } from '../../http/request/input-reader.js';
import type { Reader } from '../../http/response/response-reader.js';
import { ClosedSchema } from '../../openapi/document-types.js';
import { ListPostsQuery } from '../../posts/dto/list-posts.query.js';
import { toFilter } from '../../posts/lists/list-request.js';
import { OverviewService } from '../../posts/overview/overview.service.js';
import { MAX_POST_ID } from '../../posts/post-id.js';
import { PUB_DATE_RULE } from '../../posts/pub-date.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { AdminOperation, aJson } from '../admin-operation.js';
import { CHANGE_EXAMPLES } from '../history/change.dto.js';
import { DashboardService } from './dashboard.service.js';
import { DashboardDto, MonthDto, MonthsQuery, TimeZoneQuery } from './overview.dto.js';

@ClosedSchema('Excerpt', 'The beginning of a post.')
export class ExcerptDto {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_POST_ID, example: 7 })
  id!: number;

  @ApiProperty({
    type: String,
    description: 'The first 200 characters of the body, in one line: white space in a row is one space.',
    example: 'Fog in the morning, sun by noon, and a heron that would not move.',
  })
  excerpt!: string;
}

/** The query that selects the posts, like a list's `id`. */
class ExcerptsQuery extends PickType(ListPostsQuery, ['id'] as const) {}

/** Requires `id`: excerpts of all posts are never needed. */
const checkNamesPosts: InputCheck<{ query: ExcerptsQuery }> = ({ query }, _context, found) =>
  query.id === undefined && found.length === 0
    ? [{ detail: 'The ids of the posts are required.', code: 'required', parameter: 'id' }]
    : [];

@ApiTags('overview')
@Controller('admin/api')
export class OverviewController {
  constructor(
    private readonly dashboard: DashboardService,
    private readonly overview: OverviewService,
  ) {}

  @Get('excerpts')
  @AdminOperation({
    name: 'admin-excerpt-list',
    access: 'viewer',
    summary: 'Read the beginnings of posts',
    check: checkNamesPosts,
    responses: {
      200: aJson(
        'In the order of the ids; ids without a post are skipped.',
        [ExcerptDto],
        [{ id: 7, excerpt: 'Fog in the morning, sun by noon, and a heron that would not move.' }],
      ),
    },
    problems: {
      missingIds: new InvalidRequest([
        { detail: 'The ids of the posts are required.', code: 'required', parameter: 'id' },
      ]),
    },
  })
  listExcerpts(@Query() { id }: ExcerptsQuery): Promise<readonly ExcerptDto[]> {
    return this.overview.findExcerpts(id!.map(Number));
  }

  @Get('months')
  @AdminOperation({
    name: 'admin-month-list',
    access: 'viewer',
    summary: 'Count posts by months',
    description: 'The months that have posts, newest first.',
    responses: { 200: aJson('The months.', [MonthDto], [{ month: '2026-11', posts: 12 }]) },
    problems: {
      faultyDate: new InvalidRequest([
        { detail: PUB_DATE_RULE, code: 'not_a_date', parameter: 'pub_date_after' },
      ]),
    },
  })
  listMonths(
    @Query() query: MonthsQuery,
    @StreamReader() openReader: () => Reader,
  ): Promise<readonly MonthDto[]> {
    return this.overview.countByMonth(toFilter(query), query.time_zone ?? 'UTC', openReader());
  }

  @Get('dashboard')
  @AdminOperation({
    name: 'admin-dashboard',
    access: 'viewer',
    summary: 'Read the overview',
    responses: {
      200: aJson('How things are.', DashboardDto, {
        posts: 128,
        version: '1.0.0',
        started_at: '2026-11-20T14:40:00.123Z',
        database: { kind: 'sqlite', size_bytes: 1_048_576 },
        health: { status: 'ok' },
        posts_per_month: [{ month: '2026-11', posts: 12 }],
        latest_changes: CHANGE_EXAMPLES,
      }),
    },
  })
  getDashboard(
    @Query() { time_zone: zone = 'UTC' }: TimeZoneQuery,
    @StreamReader() openReader: () => Reader,
  ): Promise<DashboardDto> {
    return this.dashboard.read(zone, openReader());
  }
}
