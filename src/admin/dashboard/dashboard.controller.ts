import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { StreamReader } from '../../http/request/handler-arguments.js';
import type { Reader } from '../../http/response/response-reader.js';
import { DATABASE_BUSY, UNKNOWN_PARAMETER } from '../../openapi/problem-response.js';
import { TAGS } from '../../openapi/tags.js';
import { AdminOperation, aJson } from '../admin-operation.js';
import { CHANGE_EXAMPLES, ChangeDto } from '../history/change.dto.js';
import { TimeZoneQuery } from '../months/months.query.js';
import { DashboardDto } from './dashboard.dto.js';
import { type Dashboard, DashboardService } from './dashboard.service.js';

@ApiTags(TAGS.overview)
@Controller('admin/api/dashboard')
export class DashboardController {
  constructor(private readonly dashboard: DashboardService) {}

  @Get()
  @AdminOperation({
    name: 'admin-dashboard',
    access: 'viewer',
    summary: 'Read what people look at first',
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
    problems: { unknownParameter: UNKNOWN_PARAMETER, databaseBusy: DATABASE_BUSY },
  })
  async getDashboard(
    @Query() query: TimeZoneQuery,
    @StreamReader() openReader: () => Reader,
  ): Promise<DashboardDto> {
    return toDto(await this.dashboard.read(query.time_zone ?? 'UTC', openReader()));
  }
}

function toDto({ posts, version, startedAt, database, health, months, changes }: Dashboard): DashboardDto {
  return {
    posts,
    version,
    started_at: startedAt,
    database: { kind: database.kind, size_bytes: database.bytes },
    health,
    posts_per_month: months,
    latest_changes: changes.map((change) => ChangeDto.from(change)),
  };
}
