import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { StreamReader } from '../../http/request/handler-arguments.js';
import type { Reader } from '../../http/response/response-reader.js';
import { TAGS } from '../../openapi/tags.js';
import { AdminOperation, aJson } from '../admin-operation.js';
import { CHANGE_EXAMPLES } from '../history/change.dto.js';
import { TimeZoneQuery } from '../months/month.dto.js';
import { DashboardDto } from './dashboard.dto.js';
import { DashboardService } from './dashboard.service.js';

@ApiTags(TAGS.overview)
@Controller('admin/api/dashboard')
export class DashboardController {
  constructor(private readonly dashboard: DashboardService) {}

  @Get()
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
