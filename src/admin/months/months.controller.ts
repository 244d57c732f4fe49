import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { StreamReader } from '../../http/request/handler-arguments.js';
import type { Reader } from '../../http/response/response-reader.js';
import { TAGS } from '../../openapi/tags.js';
import { toFilter } from '../../posts/lists/list-request.js';
import { MonthsService } from '../../posts/overview/months.service.js';
import { PUB_DATE_RULE } from '../../posts/pub-date.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { AdminOperation, aJson } from '../admin-operation.js';
import { MonthDto, MonthsQuery } from './month.dto.js';

@ApiTags(TAGS.overview)
@Controller('admin/api/months')
export class MonthsController {
  constructor(private readonly months: MonthsService) {}

  @Get()
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
    return this.months.count(toFilter(query), query.time_zone ?? 'UTC', openReader());
  }
}
